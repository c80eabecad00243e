// Random small Problems of two registers that steps change side by side, for property tests against brute force: see
// random_chain.h.
#pragma once

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "tests/unit/random_chain.h"

namespace swizzle {

// Registers g and p begin as elements of two buffers. Each of two steps fetches both, from one lane or from two, and
// for some lanes or all makes g | p & g', p & p' and the like of them, or sums; outputs are g, or both together.
class RandomPairs : public ProblemBuilder {
 public:
  explicit RandomPairs(std::uint32_t seed) : ProblemBuilder(Ring::kSum, Scalar::kU32), random_(seed) {
    const bool are_joined_bits = one_in(2);
    Registers r;
    for (std::int64_t lane = 0; lane < kLanes; ++lane) r.g.push_back(a(lane)), r.p.push_back(b(lane));
    const HoleId from = transform(kLanes, 2), other = one_in(2) ? from : transform(kLanes, 2);
    const bool is_guarded = one_in(2);
    const HoleId guarded = is_guarded ? condition(kLanes, 2) : HoleId(0);
    for (std::size_t step = 0; step < 2; ++step) {
      const std::size_t which = random_() % 4;
      Registers next;
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const std::size_t position = step * kLanes + lane;
        const Value g2 = normal(choice(at(from, position), r.g)), p2 = normal(choice(at(other, position), r.p));
        auto [g, p] = are_joined_bits ? joined(which, r.g[lane], r.p[lane], g2, p2)
                                      : std::pair(normal(sum({r.g[lane], g2})), normal(sum({r.p[lane], p2})));
        if (is_guarded) {
          g = normal(choice(at(guarded, position), {r.g[lane], g}));
          p = normal(choice(at(guarded, position), {r.p[lane], p}));
        }
        next.g.push_back(g), next.p.push_back(p);
      }
      r = next;
    }
    for (double& n : problem.executions) n = static_cast<double>(1 + random_() % 3);
    const bool is_spoiled = one_in(3);
    const std::size_t output = random_() % 3;
    const Assignment planted = random_assignment(problem, random_);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      PointId blocked;
      const Value actual = normal(are_joined_bits ? r.g[lane] : both(output, r.g[lane], r.p[lane]));
      const Assignment assignment = is_spoiled ? random_assignment(problem, random_) : planted;
      equation(actual, problem.provenance.resolve(actual, assignment, blocked));
    }
  }

 private:
  static constexpr int kLanes = 3;
  struct Registers {
    std::vector<Value> g, p;
  };

  bool one_in(std::size_t n) { return random_() % n == 0; }
  Value bits(Operator op, Value v, Value w) { return normal(problem.provenance.binary(op, Scalar::kU32, v, w)); }

  std::pair<Value, Value> joined(std::size_t which, Value g, Value p, Value g2, Value p2) {
    const Value passed = bits(Operator::kAnd, p, g2);
    switch (which) {
      case 0: return {bits(Operator::kOr, g, passed), bits(Operator::kAnd, p, p2)};
      case 1: return {bits(Operator::kXor, g, passed), bits(Operator::kOr, p, p2)};
      case 2: return {bits(Operator::kAnd, g, bits(Operator::kOr, p, g2)), bits(Operator::kXor, p, p2)};
      default: return {bits(Operator::kOr, g, g2), bits(Operator::kAnd, p, p2)};
    }
  }

  Value both(std::size_t how, Value g, Value p) {
    if (how == 0) return product(g, p);
    return sum({g, product(Value::integer(how == 1 ? 3 : -1), p)});
  }

  std::mt19937 random_;
};

}  // namespace swizzle
