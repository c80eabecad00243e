// Random small Problems whose steps build on each other, for property tests against brute force: see brute_force.h.
//
//   3 lanes, v = x; v += C(lane) ? shuffle(v, P(lane)) : 0; v = shuffle(v, Q(lane)) - v; y = v
//
// Half of them have what the tables of one completion give for every output; of the others some have no solution.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "synth/tables/tables.h"
#include "tests/unit/problem_builder.h"

namespace swizzle {

// A table of each hole's grammar.
inline Assignment random_assignment(const Problem& problem, std::mt19937& random) {
  Assignment assignment(problem.points.size(), 0);
  const auto grammars = grammars_of(problem.holes);
  for (const HoleSpace& space : problem.holes) {
    const auto all = grammars[space.id.value]->within(Domains(problem.points), kAnyCost, 100'000).tables;
    const HoleTable& table = all[random() % all.size()];
    for (std::size_t i = 0; i < space.points.size(); ++i) assignment[space.points[i].value] = table.values[i];
  }
  return assignment;
}

class RandomChain : public ProblemBuilder {
 public:
  static constexpr std::size_t kLanes = 3;

  RandomChain(std::uint32_t seed, Ring ring)
      : ProblemBuilder(ring, scalar_for(seed, ring)),
        ring_(ring),
        scalar_(scalar_for(seed, ring)),
        random_(seed) {
    const bool is_linked = one_in(2);
    const HoleId first = lanes_of(is_linked ? 2 : 1), second = is_linked ? first : lanes_of(1);
    condition_ = condition(kLanes);
    for (double& n : problem.executions) n = static_cast<double>(1 + below(3));
    guard(condition_, {.accumulates = static_cast<double>(below(2))});
    std::vector<Value> v;
    for (std::size_t lane = 0; lane < kLanes; ++lane) v.push_back(x(static_cast<std::int64_t>(lane)));
    v = step(v, first, 0);
    v = step(v, second, is_linked ? kLanes : 0);
    if (one_in(4)) v = step(v, first, 0);  // once more the same
    const Assignment planted = random_assignment(problem, random_);
    const bool is_spoiled = one_in(2);
    for (const Value& actual : v)
      add_equation(actual, is_spoiled && one_in(2) ? random_assignment(problem, random_) : planted);
    if (one_in(4)) forbid(equal(index(at(first, 0)), index(at(second, 1))));
  }

 private:
  static Scalar scalar_for(std::uint32_t seed, Ring ring) {
    if (ring == Ring::kXor) return seed % 2 == 0 ? Scalar::kU32 : Scalar::kU8;
    if (ring == Ring::kSum && seed % 4 == 0) return Scalar::kU8;
    return seed % 2 == 0 ? Scalar::kF32 : Scalar::kI32;
  }
  std::size_t below(std::size_t n) { return random_() % n; }
  bool one_in(std::size_t n) { return below(n) == 0; }
  HoleId lanes_of(int iterations) { return one_in(4) ? constants(kLanes, iterations) : transform(kLanes, iterations); }

  std::vector<Value> step(const std::vector<Value>& v, HoleId lanes, std::size_t from) {
    const std::size_t kind = below(is_set(ring_) ? 4 : 6);
    std::vector<Value> sources = v;
    if (one_in(8)) sources[below(kLanes)] = Value{};
    std::vector<Value> next;
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      next.push_back(combined(kind, v[lane], choice(at(lanes, from + lane), sources), at(condition_, lane)));
    return next;
  }

  Value combined(std::size_t kind, Value v, Value w, PointId c) {
    switch (kind) {
      case 0: return problem.provenance.combine(ring_, scalar_, v, w);
      case 1:
        if (!is_set(ring_)) return problem.provenance.combine(ring_, scalar_, v, when(c, w));
        return choice(c, {normal(v), normal(problem.provenance.combine(ring_, scalar_, v, w))});
      case 2: return w;
      case 3: return choice(c, {normal(w), normal(v)});
      case 4: return problem.provenance.combine(ring_, scalar_, product(v, w), v);
      default: return problem.provenance.combine(ring_, scalar_, w, product(coefficient(), v));
    }
  }
  Value coefficient() const {
    return is_real(scalar_) ? Value::real(-1) : Value::integer(ring_ == Ring::kXor ? 6 : -1);
  }

  // Of a completion.
  void add_equation(Value actual, const Assignment& assignment) {
    PointId blocked;
    const Value expected = problem.provenance.resolve(normal(actual), assignment, blocked);
    if (!expected.is_undefined()) equation(actual, expected);
  }

  Ring ring_;
  Scalar scalar_;
  std::mt19937 random_;
  HoleId condition_;
};

// Values that only go from lane to lane: v = shuffle(v, P); v = C ? shuffle(v, Q) : v; v = shuffle(v, R). Half of them
// have what the tables of one completion give; the others any of the elements, or several at once.
class RandomCopies : public ProblemBuilder {
 public:
  explicit RandomCopies(std::uint32_t seed, std::size_t lanes = 3) : random_(seed) {
    std::vector<Value> v;
    for (std::size_t lane = 0; lane < lanes; ++lane) v.push_back(x(static_cast<std::int64_t>(lane)));
    if (one_in(2)) v[0] = sum({v[0], v[1]});
    const std::size_t steps = 2 + random_() % 2;
    for (std::size_t s = 0; s < steps; ++s) v = step(v, one_in(3));
    if (const HoleId hole(random_() % problem.holes.size()); one_in(3))  // no two lanes store to one place
      forbid(equal(index(at(hole, 0)), index(at(hole, 1))));
    const bool is_planted = one_in(2);
    const Assignment planted = random_assignment(problem, random_);
    for (const Value& actual : v) {
      PointId blocked;
      equation(actual, is_planted ? problem.provenance.resolve(normal(actual), planted, blocked)
                                  : x(static_cast<std::int64_t>(random_() % lanes)));
    }
  }

 private:
  bool one_in(std::size_t n) { return random_() % n == 0; }

  std::vector<Value> step(const std::vector<Value>& v, bool is_guarded) {
    const auto lanes = static_cast<int>(v.size());
    const HoleId from = one_in(4) ? constants(lanes) : transform(lanes);
    std::vector<Value> next;
    for (std::size_t lane = 0; lane < v.size(); ++lane) next.push_back(normal(choice(at(from, lane), v)));
    if (!is_guarded) return next;
    const HoleId guarded = condition(lanes);
    for (std::size_t lane = 0; lane < v.size(); ++lane)
      next[lane] = normal(choice(at(guarded, lane), {v[lane], next[lane]}));
    return next;
  }

  std::mt19937 random_;
};

}  // namespace swizzle
