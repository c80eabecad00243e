// Launches whose sizes change under another name: a reference, a pointer, a lambda that has them. What they were before
// is never what `check` says they are.
#include <map>
#include <span>

#include "tests/end_to_end/check_runs.h"

namespace swizzle::test::check_aliases_test {
namespace {

struct Change {
  const char* code;         // behind `int a = 96, b = 32; int arr[2] = {96, 32};`: 96 of what is launched becomes 64
  const char* launched;     // "a"
  const char* before = "";  // what stands outside
};

const Change kByPointers[] = {
    {"int* p = arr; p[0] = 64;", "arr[0]"},
    {"int* p = arr + 1; p[-1] = 64;", "arr[0]"},
    {"*arr = 64;", "arr[0]"},
    {"for (int* p = arr; p != arr + 2; ++p) *p = 64;", "arr[0]"},
    {"fill(arr, 2);", "arr[0]", "void fill(int* p, int n) { for (int i = 0; i < n; i++) p[i] = 64; }"},
    {"halve(arr);", "arr[0]", "void halve(int p[2]) { p[0] = p[0] / 3 * 2; }"},
    {"Tile t; set(t.size);", "t.size[0]", "struct Tile { int size[2] = {96, 1}; }; void set(int* p) { p[0] = 64; }"},
    {"Tile t[2]; set(t);", "t[0].rows", "struct Tile { int rows = 96; }; void set(Tile* p) { p[0].rows = 64; }"},
    {"Holder h(&a); h.set();", "a", "struct Holder { int* p; Holder(int* q) : p(q) {} void set() { *p = 64; } };"},
};

const Change kByReferences[] = {
    {"for (int& v : arr) v = v / 3 * 2;", "arr[0]"},
    {"auto&& [u, v] = arr; u = 64;", "arr[0]"},
    {"(b > argc ? a : b) = 64;", "a"},
    {"(a = 32) += 32;", "a"},
    {"++(a = 63);", "a"},
    {"(b, a) = 64;", "a"},
    {"same(a) = 64;", "a", "int& same(int& v) { return v; }"},
    {"int& r = same(a); r = 64;", "a", "int& same(int& v) { return v; }"},
    {"Tile t; t[0] = 64;", "t[0]",
     "struct Tile { int size[2] = {96, 1}; int& operator[](int i) { return size[i]; } };"},
    {"Tuner t(a); t.tune();", "a", "class Tuner { int& v; public: Tuner(int& v) : v(v) {} void tune() { v = 64; } };"},
    {"Tuner t{a}; t.tune();", "a", "struct Tuner { int& v; void tune() { v = 64; } };"},
    {"Sizes s; s.b = 64;", "s.a", "union Sizes { int a = 96; int b; };"},
    {"int old = std::exchange(a, 64);", "a"},
    {"Box x; x.halve();", "x.size[0]",
     "struct Box { int size[2] = {96, 1}; void halve() { for (int& v : size) v = 64; } };"},
};

const Change kByLambdas[] = {
    {"auto set = [&] { a = 64; }; for (int i = 0; i < argc; i++) set();", "a"},
    {"auto set = [&] { a = 64; }; if (argc > 1) set();", "a"},
    {"auto set = [&] { a = 64; return true; }; if (argc > 1 && set()) b = 1;", "a"},
    {"auto set = [&] { a = 64; }; later(set);", "a"},
    {"auto set = [&] { a = 64; }; later(set);", "a", "template <class F> void later(F f);"},
    {"auto set = [&r = a] { r = 64; }; set();", "a"},
    {"auto set = [p = &a] { *p = 64; }; set();", "a"},
    {"maker(a)();", "a", "auto maker(int& v) { return [&v] { v = 64; }; }"},
    {"using F = void (*)(int&); F set = [](int& v) { v = 64; }; set(a);", "a"},
    {"auto set = [&](auto&& self, int d) -> void { if (d) { a -= 16; self(self, d - 1); } }; set(set, 2);", "a"},
    {"try { auto set = [&] { a = 64; }; set(); } catch (...) {}", "a"},
};

std::string blocks_of(const Change& change) {
  const CheckResult r = check_text(fmt::format(
      "{}\n__global__ void f(float* x) {{ __shared__ float s[128]; s[threadIdx.x] = x[threadIdx.x]; }}\n"
      "void run(float* x, int argc) {{ int a = 96, b = 32; int arr[2] = {{96, 32}}; {} f<<<1, {}>>>(x); }}\n",
      change.before, change.code, change.launched));
  std::string blocks;
  for (const auto& kernel : r.report["kernels"])
    if (kernel["launch"].get<std::string>().find("assumed") == std::string::npos) blocks += kernel["block"].dump();
  return blocks;
}

TEST(CheckAliases, WhatChangesUnderAnotherNameIsNotWhatItWas) {
  for (const auto& changes : {std::span<const Change>(kByPointers), std::span<const Change>(kByReferences),
                              std::span<const Change>(kByLambdas)})
    for (const Change& change : changes)
      EXPECT_EQ(blocks_of(change).find("96"), std::string::npos) << change.before << '\n' << change.code;
}

TEST(CheckAliases, WhatNothingChangesStays) {
  EXPECT_EQ(blocks_of({"int* p = &b; *p = 64;", "a"}), "[96,1,1]");
  EXPECT_EQ(blocks_of({"for (int v : arr) v = 64;", "arr[0]"}), "[96,1,1]");
  EXPECT_EQ(blocks_of({"auto set = [=]() mutable { a = 64; }; set();", "a"}), "[96,1,1]");
  EXPECT_EQ(blocks_of({"auto set = [&] { b = 64; }; later(set);", "a"}), "[96,1,1]");
  EXPECT_EQ(blocks_of({"auto set = [&] { a = 64; }; set();", "a"}), "[64,1,1]");
}

// Where the program is known to come, with what; where it is known not to, nothing is told of a kernel that it
// launches.
TEST(CheckAliases, LaunchesThatAreNotReachedAreNoneOfTheProgram) {
  const CheckResult r = check_text(
      "template <int N> __global__ void f(float* x) { __shared__ float s[N]; s[threadIdx.x] = x[threadIdx.x]; }\n"
      "void go(float* x, int kind, int n) {\n  switch (kind) {\n    case 0: f<1024><<<1, n>>>(x); break;\n"
      "    case 1: f<64><<<1, 2 * n>>>(x); break;\n    case 2: f<32><<<1, n>>>(x); break;\n  }\n}\n"
      "int main() { float* x; go(x, 0, 1024); go(x, 1, 32); }\n");
  std::map<std::string, std::string> launches;
  for (const auto& kernel : r.report["kernels"])
    launches[kernel["name"]] += kernel["block"].dump() + kernel["launch"].get<std::string>();
  EXPECT_EQ(launches["f<1024>"], "[1024,1,1]from line 4") << r.output;
  EXPECT_EQ(launches["f<64>"], "[64,1,1]from line 5");
  EXPECT_EQ(launches["f<32>"],
            "[1024,1,1]from line 6 (as if the program came there)[32,1,1]from line 6 (as if the program came there)");
  EXPECT_EQ(r.errors.find("more than the 1024"), std::string::npos) << r.errors;
}

}  // namespace
}  // namespace swizzle::test::check_aliases_test
