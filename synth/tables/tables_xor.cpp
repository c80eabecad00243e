// ?sw_xor(i, n, k…): i ^ (bits of i above moved down) ^ (bits of k_j moved) ^ … ^ c. See tables.h.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <unordered_set>

#include "synth/base/hashes.h"
#include "synth/program/moved_bits.h"
#include "synth/tables/tables.h"

namespace swizzle {
namespace {

constexpr double kMostSettings = 1e6;  // that are counted

int bits_of(std::int64_t v) {
  int bits = 0;
  while (v >> bits != 0) ++bits;
  return bits;
}

class XorGrammar : public TableGrammar {
 public:
  explicit XorGrammar(const HoleSpace& space) : space_(space) {
    while (space.domain % (2 << bits_) == 0) ++bits_;
    std::map<std::vector<std::int64_t>, std::size_t> keys;
    for (const auto& a : space.arguments) {
      const auto [known, fresh] = keys.try_emplace({a.begin() + 1, a.end()}, keys_.size());
      if (fresh) keys_.push_back(known->first);
      key_of_.push_back(known->second);
    }
    own_.push_back({});
    for (int base = 0; base < bits_; ++base)
      for (int shift = 1; base + shift < bits_of(space.domain - 1); ++shift)
        for (int width = 1; base + width <= bits_; ++width) {
          own_.push_back({space.domain - 1, base + shift, base, (std::int64_t{1} << width) - 1});
          if (base + shift + width >= bits_of(space.domain - 1)) break;
        }
    for (std::size_t j = 0; keys_.size() > 0 && j < keys_[0].size(); ++j) terms_.push_back(terms_of(j));
  }

  Enumeration within(const Domains& domains, int max_ops, std::size_t limit) const override {
    Enumeration found;
    for (const MovedBits& own : own_) {
      const int ops = own.mask == 0 ? 0 : 1 + own.integer_ops();
      if (ops > max_ops) continue;
      const auto allowed = allowed_with(own, domains);
      if (allowed.empty()) continue;
      std::vector<const MovedBits*> chosen;
      if (!choose(own, allowed, std::vector<std::int64_t>(keys_.size(), 0), chosen, max_ops - ops, limit, found)) break;
    }
    keep_distinct(found);
    return found;
  }

  double settings() const override {
    double settings = static_cast<double>(own_.size()) * (1 << bits_);
    for (const auto& terms : terms_) settings *= static_cast<double>(terms.size());
    return settings;
  }
  int most_ops() const override { return 4 + 3 * static_cast<int>(terms_.size()); }
  std::optional<double> distinct_log10(const Deadline& deadline) const override;

 private:
  // By value: whether the XOR may be that, for every i that is asked with these k.
  using Allowed = std::vector<std::vector<char>>;  // by key

  std::vector<MovedBits> terms_of(std::size_t j) const {
    std::int64_t least = 0, largest = 0;
    for (const auto& k : keys_) {
      least = std::min(least, k[j]);
      largest = std::max(largest, k[j]);
    }
    // A sign is more bits than any mask has, alike from the first one on that is no other's.
    const bool has_sign = least < 0;
    const int digits = bits_of(std::max(largest, -1 - least)), first_end = digits + (has_sign ? 1 : 0),
              reach = digits + (has_sign ? bits_ : 0);
    if (has_sign) largest = (std::int64_t{1} << 62) - 1;
    std::vector<MovedBits> terms{{}};
    for (int down = 0; down < first_end; ++down)
      for (int width = 1; down + width <= reach; ++width)
        for (int up = 0; up + width <= bits_; ++up)
          terms.push_back({largest, down, up, (std::int64_t{1} << width) - 1});
    return terms;
  }

  Allowed allowed_with(const MovedBits& own, const Domains& domains) const {
    Allowed allowed(keys_.size(), std::vector<char>(std::size_t{1} << bits_, 1));
    for (std::size_t p = 0; p < space_.points.size(); ++p) {
      const std::int64_t i = space_.arguments[p][0] ^ own.of(space_.arguments[p][0]);
      std::vector<char>& here = allowed[key_of_[p]];
      bool any = false;
      for (std::size_t v = 0; v < here.size(); ++v)
        any |= (here[v] = here[v] != 0 &&
                          domains.allows(space_.points[p], static_cast<int>(i ^ static_cast<std::int64_t>(v)))) != 0;
      if (!any) return {};
    }
    return allowed;
  }

  // False: the limit is reached.
  bool choose(const MovedBits& own, const Allowed& allowed, const std::vector<std::int64_t>& values,
              std::vector<const MovedBits*>& chosen, int ops_left, std::size_t limit, Enumeration& found) const {
    if (chosen.size() == terms_.size()) return add(own, allowed, values, chosen, ops_left, limit, found);
    const std::size_t j = chosen.size();
    for (const MovedBits& term : terms_[j]) {
      const int ops = term.mask == 0 ? 0 : 1 + term.integer_ops();
      if (ops > ops_left) continue;
      std::vector<std::int64_t> more = values;
      for (std::size_t key = 0; key < keys_.size(); ++key) more[key] ^= term.of(keys_[key][j]);
      chosen.push_back(&term);
      const bool goes_on = choose(own, allowed, more, chosen, ops_left - ops, limit, found);
      chosen.pop_back();
      if (!goes_on) return false;
    }
    return true;
  }

  bool add(const MovedBits& own, const Allowed& allowed, const std::vector<std::int64_t>& values,
           const std::vector<const MovedBits*>& chosen, int ops_left, std::size_t limit, Enumeration& found) const {
    for (std::int64_t c = 0; c < std::int64_t{1} << bits_; ++c) {
      if (c != 0 && ops_left < 1) break;
      bool fits = true;
      for (std::size_t key = 0; fits && key < keys_.size(); ++key)
        fits = allowed[key][static_cast<std::size_t>(values[key] ^ c)] != 0;
      if (!fits) continue;
      if (found.tables.size() >= limit) {
        found.complete = false;
        return false;
      }
      found.tables.push_back(table(own, chosen, values, c));
    }
    return true;
  }

  HoleTable table(const MovedBits& own, const std::vector<const MovedBits*>& chosen,
                  const std::vector<std::int64_t>& values, std::int64_t c) const {
    HoleTable made;
    made.values.reserve(space_.points.size());
    for (std::size_t p = 0; p < space_.points.size(); ++p) {
      const std::int64_t i = space_.arguments[p][0];
      made.values.push_back(static_cast<std::int16_t>(i ^ own.of(i) ^ values[key_of_[p]] ^ c));
    }
    const IndexExpr i = IndexExpr::argument(0);
    made.expression = own.mask == 0 ? i : IndexExpr::bit_xor(i, own.of(i));
    for (std::size_t j = 0; j < chosen.size(); ++j)
      if (chosen[j]->mask != 0)
        made.expression = IndexExpr::bit_xor(std::move(made.expression),
                                             chosen[j]->of(IndexExpr::argument(space_.first_argument + j)));
    made.expression = IndexExpr::bit_xor(std::move(made.expression), IndexExpr::constant(c));
    made.integer_ops = made.expression.integer_ops();
    return made;
  }

  const HoleSpace& space_;
  int bits_ = 0;  // 2^bits_ is the largest power of two that divides n: XOR with less permutes [0, n)
  std::vector<std::vector<std::int64_t>> keys_;
  std::vector<std::size_t> key_of_;            // by point
  std::vector<MovedBits> own_;                 // of i; the first is none
  std::vector<std::vector<MovedBits>> terms_;  // by variable; the first of each is none
};

// Different terms may change the same bits, and what is left of a table where it is asked may be another's.
std::optional<double> XorGrammar::distinct_log10(const Deadline& deadline) const {
  if (settings() > kMostSettings) return std::nullopt;
  std::unordered_set<std::size_t> seen;
  std::vector<std::vector<std::int64_t>> turned{std::vector<std::int64_t>(keys_.size(), 0)};  // by key, before c
  for (std::size_t j = 0; j < terms_.size(); ++j) {
    std::set<std::vector<std::int64_t>> more;
    for (const auto& values : turned)
      for (const MovedBits& term : terms_[j]) {
        std::vector<std::int64_t> with = values;
        for (std::size_t key = 0; key < keys_.size(); ++key) with[key] ^= term.of(keys_[key][j]);
        more.insert(std::move(with));
      }
    turned.assign(more.begin(), more.end());
  }
  for (const MovedBits& own : own_)
    for (const auto& values : turned) {
      if (deadline.passed()) return std::nullopt;
      for (std::int64_t c = 0; c < std::int64_t{1} << bits_; ++c) {
        std::size_t hash = 0;
        for (std::size_t p = 0; p < space_.points.size(); ++p) {
          const std::int64_t i = space_.arguments[p][0];
          hash = mix(hash, static_cast<std::size_t>(i ^ own.of(i) ^ values[key_of_[p]] ^ c));
        }
        seen.insert(hash);
      }
    }
  return std::log10(static_cast<double>(seen.size()));
}

}  // namespace

std::unique_ptr<TableGrammar> xor_grammar(const HoleSpace& space) { return std::make_unique<XorGrammar>(space); }

}  // namespace swizzle
