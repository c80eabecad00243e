// The second opinion on random sketches, of which some have a completion and others have none.
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/unit/oracle/small_kernels.h"

namespace swizzle::second_opinion_random_test {
namespace {

// Of the sketches of `seeds` seeds, at least 10 have a completion, and at least `least_none` have none.
void expect_agreement_on(Small (*random)(std::uint32_t seed), std::uint32_t seeds, int least_none) {
  int found = 0, none = 0;
  for (std::uint32_t seed = 0; seed < seeds && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    const Outcome outcome = expect_agreement(random(seed));
    found += outcome == Outcome::kFound;
    none += outcome == Outcome::kInfeasible;
  }
  EXPECT_GE(found, 10);
  EXPECT_GE(none, least_none);
}

class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}
  int below(int n) { return static_cast<int>(engine_() % static_cast<std::uint32_t>(n)); }
  int between(int lo, int hi) { return lo + below(hi - lo + 1); }
  bool chance(int percent) { return below(100) < percent; }
  std::string pick(const std::vector<std::string>& choices) {
    return choices[static_cast<std::size_t>(below(static_cast<int>(choices.size())))];
  }

 private:
  std::mt19937 engine_;
};

// Accumulates a few shuffled elements into one or two outputs; lanes, registers and guards are holes. The spec says
// what random affine indices and thresholds say, so that some have a completion and others have none.
Small random_small(std::uint32_t seed) {
  Random random(seed);
  const int n = random.chance(50) ? 4 : random.between(3, 8), registers = random.between(1, 3),
            iterations = random.between(1, 3);
  const std::string op = random.pick({"+=", "^=", "|=", "max"});
  const std::string product = op == "+=" && random.chance(40)   ? "w[k] * "
                              : op == "^=" && random.chance(40) ? "w[k] & "
                                                                : "";
  const std::string initial = random.chance(60) ? "0" : random.pick({"1", "x[{lane}]"});
  const auto accumulate = [&](const std::string& to, const std::string& v) {
    return op == "max" ? fmt::format("{0} = max({0}, {1});", to, v) : fmt::format("{} {} {};", to, op, v);
  };
  const auto start = [&](const std::string& lane) { return initial == "x[{lane}]" ? "x[" + lane + "]" : initial; };
  const int outputs = random.between(1, 2);

  const std::string k = fmt::format("{} * k + {}", random.between(1, 3), random.between(-2, 2)),
                    lane = random.chance(70) ? "lane" : fmt::format("{} * lane + 1", random.between(2, 4));
  const std::string which = registers == 1      ? "0"
                            : random.chance(50) ? fmt::format("?sw_part({}, {}, {})", registers, lane, k)
                                                : fmt::format("?sw_xform(k % {0}, {0}, lane)", registers);
  Small small{"", n, "", ""};
  small.kernel = fmt::format(
      "  int r[{1}];\n  for (int j = 0; j < {1}; j++) r[j] = x[{0} * j + lane];\n  int a = {2}, b = {2};\n  for (int k = 0; k < {3}; k++) {{\n"
      "    const int v = {6}__shfl_sync(~0u, r[{4}], ?sw_xform(lane, {0}, {5}));\n",
      n, registers, start("lane"), iterations, which, k, product);
  const std::string from = fmt::format(
      "x[{0} * ({1}) + (i * {2} + k * {3} + {4} + 64) % {0}]", n,
      registers == 1      ? "0"
      : random.chance(50) ? fmt::format("i + k * {} < {}", random.between(-1, 1), random.between(-1, n))
                          : fmt::format("(i * {} + k + {}) % {}", random.below(3), random.below(3), registers),
      random.between(0, 3), random.between(-2, 3), random.between(0, 7));
  std::string sums;
  for (const char* to : {"a", "b"}) {
    if (to[0] == 'b' && outputs == 1) break;
    const bool guarded = random.chance(40);
    small.kernel +=
        fmt::format("    {}{}\n", guarded ? fmt::format("if (?sw_cond({}, {})) ", lane, k) : "", accumulate(to, "v"));
    sums += guarded || random.chance(5) ? fmt::format("if (i * {} {} k + {}) ", random.between(1, 2),
                                                      random.pick({"<", ">=", "==", "!="}), random.between(-2, 3))
                                        : "";
    sums += accumulate(to, product + from) + " ";
  }
  small.kernel += fmt::format("  }}\n  y[lane] = a;{}", outputs == 2 ? fmt::format("\n  y[{} + lane] = b;", n) : "");
  small.spec = fmt::format(
      "  for (int i = 0; i < {0}; i++) {{\n    int a = {1}, b = {1};\n    for (int k = 0; k < {2}; k++) {{ {3} }}\n    y[i] = a;{4}\n  }}",
      n, start("i"), iterations, sums, outputs == 2 ? fmt::format("\n    y[{} + i] = b;", n) : "");
  return small;
}

// Lanes store to a buffer, to shared memory or to registers where holes say; some under a guard, some twice, some a
// value that a hole chooses.
Small random_stores(std::uint32_t seed) {
  Random random(seed);
  const int n = random.between(2, 4), wide = random.chance(70) ? n : n + 1, fields = random.between(2, 3);
  const std::string at = fmt::format("?sw_xform(lane, {})", wide),
                    other = fmt::format("?sw_xform(lane, {})", random.chance(70) ? n : wide);
  const std::string value =
      random.pick({"x[lane]", "x[lane]", "x[lane / 2]",
                   fmt::format("__shfl_sync(~0u, x[lane], ?sw_xform(lane, {}))", n), "x[lane] + x[lane + 1]"});
  std::string guard = random.pick({"", "", "if (?sw_cond(lane)) ", "if (lane > 0) "});
  const std::string where = random.pick({"y", "y", "shared", "registers"});
  if (value.find("shfl") != std::string::npos) guard = "";  // all lanes must reach it
  Small small{"", n, "", ""};
  if (where == "y") {
    small.kernel = fmt::format("  {}y[{}] = {};", guard, at, value);
    if (random.chance(40))
      small.kernel += fmt::format("\n  {}y[{}] = {};", random.pick({"", "if (?sw_cond(lane)) "}), other,
                                  random.pick({"x[lane]", "x[lane + 1]"}));
  } else if (where == "shared") {
    small.kernel = fmt::format(
        "  __shared__ int s[5];\n  s[lane] = x[lane];\n  __syncthreads();\n  {}s[{}] = {};\n  __syncthreads();\n  y[lane] = s[{}];",
        guard, at, value, random.pick({"lane", other}));
  } else {
    small.kernel = fmt::format(
        "  int r[5];\n  for (int j = 0; j < {0}; j++) r[?sw_xform(j, {0}, lane)] = x[j * {1} + lane];\n  for (int j = 0; j < {0}; j++) y[j * {1} + lane] = r[j];",
        fields, n);
  }
  const std::string element = fmt::format(
      "x[{}]",
      random.pick({fmt::format("(i * {} + {}) % {}", random.between(1, 3), random.below(4), n), "i", "i / 2"}));
  small.spec =
      where == "registers"
          ? fmt::format(
                "  for (int i = 0; i < {0}; i++) for (int j = 0; j < {2}; j++) y[j * {0} + i] = x[({1}) % {2} * {0} + i];",
                n, random.pick({"j", "j + 1", "i + j", "i + 2 * j"}), fields)
          : each(n, fmt::format("{}y[i] = {};", where == "y" && guard.empty() && random.chance(20) ? "if (i > 0) " : "",
                                random.chance(15) ? element + " + " + element : element));
  return small;
}

// A hole chooses between two sums of the same fetches, or the output that they are added to.
Small random_arms(std::uint32_t seed) {
  Random random(seed);
  const int n = random.between(2, 4), way = random.below(6), iterations = random.between(1, 3);
  const std::string fetch = fmt::format("__shfl_sync(~0u, x[lane], ?sw_xform(lane, {}))", n),
                    times =
                        random.chance(50) ? fmt::format(" * __shfl_sync(~0u, w[lane], ?sw_xform(lane, {}))", n) : "";
  const int shift = random.below(n), other = random.below(n), weight = random.below(n);
  const auto element = [&](const std::string& offset) {
    return fmt::format("x[(i + {}) % {}]", offset, n) +
           (times.empty() ? "" : fmt::format(" * w[(i + {}) % {}]", weight, n));
  };
  const std::string p = element(std::to_string(shift)), q = element(std::to_string(other));
  const std::string first = fmt::format("i {} {}", random.pick({"<", "==", "!=", ">="}), random.below(n));
  const auto coefficient = [&] { return random.pick({"-2", "-1", "1", "1", "2", "0"}); };
  const std::string a = coefficient(), b = coefficient(), c = random.chance(60) ? a : coefficient(), d = coefficient();
  const std::string arms =
      fmt::format("{} * {{0}} + {} * {{1}} : {} * {{0}} + {} * {{1}}", a, b, c, random.chance(60) ? d : coefficient());
  Small small{"", n, "", ""};
  const std::string both = fmt::format("  const int p = {0}{1}, q = {0}{1};\n", fetch, times);
  if (way == 0) {
    small.kernel = both + fmt::format("  y[lane] = ?sw_cond(lane) ? {};", fmt::format(fmt::runtime(arms), "p", "q"));
    small.spec = each(n, fmt::format("y[i] = {} ? {} * {} + {} * {} : {} * {} + {} * {};", first, a, p, b,
                                     random.chance(70) ? q : "3 * " + q, c, p, d, q));
  } else if (way == 1) {
    small.kernel = both + "  int s = p;\n  if (?sw_cond(lane)) s -= q; else s += q;\n  y[lane] = s;";
    small.spec =
        each(n, fmt::format("y[i] = {} ? {} - {} : {} + {};", first, p, q, p, random.chance(60) ? q : "2 * " + q));
  } else if (way == 2 || way == 3) {
    const auto sum = [&](const std::string& u, const std::string& v) {
      return fmt::format("{} * {} + {} * {}", a, u, d, v);
    };
    const std::string third = fmt::format("{} * {{}} + {} * {{}}", coefficient(), b);
    const auto chosen = [&](const std::string& one, const std::string& two, const std::string& u,
                            const std::string& v) {
      return fmt::format("{} ? {} : {} ? {} - {} : {}", one, sum(u, v), two, u, v,
                         fmt::format(fmt::runtime(third), u, v));
    };
    small.kernel = both +
                   (way == 2 ? "  const int o = ?sw_part(3, lane);\n  y[lane] = " + chosen("o == 0", "o == 1", "p", "q")
                             : "  y[lane] = " + chosen("?sw_cond(lane)", "?sw_cond(lane)", "p", "q")) +
                   ";";
    small.spec =
        each(n, "y[i] = " + chosen("i < 1", fmt::format("i < {}", random.between(1, n)), p, random.chance(80) ? q : p) +
                    ";");
  } else {
    const std::string k = way == 4 ? "lane, k" : "k, lane";
    small.kernel = fmt::format(
        "  int s = 0, t = 0;\n  for (int k = 0; k < {}; k++) {{\n    const int v = __shfl_sync(~0u, x[lane], ?sw_xform(lane, {}, k)){};\n    if (?sw_cond({})) s += v; else t += v;\n  }}\n  y[lane] = s;\n  y[{} + lane] = t;",
        iterations, n, times, k, n);
    small.spec = fmt::format(
        "  for (int i = 0; i < {0}; i++) {{\n    int s = 0, t = 0;\n    for (int k = 0; k < {1}; k++) if ({2}) s += {3}; else t += {3};\n    y[i] = s;\n    y[{0} + i] = t;\n  }}",
        n, iterations,
        random.chance(30) ? random.pick({"false", "true"})
                          : fmt::format("i {} k + {}", random.pick({"<", "==", "!=", ">="}), random.between(-1, 2)),
        element(fmt::format("k + {}", shift)));
  }
  return small;
}

TEST(SecondOpinion, AgreesOnRandomArms) { expect_agreement_on(random_arms, 70, 4); }

TEST(SecondOpinion, AgreesOnRandomStores) { expect_agreement_on(random_stores, 80, 10); }

TEST(SecondOpinion, AgreesOnRandomKernels) { expect_agreement_on(random_small, 50, 10); }

}  // namespace
}  // namespace swizzle::second_opinion_random_test
