#include "driver/check.h"

#include <gtest/gtest.h>

#include "codegen/run/files.h"
#include "tests/unit/pair_files.h"

namespace swizzle {
namespace {

class CheckedKernels : public testing::Test {
 protected:
  Result<CheckedFile> checked(const std::string& text, const std::string& launch = "", Observer& observer = nobody()) {
    CheckRequest request;
    request.path = *scratch_.write("k.cu", text);
    request.launch.launch = launch;
    return check_kernels(request, observer);
  }

  ScratchFolder scratch_;
};

constexpr const char* kColumns =
    "__global__ void k(float* y, int n) { __shared__ float s[32][32]; s[threadIdx.x][0] = n; __syncthreads(); y[threadIdx.x] = s[0][threadIdx.x]; }\n";

TEST_F(CheckedKernels, CountTheirConflicts) {
  const auto file = checked(kColumns, "block(32)");
  ASSERT_TRUE(file.ok());
  ASSERT_EQ(file->report.kernels.size(), 1u);
  EXPECT_TRUE(has_conflicts(file->report));
  EXPECT_EQ(file->report.kernels[0].shape_origin, "from --launch (grid assumed)");
  const auto picture = worst_picture(*file);
  ASSERT_TRUE(picture.ok());
  EXPECT_TRUE(picture->title.starts_with("s in k, ")) << picture->title;
}

TEST_F(CheckedKernels, OneThatCannotBeLaunchedIsLeftOutAndSaid) {
  test::Log log;
  const auto file =
      checked(std::string(kColumns) +
                  "__global__ void h(int* z) { z[threadIdx.x] = 1; }\nint main() { h<<<1, 64>>>(nullptr); }\n",
              "", log);
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file->kernels.size(), 2u);
  ASSERT_EQ(file->report.kernels.size(), 1u);
  EXPECT_EQ(file->report.kernels[0].name, "h");
  ASSERT_EQ(log.lines.size(), 1u);
  EXPECT_NE(log.lines[0].find("nothing here tells how many threads a block of 'k' has"), std::string::npos)
      << log.lines[0];
}

TEST_F(CheckedKernels, WithoutSharedMemoryThereIsNothingToDraw) {
  const auto file = checked("__global__ void k(int* y) { y[threadIdx.x] = 1; }\n", "block(64)");
  ASSERT_TRUE(file.ok());
  ASSERT_FALSE(worst_picture(*file).ok());
  EXPECT_EQ(worst_picture(*file).errors()[0].message, "there is no access to shared memory to draw");
}

TEST_F(CheckedKernels, ErrorsOfTheFileArePassedOn) {
  EXPECT_FALSE(checked("int a;\n").ok());
  CheckRequest nowhere;
  nowhere.path = scratch_.path() + "/nowhere.cu";
  EXPECT_EQ(check_kernels(nowhere).errors()[0].message, "no such file");
}

Result<CheckedLaunch> launch(const std::string& text, const LaunchRequest& request = {}) {
  const auto kernels = parse_for_check(SourceText("k.cu", text), "");
  if (!kernels.ok()) return kernels.errors();
  return launch_of(kernels->kernels[0], request);
}

TEST(CheckLaunch, TheCommandLineGoesBeforeTheFile) {
  const std::string text =
      "#pragma swizzle launch grid(2) block(64)\n__global__ void k(int* y) { y[threadIdx.x] = 1; }\n";
  EXPECT_EQ(launch(text)->shape.block, (std::array{64, 1, 1}));
  EXPECT_EQ(launch(text)->origin, "from line 1");
  EXPECT_EQ(launch(text, {"grid(3) block(8, 4)", {}})->shape.block, (std::array{8, 4, 1}));
}

TEST(CheckLaunch, BoundsAreTakenInRowsWhereThereAreRows) {
  EXPECT_EQ(launch("__global__ void __launch_bounds__(256) k(int* y) { y[threadIdx.x] = 1; }\n")->shape.block,
            (std::array{256, 1, 1}));
  EXPECT_EQ(launch("__global__ void __launch_bounds__(256) k(int* y) { y[threadIdx.x + threadIdx.y * 32] = 1; }\n")
                ->shape.block,
            (std::array{32, 8, 1}));
}

TEST(CheckLaunch, SizesThatNothingTellsAreAssumedAndSaidToBe) {
  const std::string text =
      "struct P { int n; };\n__global__ void k(int* y, P p, int h) { y[threadIdx.x] = p.n + h; }\nint main() { k<<<1, 32>>>(nullptr, P{}, 5); }\n";
  const auto at = launch(text);
  ASSERT_TRUE(at.ok());
  EXPECT_EQ(at->sizes(), (Sizes{{"h", 5}, {"p.n", 1024}}));
  EXPECT_EQ(at->assumed, (std::vector<std::string>{"p.n"}));
  EXPECT_TRUE(launch(text, {"", {{"p.n", 7}}})->assumed.empty());
}

TEST(CheckLaunch, ABlockOfTooManyThreadsIsAnError) {
  EXPECT_FALSE(launch("__global__ void k(int* y) { y[0] = 1; }\nint main() { k<<<1, 2048>>>(nullptr); }\n").ok());
  EXPECT_FALSE(launch("__global__ void k(int* y) { y[0] = 1; }\n").ok());
}

}  // namespace
}  // namespace swizzle
