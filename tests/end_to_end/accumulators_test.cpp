// Accumulators of operators, of functions and of lambdas.
#include "tests/end_to_end/sketch_text.h"

namespace swizzle::test::accumulators_test {
namespace {

class Accumulators : public testing::TestWithParam<Sketch> {};

TEST_P(Accumulators, AreFoundRereadAndRun) { expect_verified(GetParam()); }

std::string three_of(const char* type, const char* made, const char* before = "", const char* accumulate = "{v}") {
  return fmt::format(R"({2}
__global__ void f(const {0}* x, {0}* y, int n) {{ int t = threadIdx.x; {0} mine = x[t];
  auto o = create_accumulator({1});
  for (int k = 0; k < 3; k++) {{ {0} v = __shfl_sync(~0u, mine, ?sw_xform(t, 32, k)); accumulate(o, {3}); }}
  y[t] = eval(o); }}
)",
                     type, made, before, accumulate);
}

std::string spec_of(const char* type, const char* first, const char* next, const char* before = "") {
  return fmt::format(R"({3}
void f(const {0}* x, {0}* y, int n) {{
  for (int i = 0; i < n; i++) {{ {0} s = {1}; for (int k = 0; k < 3; k++) {{ {0} v = x[(i + k) % 32]; s = {2}; }} y[i] = s; }}
}}
)",
                     type, first, next, before);
}

constexpr const char* kCapped =
    "template <class T> __host__ __device__ T capped(T a, T b) { return a + b > 1000 ? 1000 : a + b; }";
constexpr const char* kCappedOfSpec =
    "template <class T> static T capped(T a, T b) { return a + b > 1000 ? 1000 : a + b; }";

INSTANTIATE_TEST_SUITE_P(
    Each, Accumulators,
    testing::Values(
        Sketch{"Max", three_of("int", "-2147483647 - 1, identity, max"),
               spec_of("int", "-2147483647 - 1", "v > s ? v : s"), kRuns},
        Sketch{"MinOfFloats", three_of("float", "1e30f, identity, fminf"), spec_of("float", "1e30f", "fminf(v, s)"),
               kRuns},
        Sketch{"MaxInTheSpec", three_of("int", "-5, max"), R"(
void f(const int* x, int* y, int n) {
  for (int i = 0; i < n; i++) { acc o = create_accumulator(-5, identity, max);
    for (int k = 0; k < 3; k++) accumulate(o, [x[(i + k) % 32]], true);
    y[i] = eval(o); }
}
)",
               kRuns},
        // min of sums: what is in a tuple is added, and tuples are compared.
        Sketch{"MinPlus", R"(
__global__ void f(const float* x, const float* w, float* y, int n) { int t = threadIdx.x; float mine = x[t];
  acc o = create_accumulator(1e30f, min, +);
  for (int k = 0; k < 2; k++) { float v = __shfl_sync(~0u, mine, ?sw_xform(t, 32, k)); accumulate(o, [v, w[k]], true); }
  y[t] = eval(o); }
)",
               R"(
void f(const float* x, const float* w, float* y, int n) {
  for (int i = 0; i < n; i++) { float s = 1e30f; for (int k = 0; k < 2; k++) s = fminf(s, x[(i + k) % 32] + w[k]); y[i] = s; }
}
)",
               kRuns},
        Sketch{"ConditionOnAnExtremum", R"(
  auto o = create_accumulator(0, identity, max); int mine = x[t];
  for (int k = 0; k < 2; k++) accumulate(o, {__shfl_sync(~0u, mine, ?sw_xform(t, 32, k))}, ?sw_cond(t, k));
  y[t] = eval(o);
)",
               R"(
void f(const int* x, int* y, int n) {
  for (int i = 0; i < n; i++) { int a = x[i] > 0 ? x[i] : 0, b = x[(i + 1) % 32]; y[i] = i == 0 || b < a ? a : b; }
}
)",
               kRuns},
        Sketch{"Lambda",
               "__global__ void f(const int* x, int* y, int n) { int t = threadIdx.x; const int shift = n / 32;\n"
               "  auto o = create_accumulator(7, identity, [=](int a, int b) { return a ^ (b << shift); });\n"
               "  int v = __shfl_sync(~0u, x[t], ?sw_xform(t, 32)); accumulate(o, {v}); y[t] = eval(o); }\n",
               "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = 7 ^ x[(i + 3) % 32] * 2; }\n",
               kRuns},
        Sketch{"NamedLambda", R"(
  const auto larger = [](int a, int b) { return a > b ? a : b; };
  auto o = create_accumulator(0, identity, larger); accumulate(o, {x[?sw_xform(t, 32)]}); accumulate(o, {x[t]}); y[t] = eval(o);
)",
               R"(
void f(const int* x, int* y, int n) {
  for (int i = 0; i < n; i++) { int a = x[i], b = x[(i + 3) % 32], c = a > b ? a : b; y[i] = c > 0 ? c : 0; }
}
)",
               kRuns},
        Sketch{"DeviceFunction", three_of("int", "0, identity, capped", kCapped),
               spec_of("int", "0", "capped(s, v)", kCappedOfSpec), kRuns},
        Sketch{"FunctionOfATemplate", three_of("int", "0, identity, ns::added<2>", R"(namespace ns {
template <int N> __device__ int added(int a, int b) { return a + N * b; } })"),
               spec_of("int", "0", "s + 2 * v"), kRuns},
        Sketch{"Bytes", three_of("unsigned char", "200, identity, max, plus", "", "{v, v}"),
               spec_of("unsigned char", "200", "s > (unsigned char)(v + v) ? s : (unsigned char)(v + v)"), kRuns},
        Sketch{"Records", R"(
__device__ float2 wider(float2 a, float2 b) { return make_float2(fminf(a.x, b.x), fmaxf(a.y, b.y)); }
__global__ void f(const float* x, float* y, int n) { int t = threadIdx.x;
  auto o = create_accumulator(make_float2(1e30f, -1e30f), identity, wider);
  for (int k = 0; k < 2; k++) { float v = __shfl_sync(~0u, x[t], ?sw_xform(t, 32, k)); accumulate(o, {make_float2(v, v)}); }
  float2 r = eval(o); y[t] = r.x; y[32 + t] = r.y; }
)",
               R"(
void f(const float* x, float* y, int n) {
  for (int i = 0; i < n; i++) { float a = x[i], b = x[(i + 1) % 32]; y[i] = fminf(fminf(1e30f, a), b); y[32 + i] = fmaxf(fmaxf(-1e30f, a), b); }
}
)",
               kRuns}),
    [](const auto& info) { return std::string(info.param.name); });

double cost_of(const std::string& text, const std::string& spec) {
  const ToolResult r = run_sketch(Sketch{"", text, spec});
  EXPECT_EQ(r.exit_code, 0) << r.output;
  return r.exit_code == 0 ? r.report["cost"]["total"].get<double>() : -1;
}

// What docs/language.md equates costs the same.
TEST(AccumulatorsInOtherWords, CostWhatTheyStandFor) {
  const std::string spec = "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[i] ^ x[i]; }\n";
  const std::string loop = "  int v = x[?sw_xform(t, 32)];\n";
  const double plain = cost_of(loop + "  int s = 0; for (int k = 0; k < 4; k++) s ^= v; y[t] = s;", spec);
  EXPECT_EQ(
      cost_of(
          loop +
              "  auto s = create_accumulator(0, identity, bit_xor); for (int k = 0; k < 4; k++) accumulate(s, {v}, true);"
              " y[t] = eval(s);",
          spec),
      plain);
  const std::string other =
      "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) { int a = x[(i + 3) % 32]; y[i] = a > 3 ? a : 3; } }\n";
  EXPECT_EQ(
      cost_of("  int v = x[?sw_xform(t, 32)], s = 3; if (?sw_cond(t)) s = max(s, v); y[t] = s;", other),
      cost_of(
          "  int v = x[?sw_xform(t, 32)]; auto s = create_accumulator(3, identity, max); accumulate(s, {v}, ?sw_cond(t));"
          " y[t] = eval(s);",
          other));
}

struct Refused {
  const char* name;
  std::string message, text;
};
class RefusedAccumulators : public testing::TestWithParam<Refused> {};

TEST_P(RefusedAccumulators, AreToldAtTheirPlace) {
  const ToolResult r = run_sketch(Sketch{"", GetParam().text});
  EXPECT_EQ(r.exit_code, 1) << r.output;
  EXPECT_NE(r.output.find(GetParam().message), std::string::npos) << r.output;
  EXPECT_NE(r.output.find("sketch.cu:"), std::string::npos) << r.output;
}

INSTANTIATE_TEST_SUITE_P(
    Each, RefusedAccumulators,
    testing::Values(
        Refused{"Unknown", "'mox'",
                "  auto o = create_accumulator(0, identity, mox); accumulate(o, {x[t]}); y[t] = eval(o);"},
        Refused{"OfOne", "'abs'",
                "  auto o = create_accumulator(0, identity, abs); accumulate(o, {x[t]}); y[t] = eval(o);"},
        Refused{
            "LambdaOfThree", "must take two of them",
            "  auto o = create_accumulator(0, identity, [](int a, int b, int c) { return a; }); accumulate(o, {x[t]}); y[t] = eval(o);"},
        Refused{
            "LambdaOfNothing", "must take two of them",
            "  auto o = create_accumulator(0, identity, [](int a, int b) { }); accumulate(o, {x[t]}); y[t] = eval(o);"},
        Refused{
            "CopyOfWhatChanges", "a lambda with a copy of 'c'",
            "  int c = 0; auto o = create_accumulator(0, identity, [=](int a, int b) { return a + b * c; }); c = 2; accumulate(o, {x[t]}); y[t] = eval(o);"},
        Refused{
            "RecordsByOperators", "give a function",
            "  auto o = create_accumulator(make_int2(0, 0), identity, plus); accumulate(o, {make_int2(x[t], 1)}); y[t] = eval(o).x;"},
        Refused{
            "AnotherStart", "and it starts as",
            "  auto o = create_accumulator(0, identity, [](int2 a, int2 b) { return a; }); accumulate(o, {make_int2(x[t], 1)}); y[t] = t;"}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(AccumulatorTexts, HaveTheSlidesSpelling) {
  const std::string sketch =
      "#pragma swizzle extent x(n)\n"
      "__global__ void f(const unsigned* x, unsigned* y, int n) {\n  int t = threadIdx.x;\n  acc o = create_accumulator(0, identity, ^, &);\n"
      "  unsigned mine = x[t];\n  for (int k = 0; k < 2; k++) {\n    unsigned a = __shfl_sync(~0u, mine, ?sw_xform(t, 32, k));\n"
      "    accumulate(o, [a, mine], ?sw_cond(t, k));\n  }\n  y[t] = eval(o);\n}\n";
  const std::string spec =
      "void f(const unsigned* x, unsigned* y, int n) { for (int i = 0; i < n; i++) y[i] = (x[i] & x[(i + 3) % 32]) ^ (x[i] & x[(i + 8) % 32]); }\n";
  const ToolResult r = run_sketch({"", sketch, spec});
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_NE(r.kernel.find("o ^= a & mine"), std::string::npos) << r.kernel;
}

}  // namespace
}  // namespace swizzle::test::accumulators_test
