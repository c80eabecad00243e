// --all: the distinct completions, cheapest first, and which of them are mirror images.
#include <set>

#include "tests/end_to_end/sketch_text.h"

namespace swizzle::test::listing_test {
namespace {

std::vector<nlohmann::json> originals(const ToolResult& r) {
  std::vector<nlohmann::json> of;
  for (const auto& completion : r.report["completions"]) of.push_back(completion["mirror_of"]);
  return of;
}

TEST(Listing, AReversedLoopIsAMirrorImage) {
  const ToolResult r = run_pair("stencil1d", "--run=none --all");
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(originals(r), (std::vector<nlohmann::json>{nullptr, 1}));
  EXPECT_EQ(r.report["completions"][0]["expressions"], (nlohmann::json{"tid < k ? 1 : 0", "(tid + k) & 31"}));
  EXPECT_EQ(r.report["completions"][0]["cost"], r.report["cost"]["total"]);
  EXPECT_GT(r.report["completions"][1]["cost"], r.report["completions"][0]["cost"]);
  EXPECT_NE(r.output.find("completion 1, cost 46\n"), std::string::npos) << r.output;
  EXPECT_NE(r.output.find("completion 2, cost 52, mirror image of #1\n"), std::string::npos) << r.output;
  EXPECT_EQ(r.report["optimality"], "not_asked");
}

TEST(Listing, OperandsThatChangePlacesAreMirrorImages) {
  const ScratchFolder scratch;
  const std::string sketch = scratch.write("product.cu", R"(
#pragma swizzle launch grid(1) block(32)
#pragma swizzle instance n = 32
__global__ void f(const int* a, const int* b, int* c, int n) {
  const int t = threadIdx.x;
  const int ra = a[t], rb = b[t];
  int sum = 0;
  for (int k = 0; k < 32; k++) sum += __shfl_sync(~0u, ra, ?sw_xform(t, 32, k)) * __shfl_sync(~0u, rb, ?sw_xform(t, 32, k));
  c[t] = sum;
}
)");
  const std::string spec = scratch.write("product.cpp", R"(
void f(const int* a, const int* b, int* c, int n) {
  for (int i = 0; i < 32; i++) {
    int sum = 0;
    for (int k = 0; k < 32; k++) sum += a[k] * b[(i - k + 32) % 32];
    c[i] = sum;
  }
}
)");
  const ToolResult r = run_tool(fmt::format("'{}' --spec '{}' --run=none --all=2", sketch, spec));
  ASSERT_EQ(r.exit_code, 0) << r.output;
  ASSERT_EQ(originals(r), (std::vector<nlohmann::json>{nullptr, 1})) << r.output;
  const auto first = r.report["completions"][0]["expressions"], second = r.report["completions"][1]["expressions"];
  EXPECT_EQ(first[0], second[1]);
  EXPECT_EQ(first[1], second[0]);
}

TEST(Listing, RenamedRegistersAreMirrorImages) {
  const ToolResult r = run_pair("aos_load_crc", "--run=none --all");
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(originals(r), (std::vector<nlohmann::json>{nullptr, 1}));
}

// All ways to multiply two polynomials over GF(2) with 8 lanes: whatever they cost, none is left out.
TEST(Listing, GoesOnBehindTheCheapest) {
  const ScratchFolder scratch;
  const std::string sketch = scratch.write("ff8.cu", R"(
#pragma swizzle launch grid(1) block(8)
#pragma swizzle instance n = 8
__global__ void f(const unsigned* a, const unsigned* b, unsigned* c, int n) {
  const int t = threadIdx.x;
  unsigned low = 0, high = 0;
  for (int k = 0; k < 8; k++) {
    const unsigned ak = __shfl_sync(255, a[t], ?sw_xform(t, 8, k)), bk = __shfl_sync(255, b[t], ?sw_xform(t, 8, k));
    if (?sw_cond(t, k)) low ^= ak & bk;
    if (?sw_cond(t, k)) high ^= ak & bk;
  }
  c[t] = low;
  c[n + t] = high;
}
)");
  const std::string spec = scratch.write("ff8.cpp", R"(
void f(const unsigned* a, const unsigned* b, unsigned* c, int n) {
  for (int i = 0; i < 16; i++) c[i] = 0;
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++) c[i + j] ^= a[i] & b[j];
}
)");
  const ToolResult r = run_tool(fmt::format("'{}' --spec '{}' --run=none --all=300", sketch, spec));
  ASSERT_EQ(r.exit_code, 0) << r.output;
  const auto tables = [](const char* of_a, const char* of_b, const char* low, const char* high) {
    return nlohmann::json{of_a, of_b, low, high};
  };
  std::set<nlohmann::json> listed;
  for (const auto& completion : r.report["completions"]) listed.insert(completion["expressions"]);
  EXPECT_EQ(listed, (std::set<nlohmann::json>{tables("k", "(t - k) & 7", "k <= t", "t < k"),
                                              tables("(t - k) & 7", "k", "k <= t", "t < k"),
                                              tables("7 - k", "(t + k + 1) & 7", "t + k >= 7", "t + k < 7"),
                                              tables("(t + k + 1) & 7", "7 - k", "t + k >= 7", "t + k < 7")}))
      << r.output;
}

TEST(Listing, WithoutItThereIsNone) { EXPECT_FALSE(run_pair("reverse", "--run=none").report.contains("completions")); }

ToolResult all_of(const ScratchFolder& scratch, const char* sketch, const char* spec) {
  return run_tool(fmt::format("'{}' --spec '{}' --run=none --no-suggestions --all", scratch.write("sketch.cu", sketch),
                              scratch.write("spec.cpp", spec)));
}

// The upper bits of the mask change nothing, also while a shift is open.
TEST(Listing, BitsThatNoOutputAsksForTellNothingApart) {
  const ScratchFolder scratch;
  const ToolResult r =
      all_of(scratch, R"(
#pragma swizzle launch grid(1) block(1)
#pragma swizzle extent x(1)
#pragma swizzle bits(x, y)
__global__ void f(const unsigned char* x, unsigned char* y) {
  y[0] = (unsigned char)((x[0] ^ (x[0] >> ?sw_const(1, 5))) & ?sw_mask());
}
)",
             "void f(const unsigned char* x, unsigned char* y) { y[0] = (x[0] ^ x[0] >> 1) & 0x19; }\n");
  ASSERT_EQ(r.exit_code, 0) << r.output;
  ASSERT_EQ(r.report["completions"].size(), 1) << r.output;
  EXPECT_EQ(r.report["completions"][0]["expressions"], (nlohmann::json{"1", "0x00000019u"}));
}

// Where forms do not tell minima of maxima, what reaches the outputs does: also where all are asked for.
TEST(Listing, HasWhatFormsDoNotTell) {
  const ScratchFolder scratch;
  const ToolResult r = all_of(scratch, R"(
#pragma swizzle launch grid(1) block(4)
#pragma swizzle extent x(8)
__global__ void f(const int* x, int* y) {
  const int t = threadIdx.x;
  int s = x[t];
  for (int k = 0; k < 2; k++) s = min(s, max(x[?sw_linear(t, 4, k) * 2], x[(t + k) % 4]));
  y[t] = s;
}
)",
                              R"(
void f(const int* x, int* y) {
  y[0] = min(min(x[0], max(x[0], x[0])), max(x[0], x[1]));
  y[1] = min(min(x[1], max(x[4], x[1])), max(x[4], x[2]));
  y[2] = min(min(x[2], max(x[2], x[2])), max(x[2], x[3]));
  y[3] = min(min(x[3], max(x[6], x[3])), max(x[6], x[0]));
}
)");
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_GE(r.report["completions"].size(), 1) << r.output;
}

}  // namespace
}  // namespace swizzle::test::listing_test
