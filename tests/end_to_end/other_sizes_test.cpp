// Sizes that nobody gave: which are chosen, how long buffers are there, and what is no proof for them.
#include <algorithm>
#include <sstream>

#include "tests/end_to_end/as_it_is.h"
#include "tests/end_to_end/sketch_text.h"

namespace swizzle::test::other_sizes_test {
namespace {

const std::string kDifferences =
    "__global__ void f(const float* x, float* y, int n) {\n  const int i = blockIdx.x * 64 + threadIdx.x;\n"
    "  const float v = i < n ? x[i] : 0, r = i + 1 < n ? x[i + 1] : v;\n  if (i < n) y[i] = r - v;\n}\n"
    "void run(const float* x, float* y, int n) { f<<<(n + 63) / 64, 64>>>(x, y, n); }\n";

std::string image(const std::string& index) {
  return "__global__ void f(const float* x, float* y, int h, int w) {\n"
         "  const int c = blockIdx.x * 16 + threadIdx.x, r = blockIdx.y * 16 + threadIdx.y;\n"
         "  if (r < h && c < w) y[" +
         index +
         "] = x[r * w + c];\n}\nvoid run(const float* x, float* y, int h, int w) {\n"
         "  f<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(x, y, h, w);\n}\n";
}
const std::string kTransposed =
    "void f(const float* x, float* y, int h, int w) {\n"
    "  for (int r = 0; r < h; r++)\n    for (int c = 0; c < w; c++) y[c * h + r] = x[r * w + c];\n}\n";

class OtherSizes : public testing::TestWithParam<AsItIs> {};

TEST_P(OtherSizes, AreJudged) { expect_judged(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Of, OtherSizes,
    testing::Values(
        // At n = 1 the spec reads nothing of x, which is as long as ever.
        AsItIs{"WhereTheSpecReadsLess", kDifferences,
               "void f(const float* x, float* y, int n) {\n"
               "  for (int i = 0; i < n; i++) y[i] = i + 1 < n ? x[i + 1] - x[i] : 0;\n}\n",
               "--set n=130", 0, "equal to the spec for every input at n=130"},
        AsItIs{"ThatAreChosenAreUnlike", image("c * h + r"), kTransposed, "", 0, "at h=17, w=18; proved"},
        AsItIs{"ThatAreAlikeHideNothing", image("c * w + r"), kTransposed, "", 3, "failed its verification"}),
    name_of);

// What a chain of rounds made is narrowed in the end as fast as it was made.
TEST(NarrowedRounds, AreFound) {
  for (const char* types : {"short int +=", "short int ^=", "unsigned-char unsigned |=", "int long-long +="}) {
    std::istringstream words(types);
    std::string narrow, wide, update;
    words >> narrow >> wide >> update;
    for (std::string* type : {&narrow, &wide}) std::ranges::replace(*type, '-', ' ');
    const std::string parameters = fmt::format("(const {0}* x, {0}* y, int n)", narrow);
    const ToolResult r = run_sketch(
        {"",
         fmt::format(
             "#pragma swizzle launch grid(n / 64) block(64)\n#pragma swizzle instance n = 64\n"
             "__global__ void f{0} {{\n  const int lane = threadIdx.x % 32, i = blockIdx.x * 64 + threadIdx.x;\n"
             "  {1} v = x[i];\n"
             "  for (int d = 1; d < 32; d *= 2) v {2} __shfl_sync(~0u, v, ?sw_xor(lane, 32, d));\n  y[i] = v;\n}}\n",
             parameters, wide, update),
         fmt::format("void f{0} {{\n  for (int i = 0; i < n; i++) {{\n    {1} v = 0;\n"
                     "    for (int k = 0; k < 32; k++) v {2} x[i / 32 * 32 + k];\n    y[i] = v;\n  }}\n}}\n",
                     parameters, wide, update)});
    EXPECT_EQ(r.exit_code, 0) << types << r.output;
    EXPECT_EQ(r.report["optimality"], "proved") << types;
  }
}

}  // namespace
}  // namespace swizzle::test::other_sizes_test
