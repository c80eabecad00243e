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

// A product of halves is rounded where it becomes a half, also where it was widened before and is widened again.
TEST(Narrowing, OfWhatWasComputedIsNoIdentity) {
  const std::string head = "#include <cuda_fp16.h>\n";
  const auto run = [&](const std::string& in, const std::string& out, const std::string& body,
                       const std::string& spec) {
    return run_sketch({"",
                       head + "#pragma swizzle launch grid(1) block(32)\n__global__ void f(const " + in + "* x, " +
                           out + "* y) {\n  const int t = threadIdx.x;\n" + body + "\n}\n",
                       head + "void f(const " + in + "* x, " + out + "* y) {\n  for (int t = 0; t < 32; t++) {\n" +
                           spec + "\n  }\n}\n"});
  };
  const std::string square = "  const float o = __half2float(x[?sw_xform(t, 32)]);\n  y[t] = ";
  const std::string squared = "    const float o = __half2float(x[31 - t]);\n    y[t] = ";
  const std::string rounded = "__half2float(__float2half(o * o));";
  for (const auto& [mine, theirs] : {std::pair<std::string, std::string>{"o * o;", rounded}, {rounded, "o * o;"}}) {
    const ToolResult r = run("__half", "float", square + mine, squared + theirs);
    EXPECT_EQ(r.exit_code, 20) << r.output;
    EXPECT_NE(r.output.find("is compared as an opaque function"), std::string::npos) << r.output;
  }
  EXPECT_EQ(run("__half", "float", square + rounded, squared + rounded).exit_code, 0);
  EXPECT_EQ(run("float", "float", "  y[t] = x[?sw_xform(t, 32)] * 1.1;", "y[t] = (float)((double)x[31 - t] * 1.1);")
                .exit_code,
            0);
  EXPECT_EQ(
      run("float", "double", "  y[t] = (double)x[?sw_xform(t, 32)] * 1.1;", "y[t] = (float)((double)x[31 - t] * 1.1);")
          .exit_code,
      20);
  EXPECT_EQ(run("float", "double", "  y[t] = -x[?sw_xform(t, 32)];", "y[t] = -(double)x[31 - t];").exit_code, 0);
  EXPECT_EQ(
      run("float", "double", "  y[t] = x[?sw_xform(t, 32)] * x[t];", "y[t] = (double)x[31 - t] * x[t];").exit_code, 20);
}

}  // namespace
}  // namespace swizzle::test::narrowing_test
