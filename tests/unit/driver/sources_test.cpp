#include "driver/sources.h"

#include "tests/unit/pair_files.h"

namespace swizzle::sources_test {
namespace {

using test::kReversal, test::kReversed, test::Log;
using Lines = std::vector<std::string>;

class Sources : public test::PairFiles {};

std::string first_error(const Result<Pair>& pair) { return pair.ok() ? "" : pair.errors()[0].message; }

TEST_F(Sources, APairIsLoadedAndSaysSo) {
  Log log;
  const auto pair = load_pair(files(kReversal, kReversed), log);
  ASSERT_TRUE(pair.ok()) << first_error(pair);
  EXPECT_EQ(pair->sketch.holes.size(), 1u);
  EXPECT_EQ(pair->spec.function(pair->spec.entry).name, "f");
  EXPECT_EQ(log.lines, (Lines{"begin parsing", "end parsing: parsed f: 1 hole"}));
}

TEST_F(Sources, APhaseThatFailsDoesNotEnd) {
  Log log;
  EXPECT_FALSE(load_pair(files("int a;\n", kReversed), log).ok());
  EXPECT_EQ(log.lines, (Lines{"begin parsing"}));
}

TEST_F(Sources, ErrorsOfEachStepArePassedOn) {
  EXPECT_EQ(first_error(load_pair({scratch_.path() + "/nowhere.cu", scratch_.path() + "/nowhere.cpp"})),
            "no such file");
  EXPECT_NE(first_error(load_pair(files(kReversal, "int a;\n"))).find("there is no function 'f' or 'spec' here"),
            std::string::npos);
  EXPECT_NE(
      first_error(load_pair(files(kReversal, "void f(int* y) { y[0] = 0; }\n"))).find("the spec takes 1 parameter"),
      std::string::npos);
}

TEST_F(Sources, SizesAreTheSketchsOrTheCallers) {
  const auto pair = load_pair(files(kReversal, kReversed));
  ASSERT_TRUE(pair.ok()) << first_error(pair);
  const auto own = sizes_of(*pair);
  ASSERT_TRUE(own.ok());
  EXPECT_EQ(own->instances, (std::vector<Sizes>{{{"n", 32}}}));
  EXPECT_EQ(own->checks, (std::vector<Sizes>{{{"n", 64}}}));
  EXPECT_EQ(sizes_of(*pair, {{"n", 96}})->instances, (std::vector<Sizes>{{{"n", 96}}}));
  EXPECT_EQ(sizes_of(*pair, {{"n", 96}})->checks, (std::vector<Sizes>{{{"n", 64}}}));
  EXPECT_FALSE(sizes_of(*pair, {{"m", 96}}).ok());
}

TEST_F(Sources, ASketchWithoutSizesHasOneInstance) {
  const auto pair = load_pair(files(
      "#pragma swizzle launch grid(1) block(32)\n__global__ void f(const int* x, int* y) { y[threadIdx.x] = x[threadIdx.x]; }\n",
      "void f(const int* x, int* y) { for (int i = 0; i < 32; i++) y[i] = x[i]; }\n"));
  ASSERT_TRUE(pair.ok()) << first_error(pair);
  EXPECT_EQ(sizes_of(*pair)->instances, (std::vector<Sizes>{Sizes{}}));
}

}  // namespace
}  // namespace swizzle::sources_test
