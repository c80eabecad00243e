// Indices that data decide, which a condition keeps inside.
#include <gtest/gtest.h>

#include "tests/end_to_end/as_it_is.h"

namespace swizzle::test::guarded_indices_test {
namespace {

constexpr const char* kBins = "const int* x, int* h, int n, int bins";

std::string counting(const std::string& body) {
  return fmt::format(
      "__global__ void f({0}) {{\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  {1}\n}}\n"
      "void go({0}) {{ f<<<(n + 63) / 64, 64>>>(x, h, n, bins); }}\n",
      kBins, body);
}

const std::string kCounted = fmt::format(
    "void f({}) {{\n  for (int i = 0; i < n; i++) {{\n    int b = x[i];\n    if (b >= 0 && b < bins) h[b] += 1;\n  }}\n}}\n",
    kBins);
constexpr const char* kSizes = "--set n=100 --set bins=10";

constexpr const char* kRows = "const int* x, const float* w, float* y, int n, int rows, int cols";

std::string looking_up(const std::string& body) {
  return fmt::format(
      "__global__ void f({0}) {{\n  int i = blockIdx.x, c = threadIdx.x, b = x[i];\n  {1}\n}}\n"
      "void go({0}) {{ f<<<n, cols>>>(x, w, y, n, rows, cols); }}\n",
      kRows, body);
}

const std::string kLookedUp = fmt::format(
    "void f({}) {{\n  for (int i = 0; i < n; i++)\n    for (int c = 0; c < cols; c++) {{\n      int b = x[i];\n"
    "      y[i * cols + c] = b >= 0 && b < rows ? w[b * cols + c] : 0.0f;\n    }}\n}}\n",
    kRows);
constexpr const char* kTable = "--set n=30 --set rows=10 --set cols=32";
constexpr const char* kInside = "b >= 0 && b < rows ? w[b * cols + c] : 0.0f";

class GuardedIndices : public testing::TestWithParam<AsItIs> {};

TEST_P(GuardedIndices, AreJudged) { expect_judged(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    OfBins, GuardedIndices,
    testing::Values(
        AsItIs{"Around", counting("if (i < n) { int b = x[i]; if (b >= 0 && b < bins) atomicAdd(&h[b], 1); }"),
               kCounted, kSizes, 0, "proved for every size with"},
        AsItIs{"Returned",
               counting("if (i >= n) return; int b = x[i]; if (b < 0 || b >= bins) return; atomicAdd(h + b, 1);"),
               kCounted, kSizes, 0, "proved for every size with"},
        AsItIs{"WithoutSign", counting("if (i < n && (unsigned)x[i] < (unsigned)bins) atomicAdd(&h[x[i]], 1);"),
               kCounted, kSizes, 0, "equal to the spec", "--run=none --proof=posed"},
        AsItIs{"WithoutSignOneTooMany",
               counting("if (i < n && (unsigned)x[i] <= (unsigned)bins) atomicAdd(&h[x[i]], 1);"), kCounted, kSizes, 1,
               "is outside 'h' of 10 elements"},
        AsItIs{"OneTooMany", counting("if (i < n) { int b = x[i]; if (b >= 0 && b <= bins) atomicAdd(&h[b], 1); }"),
               kCounted, kSizes, 1, "index x[0], from 0 to 10, is outside 'h' of 10 elements"},
        AsItIs{"OneTooFew", counting("if (i < n) { int b = x[i]; if (b > 0 && b < bins) atomicAdd(&h[b], 1); }"),
               kCounted, kSizes, 3, "h[0]"},
        AsItIs{"FromAboveAlone", counting("if (i < n) { int b = x[i]; if (b < bins) atomicAdd(&h[b], 1); }"), kCounted,
               kSizes, 1, "is outside 'h' of 10 elements"},
        AsItIs{"ByTwoConditions",
               counting("if (i < n) { int b = x[i]; if (b >= 0 && b < bins) atomicAdd(&h[b], 1);"
                        " if (b == 3) atomicAdd(&h[b], 1); }"),
               kCounted, kSizes, 1, "conditions say of it what others do not"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    OfRows, GuardedIndices,
    testing::Values(
        AsItIs{"Chosen", looking_up(fmt::format("y[i * cols + c] = {};", kInside)), kLookedUp, kTable, 0,
               "equal to the spec"},
        AsItIs{"ByAPointer",
               looking_up("float v = 0; if (b >= 0 && b < rows) { const float* row = w + b * cols; v = row[c]; }"
                          " y[i * cols + c] = v;"),
               kLookedUp, kTable, 0, "equal to the spec"},
        AsItIs{
            "WithoutSign",
            looking_up("if ((unsigned)b >= rows) { y[i * cols + c] = 0; return; } y[i * cols + c] = w[b * cols + c];"),
            kLookedUp, kTable, 0, "equal to the spec"},
        AsItIs{"OfTheNextColumn",
               looking_up(fmt::format("y[i * cols + c] = {};", changed(kInside, "+ c]", "+ c + 1]"))), kLookedUp,
               kTable, 1, "from 32 to 320, is outside 'w' of 320 elements"},
        AsItIs{"OfFewerRows",
               looking_up(fmt::format("y[i * cols + c] = {};", changed(kInside, "b < rows", "b < rows - 1"))),
               kLookedUp, kTable, 3, "failed its verification"}),
    name_of);

}  // namespace
}  // namespace swizzle::test::guarded_indices_test
