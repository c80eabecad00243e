// Guards: conditions that part of a region meets, which runs follow both ways at once.
//
//   a ragged block of 64 threads, n = 64 · b + 1 + u, u <= 63; thread 5 at `if (i < n) v = x[i];`
//
//   i < n        u - 4 >= 0, which is the condition P: a choice of 0 and 1 (provenance.h) by a point of its own
//   v            choice P (undefined, x[64·b + 5])
//   ¬ P, P ∧ Q   diagrams over such choices
//
// So one run stands for all 64 rests. The points are not independent (u - 4 >= 0 wherever u - 9 >= 0): what is asked of
// a condition is asked of those assignments alone that polynomials do not contradict.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "synth/base/deadline.h"
#include "synth/proof/size_region.h"
#include "synth/provenance/provenance.h"

namespace swizzle {

inline constexpr Value kNowhere = Value{Value::Kind::kInt, 0, 0, 0}, kEverywhere = Value{Value::Kind::kInt, 0, 0, 1};

class Guards {
 public:
  explicit Guards(Provenance& provenance) : provenance_(provenance) {}

  // 1 where p >= 0, and 0 elsewhere. Equal conditions have one point: 2·u - 7 >= 0 is u - 4 >= 0, and not 3 - u >= 0.
  Value at_least_0(const Polynomial& p);
  Value both(Value a, Value b);
  Value either(Value a, Value b) { return negated(both(negated(a), negated(b))); }
  Value negated(Value a);
  Value truth_of(Value v) {
    return provenance_.select(v, kEverywhere, kNowhere);
  }  // of an integer; undefined where it is

  const std::vector<Polynomial>& conditions() const { return conditions_; }  // by point
  Value holds(std::uint32_t point) const { return holds_[point]; }
  bool is_choice(Value v) const { return v.is_node() && provenance_.node(v).kind == Node::Kind::kChoice; }
  bool is_condition(Value v) const { return v.is_node() && provenance_.is_index(v); }

  // What is not seen by then is not.
  void end_at(const Deadline& deadline) { deadline_ = deadline; }
  // From here on, until it is taken back: p >= 0, as of the number of a round (rounds.h).
  void assume(const Polynomial& p);
  void take_back();
  // For good, of whatever has the atom: p >= 0.
  void define(Atom atom, Polynomial p);
  const std::vector<Polynomial>& assumed() const { return assumed_; }

  // Answers are kept: the region is the same one all the time.
  // What `condition` says is at least 0 of its points' polynomials.
  const std::vector<Polynomial>& facts(Value condition, const SizeRegion& region);
  bool is_possible(Value condition, const SizeRegion& region);
  bool implies(Value a, Value b, const SizeRegion& region) { return !is_possible(both(a, negated(b)), region); }
  // A bound of p that follows from at most two of the facts, each times a number or a size; the first one found that is
  // `enough`.
  std::optional<std::int64_t> least(const Polynomial& p, const std::vector<Polynomial>& facts, const SizeRegion& region,
                                    std::int64_t enough);
  bool follows(const Polynomial& p, const std::vector<Polynomial>& facts, const SizeRegion& region) {
    return least(p, facts, region, 0).value_or(-1) >= 0;
  }
  // `v` where the condition holds: choices that it decides by itself are gone.
  Value within(Value v, Value condition);

  // Where both hold, without what the condition implies of the path, as i + 1 < n implies i < n.
  Value narrowed(Value path, Value condition, const SizeRegion& region);
  // What a path says beyond `by`, where that holds.
  Value without_implied(Value path, Value by, const SizeRegion& region);
  // `a` where the condition holds, and b elsewhere: one of them, where it is the other there. Where i + 3 < n, so is i
  // < n: i + 3 < n ? x : (i < n ? x : 0) is i < n ? x : 0.
  Value chosen(Value condition, Value a, Value b, const SizeRegion& region, std::optional<Scalar> type);
  // What a choice comes to where the condition holds, as far as a conjunction decides it.
  Value outcome(Value v, Value condition, const SizeRegion& region) const;
  // a or b: the one of them that the other implies, if so.
  Value weaker(Value a, Value b, const SizeRegion& region);

  // Whether f holds of a and b as they are in each case of the condition, choices on which both depend alike aside.
  bool everywhere(Value condition, Value a, Value b, const SizeRegion& region,
                  const std::function<bool(Value, Value)>& f);

 private:
  std::optional<std::int64_t> least_by(const Polynomial& p, const std::vector<Polynomial>& facts,
                                       const SizeRegion& region, std::int64_t enough);
  using Facts = std::vector<Polynomial>;

  // p - by · facts[a] - also · facts[b]
  struct Combination {
    std::size_t a = 0, b = 0;
    Polynomial by, also;
  };
  std::int64_t remember(Combination c, std::int64_t least);
  void add_implied(Value condition, const SizeRegion& region, Facts& facts);
  Polynomial fact(std::uint32_t point, bool holds) const;
  std::optional<bool> decided(std::uint32_t point, const Facts& facts, const SizeRegion& region) const;
  bool is_assumed(const Polynomial& p, const SizeRegion& region) const;
  std::vector<std::uint32_t> points_of(Value a, Value b) const;
  template <typename F>
  Value each_part(Value condition, F&& f) const;
  bool agree(Value a, Value b, const SizeRegion& region, Facts& facts, const std::function<bool(Value, Value)>& f);
  std::optional<std::uint32_t> point_to_try(Value a, Value b) const;
  std::optional<std::uint32_t> first_point(Value v) const;
  bool in_cases(Value condition, const SizeRegion& region, Facts& facts, const std::function<bool()>& f);

  Provenance& provenance_;
  std::vector<Polynomial> conditions_;
  std::vector<std::int64_t> scales_;  // what they were divided by
  std::vector<Value> holds_;          // the choice at a point
  std::unordered_map<Polynomial, std::uint32_t, HashOfPolynomial> point_of_;
  std::unordered_map<std::uint64_t, Value> both_;
  std::unordered_map<std::uint32_t, Value> negated_;
  std::unordered_map<std::uint32_t, bool> is_possible_;
  std::unordered_map<std::uint32_t, Facts> facts_;
  std::vector<int> assignment_;
  std::vector<std::pair<Atom, Polynomial>> definitions_;
  Facts assumed_;
  int cases_left_ = 0;
  Deadline deadline_;
  std::vector<Combination> enough_before_;  // of neighbours it is one of a few: the last ones
};

}  // namespace swizzle
