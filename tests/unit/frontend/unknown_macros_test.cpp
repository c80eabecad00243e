#include "frontend/unknown_macros.h"

#include <gtest/gtest.h>

namespace swizzle::unknown_macros_test {
namespace {

// What is found of `text`, "MACRO kernel" each, with an error where `wrong` stands.
std::string macros(const std::string& text, const std::string& wrong) {
  const auto at = [&](SourceRange r) { return text.substr(r.begin, r.end - r.begin); };
  std::string found;
  for (const UnknownMacro& m : unknown_macros(text, {static_cast<std::uint32_t>(text.find(wrong))}))
    found += at(m.range) + (m.is_global ? " launches " : " ") + at(m.name) + ";";
  return found;
}

TEST(UnknownMacros, StandBeforeKernelsOrWithinTheirHead) {
  EXPECT_EQ(macros("MY_API __global__ void k(int n) { }", "MY_API"), "MY_API k;");
  EXPECT_EQ(macros("template <class T> BOUNDS_1(f(512)) __global__ void k(T n) { }", "BOUNDS"), "BOUNDS_1(f(512)) k;");
  EXPECT_EQ(macros("template <class T> BOUNDS_1(512)\n__global__ void k(T n) { }", "__global__"), "BOUNDS_1(512) k;");
  EXPECT_EQ(macros("REGISTER(a)\ntemplate <class T>\nstatic __global__ void k(T n) { }", "REGISTER"), "REGISTER(a) k;");
  EXPECT_EQ(macros("__global__ BOUNDS(128) void k(int n) { }", "BOUNDS"), "BOUNDS(128) k;");
  EXPECT_EQ(macros("__global__ void __launch_bounds__(32) BOUNDS k(int n) { }", "BOUNDS"), "BOUNDS k;");
}

TEST(UnknownMacros, AreNoWordsThatClangKnowsOrThatAreNoMacros) {
  EXPECT_EQ(macros("MY_API __global__ void k(int n) { x; }", "x;"), "");
  EXPECT_EQ(macros("my_api __global__ void k(int n) { }", "my_api"), "");
  EXPECT_EQ(macros("#define A \\\n  MY_API\n__global__ void k(int n) { }", "MY_API"), "");
  EXPECT_EQ(macros("int A; __global__ void k(int n) { }", "A"), "");
  EXPECT_EQ(macros("__global__ void K(int n) { }", "K"), "");
}

TEST(UnknownMacros, SayGlobalWhereTheFunctionIsLaunched) {
  const std::string launch = "void run() { k<f(1), 2><<<1, 32>>>(3); }";
  EXPECT_EQ(macros("GLOBAL void k(int n) { } " + launch, "GLOBAL"), "GLOBAL launches k;");
  EXPECT_EQ(macros("template <int A, int B> GLOBAL void k(int n) { } " + launch, "GLOBAL"), "GLOBAL launches k;");
  EXPECT_EQ(macros("GLOBAL void k(int n) { } void run() { m<<<1, 32>>>(3); }", "GLOBAL"), "");
  EXPECT_EQ(macros("GLOBAL void k(int n); " + launch, "GLOBAL"), "");
  EXPECT_EQ(macros("GLOBAL int k(int n) { } " + launch, "GLOBAL"), "");
}

TEST(UnknownMacros, LaunchesNameKernels) {
  const std::string text =
      "void run() { a<<<1, 2>>>(); n::b<c<3>, (1 > 0)> <<<1, 2>>>(); (pick())<<<1, 2>>>(); \"d<<<\"; }";
  std::string names;
  for (const SourceRange name : launched_names(text)) names += text.substr(name.begin, name.end - name.begin) + ";";
  EXPECT_EQ(names, "a;b;");
}

}  // namespace
}  // namespace swizzle::unknown_macros_test
