// ?sw_linear(i, n, k…): A·i ^ B·k ^ … ^ c over GF(2). See tables.h.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <compare>
#include <map>
#include <numeric>

#include "synth/tables/linear_forms.h"
#include "synth/tables/linear_shares.h"
#include "synth/tables/linear_space.h"
#include "synth/tables/tables.h"

namespace swizzle {
namespace {

constexpr std::size_t kFewSteps = 20'000, kManySteps = 5'000'000;
constexpr std::size_t kFewMaps = 1 << 16;  // that are all looked at, whatever is asked of them
constexpr std::size_t kMostShares = 200'000, kMostXors = 4'000'000;
constexpr std::size_t kMostLinearSteps = 1'000'000;  // steps

constexpr std::size_t kSumBits = 10;  // of what bits add that are sums of others: so many ways there are to write a map

struct LinearMap {
  std::vector<LinearForms::Columns> shares;  // by argument
  std::uint16_t constant = 0;

  std::uint16_t& column(const LinearSpace::Bit& b) { return shares[b.argument][static_cast<std::size_t>(b.bit)]; }
  std::uint16_t column(const LinearSpace::Bit& b) const { return shares[b.argument][static_cast<std::size_t>(b.bit)]; }
  friend auto operator<=>(const LinearMap&, const LinearMap&) = default;
};

class LinearGrammar : public TableGrammar {
 public:
  LinearGrammar(const HoleSpace& space, const Deadline& deadline)
      : space_(space),
        deadline_(deadline),
        rows_(static_cast<int>(std::bit_width(static_cast<unsigned>(space.domain - 1)))),
        linear_(space, kSumBits / static_cast<std::size_t>(std::max(1, rows_))) {
    const std::size_t arity = space.arguments.empty() ? 0 : space.arguments[0].size();
    std::vector<std::uint32_t> read(arity, 0);
    for (const LinearSpace::Bit& b : linear_.read()) read[b.argument] |= std::uint32_t{1} << b.bit;
    for (const LinearSpace::Sum& s : linear_.sums()) read[s.bit.argument] |= std::uint32_t{1} << s.bit.bit;
    for (std::size_t j = 0; j < arity; ++j) forms_.emplace_back(rows_, linear_.set(j), read[j]);
    for (std::size_t j = 0; j < arity; ++j)
      for (const bool around : {false, true}) shares_[around ? 1 : 0].emplace_back(forms_[j], around);
  }

  Enumeration within(const Domains& domains, int max_ops, std::size_t limit) const override {
    Enumeration found;
    found.complete = !linear_.is_too_wide() && list(domains, max_ops, limit, found);
    std::stable_sort(found.tables.begin(), found.tables.end(),
                     [](const HoleTable& a, const HoleTable& b) { return a.integer_ops < b.integer_ops; });
    return found;
  }

  double settings() const override { return std::exp2(rows_ * static_cast<double>(linear_.rank())); }
  int most_ops() const override {
    return std::accumulate(forms_.begin(), forms_.end(), 2,
                           [](int ops, const LinearForms& forms) { return ops + forms.most_ops(); });
  }
  std::optional<double> distinct_log10(const Deadline& deadline) const override;

 private:
  // Tables within domains, value by value at the points of a basis.
  struct Walk {
    const Domains* domains;  // none: any values
    LinearSpace::Basis basis;
    std::vector<std::vector<std::size_t>> decided;  // by how many of the basis decide these points, less one
    std::vector<int> values;                        // of the basis
    std::size_t steps_left;
  };

  bool list(const Domains& domains, int max_ops, std::size_t limit, Enumeration& found) const {
    const bool any_cost = max_ops == kAnyCost;
    const std::size_t few = settings() <= kFewMaps ? 2 * kFewMaps : kFewSteps;
    Walk walk = walk_of(&domains, any_cost ? kManySteps : few);
    if (!any_cost && !go(walk, 0, [] { return true; })) return list_by_forms(domains, max_ops, limit, found);
    if (!any_cost) walk.steps_left = few;
    return go(walk, 0, [&] {
      const Written written = cheapest(map_of(walk));
      if (written.ops > max_ops) return true;
      if (found.tables.size() >= limit) return false;
      found.tables.push_back(table(written));
      return true;
    });
  }

  Walk walk_of(const Domains* domains, std::size_t steps) const {
    std::vector<std::size_t> order(space_.points.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (domains != nullptr)
      std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return domains->count(space_.points[a]) < domains->count(space_.points[b]);
      });
    Walk walk{domains, linear_.basis(order), {}, {}, steps};
    walk.decided.resize(linear_.rank());
    for (const std::size_t p : order)
      walk.decided[static_cast<std::size_t>(std::bit_width(walk.basis.sums[p])) - 1].push_back(p);
    walk.values.resize(linear_.rank());
    return walk;
  }

  // False: add() said so, or there were too many steps.
  template <typename Add>
  bool go(Walk& walk, std::size_t depth, Add&& add) const {
    if (depth == walk.values.size()) return add();
    for (int v = 0; v < space_.domain; ++v) {
      if (!allows(walk, walk.basis.points[depth], v)) continue;
      if (walk.steps_left == 0 || (walk.steps_left % 1024 == 0 && deadline_.passed())) return false;
      --walk.steps_left;
      walk.values[depth] = v;
      const bool fits = std::ranges::all_of(
          walk.decided[depth], [&](std::size_t p) { return allows(walk, p, sum(walk, walk.basis.sums[p])); });
      if (fits && !go(walk, depth + 1, add)) return false;
    }
    return true;
  }

  bool allows(const Walk& walk, std::size_t p, int value) const {
    return value < space_.domain && (walk.domains == nullptr || walk.domains->allows(space_.points[p], value));
  }

  static int sum(const Walk& walk, LinearSpace::Word of) {
    int value = 0;
    for (; of != 0; of &= of - 1) value ^= walk.values[static_cast<std::size_t>(std::countr_zero(of))];
    return value;
  }

  LinearMap map_of(const Walk& walk) const {
    LinearMap map = empty_map();
    map.constant = static_cast<std::uint16_t>(sum(walk, walk.basis.units[0]));
    for (std::size_t n = 0; n < linear_.read().size(); ++n)
      map.column(linear_.read()[n]) = static_cast<std::uint16_t>(sum(walk, walk.basis.units[n + 1]));
    return map;
  }

  LinearMap empty_map() const {
    LinearMap map;
    for (const LinearForms& forms : forms_) map.shares.emplace_back(static_cast<std::size_t>(forms.bits()), 0);
    return map;
  }

  // Of a map that reads no bit which is a sum.
  int value_of(const LinearMap& map, std::size_t point) const {
    int value = map.constant;
    for (LinearSpace::Word left = linear_.vector(point) >> 1; left != 0; left &= left - 1)
      value ^= map.column(linear_.read()[static_cast<std::size_t>(std::countr_zero(left))]);
    return value;
  }

  // The same map, with this column for a bit that is a sum of others.
  static void set_sum(LinearMap& map, const LinearSpace& linear, const LinearSpace::Sum& sum, std::uint16_t column) {
    const auto change = static_cast<std::uint16_t>(column ^ map.column(sum.bit));
    map.column(sum.bit) = column;
    if ((sum.of & 1) != 0) map.constant ^= change;
    for (LinearSpace::Word left = sum.of >> 1; left != 0; left &= left - 1)
      map.column(linear.read()[static_cast<std::size_t>(std::countr_zero(left))]) ^= change;
  }

  // One operation joins each term to what stands before, but for the first; one is the mask around them.
  int ops_of(const LinearMap& map, bool around) const {
    int ops = map.constant == 0 ? 0 : 1;
    for (std::size_t j = 0; j < forms_.size(); ++j) ops += forms_[j].cheapest(map.shares[j], around).ops;
    return std::max(0, ops - 1) + (around ? 1 : 0);
  }

  // A map as it is printed.
  struct Written {
    LinearMap map;
    bool around = false;
    int ops = kAnyCost;
  };

  Written cheapest(LinearMap map) const {
    Written best;
    cheapest(map, 0, best);
    return best;
  }
  void cheapest(LinearMap& map, std::size_t sum, Written& best) const {
    if (sum == linear_.sums().size()) {
      for (const bool around : {false, true})
        if (const int ops = ops_of(map, around); ops < best.ops) best = {map, around, ops};
      return;
    }
    for (int column = 0; column < 1 << rows_; ++column) {
      set_sum(map, linear_, linear_.sums()[sum], static_cast<std::uint16_t>(column));
      cheapest(map, sum + 1, best);
    }
    set_sum(map, linear_, linear_.sums()[sum], 0);
  }

  LinearMap without_sums(LinearMap map) const {
    for (const LinearSpace::Sum& sum : linear_.sums()) set_sum(map, linear_, sum, 0);
    return map;
  }

  HoleTable table(const Written& written) const {
    HoleTable made;
    const LinearMap plain = without_sums(written.map);
    for (std::size_t p = 0; p < space_.points.size(); ++p)
      made.values.push_back(static_cast<std::int16_t>(value_of(plain, p)));
    IndexExpr e = IndexExpr::constant(0);
    for (std::size_t j = 0; j < forms_.size(); ++j) {
      const IndexExpr v = IndexExpr::argument(j == 0 ? 0 : space_.first_argument + j - 1);
      for (const auto& term : forms_[j].cheapest(written.map.shares[j], written.around).terms)
        e = IndexExpr::bit_xor(std::move(e), LinearForms::print(term, v));
    }
    if (written.around) e = IndexExpr::mask(std::move(e), (std::int64_t{1} << rows_) - 1);
    made.expression = IndexExpr::bit_xor(std::move(e), IndexExpr::constant(written.map.constant));
    made.integer_ops = made.expression.integer_ops();
    return made;
  }

  // Tables within domains, by what they cost: each map once, as it is written for the least.
  bool list_by_forms(const Domains& domains, int max_ops, std::size_t limit, Enumeration& found) const {
    std::map<LinearMap, Written> listed;
    std::size_t left = kMostXors;
    for (const bool around : {false, true}) {
      const int ops = max_ops + 1 - (around ? 1 : 0);
      LinearMap map = empty_map();
      for (LinearShares& shares : shares_[around ? 1 : 0])
        if (shares.up_to(ops, kMostShares) == nullptr) return false;
      const auto add = [&] {
        const int here = ops_of(map, around);
        if (here > max_ops) return true;
        LinearMap plain = without_sums(map);
        if (!fits(plain, domains)) return true;
        Written& written = listed[std::move(plain)];
        if (here < written.ops) written = {map, around, here};
        return listed.size() <= limit;
      };
      if (!combine(map, 0, ops, around, left, add)) return false;
    }
    for (const auto& [map, written] : listed) {
      if (found.tables.size() % 1024 == 0 && deadline_.passed()) return false;
      found.tables.push_back(table(written));
    }
    return true;
  }

  template <typename Add>
  bool combine(LinearMap& map, std::size_t argument, int ops, bool around, std::size_t& left, Add&& add) const {
    if (argument == forms_.size()) {
      for (int c = 0; c < 1 << rows_ && (c == 0 || ops > 0); ++c) {
        if (left == 0) return false;
        --left;
        if (left % 1024 == 0 && deadline_.passed()) return false;
        map.constant = static_cast<std::uint16_t>(c);
        if (!add()) return false;
      }
      return true;
    }
    for (const LinearShares::Share& share : *shares_[around ? 1 : 0][argument].up_to(ops, kMostShares)) {
      if (share.ops > ops) break;
      map.shares[argument] = share.columns;
      if (!combine(map, argument + 1, ops - share.ops, around, left, add)) return false;
    }
    return true;
  }

  bool fits(const LinearMap& map, const Domains& domains) const {
    for (std::size_t p = 0; p < space_.points.size(); ++p) {
      const int value = value_of(map, p);
      if (value >= space_.domain || !domains.allows(space_.points[p], value)) return false;
    }
    return true;
  }

  const HoleSpace& space_;
  Deadline deadline_;
  int rows_;
  LinearSpace linear_;
  std::vector<LinearForms> forms_;                           // by argument
  mutable std::array<std::vector<LinearShares>, 2> shares_;  // by `around`, by argument
};

// Each entry of A, B and c makes another table, unless some leave [0, n).
std::optional<double> LinearGrammar::distinct_log10(const Deadline&) const {
  if (linear_.is_too_wide()) return std::nullopt;
  if (space_.domain == 1 << rows_) return rows_ * static_cast<double>(linear_.rank()) * std::log10(2.0);
  double tables = 0;
  Walk walk = walk_of(nullptr, kMostLinearSteps);
  if (!go(walk, 0, [&] { return ++tables, true; })) return std::nullopt;
  return std::log10(tables);
}

}  // namespace

std::unique_ptr<TableGrammar> linear_grammar(const HoleSpace& space, const Deadline& deadline) {
  return std::make_unique<LinearGrammar>(space, deadline);
}

}  // namespace swizzle
