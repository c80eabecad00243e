#include "codegen/run/timed_launches.h"

#include <gtest/gtest.h>

#include "codegen/run/files.h"
#include "codegen/run/toolchain.h"

namespace swizzle::timed_launches_test {
namespace {

TEST(TimedLaunches, NamesOfTheKernelAreItsOwn) {
  if (!find_nvcc()) GTEST_SKIP() << "no nvcc here";
  const ScratchFolder scratch;
  RunRequest request;
  request.kernel_path = *scratch.write("kernel.cu",
                                       "__constant__ float from[1], to[1];\n#define turn 3\n#define min(a, b) a\n"
                                       "__global__ void times(const float* x, float* y, int n) {\n"
                                       "  y[threadIdx.x] = from[0] * to[0] * x[threadIdx.x + turn];\n}\n");
  request.kernel_name = "times";
  const ItemLayout number = packed_item(Scalar::kF32, 1);
  request.parameters = {BufferSpec{"x", number, "float", true}, BufferSpec{"y", number, "float"},
                        ScalarParameter{"n", "int"}, BufferSpec{"from", number, "float", true, {"from", "from"}}};
  const auto took = median_microseconds({request, {{"n", 32}}, {{1, 1, 1}, {32, 1, 1}}, 1 << 20, 64 << 10});
  if (gpu_present()) ASSERT_TRUE(took) << took.errors()[0].message;
  else EXPECT_EQ(took.errors()[0].message.rfind("the launch failed: ", 0), 0u) << took.errors()[0].message;
}

}  // namespace
}  // namespace swizzle::timed_launches_test
