// Narrowing of real values.
#include "tests/end_to_end/typed_sketch.h"

namespace swizzle::test::narrowing_test {
namespace {

TEST(Narrowing, LosesDigits) {
  for (const auto& [type, narrow] : {std::pair{"float", "__float2half(x[t])"}, std::pair{"double", "(float)x[t]"}}) {
    const ToolResult r = run_sketch(
        {"", body(fmt::format("  y[t] = {};", narrow), type, "#include <cuda_fp16.h>\n"), each("x[t]", type)});
    EXPECT_EQ(r.exit_code, 20) << type << r.output;
    EXPECT_NE(r.output.find("the conversion to"), std::string::npos) << type << r.output;
  }
}

TEST(Narrowing, IsAFunctionLikeAnyOther) {
  const std::string spec = each("(float)x[31 - t]", "double");
  expect_verified({"", body("  y[t] = (float)x[?sw_xform(t, 32)];", "double"), spec});
}

TEST(Narrowing, OfWhatTheNarrowTypeHoldsIsExact) {
  expect_verified(
      {"", body("  y[t] = (float)((double)x[?sw_xform(t, 32)] * 2.0);", "float"), each("2 * x[31 - t]", "float")});
}

}  // namespace
}  // namespace swizzle::test::narrowing_test
