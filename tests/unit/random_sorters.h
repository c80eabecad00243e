// Random small Problems of comparators, for property tests against brute force: see random_chain.h.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "tests/unit/random_chain.h"

namespace swizzle {

// Three steps, the last with the partners and conditions of the first: v = C ? max(v, w) : min(v, w), or C ? max(v, w)
// : v, with w of lane P. Outputs are what one completion gives; or one of them is what another one does.
class RandomSorters : public ProblemBuilder {
 public:
  explicit RandomSorters(std::uint32_t seed)
      : ProblemBuilder(Ring::kMax, seed % 3 == 0   ? Scalar::kF32
                                   : seed % 3 == 1 ? Scalar::kI32
                                                   : Scalar::kU32),
        scalar_(seed % 3 == 0   ? Scalar::kF32
                : seed % 3 == 1 ? Scalar::kI32
                                : Scalar::kU32),
        random_(seed) {
    std::vector<Value> v;
    for (std::int64_t lane = 0; lane < kLanes; ++lane) v.push_back(x(lane));
    const bool keeps = one_in(3);
    for (const std::size_t from : {std::size_t{0}, std::size_t{kLanes}, std::size_t{0}}) v = step(v, from, keeps);
    for (double& n : problem.executions) n = static_cast<double>(1 + random_() % 3);
    const Assignment planted = random_assignment(problem, random_);
    const bool is_spoiled = one_in(3);
    for (const Value& actual : v) {
      PointId blocked;
      const Assignment assignment = is_spoiled && one_in(2) ? random_assignment(problem, random_) : planted;
      equation(actual, problem.provenance.resolve(actual, assignment, blocked));
    }
  }

 private:
  static constexpr int kLanes = 3;

  bool one_in(std::size_t n) { return random_() % n == 0; }

  std::vector<Value> step(const std::vector<Value>& v, std::size_t from, bool keeps) {
    std::vector<Value> next;
    for (std::size_t lane = 0; lane < v.size(); ++lane) {
      const Value w = choice(at(partners_, from + lane), v);
      const Value least = keeps ? v[lane] : of_both(Ring::kMin, v[lane], w);
      next.push_back(normal(choice(at(takes_, from + lane), {least, of_both(Ring::kMax, v[lane], w)})));
    }
    return next;
  }
  Value of_both(Ring ring, Value v, Value w) { return normal(problem.provenance.combine(ring, scalar_, v, w)); }

  Scalar scalar_;
  std::mt19937 random_;
  const HoleId partners_ = transform(kLanes, 2), takes_ = condition(kLanes, 2);
};

}  // namespace swizzle
