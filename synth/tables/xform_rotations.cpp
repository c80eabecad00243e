#include "synth/tables/xform_rotations.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "synth/base/integers.h"

namespace swizzle {
namespace {

constexpr std::int64_t kMostSpread = 1 << 20;  // wider than any modulus

}  // namespace

RotationLists::RotationLists(std::vector<std::vector<std::int64_t>> keys)
    : keys_(std::move(keys)),
      reach_(keys_[0].size(), 0) {
  for (const auto& k : keys_)
    for (std::size_t j = 0; j < reach_.size(); ++j) reach_[j] = std::max(reach_[j], k[j]);
}

const std::vector<RotationLists::Entry>& RotationLists::of(std::size_t j, int m, Kind kind) const {
  auto& known = known_[{j, m, kind}];
  if (known.empty()) known = listed(j, m, kind);
  return known;
}

RotationLists::Entry RotationLists::entry(const XformParameters::Rotation& rotation, std::size_t j, int m) const {
  const bool cheap = rotation.factor <= 1 || rotation.factor == m - 1;
  Entry e{rotation, (cheap ? 0 : 1) + (rotation.divisor > 0 ? 1 : 0), 0, 0, {}};
  std::int64_t least = std::numeric_limits<std::int64_t>::max(), most = std::numeric_limits<std::int64_t>::min();
  for (const auto& k : keys_) {
    const std::int64_t runs = rotation.divisor > 0 ? floor_div(k[j], rotation.divisor) : 0;
    e.table.push_back(static_cast<int>(floor_mod(rotation.factor * k[j] + rotation.quotient * runs, m)));
    const std::int64_t sum =
        nearest_residue(rotation.factor, m) * k[j] + nearest_residue(rotation.quotient % m, m) * runs;
    least = std::min(least, sum);
    most = std::max(most, sum);
  }
  e.least = static_cast<int>(std::clamp(least, -kMostSpread, kMostSpread));
  e.spread = static_cast<int>(std::min<std::int64_t>(most - least, kMostSpread));
  return e;
}

std::vector<RotationLists::Entry> RotationLists::listed(std::size_t j, int m, Kind kind) const {
  std::vector<Entry> list;
  for (int factor = 0; factor < m; ++factor) list.push_back(entry({factor, 0, 1}, j, m));
  for (std::int64_t d = 2; d <= reach_[j]; ++d) {  // 1 is factor + 1, and reach + 1 is no quotient
    if ((reach_[j] + 1) % d != 0) continue;
    const int divisor = static_cast<int>(d);
    for (int factor = 0; factor < m && kind == Kind::kPlain; ++factor)
      list.push_back(entry({factor, divisor, 1}, j, m));
    for (int quotient = 1; quotient < m && kind == Kind::kScaled; ++quotient)
      list.push_back(entry({0, divisor, quotient}, j, m));
  }
  // By what they add to a sum; a lone k is cheaper than a lone -k, and a quotient may need a division.
  const auto cost = [&](const Entry& e) {
    const auto [factor, divisor, quotient] = e.rotation;
    const bool shift = divisor > 0 && is_power_of_two(divisor),
               multiplied = divisor > 0 && quotient != 1 && quotient != m - 1;
    const bool masked = shift && (quotient == divisor || (is_power_of_two(m) && m - quotient == divisor));
    return std::tuple(e.least_ops + e.terms() + (divisor > 0 && !shift ? 3 : 0) +
                          (masked       ? -1
                           : multiplied ? 1
                                        : 0),
                      factor == m - 1, quotient != 1);
  };
  std::stable_sort(list.begin(), list.end(), [&](const Entry& a, const Entry& b) { return cost(a) < cost(b); });
  std::map<std::vector<int>, std::set<std::pair<int, int>>> seen;  // by table, the sums
  std::erase_if(list, [&](const Entry& e) {
    const auto [sums, fresh] = seen.try_emplace(e.table);
    const bool is_another = sums->second.insert({e.least, e.spread}).second && e.spread < m;
    return !fresh && !is_another;
  });
  return list;
}

}  // namespace swizzle
