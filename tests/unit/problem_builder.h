// ProblemBuilder: Problems by hand, from holes, choices and equations, for tests of the engine that parse no kernel.
//
//   ProblemBuilder b;                                                 a lane hole P, asked on 4 lanes: points 0 … 3
//   const HoleId p = b.transform(4);
//   b.equation(b.choice(b.at(p, 0), {b.x(0), b.x(1), b.x(2), b.x(3)}), b.x(3));     y[0]: what P says of lane 0, is
//   x[3]
//
// Both sides are normalized, as those of an executed kernel are. The output of equation e is y[e], written by thread e.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "synth/network/constraint_network.h"
#include "synth/problem/pose.h"

namespace swizzle {

class ProblemBuilder {
 public:
  explicit ProblemBuilder(Ring ring = Ring::kSum, Scalar scalar = Scalar::kU32) : ring_(ring), scalar_(scalar) {
    problem.buffer_names = {"x", "y", "a", "b"};
  }

  // A hole that each of the arguments asks once, executed once per warp.
  HoleId hole(HoleKind kind, int values, const std::vector<Arguments>& arguments) {
    HoleSpace space;
    space.id = HoleId(problem.holes.size());
    space.kind = kind;
    space.domain = values;
    space.first_argument = space.traits().first_key;
    space.name = "the hole " + std::to_string(space.id.value);
    for (const Arguments& a : arguments) space.points.push_back(problem.points.intern(space.id, a, values));
    space.arguments = arguments;
    problem.holes.push_back(std::move(space));
    problem.executions.push_back(1);
    return problem.holes.back().id;
  }
  // Asked with (lane, k) on `lanes` lanes in each iteration: (lane, k) is at position k · lanes + lane.
  HoleId transform(int lanes, int iterations = 1) { return hole(HoleKind::kXform, lanes, grid(lanes, iterations)); }
  HoleId linear(int lanes, int iterations = 1) { return hole(HoleKind::kLinear, lanes, grid(lanes, iterations)); }
  HoleId constants(int lanes, int iterations = 1) { return hole(HoleKind::kConstants, lanes, grid(lanes, iterations)); }
  HoleId part(int values, int lanes, int iterations = 1) {
    return hole(HoleKind::kPart, values, grid(lanes, iterations));
  }
  HoleId condition(int lanes, int iterations = 1) { return hole(HoleKind::kCond, 2, grid(lanes, iterations)); }
  PointId at(HoleId hole, std::size_t position) const { return problem.holes[hole.value].points[position]; }
  const HoleSpace& space(HoleId hole) const { return problem.holes[hole.value]; }

  Value x(std::int64_t i) { return problem.provenance.input(BufferId(0), i, scalar_); }
  Value a(std::int64_t i) { return problem.provenance.input(BufferId(2), i, scalar_); }
  Value b(std::int64_t i) { return problem.provenance.input(BufferId(3), i, scalar_); }
  Value choice(PointId point, const std::vector<Value>& values) { return problem.provenance.choice(point, values); }
  // v where the point is 1; otherwise nothing is added.
  Value when(PointId point, Value v) { return choice(point, {Value::integer(0), v}); }
  Value product(Value v, Value w) { return problem.provenance.multiply(ring_, scalar_, v, w); }
  Value sum(const std::vector<Value>& values) {
    Value total = values.front();
    for (std::size_t i = 1; i < values.size(); ++i)
      total = problem.provenance.combine(ring_, scalar_, total, values[i]);
    return total;
  }
  Value normal(Value v) { return problem.provenance.normalize(v); }

  std::size_t equation(Value actual, Value expected) {
    const std::size_t e = problem.equations.size();
    problem.equations.push_back({.actual = normal(actual),
                                 .expected = normal(expected),
                                 .buffer = BufferId(1),
                                 .slot = static_cast<std::int64_t>(e),
                                 .thread = static_cast<std::uint32_t>(e),
                                 .scalar = scalar_});
    return e;
  }

  // The value of a point, as an index, and comparisons of such.
  Value index(PointId point) {
    std::vector<Value> values;
    for (int v = 0; v < problem.points[point].domain; ++v) values.push_back(Value::integer(v));
    return choice(point, values);
  }
  Value equal(Value v, Value w) { return problem.provenance.binary(Operator::kEq, Scalar::kI32, v, w); }
  Value less(Value v, Value w) { return problem.provenance.binary(Operator::kLt, Scalar::kI32, v, w); }
  Value both(Value v, Value w) { return problem.provenance.binary(Operator::kLogicalAnd, Scalar::kBool, v, w); }
  void forbid(Value violation) { problem.requirements.push_back({violation, "forbidden", {}}); }

  // Issued unless the hole is 0 everywhere.
  void guard(HoleId h, Counts counts) {
    GuardedIssue issue{{}, counts};
    for (PointId p : space(h).points) {
      std::vector<Value> values(static_cast<std::size_t>(problem.points[p].domain), Value::integer(1));
      values[0] = Value::integer(0);
      issue.guards.push_back(choice(p, values));
    }
    problem.guarded.push_back(std::move(issue));
  }

  // Issued where points have some of their values, or two of them together, or elsewhere: up to four such, and others.
  void guard_at_random(std::uint32_t seed) {
    std::mt19937 random(seed);
    const auto literal = [&] {
      const PointId p(random() % problem.points.size());
      std::vector<Value> values;
      for (int v = 0; v < problem.points[p].domain; ++v) values.push_back(Value::integer(random() % 2));
      return choice(p, values);
    };
    for (std::size_t issues = 1 + random() % 4; issues > 0; --issues) {
      GuardedIssue issue{{}, {.accumulates = static_cast<double>(random() % 5) / (1 + random() % 4)}};
      for (std::size_t guards = 1 + random() % 3; guards > 0; --guards)
        issue.guards.push_back(random() % 3 == 0 ? both(literal(), literal()) : literal());
      problem.guarded.push_back(issue);
      if (random() % 3 != 0) continue;
      for (Value& guard : issue.guards) guard = problem.provenance.unary(Operator::kLogicalNot, Scalar::kBool, guard);
      issue.counts.accumulates = 1;
      problem.guarded.push_back(std::move(issue));
    }
  }

  // Every equation and every requirement.
  std::optional<Conflict> compile(ConstraintNetwork& network) {
    std::vector<std::size_t> all(problem.equations.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    if (auto conflict = add_equations(problem, all, network)) return conflict;
    for (std::size_t r = 0; r < problem.requirements.size(); ++r)
      if (auto conflict = add_requirement(problem, r, network)) return conflict;
    return std::nullopt;
  }

  Problem problem;

 private:
  static std::vector<Arguments> grid(int lanes, int iterations) {
    std::vector<Arguments> arguments;
    for (int k = 0; k < iterations; ++k)
      for (int lane = 0; lane < lanes; ++lane)
        arguments.push_back(iterations == 1 ? Arguments{lane} : Arguments{lane, k});
    return arguments;
  }

  Ring ring_;
  Scalar scalar_;
};

}  // namespace swizzle
