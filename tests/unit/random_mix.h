// Random small Problems whose steps are of several kinds, for property tests against brute force: see random_chain.h.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "tests/unit/random_chain.h"

namespace swizzle {

// Steps of several kinds, with holes of their own or one for two: a shuffle by a linear map or a transformation, added
// or taken, for some lanes or all; a register of two; or through shared memory, where each lane stores to a word that a
// hole says, no two to one, and reads one after the barrier.
class RandomMix : public ProblemBuilder {
 public:
  explicit RandomMix(std::uint32_t seed) : ProblemBuilder(Ring::kSum, Scalar::kI32), random_(seed) {
    std::vector<Value> v;
    for (std::size_t lane = 0; lane < kLanes; ++lane) v.push_back(x(static_cast<std::int64_t>(lane)));
    const HoleId linear = this->linear(kLanes, 2);
    v = added(v, linear, 0);
    v = one_in(2) ? scattered(v) : added(v, one_in(2) ? linear : transform(kLanes, 2), kLanes);
    if (one_in(3)) v = one_of_two(v);
    for (double& n : problem.executions) n = static_cast<double>(1 + random_() % 3);
    const bool is_spoiled = one_in(3);
    const Assignment planted = random_assignment(problem, random_);
    for (const Value& actual : v) {
      PointId blocked;
      const Assignment other = is_spoiled ? random_assignment(problem, random_) : planted;
      const Value expected = problem.provenance.resolve(normal(actual), other, blocked);
      if (!expected.is_undefined()) equation(actual, expected);
    }
  }

 private:
  static constexpr int kLanes = 3;

  bool one_in(std::size_t n) { return random_() % n == 0; }

  std::vector<Value> added(const std::vector<Value>& v, HoleId lanes, std::size_t from) {
    const bool is_guarded = one_in(3), adds = one_in(2);
    const HoleId guarded = is_guarded ? condition(kLanes) : HoleId(0);
    std::vector<Value> next;
    for (std::size_t lane = 0; lane < v.size(); ++lane) {
      const Value w = normal(choice(at(lanes, from + lane), v)), all = adds ? normal(sum({v[lane], w})) : w;
      next.push_back(is_guarded ? normal(choice(at(guarded, lane), {v[lane], all})) : all);
    }
    return next;
  }

  std::vector<Value> one_of_two(const std::vector<Value>& v) {
    const HoleId registers = part(2, kLanes);
    std::vector<Value> next;
    for (std::size_t lane = 0; lane < v.size(); ++lane)
      next.push_back(normal(choice(at(registers, lane), {v[lane], v[(lane + 1) % v.size()]})));
    return next;
  }

  std::vector<Value> scattered(const std::vector<Value>& v) {
    const HoleId words = linear(kLanes);
    std::vector<Value> next;
    for (std::size_t word = 0; word < v.size(); ++word) {
      Value held;
      for (std::size_t lane = 0; lane < v.size(); ++lane) {
        std::vector<Value> by_word(v.size(), held);
        by_word[word] = v[lane];
        held = normal(choice(at(words, lane), by_word));
      }
      next.push_back(held);
    }
    for (std::size_t a = 0; a < v.size(); ++a)
      for (std::size_t b = 0; b < a; ++b) forbid(equal(index(at(words, a)), index(at(words, b))));
    return next;
  }

  std::mt19937 random_;
};

}  // namespace swizzle
