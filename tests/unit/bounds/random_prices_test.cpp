// A completion costs what it costs when it stands in the sketch: random bodies under conditions, with random tables.
#include <array>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "frontend/parse.h"
#include "synth/bounds/table_costs.h"

namespace swizzle::random_prices_test {
namespace {

constexpr std::int64_t kLanes = 8, kIterations = 3;

// A loop over k whose statements stand under conditions on u = t % 8 and k, each a hole or bits that are looked up.
class RandomBody {
 public:
  explicit RandomBody(std::uint32_t seed) : random_(seed) {
    for (int s = 0; s < 2; ++s) text_ += statement(2);
  }

  std::size_t holes() const { return arguments_.size(); }
  // The value of a hole's point, by its arguments.
  int value(std::size_t hole, const Arguments& arguments) const {
    return static_cast<int>(bits_[hole] >> index(hole, arguments) & 1);
  }
  std::string text(bool is_fixed) const {
    std::string body = text_;
    for (std::size_t h = 0; h < holes(); ++h) {
      const std::string mark = fmt::format("#{}#", h);
      const std::string index = arguments_[h] == "u" ? "u" : arguments_[h] == "k" ? "k" : "(u * 3 + k)";
      const std::string condition = is_fixed ? fmt::format("((0x{:x} >> {} & 1) != 0)", bits_[h], index)
                                             : fmt::format("?sw_cond({})", arguments_[h]);
      body.replace(body.find(mark), mark.size(), condition);
    }
    return "__global__ void f(const int* x, int* y) {\n  const int t = threadIdx.x, u = t % 8;\n"
           "  int a = x[t], v = x[t + 40];\n  for (int k = 0; k < 3; k++) {\n" +
           body + "  }\n  y[t] = a;\n}\n";
  }

 private:
  std::size_t below(std::size_t n) { return random_() % n; }
  std::size_t index(std::size_t hole, const Arguments& arguments) const {
    if (arguments_[hole] != "u, k") return static_cast<std::size_t>(arguments[0]);
    return static_cast<std::size_t>(arguments[0] * kIterations + arguments[1]);
  }
  std::string condition() {
    constexpr std::array kArguments{"u", "k", "u, k"};
    arguments_.emplace_back(kArguments[below(3)]);
    bits_.push_back(random_() & random_() & 0x00ffffffu);
    const std::string hole = fmt::format("#{}#", holes() - 1);
    if (below(6) == 0) return hole + " && v > a";
    if (below(6) == 0) return "!(" + hole + " || v > a)";
    return below(6) == 0 ? "!" + hole : hole;
  }
  std::string statement(int depth) {
    if (depth > 0 && holes() < 5 && below(4) != 0) {
      std::string text = "if (" + condition();  // holes are numbered as they stand
      text += ") { " + statement(depth - 1) + "}";
      if (below(2) == 0) text += " else { " + statement(depth - 1) + "}";
      return text + "\n";
    }
    switch (below(5)) {
      case 0: return "a = max(a, v); ";
      case 1: return "a = a * v; ";
      case 2: return "a += x[t + k]; ";
      case 3: return holes() < 5 ? "a += (" + condition() + ") ? v * v : v; " : "a += v; ";
      default: return "a += v; ";
    }
  }

  std::mt19937 random_;
  std::string text_;
  std::vector<std::string> arguments_;  // of each hole
  std::vector<std::uint32_t> bits_;     // by hole: its values
};

Trace executed(const std::string& text, Problem& problem) {
  const Result<Program> program = parse_kernel(SourceText("a.cu", text), "");
  EXPECT_TRUE(program.ok()) << text << (program.ok() ? "" : render(program.errors()[0]));
  Execution execution;
  execution.shape = LaunchShape{{1, 1, 1}, {40, 1, 1}};
  execution.extents = std::vector<std::int64_t>{128, 64};
  Result<Trace> trace = execute(*program, execution, problem.provenance, problem.points);
  EXPECT_TRUE(trace.ok()) << text << (trace.ok() ? "" : render(trace.errors()[0]));
  return std::move(*trace);
}

TEST(RandomPrices, AreThoseOfTheCompletionInTheSketch) {
  std::size_t some_are_saved = 0;
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const RandomBody body(seed);
    Problem problem, unused;
    Trace sketch = executed(body.text(false), problem);
    problem.counts = sketch.counts;
    problem.guarded = sketch.guarded;
    problem.holes.resize(body.holes());
    problem.executions.assign(body.holes(), 0);
    std::vector<HoleTable> tables(body.holes(), HoleTable{{}, IndexExpr::constant(0), 0});
    for (std::size_t h = 0; h < body.holes(); ++h) {
      problem.holes[h].id = HoleId(h);
      problem.holes[h].kind = HoleKind::kCond;
      problem.holes[h].domain = 2;
    }
    for (std::size_t p = 0; p < problem.points.size(); ++p) {
      const std::size_t h = problem.points[PointId(p)].hole.value;
      problem.holes[h].points.emplace_back(p);
      tables[h].values.push_back(static_cast<std::int16_t>(body.value(h, problem.points.arguments(PointId(p)))));
    }
    const Cost cost = TableCosts(problem, {}).total(tables);
    const Counts fixed = executed(body.text(true), unused).counts;
    EXPECT_EQ(cost.accumulates, fixed.accumulates) << body.text(true);
    EXPECT_EQ(cost.multiplies, fixed.multiplies) << body.text(true);
    EXPECT_EQ(cost.loads, fixed.loads) << body.text(true);
    Counts all = sketch.counts;
    for (const GuardedIssue& issue : sketch.guarded) all.accumulates += issue.counts.accumulates;
    some_are_saved += cost.accumulates < all.accumulates ? 1 : 0;
  }
  EXPECT_GT(some_are_saved, 20u);
}

}  // namespace
}  // namespace swizzle::random_prices_test
