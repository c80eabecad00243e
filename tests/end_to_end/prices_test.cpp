// A completion costs what it costs when it stands in the sketch, and none that is listed costs less than what is
// proved.
#include "tests/end_to_end/sketch_text.h"

namespace swizzle::test::prices_test {
namespace {

const char* const kFirst = "void f(const int* x, int* y) { for (int t = 0; t < 8; t++) y[t] = x[t]; }\n";

struct Guarded {
  const char* name;
  std::string body;
  std::string spec = kFirst;
};

std::string sketch_of(const std::string& body) {
  return "#pragma swizzle launch grid(1) block(8)\n#pragma swizzle extent x(16)\n__global__ void f(const int* x, int* y) {\n"
         "  int t = threadIdx.x, v = x[t];\n  " +
         body + "\n}\n";
}

// The holes in their order, replaced by these expressions.
std::string fixed(std::string body, const nlohmann::json& expressions) {
  for (const auto& expression : expressions) {
    const std::size_t at = body.find("?sw_cond("), end = body.find(')', at) + 1;
    body.replace(at, end - at, "(" + expression.get<std::string>() + ")");
  }
  return body;
}

class Prices : public testing::TestWithParam<Guarded> {
 protected:
  nlohmann::json report_of(const std::string& body, const std::string& more) const {
    const ScratchFolder scratch;
    const ToolResult r =
        run_tool(fmt::format("'{}' --spec '{}' --run=none {}", scratch.write("sketch.cu", sketch_of(body)),
                             scratch.write("spec.cpp", GetParam().spec), more));
    EXPECT_EQ(r.exit_code, 0) << r.output;
    return r.report;
  }
};

TEST_P(Prices, AreTheSameWhereTheCompletionStandsInTheSketch) {
  const nlohmann::json found = report_of(GetParam().body, "");
  EXPECT_EQ(found["optimality"], "proved");
  nlohmann::json expressions;
  for (const auto& hole : found["holes"]) expressions.push_back(hole["expression"]);
  const nlohmann::json& cost = found["cost"];
  EXPECT_EQ(report_of(fixed(GetParam().body, expressions), "")["cost"]["total"],
            cost["total"].get<double>() - cost["integer_ops"].get<double>());
}

TEST_P(Prices, OfAllCompletionsNoneIsLessThanWhatIsProved) {
  const double least = report_of(GetParam().body, "")["cost"]["total"];
  const nlohmann::json all = report_of(GetParam().body, "--all=100000")["completions"];
  ASSERT_GT(all.size(), 1u);
  EXPECT_EQ(all[0]["cost"], least);
  for (std::size_t c = 0; c < all.size(); c += 1 + all.size() / 8) {
    EXPECT_GE(all[c]["cost"], least);
    EXPECT_LE(report_of(fixed(GetParam().body, all[c]["expressions"]), "")["cost"]["total"], all[c]["cost"]);
  }
}

const Guarded kGuarded[] = {
    {"Loop", "int a = x[t + 8];\n  for (int k = 0; k < 3; k++) if (?sw_cond(k)) a = max(a, v);\n  y[t] = a;",
     "void f(const int* x, int* y) { for (int t = 0; t < 8; t++) y[t] = x[t] > x[t + 8] ? x[t] : x[t + 8]; }\n"},
    {"OtherBranch",
     "int a = 0, z = x[t + 8];\n  if (?sw_cond(t)) a += v;\n  else { a += z; a += v; a -= z; }\n  y[t] = a;"},
    {"Nested",
     "int a = x[t + 8];\n  if (?sw_cond(t)) { if (?sw_cond(t)) a = max(a, v); else { a = max(a, v); a = max(a, v); } }"
     "\n  else a = max(v, a);\n  y[t] = a;",
     "void f(const int* x, int* y) { for (int t = 0; t < 8; t++) y[t] = x[t] > x[t + 8] ? x[t] : x[t + 8]; }\n"},
    {"WhatCancels", "int a = x[t];\n  if (?sw_cond(t)) { a ^= v; a ^= x[t]; a ^= v; a ^= x[t]; }\n  y[t] = a;"},
    {"SharedMemory",
     "__shared__ int s[8];\n  s[t] = v;\n  __syncthreads();\n  int a = v;\n  if (?sw_cond(t)) a = s[t];\n  y[t] = a;"},
    {"BankConflicts",
     "__shared__ int s[256];\n  s[32 * t] = v;\n  __syncthreads();\n  int a;\n  if (?sw_cond(t)) a = s[32 * t];\n"
     "  else a = s[32 * t];\n  y[t] = a;"},
    {"Select", "y[t] = ?sw_cond(t) ? x[t] : min(max(v, v), x[t]);"},
};

INSTANTIATE_TEST_SUITE_P(Of, Prices, testing::ValuesIn(kGuarded), [](const auto& i) { return i.param.name; });

// What is compared and selected by data is issued, too.
TEST(PricesOfOperations, AreOfEachOnData) {
  const auto accumulates = [](const std::string& value) {
    const ScratchFolder scratch;
    const std::string spec = fmt::format(
        "void f(const int* x, int* y) {{ for (int t = 0; t < 8; t++) {{ int a = x[t], b = x[t + 8]; y[t] = {}; }} }}\n",
        value);
    const ToolResult r = run_tool(fmt::format(
        "'{}' --spec '{}' --run=none",
        scratch.write("sketch.cu",
                      sketch_of(fmt::format("const int a = v, b = x[t + 8]; y[?sw_xform(t, 8)] = {};", value))),
        scratch.write("spec.cpp", spec)));
    EXPECT_EQ(r.exit_code, 0) << value << r.output;
    return r.report["cost"]["accumulates"];
  };
  EXPECT_EQ(accumulates("max(a, b)"), 1);
  EXPECT_EQ(accumulates("a > b"), 1);
  EXPECT_EQ(accumulates("a > b ? a : b"), 1) << "as max(a, b)";
  EXPECT_EQ(accumulates("a > b ? b : 3"), 2);
  EXPECT_EQ(accumulates("a > 0 && b > 0 ? a : 7"), 3);
  EXPECT_EQ(accumulates("~a"), 1);
  EXPECT_EQ(accumulates("-a"), 0);
  EXPECT_EQ(accumulates("t > 3 ? a : b"), 0) << "no data decide";
}

// A transposition in 48 lanes: its two digits, without a division by 48.
TEST(PricesOfTransformations, AreOfTheCheapestExpression) {
  for (const auto& [lanes, columns] : {std::pair(48, 8), {40, 8}, {24, 4}, {36, 4}}) {
    const ToolResult r =
        run_sketch({"",
                    fmt::format("#pragma swizzle launch grid(n / {0}) block({0})\n#pragma swizzle instance n = {0}\n"
                                "__global__ void f(const int* x, int* y, int n) {{\n  const int t = threadIdx.x;\n"
                                "  y[blockIdx.x * {0} + t] = x[blockIdx.x * {0} + ?sw_xform(t, {0})];\n}}\n",
                                lanes),
                    fmt::format("void f(const int* x, int* y, int n) {{\n  for (int b = 0; b < n; b += {0})\n"
                                "    for (int t = 0; t < {0}; t++) y[b + t] = x[b + t % {1} * {2} + t / {1}];\n}}\n",
                                lanes, columns, lanes / columns),
                    kRuns});
    EXPECT_EQ(r.exit_code, 0) << r.output;
    EXPECT_EQ(r.report["cost"]["integer_ops"], 4) << lanes << r.kernel;
  }
}

}  // namespace
}  // namespace swizzle::test::prices_test
