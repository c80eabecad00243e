// Random small Problems of products that conditions share out by both of their branches, for property tests against
// brute force: see brute_force.h.
//
//   if (C) lo ^= a·b; else hi ^= a·b;  if (D) hi ^= a·b; …  on two lanes for k = 0, 1;  y = lo or lo ^ hi, then hi
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "tests/unit/random_chain.h"

namespace swizzle {

class RandomBranches : public ProblemBuilder {
 public:
  RandomBranches(std::uint32_t seed, Ring ring)
      : ProblemBuilder(ring, ring == Ring::kXor ? Scalar::kU32 : Scalar::kI32),
        random_(seed) {
    for (HoleId h : {of_a_, of_b_}) problem.executions[h.value] = static_cast<double>(1 + random_() % 3);
    const std::size_t statements = 1 + random_() % 3;
    for (std::size_t s = 0; s < statements; ++s)
      kinds_.push_back({one_in(2) ? first_ : second_, random_() % 2, random_() % 2, one_in(2)});
    const Assignment planted = random_assignment(problem, random_);
    const bool is_spoiled = one_in(4), are_joined = one_in(3);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const std::vector<Value> sums = sums_of(lane);
      for (const Value& output : {are_joined ? sum({sums[0], sums[1]}) : sums[0], sums[1]}) {
        const Value actual = normal(output);
        PointId blocked;
        const Assignment assignment = is_spoiled ? random_assignment(problem, random_) : planted;
        equation(actual, problem.provenance.resolve(actual, assignment, blocked));
      }
    }
    for (const Statement& s : kinds_) add_issues(s);
  }

 private:
  static constexpr std::size_t kLanes = 2, kIterations = 2;
  // if (hole) sums[then] += a·b; else sums[otherwise] += a·b, if there is an else
  struct Statement {
    HoleId hole;
    std::size_t then, otherwise;
    bool has_else;
  };

  bool one_in(std::size_t n) { return random_() % n == 0; }

  std::vector<Value> sums_of(std::size_t lane) {
    std::vector<Value> sums(2, Value::integer(0));
    const auto add = [&](std::size_t s, PointId point, const std::vector<Value>& branches) {
      sums[s] = sum({sums[s], choice(point, branches)});
    };
    for (std::size_t k = 0; k < kIterations; ++k) {
      const std::size_t at_k = k * kLanes + lane;
      const Value product_of_both =
          product(choice(at(of_a_, at_k), {a(0), a(1)}), choice(at(of_b_, at_k), {b(0), b(1)}));
      const Value none = Value::integer(0);
      for (const Statement& s : kinds_) {
        add(s.then, at(s.hole, at_k), {none, product_of_both});
        if (s.has_else) add(s.otherwise, at(s.hole, at_k), {product_of_both, none});
      }
    }
    return sums;
  }

  void add_issues(const Statement& s) {
    const Value one = Value::integer(1), none = Value::integer(0);
    for (std::size_t k = 0; k < kIterations; ++k) {
      GuardedIssue then{{}, {.accumulates = 1}}, otherwise{{}, {.accumulates = 1}};
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        then.guards.push_back(choice(at(s.hole, k * kLanes + lane), {none, one}));
        otherwise.guards.push_back(choice(at(s.hole, k * kLanes + lane), {one, none}));
      }
      problem.guarded.push_back(then);
      if (s.has_else) problem.guarded.push_back(otherwise);
    }
  }

  std::mt19937 random_;
  const HoleId of_a_ = transform(kLanes, kIterations), of_b_ = transform(kLanes, kIterations),
               first_ = condition(kLanes, kIterations), second_ = condition(kLanes, kIterations);
  std::vector<Statement> kinds_;
};

}  // namespace swizzle
