// Elements at indices that data decide: what is gathered from there, and scattered to there.
#include <gtest/gtest.h>

#include "tests/end_to_end/sketch_text.h"

namespace swizzle::test::gathers_test {
namespace {

const std::string kHead =
    "#pragma swizzle launch grid((n + 63) / 64) block(64)\n#pragma swizzle instance n = 64, m = 80\n"
    "#pragma swizzle check n = 100, m = 101\n";

// A body with `i`, `lane` and `own`, the thread's index; x and y hold structs of 4 floats, or their fields.
Sketch gather(const std::string& range, const std::string& body,
              const std::string& spec = "y[f * n + i] = x[4 * at[i] + f]") {
  return {"",
          kHead + range +
              "\n__global__ void f(const float* x, const int* at, float* y, int n, int m) {\n"
              "  const int i = blockIdx.x * 64 + threadIdx.x, lane = threadIdx.x % 32;\n"
              "  const int own = i < n ? at[i] : 0;\n  float r[4], turned[4], got[4];\n" +
              body + "}\n",
          "void f(const float* x, const int* at, float* y, int n, int m) {\n"
          "  for (int i = 0; i < n; i++) for (int f = 0; f < 4; f++) " +
              spec + ";\n}\n",
          kRuns};
}

constexpr const char* kInRange = "#pragma swizzle range at(0, m)";
constexpr const char* kDistinct = "#pragma swizzle range at(0, m) distinct";
const std::string kExchange =
    "#pragma unroll\n  for (int j = 0; j < 4; j++) turned[j] = r[?sw_xform(j, 4, lane)];\n"
    "#pragma unroll\n  for (int j = 0; j < 4; j++) got[j] = __shfl_sync(~0u, turned[j], ?sw_xform(lane, 32, j));\n";
const std::string kStored =
    "  if (i < n)\n#pragma unroll\n    for (int j = 0; j < 4; j++) y[j * n + i] = got[?sw_xform(j, 4, lane)];\n";

// `element`: of the struct of index `from`, which is the word's own.
std::string loaded(const std::string& element) {
  return "#pragma unroll\n  for (int j = 0; j < 4; j++) {\n"
         "    const int word = 32 * j + lane, from = __shfl_sync(~0u, own, word / 4);\n    r[j] = " +
         element + ";\n  }\n";
}

TEST(Gathers, OfStructsAreFound) {
  expect_verified(gather(kInRange, loaded("x[4 * from + word % 4]") + kExchange + kStored));
}

TEST(Gathers, GoThroughPointersAndWiderTypes) {
  expect_verified(gather(kInRange, loaded("*(x + 4 * (long long)from + word % 4)") + kExchange + kStored));
  expect_verified(gather(kInRange, loaded("(&x[4 * (size_t)from])[word % 4]") + kExchange + kStored));
}

TEST(Gathers, AreReadByVectors) {
  expect_verified(gather(kInRange,
                         "  const float4 v = reinterpret_cast<const float4*>(x)[own];\n"
                         "  r[0] = v.x, r[1] = v.y, r[2] = v.z, r[3] = v.w;\n  if (i < n)\n#pragma unroll\n"
                         "    for (int j = 0; j < 4; j++) y[j * n + i] = r[?sw_xform(j, 4)];\n"));
}

// The hole says whose index a lane takes.
TEST(Gathers, AtAnIndexThatAHoleChoosesAreFound) {
  const Sketch sketch = gather(
      kInRange,
      "#pragma unroll\n  for (int j = 0; j < 4; j++)\n"
      "    r[j] = x[4 * __shfl_sync(~0u, own, ?sw_xform(lane, 32, j)) + lane % 4];\n"
      "  if (i < n)\n#pragma unroll\n    for (int j = 0; j < 4; j++) y[4 * (i - lane) + 32 * j + lane] = r[j];\n",
      "y[4 * i + f] = x[4 * at[i] + f]");
  Sketch at_multiples = sketch;
  at_multiples.text.replace(at_multiples.text.find("n = 100"), 7, "n = 128")
      .replace(at_multiples.text.find("m = 101"), 7, "m = 131");
  at_multiples.text = "#pragma swizzle assume n % 64 == 0\n" + at_multiples.text;
  expect_verified(at_multiples);
}

TEST(Gathers, FromATableByBytesNeedNoRange) {
  const ToolResult r = run_sketch(
      {"",
       "__global__ void f(const unsigned char* x, const int* table, int* y, int n) {\n  int t = threadIdx.x;\n"
       "  y[t] = __shfl_sync(~0u, table[x[t]], ?sw_xform(t, 32)) ^ table[255 - x[t]];\n}\n",
       "void f(const unsigned char* x, const int* table, int* y, int n) {\n"
       "  for (int t = 0; t < n; t++) y[t] = table[x[31 - t]] ^ table[255 - x[t]];\n}\n",
       kRuns});
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(r.report["optimality"], "proved");
}

// The ends of edges: the range is that of a vector's members.
TEST(Gathers, AtTheMembersOfVectorsAreFound) {
  expect_verified({"",
                   "#pragma swizzle range edges(0, 50)\n"
                   "__global__ void f(const float* x, const int2* edges, float* y, int n) {\n"
                   "  const int t = threadIdx.x;\n  const int2 e = edges[t];\n"
                   "  y[t] = __shfl_sync(~0u, x[e.x] - x[e.y], ?sw_xform(t, 32));\n}\n",
                   "void f(const float* x, const int2* edges, float* y, int n) {\n"
                   "  for (int i = 0; i < n; i++) y[i] = x[edges[31 - i].x] - x[edges[31 - i].y];\n}\n",
                   kRuns});
}

TEST(Gathers, FromElsewhereAreInfeasible) {
  const ToolResult r =
      run_sketch(gather(kInRange, loaded("x[4 * from + (word + 1) % 4]") + kExchange +
                                      "  if (i < n) for (int j = 0; j < 4; j++) y[j * n + i] = got[j];\n"));
  EXPECT_EQ(r.exit_code, 10) << r.output;
}

TEST(Scatters, OfStructsAreFound) {
  expect_verified(
      gather(kDistinct,
             "#pragma unroll\n  for (int j = 0; j < 4; j++) r[j] = i < n ? x[j * n + i] : 0;\n" + kExchange +
                 "#pragma unroll\n  for (int j = 0; j < 4; j++) {\n"
                 "    const int word = 32 * j + lane, to = __shfl_sync(~0u, own, word / 4);\n"
                 "    if (i - lane + word / 4 < n) y[4 * to + word % 4] = got[?sw_xform(j, 4, lane)];\n  }\n",
             "y[4 * at[i] + f] = x[f * n + i]"));
}

// Which would be written last is not known.
TEST(Scatters, NeedDistinctIndices) {
  const std::string body = "  for (int j = 0; j < 4; j++) y[4 * own + j] = x[j * n + i];\n";
  const ToolResult r = run_sketch(gather(kInRange, body, "y[4 * at[i] + f] = x[f * n + i]"));
  EXPECT_EQ(r.exit_code, 1);
  EXPECT_NE(r.output.find("spec.cpp:2:59: error: data decide which elements of 'y' are used, and some are stored to"),
            std::string::npos)
      << r.output;
}

TEST(Scatters, NeedAsManyIndicesAsThereAre) {
  const std::string body = "  for (int j = 0; j < 4; j++) y[4 * own + j] = x[j * n + i];\n";
  const ToolResult r =
      run_sketch(gather("#pragma swizzle range at(0, 63) distinct", body, "y[4 * at[i] + f] = x[f * n + i]"));
  EXPECT_EQ(r.exit_code, 1);
  EXPECT_NE(
      r.output.find(
          "sketch.cu:4:1: error: 'at' has 64 elements at m = 80, n = 64, and there are 63 distinct ones in [0, 63)"),
      std::string::npos)
      << r.output;
}

TEST(DataIndices, NeedARange) {
  const ToolResult r = run_sketch(gather("", loaded("x[4 * from + word % 4]") + kExchange + kStored));
  EXPECT_EQ(r.exit_code, 1);
  EXPECT_NE(
      r.output.find(
          "spec.cpp:2:76: error: data decide this index, and what it may be is not known; '#pragma swizzle range at(0, n)'"),
      std::string::npos)
      << r.output;
}

TEST(DataIndices, StayInside) {
  const ToolResult r = run_sketch(gather(kInRange, loaded("x[4 * from + word % 4 + 1]") + kExchange + kStored));
  EXPECT_EQ(r.exit_code, 1);
  EXPECT_NE(r.output.find("index 4 * at[0] + 4, from 4 to 320, is outside 'x' of 320 elements"), std::string::npos)
      << r.output;
}

TEST(DataIndices, AreToldInTheKernel) {
  const ToolResult r = run_sketch(gather(kInRange, loaded("x[4 * from + word % 4]") + kExchange + kStored));
  EXPECT_NE(r.kernel.find("// every element of at is in [0, m)\n"), std::string::npos) << r.kernel;
  EXPECT_NE(r.kernel.find("// swizzle range at(0, m)\n"), std::string::npos) << r.kernel;
}

TEST(DataIndices, AreNotFollowedThroughTooManyCases) {
  const ToolResult r =
      run_sketch({"",
                  "__global__ void f(const unsigned char* x, int* y, int n) {\n  int t = threadIdx.x;\n  y[t] = t;\n"
                  "  y[32 + t] = y[x[t]];\n}\n",
                  "void f(const unsigned char* x, int* y, int n) {\n"
                  "  for (int t = 0; t < n; t++) y[t] = t, y[32 + t] = y[x[t]];\n}\n"});
  EXPECT_EQ(r.exit_code, 1);
  EXPECT_NE(r.output.find("spec.cpp:2:53: error: data decide this index, and what is there has too many cases"),
            std::string::npos)
      << r.output;
}

TEST(DataIndices, AreDrawn) {
  const ScratchFolder scratch;
  Sketch sketch = gather(kInRange, loaded("x[4 * from + word % 4]") + kExchange + kStored);
  sketch.flags = fmt::format("--draw '{}'", (scratch / "drawn.svg").string());
  sketch.runs = false;
  const ToolResult r = run_sketch(sketch);
  EXPECT_EQ(r.exit_code, 0) << r.output;
  EXPECT_NE(read_file(scratch / "drawn.svg").find("</svg>"), std::string::npos);
}

// x[a] + x[1 - a] is x[0] + x[1] where a is 0 or 1, which no form says and no input refutes.
TEST(DataIndices, OfTooFewValuesAreNoProofOfADifference) {
  const auto added = [](const std::string& high) {
    return run_sketch(
        {"",
         "#pragma swizzle range at(0, " + high +
             ")\n__global__ void f(const float* x, const int* at, float* y, int n) {\n"
             "  int t = threadIdx.x;\n  y[t] = __shfl_sync(~0u, x[at[t]] + x[1 - at[t]], ?sw_xform(t, 32));\n}\n",
         "void f(const float* x, const int* at, float* y, int n) {\n"
         "  for (int t = 0; t < n; t++) y[t] = x[0] + x[1] + 0 * x[at[t]];\n}\n"});
  };
  const ToolResult r = added("2");
  EXPECT_EQ(r.exit_code, 20) << r.output;
  EXPECT_NE(r.output.find("an index that data decide is compared as an opaque function"), std::string::npos)
      << r.output;
}

TEST(DataIndices, PointAtAWrongRange) {
  const auto error_of = [](const std::string& range) {
    return run_sketch(gather(range, "  if (i < n) y[i] = x[own];\n", "y[i] = x[at[i]]")).output;
  };
  EXPECT_NE(error_of("#pragma swizzle range to(0, m)").find("sketch.cu:4:1: error: the kernel has no buffer 'to'"),
            std::string::npos);
  EXPECT_NE(error_of("#pragma swizzle range x(0, m)").find("error: elements of 'x' are no integers"),
            std::string::npos);
  EXPECT_NE(
      error_of("#pragma swizzle range at(m, m)").find("error: 'at' can have no elements in [80, 80) at m = 80, n = 64"),
      std::string::npos);
  EXPECT_NE(error_of("#pragma swizzle range at(0, m) distnct")
                .find("sketch.cu:4:32: error: expected 'distinct' or the end of the line"),
            std::string::npos);
}

}  // namespace
}  // namespace swizzle::test::gathers_test
