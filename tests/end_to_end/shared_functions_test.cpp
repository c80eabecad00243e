// Helpers that sketch and spec both have, under one name.
#include <gtest/gtest.h>

#include "tests/end_to_end/tool.h"

namespace swizzle::test::shared_functions_test {
namespace {

TEST(SharedFunctions, AreEachFilesOwnAlsoOfTypesOfCuda) {
  for (const std::string type : {"float2", "__half2"}) {
    const std::string helper = type == "float2"
                                   ? "float2 twice(float2 v) { return make_float2(v.x + v.x, v.y * v.y); }\n"
                                   : "__half2 twice(__half2 v) { return __hadd2(v, v); }\n";
    const std::string include = "#include <cuda_fp16.h>\n";
    const ScratchFolder scratch;
    const std::string sketch =
        scratch.write("f.cu", include + "#pragma swizzle launch grid(1) block(32)\n__device__ " + helper +
                                  "__global__ void f(const " + type + "* x, " + type +
                                  "* y) {\n  const int t = threadIdx.x;\n  y[t] = twice(x[?sw_xform(t, 32)]);\n}\n");
    const std::string spec =
        scratch.write("f.cpp", include + helper + "void f(const " + type + "* x, " + type +
                                   "* y) { for (int t = 0; t < 32; t++) y[t] = twice(x[31 - t]); }\n");
    const ToolResult r = run_tool(fmt::format("'{}' --spec '{}' --run=cpu", sketch, spec));
    EXPECT_EQ(r.exit_code, 0) << r.output;
  }
}

}  // namespace
}  // namespace swizzle::test::shared_functions_test
