// Our Swizzle against CuTe's own, where its headers are.
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include <gtest/gtest.h>

#include "codegen/run/process.h"
#include "codegen/run/toolchain.h"
#include "synth/layouts/layout.h"

namespace swizzle::cute_test {
namespace {

// $CUTLASS_INCLUDE, or where packages put it; empty: it is nowhere.
std::string cute_headers() {
  const char* named = std::getenv("CUTLASS_INCLUDE");
  for (const std::string folder :
       {named != nullptr ? named : "", "/usr/include", "/usr/local/include", "/usr/local/cuda/include"})
    if (!folder.empty() && std::filesystem::exists(folder + "/cute/swizzle.hpp")) return folder;
  return "";
}

const char* const kProgram = R"(
#include <cstdio>
#include <cute/swizzle.hpp>
template <int B, int M, int S> void show() {
  for (int i = 0; i < 4096; ++i) std::printf("%d %d %d %d %d\n", B, M, S, i, static_cast<int>(cute::Swizzle<B, M, S>::apply(i)));
}
int main() {
  show<0, 0, 0>(); show<1, 0, 4>(); show<1, 3, 3>(); show<2, 1, -3>(); show<2, 3, 3>(); show<2, 4, 3>();
  show<3, 2, 3>(); show<3, 3, 3>(); show<3, 4, 3>(); show<3, 0, -3>(); show<4, 1, 5>(); show<5, 0, 5>();
}
)";

TEST(CuTe, AgreesOnEveryOffset) {
  const std::string headers = cute_headers();
  if (headers.empty())
    GTEST_SKIP() << "no cute/swizzle.hpp here: set CUTLASS_INCLUDE to the include folder of NVIDIA/cutlass";
  const auto compiler = find_host_compiler();
  ASSERT_TRUE(compiler.ok());
  const ScratchFolder scratch;
  const auto file = scratch.write("cute.cpp", kProgram);
  ASSERT_TRUE(file.ok());
  const std::string program = scratch.path() + "/cute", cuda = "/usr/local/cuda/include";
  const auto built = run_process(
      {*compiler, "-std=c++17", "-w", "-I" + headers, "-I" + cuda, "-I" + cuda + "/cccl", "-o", program, *file},
      std::chrono::seconds(60));
  ASSERT_TRUE(built.ok() && built->succeeded()) << built->standard_error;
  const auto ran = run_process({program}, std::chrono::seconds(60));
  ASSERT_TRUE(ran.ok() && ran->succeeded());
  std::istringstream lines(ran->standard_output);
  BitSwizzle s;
  int count = 0;
  for (std::int64_t offset = 0, swizzled = 0; lines >> s.bits >> s.base >> s.shift >> offset >> swizzled; ++count)
    ASSERT_EQ(s.apply(offset), swizzled) << s.bits << ", " << s.base << ", " << s.shift << " at " << offset;
  EXPECT_EQ(count, 12 * 4096);
}

}  // namespace
}  // namespace swizzle::cute_test
