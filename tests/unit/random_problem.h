// Random small Problems, for property tests against brute force: see brute_force.h.
//
//   y[0] = P0 ? a[1] : Q1 · a[0]  +  C0 · (a fetch) · (a fetch of b) + …     with a planted assignment's values as what
//   is expected
//
// Half of them have what an assignment gives for every output, so that it is a solution; of the others some have none.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "tests/unit/problem_builder.h"

namespace swizzle {

// What stands where two values meet in a term: their product, a function of which nothing is known, the square of what
// they differ by, or what their order chooses.
enum class Meeting { kProduct, kFunction, kSquare, kOrder };

class RandomProblem : public ProblemBuilder {
 public:
  explicit RandomProblem(std::uint32_t seed, Ring ring = Ring::kSum, Meeting meeting = Meeting::kProduct)
      : ProblemBuilder(ring, ring == Ring::kXor ? Scalar::kU32 : Scalar::kI32),
        ring_of_all_(ring),
        meeting_(meeting),
        random_(seed) {
    lane_ = transform(3);
    register_ = part(2, 2);
    condition_ = condition(2);
    for (double& n : problem.executions) n = static_cast<double>(1 + below(3));
    guard(condition_, {.accumulates = static_cast<double>(below(3))});
    for (int f = 0; f < 2; ++f) {
      of_a_.push_back(fetch(0));
      of_b_.push_back(fetch(1));
    }
    const Assignment planted = any_assignment();
    const bool is_spoiled = one_in(2);
    for (int e = 0; e < 3; ++e) add_equation(is_spoiled ? any_assignment() : planted);
    if (one_in(3)) add_requirement();
  }

  std::mt19937& random() { return random_; }

 private:
  std::size_t below(std::size_t n) { return random_() % n; }
  bool one_in(std::size_t n) { return below(n) == 0; }
  PointId any_of(HoleId h) { return at(h, below(space(h).points.size())); }
  Value leaf(int buffer) {
    return buffer == 0 ? a(static_cast<std::int64_t>(below(3))) : b(static_cast<std::int64_t>(below(3)));
  }

  Value fetch(int buffer) {
    std::vector<Value> values;
    for (int v = 0; v < 3; ++v)
      values.push_back(one_in(12)  ? Value{}
                       : one_in(8) ? Value::integer(0)
                       : one_in(2) ? choice(any_of(register_), {leaf(buffer), leaf(buffer)})
                                   : leaf(buffer));
    return choice(any_of(lane_), values);
  }

  Value met(Value v, Value w) {
    if (meeting_ == Meeting::kProduct) return product(v, w);
    if (meeting_ == Meeting::kFunction) return problem.provenance.opaque(kOpaqueIntrinsic, Scalar::kI32, {v, w});
    if (meeting_ == Meeting::kOrder) {
      Provenance& p = problem.provenance;
      const Value less = p.binary(Operator::kLt, Scalar::kI32, v, w),
                  holds = p.convert(less, Scalar::kBool, Scalar::kI32);
      return one_in(2) ? holds : p.select(less, one_in(2) ? Value::integer(3) : sum({v, w}), one_in(2) ? w : holds);
    }
    const Value difference = sum({v, product(Value::integer(-1), w)});
    return product(difference, difference);
  }

  Value term() {
    Value v = of_a_[below(2)];
    const bool multiplies = !is_set(ring_of_all_) && one_in(2);
    if (one_in(5)) v = leaf(0);
    if (multiplies) v = met(v, one_in(5) ? leaf(1) : of_b_[below(2)]);
    if (one_in(8) && ring_of_all_ == Ring::kSum) v = product(Value::integer(2), v);
    if (!is_set(ring_of_all_) && one_in(3)) v = when(any_of(condition_), v);
    return v;
  }

  void add_equation(const Assignment& assignment) {
    std::vector<Value> terms;
    for (std::size_t t = 0; t <= below(3); ++t) terms.push_back(term());
    const Value actual = normal(sum(terms));
    PointId blocked;
    const Value expected = problem.provenance.resolve(actual, assignment, blocked);
    if (!expected.is_undefined()) equation(actual, expected);
  }

  void add_requirement() {
    const PointId p = any_of(lane_), q = any_of(one_in(2) ? lane_ : register_), r = any_of(condition_);
    if (one_in(2)) forbid(equal(index(p), index(q)));
    else forbid(both(less(index(p), index(q)), equal(index(r), Value::integer(1))));
  }

  Assignment any_assignment() {
    Assignment assignment;
    for (std::size_t p = 0; p < problem.points.size(); ++p)
      assignment.push_back(static_cast<int>(below(static_cast<std::size_t>(problem.points[PointId(p)].domain))));
    return assignment;
  }

  Ring ring_of_all_;
  Meeting meeting_;
  std::mt19937 random_;
  HoleId lane_, register_, condition_;
  std::vector<Value> of_a_, of_b_;
};

}  // namespace swizzle
