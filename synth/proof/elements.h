// Elements of buffers at polynomial addresses, and integers among data, as provenance has them.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "synth/proof/guards.h"
#include "synth/proof/recurrence.h"

namespace swizzle {

// By parameter, as the directives say it.
std::vector<bool> followed_by_bits(const Program& kernel);

// Elements by polynomial address, shared by the runs that are compared.
inline constexpr BufferId kNumbers(1 << 20);  // of no parameter

// What elements of a buffer are, and indices that are made of them: low <= v <= high.
struct IndexRange {
  Polynomial low, high;
};
// Σ p · data, for polynomials p and products of values (by node): 3 · n · id[i] + 5 has {id[i]}: 3 · n and {}: 5.
struct GatheredIndex {
  std::map<std::vector<std::uint32_t>, Polynomial> terms;
  bool is_narrow = false;  // some of it is computed as an integer of 32 bits

  static GatheredIndex of(const Polynomial& p) {
    GatheredIndex index;
    if (!is_0(p)) index.terms.emplace(std::vector<std::uint32_t>(), p);
    return index;
  }
  static bool is_0(const Polynomial& p) { return p.terms().empty() && !p.is_broken(); }
  void add(const GatheredIndex& other);
  bool is_multiple_of(std::int64_t divisor) const {
    return std::ranges::all_of(terms, [&](const auto& t) { return t.second.divided(divisor).rest.terms().empty(); });
  }
};
GatheredIndex operator*(const GatheredIndex& a, const GatheredIndex& b);
using IndexRanges = std::vector<std::optional<IndexRange>>;     // by parameter
using Placeholders = std::unordered_map<std::uint32_t, Value>;  // by node

class Elements {
 public:
  // has_bits: by parameter, whether its words are followed bit by bit (words.h).
  explicit Elements(std::vector<bool> has_bits = {}, IndexRanges ranges = {})
      : has_bits_(std::move(has_bits)),
        ranges_(std::move(ranges)) {}
  Elements(const Elements&) = delete;
  Elements& operator=(const Elements&) = delete;

  Value at(std::size_t buffer, const Polynomial& slot, Scalar scalar);
  Value number(const Polynomial& p, Scalar scalar);        // an integer that data are computed with
  std::optional<Polynomial> polynomial_of(Value v) const;  // of a constant, or of what number() gave
  // What the rounds 0, …, count - 1 of a loop (rounds.h) add to one another, `part` being what one of them does.
  Value over_rounds(const Rounds& rounds, Value part);
  Value placeholder(Scalar scalar);  // for any value of the type
  // What the rounds of a recurrence leave in its first line: one leaf, whatever the lines' order and placeholders.
  Value after_rounds(const Recurrence& all);  // element_recurrences.cpp
  bool has(Value v, Atom a);                  // whether it depends on it
  bool has_placeholder(Value v);
  bool has_placeholder(Value v, const std::set<std::uint32_t>& among);  // by node
  // `v` where the atom is something else, and placeholders are what they stand for; undefined, where that is not
  // followed.
  Value with(Value v, Atom a, const Polynomial& value, const Placeholders& instead = {});
  // A placeholder for what all turns of a loop add up (updates.h), of which one brings `part`; and the part of an
  // update by such sums, which adds up like them: undefined, where it does not.
  Value sum_of_turns(Ring ring, Scalar scalar, Value part);
  Value part_of_turn(Value v, Ring ring, Scalar scalar);
  // Whether it is a choice of a few integers, by guards: `i < n ? i : n - 1`.
  bool is_choice_of_numbers(Value v);
  bool begins_with_number(Value v) const;  // a choice, one of whose alternatives is an integer
  // gathered.cpp
  GatheredIndex index_of(Value v);  // of an integer: of those of 32 bits, none wraps around
  Value value_of(const GatheredIndex& index);
  Value at_data(std::size_t buffer, const GatheredIndex& index, Scalar scalar);
  std::optional<IndexRange> range_of(const GatheredIndex& index, const SizeRegion& region) const;
  // The quotient of two numbers, as an atom that is the same wherever they are divided; nothing: it is not known yet.
  std::optional<Atom> quotient(const Polynomial& a, const Polynomial& by) const;
  void know_quotient(const Polynomial& a, const Polynomial& by, Atom quotient) {
    quotients_.push_back({a, by, quotient});
  }
  bool has_quotients() const { return !quotients_.empty(); }
  Provenance& provenance() { return provenance_; }
  Guards& guards() { return guards_; }

 private:
  std::int64_t id(const Polynomial& p) {
    const auto [known, fresh] = ids_.try_emplace(p, static_cast<std::int64_t>(ids_.size()));
    if (fresh) polynomials_.push_back(p);
    return known->second;
  }
  struct Quotient {
    Polynomial a, by;
    Atom atom;
  };
  bool has_few_numbers(Value v, int& left) const;
  struct Sum {
    Rounds rounds;
    Value part;
  };
  Value sum_of(const Rounds& rounds, Value part);
  Value product_over_rounds(const Rounds& rounds, const Term& term);
  bool is_choice_of_others(Value v, Atom number) const;  // by a condition that the round does not decide
  struct Change {
    Atom atom;
    const Polynomial& value;
    const Placeholders& instead;
    std::unordered_map<std::uint32_t, Value> known = {};
  };
  bool adds_up(Value v, Ring ring, Scalar scalar);
  std::vector<std::size_t> needed_lines(const Recurrence& all, std::vector<std::uint32_t>& leaves);
  void find_leaves(Value v, std::set<std::uint32_t>& seen, std::vector<std::uint32_t>& leaves,
                   std::vector<std::uint32_t>& placeholders);
  bool are_alike(const Recurrence& a, const Recurrence& b, const std::vector<std::size_t>& line_of);
  bool depends_on(const Recurrence& r, Atom a, std::unordered_map<std::uint32_t, bool>& known);
  bool has_placeholder_of_others(const Recurrence& r);
  Value changed_recurrence(const Node& leaf, Change& change);
  bool depends(Value v, Atom a, std::unordered_map<std::uint32_t, bool>& known);
  Value changed(Value v, Change& change);
  Value changed_input(Value v, Change& change);
  Value changed_ring(Value v, Change& change);

  std::optional<IndexRange> range_of(Value v, const SizeRegion& region) const;
  std::optional<IndexRange> range_of_choice(const Node& n, const SizeRegion& region) const;
  std::int64_t most_of(Value v, const SizeRegion& region) const;

  const std::vector<bool> has_bits_;
  const IndexRanges ranges_;
  Provenance provenance_;
  Guards guards_{provenance_};
  std::unordered_map<Polynomial, std::int64_t, HashOfPolynomial> ids_;
  std::vector<Polynomial> polynomials_;  // by id
  std::unordered_map<std::uint32_t, bool> chooses_numbers_;
  std::vector<Quotient> quotients_;
  std::vector<Sum> sums_;
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> sums_of_;  // by part
  std::vector<Recurrence> recurrences_;
  std::map<std::vector<std::uint32_t>, std::vector<std::size_t>> recurrences_of_;  // by what they read
  std::int64_t placeholders_ = 0;
  Placeholders parts_of_turns_;
  std::unordered_map<std::uint32_t, Ring> rings_of_turns_;  // likewise
  std::unordered_map<Atom, std::unordered_map<std::uint32_t, bool>> depends_;
  std::unordered_map<std::uint32_t, bool> has_placeholder_;
};

}  // namespace swizzle
