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
    {"auto next = [c = 64]() mutable { return c += 32; }; next();", "next()"},
    {"auto next = [b]() mutable { return b *= 3; }; next();", "next()"},
};

const Change kByConstructors[] = {
    {"Size s(96), t = s;", "t.v",
     "struct Size { int v; Size(int n) : v(n) {} Size(const Size& o) : v(o.v / 3 * 2) {} };"},
    {"Size s; Size t(s);", "t.v", "struct Size { int v = 96; Size() {} Size(const Size&) : v(64) {} };"},
    {"Tile s; Tile t = s;", "t.size.v",
     "struct Size { int v = 96; Size() {} Size(const Size&) : v(64) {} }; struct Tile { Size size; };"},
    {"Size s;", "copied(s)",
     "struct Size { int v = 96; Size() {} Size(const Size&) : v(64) {} }; int copied(Size s) { return s.v; }"},
    {"Size s; auto get = [s] { return s.v; };", "get()",
     "struct Size { int v = 96; Size() {} Size(const Size&) : v(64) {} };"},
    {"{ Late l(&a); }", "a", "struct Late { int* p; Late(int* q) : p(q) {} ~Late() { *p = 64; } };"},
    {"{ Late l; l.p = &a; }", "a", "struct Late { int* p = nullptr; ~Late() { if (p) *p = 64; } };"},
    {"(void)Late(&a);", "a", "struct Late { int* p; Late(int* q) : p(q) {} ~Late() { *p = 64; } };"},
    {"Bits s; s.v = 192 - a;", "s.v * 32 + 64", "struct Bits { unsigned v : 5; };"},
};

const Change kByDefinitionsBehind[] = {
    {"", "Engine::block",
     "class Engine { public: static int block; static void set(int b) { block = b; } }; int Engine::block = 96;"},
    {"set();", "rows", "extern int rows; void set() { rows = 64; } int rows = 96;"},
    {"*place() = 64;", "rows", "extern int rows; int* place() { return &rows; } int rows = 96;"},
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
                              std::span<const Change>(kByLambdas), std::span<const Change>(kByConstructors),
                              std::span<const Change>(kByDefinitionsBehind)})
    for (const Change& change : changes)
      EXPECT_EQ(blocks_of(change).find("96"), std::string::npos) << change.before << '\n' << change.code;
}

TEST(CheckAliases, WhatNothingChangesStays) {
  EXPECT_EQ(blocks_of({"int* p = &b; *p = 64;", "a"}), "[96,1,1]");
  EXPECT_EQ(blocks_of({"for (int v : arr) v = 64;", "arr[0]"}), "[96,1,1]");
  EXPECT_EQ(blocks_of({"auto set = [=]() mutable { a = 64; }; set();", "a"}), "[96,1,1]");
  EXPECT_EQ(blocks_of({"auto set = [&] { b = 64; }; later(set);", "a"}), "[96,1,1]");
  EXPECT_EQ(blocks_of({"auto set = [&] { a = 64; }; set();", "a"}), "[64,1,1]");
  EXPECT_EQ(blocks_of({"Size s(96), t = s;", "t.v", "struct Size { int v; Size(int n) : v(n) {} };"}), "[96,1,1]");
  EXPECT_EQ(
      blocks_of({"{ Timer t(&b); }", "a", "struct Timer { int* p; Timer(int* q) : p(q) {} ~Timer() { *p = 1; } };"}),
      "[96,1,1]");
  EXPECT_EQ(blocks_of({"Bits s; s.v = a;", "s.v", "struct Bits { unsigned v : 7; };"}), "[96,1,1]");
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

// Kernels in a table, one of which is launched.
TEST(CheckAliases, ATableOfKernelsIsWhatIsInIt) {
  const auto launches_of = [](const std::string& table) {
    const CheckResult r = check_text(
        "__global__ void f(float* x) { __shared__ float s[64]; s[threadIdx.x] = x[threadIdx.x]; }\n"
        "__global__ void g(float* x) { __shared__ float s[256]; s[threadIdx.x] = x[threadIdx.x]; }\n"
        "using Kernel = void (*)(float*);\nvoid launch(Kernel k, int n, float* x) { k<<<1, n>>>(x); }\n"
        "void one(float* x) { launch(f, 64, x); }\n" +
        table);
    std::string all;
    for (const auto& kernel : r.report["kernels"])
      all += kernel["name"].get<std::string>() + kernel["block"].dump() + kernel["launch"].get<std::string>() + ";";
    return all;
  };
  const std::string use = "void other(float* x, int i) { table[i]<<<1, 256>>>(x); }\n";
  EXPECT_EQ(launches_of("const Kernel table[2] = {g, g};\n" + use), "f[64,1,1]from line 4;g[256,1,1]from line 7;");
  EXPECT_EQ(launches_of("const Kernel table[2] = {g, &g};\nvoid other(float* x) { table[1]<<<1, 256>>>(x); }\n"),
            "f[64,1,1]from line 4;g[256,1,1]from line 7;");
  EXPECT_NE(launches_of("const Kernel table[2] = {f, g};\n" + use).find("g[256,1,1]from line 7 (this kernel assumed)"),
            std::string::npos);
}

}  // namespace
}  // namespace swizzle::test::check_aliases_test
