#include "driver/check.h"

#include <gtest/gtest.h>

#include "codegen/run/files.h"
#include "tests/unit/pair_files.h"

namespace swizzle::check_test {
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

TEST_F(CheckedKernels, OfManyInstancesSomeAloneAreCounted) {
  CheckRequest request;
  request.path = *scratch_.write(
      "k.cu",
      "template <int N> __global__ void k(int* y) { y[threadIdx.x] = N; }\n"
      "void run(int* y) { k<1><<<1, 32>>>(y); k<2><<<1, 64>>>(y); }\n__global__ void unknown(int* y) {}\n");
  request.only = {"k<2>"};
  const auto file = check_kernels(request);
  ASSERT_TRUE(file.ok());
  ASSERT_EQ(file->kernels.size(), 1u);
  ASSERT_EQ(file->report.kernels.size(), 1u);
  EXPECT_EQ(file->report.kernels[0].name, "k<2>");
  EXPECT_TRUE(file->report.left_out.empty());
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
  KernelLaunches launches = launches_of(kernels->kernels[0], request);
  if (launches.known.empty()) return launches.unknown;
  return launches.known[0];
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
      "struct P { int n; };\n__global__ void k(int* y, P p, int h) { y[threadIdx.x] = p.n + h; }\nvoid run(P p) { k<<<1, 32>>>(nullptr, p, 5); }\n";
  const auto at = launch(text);
  ASSERT_TRUE(at.ok());
  EXPECT_EQ(at->sizes(), (Sizes{{"h", 5}, {"p.n", 1024}, {"y", 0}}));
  EXPECT_EQ(at->assumed, (std::vector<std::string>{"p.n"}));
  EXPECT_TRUE(launch(text, {"", {{"p.n", 7}}})->assumed.empty());
  EXPECT_EQ(launch(text + "int main() { run(P{3}); }\n")->sizes(), (Sizes{{"h", 5}, {"p.n", 3}, {"y", 0}}));
}

TEST(CheckLaunch, ABlockOfTooManyThreadsIsAnError) {
  EXPECT_FALSE(launch("__global__ void k(int* y) { y[0] = 1; }\nint main() { k<<<1, 2048>>>(nullptr); }\n").ok());
  EXPECT_FALSE(launch("__global__ void k(int* y) { y[0] = 1; }\n").ok());
}

TEST(CheckLaunch, EachOfTheKernelsLaunchesCountsOnce) {
  const auto kernels = parse_for_check(
      SourceText(
          "k.cu",
          "__global__ void k(int* y, int n) { y[0] = n; }\nvoid run() { k<<<1, 32>>>(nullptr, 1); k<<<1, elsewhere>>>(nullptr, 1); k<<<1, 64>>>(nullptr, 1); k<<<1, 32>>>(nullptr, 1); }\n"),
      "");
  ASSERT_TRUE(kernels.ok());
  const KernelLaunches all = launches_of(kernels->kernels[0], {});
  ASSERT_EQ(all.known.size(), 2u);
  EXPECT_EQ(all.known[1].shape.block, (std::array{64, 1, 1}));
  ASSERT_EQ(all.unknown.size(), 1u);
  EXPECT_EQ(all.unknown[0].where.line, 2);
  EXPECT_EQ(launches_of(kernels->kernels[0], {"block(8)", {}}).known.size(), 1u);
}

TEST(CheckLaunch, FlagsThatNothingTellsAreData) {
  const std::string text = "__global__ void __launch_bounds__(32) k(int* y, bool b, char c) { y[0] = b + c; }\n";
  EXPECT_TRUE(launch(text)->integers.empty());
  EXPECT_EQ(launch(text, {"", {{"b", 1}, {"c", 3}}})->sizes(), (Sizes{{"b", 1}, {"c", 3}}));
}

TEST(CheckLaunch, ASizeThatNoKernelHasIsAnError) {
  const auto kernels =
      parse_for_check(SourceText("k.cu", "__global__ void k(int* y, int width) { y[0] = width; }\n"), "");
  ASSERT_TRUE(kernels.ok());
  EXPECT_FALSE(unknown_name(kernels->kernels, {"", {{"width", 4}}}));
  const auto wrong = unknown_name(kernels->kernels, {"", {{"widht", 4}}});
  ASSERT_TRUE(wrong);
  EXPECT_NE(wrong->message.find("did you mean 'width'"), std::string::npos) << wrong->message;
}

TEST(CheckLaunch, OneKernelMayHaveALaunchOfItsOwn) {
  const auto kernels = parse_for_check(
      SourceText("k.cu",
                 "template <int N> __global__ void k(int* y) { y[0] = N; }\n__global__ void h(int* y) { y[0] = 1; }\n"
                 "template __global__ void k<4>(int*); template __global__ void k<8>(int*);\n"),
      "");
  ASSERT_TRUE(kernels.ok());
  const LaunchRequest request{"block(32)", {}, {{"k", "block(64)"}, {"k<8>", "block(96)"}}};
  EXPECT_FALSE(unknown_name(kernels->kernels, request));
  for (const CheckedKernel& kernel : kernels->kernels) {
    const auto launches = launches_of(kernel, request);
    ASSERT_EQ(launches.known.size(), 1u) << kernel.name;
    EXPECT_EQ(launches.known[0].shape.block[0], kernel.name == "h" ? 32 : kernel.name == "k<8>" ? 96 : 64);
  }
  EXPECT_TRUE(unknown_name(kernels->kernels, {"", {}, {{"g", "block(8)"}}}));
}

}  // namespace
}  // namespace swizzle::check_test
