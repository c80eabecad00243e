#include "synth/problem/open_arguments.h"

#include <gtest/gtest.h>

#include "frontend/parse.h"

namespace swizzle::open_arguments_test {
namespace {

// Of ?sw_xform(t % 32, 32, argument) in a kernel of blocks of 64 threads, or of as many as a size says.
std::vector<OpenArgument> open_of(const std::string& argument, const std::string& block = "64",
                                  const std::string& before = "") {
  const auto sketch =
      parse_kernel(SourceText("f.cu", "#pragma swizzle launch grid(n / 64) block(" + block + ")\n" + before +
                                          "__global__ void f(int* y, int n, int m) {\n"
                                          "  const int lane = threadIdx.x % 32, row = blockIdx.x % 4;\n"
                                          "  int grown = 0, fixed = 0;\n  for (int j = 0; j < n; j++) grown += 2;\n"
                                          "  for (int j = 0; j < 5; j++) { fixed += j; }\n"
                                          "  for (int k = 0; k < 3; k++)\n    for (int j = 0; j < n / 32; j++)\n"
                                          "      y[0] = ?sw_xform(lane, 32, " +
                                          argument + ");\n}\n"),
                   "");
  EXPECT_TRUE(sketch.ok()) << render(sketch.errors()[0]);
  return open_arguments(*sketch).at(0);
}

using Open = std::vector<OpenArgument>;

TEST(OpenArguments, AreNoneOfWhatEverySizeHas) {
  for (const char* argument : {"k", "lane", "threadIdx.x / 32", "fixed", "k * 2 + 1", "7"})
    EXPECT_EQ(open_of(argument), Open{}) << argument;
}

TEST(OpenArguments, AreThoseOfSizesBlocksAndLoopsOverThem) {
  for (const char* argument :
       {"n", "blockIdx.x", "gridDim.x - 1", "j", "grown", "blockIdx.x * 64 + threadIdx.x", "k + m"})
    EXPECT_EQ(open_of(argument), (Open{{2, kAnyValue}})) << argument;
  EXPECT_EQ(open_of("twice(k)", "64", "__device__ int twice(int v) { return v * gridDim.x; }\n"),
            (Open{{2, kAnyValue}}));
}

TEST(OpenArguments, HaveTheBoundsThatAreWritten) {
  EXPECT_EQ(open_of("row"), (Open{{2, {0, 3}}}));
  EXPECT_EQ(open_of("n & 7"), (Open{{2, {0, 7}}}));
  EXPECT_EQ(open_of("n % 5"), (Open{{2, {-4, 4}}}));
}

TEST(OpenArguments, AreThreadsWhereTheBlockGrows) {
  EXPECT_EQ(open_of("k", "m"), (Open{{0, {0, 31}}}));
  EXPECT_EQ(open_of("threadIdx.x", "m"), (Open{{0, {0, 31}}, {2, kAnyValue}}));
}

}  // namespace
}  // namespace swizzle::open_arguments_test
