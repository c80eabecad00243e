// `swizzle-synth check`: launches through objects of host code, through sizes and templates that nobody tells.
#include <gtest/gtest.h>

#include "tests/end_to_end/check_launches.h"

namespace swizzle::test::check_host_test {
namespace {

TEST(CheckHost, ConstructorsAndMethodsMakeShapes) {
  const std::string shape =
      "struct Shape {\n  int warps = 2; dim3 block; unsigned blocks;\n"
      "  Shape(int items, int per_block) : block(32, 2), blocks((items + per_block - 1) / per_block) { block.x *= warps; }\n"
      "  void widen(int by) { block.x *= by; }\n  dim3 half() const { return dim3(block.x / 2, block.y); }\n"
      "  Shape& flat() { block.y = 1; return *this; }\n};\n";
  EXPECT_EQ(launches_in("Shape s(100, 32); f<<<s.blocks, s.block>>>(x, 3);", shape), "f (4) (64, 2) n = 3");
  EXPECT_EQ(launches_in("Shape s{100, 32}; s.widen(4); f<<<2, s.block>>>(x, 3);", shape), "f (2) (256, 2) n = 3");
  EXPECT_EQ(launches_in("f<<<2, Shape(8, 8).half()>>>(x, 3);", shape), "f (2) (32, 2) n = 3");
  EXPECT_EQ(launches_in("Shape s(8, 8); s.flat(); s.warps = 7; f<<<s.warps, s.block>>>(x, 3);", shape),
            "f (7) (64) n = 3");
  EXPECT_EQ(launches_in("Shape a(8, 8), c(8, 8); a.widen(2); f<<<1, a.block>>>(x, 3); f<<<1, c.block>>>(x, 3);", shape),
            "f (1) (128, 2) n = 3; f (1) (64, 2) n = 3");
}

TEST(CheckHost, WhatAMethodMayChangeIsNotRead) {
  const std::string shape =
      "struct Shape {\n  int t = 32; void grow(bool b) { if (b) t = 64; } virtual void other() { t = 1; }\n"
      "  void repeat(int n) { for (int i = 0; i < n; ++i) t *= 2; } void elsewhere();\n};\n";
  for (const char* body :
       {"Shape s; s.grow(b); f<<<1, s.t>>>(x, 3);", "Shape s; s.repeat(b ? 1 : 2); f<<<1, s.t>>>(x, 3);",
        "Shape s; s.elsewhere(); f<<<1, s.t>>>(x, 3);", "Shape s; s.other(); f<<<1, s.t>>>(x, 3);"})
    EXPECT_EQ(launches_in(body, shape), "") << body;
}

TEST(CheckHost, MembersByReferenceListsAndConstants) {
  const std::string before =
      "struct Pair { int a = 8, b = a * 4; }; template <int N> struct Traits { static constexpr int kThreads = N * 32; };\n"
      "struct Both { dim3 grid, block; }; struct Sizes { int rows, columns; };\n"
      "constexpr Sizes kSizes{4, 16}; constexpr int kTable[] = {16, 32};\n"
      "void set(int& t, unsigned& u) { t = 64; u = 2; } void fill(dim3* d) { d->x = 96; } void scale(int& a, int& b) { a = 2 * b; }\n"
      "Both made(int n) { Both both; both.grid = dim3(n / 8); both.block = {8, 4}; return both; }\n";
  EXPECT_EQ(launches_in("Pair p; f<<<p.a, p.b>>>(x, 3);", before), "f (8) (32) n = 3");
  EXPECT_EQ(launches_in("Pair p{2}; f<<<p.a, p.b>>>(x, 3);", before), "f (2) (8) n = 3");
  EXPECT_EQ(launches_in("f<<<1, Traits<2>::kThreads>>>(x, 3);", before), "f (1) (64) n = 3");
  EXPECT_EQ(launches_in("f<<<kSizes.rows, kSizes.columns>>>(x, kTable[1]);", before), "f (4) (16) n = 32");
  EXPECT_EQ(launches_in("auto m = made(16); f<<<m.grid, m.block>>>(x, 3);", before), "f (2) (8, 4) n = 3");
  EXPECT_EQ(launches_in("dim3 d[2]; d[0] = dim3(4); d[1].x = 32; f<<<d[0], d[1]>>>(x, 3);", before),
            "f (4) (32) n = 3");
  EXPECT_EQ(launches_in("Pair p; dim3 g; set(p.a, g.x); f<<<g, p.a>>>(x, 3);", before), "f (2) (64) n = 3");
  EXPECT_EQ(launches_in("dim3 d; fill(&d); f<<<1, d>>>(x, 3);", before), "f (1) (96) n = 3");
  EXPECT_EQ(launches_in("Pair p; scale(p.a, p.a); f<<<1, p.a>>>(x, 3);", before), "");
}

// A class that holds the sizes, and launches by itself.
TEST(CheckHost, MethodsLaunch) {
  const std::string layer =
      "class Layer {\n  int threads_; float* x_;\n public:\n  Layer(float* x, int t) : threads_(t), x_(x) {}\n"
      "  void run() { f<<<2, threads_>>>(x_, threads_); }\n};\n";
  EXPECT_EQ(launches_in("Layer a(x, 32), c(x, 64); a.run(); c.run();", layer), "f (2) (32) n = 32; f (2) (64) n = 64");
  EXPECT_EQ(launches_in("", layer), "f (2) (1024) assumed n = 1024");
}

TEST(CheckHost, SizesFromElsewhereAreAssumedAndSaidToBe) {
  const CheckResult r = check_text(kKernels + std::string("void run(float* x, int width, int n) {\n"
                                                          "  f<<<n, width / 4>>>(x, 3);\n}\n"),
                                   "--kernel f");
  EXPECT_EQ(launches(r), "f (1) (256) assumed n = 3");
  EXPECT_EQ(r.report["kernels"][0]["launch"], "from line 4 (block 'width / 4' assumed) (grid assumed)");
  EXPECT_EQ(launches_in("dim3 block(n, 8); f<<<2, block>>>(x, 3);"), "f (2) (32, 8) assumed n = 3");
  EXPECT_EQ(launches_in("f<<<2, std::min((int)tensor.size(1), 512)>>>(x, 3);", "extern torch::Tensor tensor;\n"),
            "f (2) (512) assumed n = 3");
  EXPECT_EQ(launches_in("if (n > 64) f<<<2, n>>>(x, n); else f<<<2, 64>>>(x, 3);"),
            "f (2) (1024) assumed n = 1024; f (2) (64) n = 3");
}

TEST(CheckHost, ElementsOfArraysInParametersAreSizes) {
  const char* text =
      "struct View { float* data; long size[2]; };\n"
      "__global__ void __launch_bounds__(32) k(View v) {\n  __shared__ float s[4096];\n"
      "  for (long i = threadIdx.x; i < v.size[1]; i += 32) s[2 * i] = v.data[i];\n}\n";
  const CheckResult assumed = check_text(text), told = check_text(text, "--set 'v.size[1]=64'");
  EXPECT_EQ(assumed.accesses("k", "shared"), (Lines{"store s 2/1 of 32 = 64"})) << assumed.errors;
  EXPECT_EQ(told.accesses("k", "shared"), (Lines{"store s 2/1 of 2 = 4"})) << told.errors;
  EXPECT_EQ(launches(told), "k (1) (32) v.size[0] = 1024 v.size[1] = 64") << told.errors;
}

// What functions fill that are not here, what they return, and what another file holds.
TEST(CheckHost, WhatIsReadInIsASizeFromElsewhere) {
  const std::string file = "int scan(const char*, ...);\nint size;\nextern int outside;\n";
  EXPECT_EQ(launches_in("scan(\"%d\", &size); f<<<2, size>>>(x, 3);", file), "f (2) (1024) assumed n = 3");
  EXPECT_EQ(launches_in("int m; undeclared(&m); int t = m; if (m > 512) t = 512; f<<<2, t>>>(x, 3);"),
            "f (2) (512) assumed n = 3");
  EXPECT_EQ(launches_in("int m = undeclared(x); f<<<2, m / 4>>>(x, 3);"), "f (2) (256) assumed n = 3");
  EXPECT_EQ(launches_in("f<<<2, outside>>>(x, 3);", file), "f (2) (1024) assumed n = 3");
  // What is made of it in ways that are not known stays so.
  EXPECT_EQ(launches_in("int m; scan(\"%d\", &m); while (b) m += m; f<<<2, m>>>(x, 3);", file), "");
  EXPECT_EQ(launches_in("int m = 32; int* p = &m; scan(\"%d\", &m); *p = n; f<<<2, m>>>(x, 3);", file), "");
  EXPECT_EQ(launches_in("while (b) size += 32; f<<<2, size>>>(x, 3);", file), "");
}

// A function that is not declared is taken to get parts of variables by value, but not whole ones.
TEST(CheckHost, PartsThatAnUnknownFunctionGetsAreAssumedToStay) {
  EXPECT_EQ(launches_in("dim3 t(32, 8), g; g.x = upward(n, t.x); f<<<g, t>>>(x, 3);"), "f (1) (32, 8) assumed n = 3");
  EXPECT_EQ(launches_in("dim3 t(32, 8), g(upward(n, t.x)); f<<<g, t>>>(x, 3);"), "f (1) (32, 8) assumed n = 3");
  EXPECT_EQ(launches_in("dim3 t(32, 8); change(n, t); f<<<1, t>>>(x, 3);"), "");
  EXPECT_EQ(launches_in("dim3 t(32, 8); t.x = upward(n, t.x); f<<<1, t>>>(x, 3);"), "");
}

// Functions of the runtime change what they get the address of.
TEST(CheckHost, TheRuntimeGetsSizesByValue) {
  EXPECT_EQ(launches_in("int t = 64, blocks; cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, t, 0); "
                        "f<<<blocks, t>>>(x, 3);"),
            "f (1) (64) n = 3");
}

// What the code does tell goes before.
TEST(CheckHost, NothingIsAssumedWhereTheCodeTells) {
  EXPECT_EQ(launches_in("launch(x, 32);", "void launch(float* x, int t) { f<<<2, t>>>(x, t); }\n"),
            "f (2) (32) n = 32");
  EXPECT_EQ(launches_in("int t = 32; if (b) t = 64; f<<<2, t>>>(x, 3);"), "");
}

TEST(CheckHost, AnInstanceStandsForATemplateThatNobodyInstantiates) {
  const std::string kernel =
      "template <class T, int N> __global__ void h(T* x) { __shared__ T s[N][N]; s[threadIdx.x][0] = x[0]; }\n";
  const std::string host = "template <int N> void launch(float* x) { h<float, N><<<N / 8, N>>>(x); }\n";
  const CheckResult r = check_text(kernel + host);
  EXPECT_EQ(launches(r), "h<float, 32> (4) (32)");
  EXPECT_NE(r.errors.find("nothing here instantiates this template: taken as h<float, 32>"), std::string::npos)
      << r.errors;
  EXPECT_EQ(r.accesses("h<float, 32>", "shared"), (Lines{"store s 32/1 of 3 = 96"}));
  EXPECT_EQ(launches(check_text(kernel + host + "void run(float* x) { launch<16>(x); }\n")), "h<float, 16> (2) (16)");
  EXPECT_EQ(launches(check_text(kernel + "void run(float* x) { h<float, 8><<<1, 8>>>(x); }\n")), "h<float, 8> (1) (8)");
}

TEST(CheckHost, WhatAHeaderSHostCodeInstantiatesIsNoStandIn) {
  const ScratchFolder scratch;
  scratch.write("h.cuh",
                "template <int N> __global__ void h(float* x) { x[N] = 1; }\n"
                "inline void launch(float* x) { h<4><<<1, 32>>>(x); }\n");
  const CheckResult r = run_check("'" +
                                  scratch.write("k.cu",
                                                "#include \"h.cuh\"\n"
                                                "template <int N> __global__ void own(float* x) { x[N] = 1; }\n"
                                                "template <int N> void go(float* x) { own<N><<<1, N>>>(x); }\n") +
                                  "'");
  EXPECT_EQ(launches(r), "own<32> (1) (32); h<4> (1) (32)");
  EXPECT_NE(r.errors.find("taken as own<32>"), std::string::npos) << r.errors;
  EXPECT_EQ(r.errors.find("taken as h<4>"), std::string::npos) << r.errors;
}

// What a header's template makes of an error keeps it from no instance.
TEST(CheckHost, AHeaderSTemplateMayAskForTheLastError) {
  const ScratchFolder scratch;
  scratch.write(
      "launch.cuh",
      "#define TRY(what) do { auto e_ = (what); if (e_ != cudaSuccess) stop(cudaGetErrorString(e_)); } while (0)\n"
      "void stop(const char*);\n"
      "struct Early { cudaLaunchAttribute how; cudaLaunchConfig_t at;\n"
      "  Early(dim3 block) { how.id = cudaLaunchAttributeProgrammaticStreamSerialization;\n"
      "    how.val.programmaticStreamSerializationAllowed = 1; at = {}; at.blockDim = block; at.attrs = &how; } };\n"
      "bool may();\ntemplate <class K, class... A> void start(K kernel, dim3 block, A&&... a) {\n"
      "  static const bool wanted = []() { const char* e = getenv(\"E\"); return e && std::atoi(e); }();\n"
      "  if (wanted && may()) { auto early = Early(block); TRY(cudaLaunchKernelEx(&early.at, kernel, std::forward<A>(a)...)); return; }\n"
      "  kernel<<<1, block>>>(std::forward<A>(a)...);\n  TRY(cudaGetLastError());\n  TRY(cudaDeviceSynchronize());\n}\n");
  const CheckResult r = run_check("'" +
                                  scratch.write("k.cu",
                                                "#include \"launch.cuh\"\n"
                                                "__global__ void g(float* x) { x[threadIdx.x] = 1; }\n"
                                                "void run(float* x) { start(g, dim3(48), x); }\n") +
                                  "'");
  EXPECT_EQ(launches(r), "g (1) (48)") << r.errors;
}

TEST(CheckHost, AnInstanceThatDoesNotFitStandsForNothing) {
  const CheckResult r = check_text(
      "template <int N> __global__ void __launch_bounds__(64) h(float* x) { static_assert(N < 8); x[N] = 1; }\n");
  EXPECT_EQ(launches(r), "");
  EXPECT_NE(r.errors.find("nothing here tells the template arguments of 'h'"), std::string::npos) << r.errors;
}

// A function that launches a kernel of its own name.
TEST(CheckHost, AKernelMayShareItsNameWithHostCode) {
  const std::string both =
      "struct Own { Own(Own&); int n; };\ntemplate <class T> __global__ void h(Own a, T* x) { x[0] = 1; }\n"
      "template <class T> void h(const Own& a, T* x, int n) { h<T><<<2, 64>>>(a, x); }\n";
  EXPECT_EQ(launches_in("Own a; h<float>(a, x, n);", both), "h<float> (2) (64) a.n = 1024");
}

// Clang drops what stands behind an unknown type, and functions whose type or class it does not know.
TEST(CheckHost, UnknownTypesHideNothingElse) {
  EXPECT_EQ(launches_in("", "void go(ns::Tensor<int, 2>& a, Options o, float* x) { f<<<2, 32>>>(x, 3); }\n"),
            "f (2) (32) n = 3");
  EXPECT_EQ(launches_in("", "ns::Status go(float* x) { f<<<2, 32>>>(x, 3); return {}; }\n"), "f (2) (32) n = 3");
  EXPECT_EQ(launches_in("", "template <class T> void Layer<T>::go(float* x) { f<<<2, 32>>>(x, 3); }\n"),
            "f (2) (32) n = 3");
  const CheckResult r = check_text(
      "__global__ void k(ns::Tensor<float> a, Options o, int stride, float* y) {\n"
      "  __shared__ float s[64];\n  s[threadIdx.x * stride] = 1;\n  y[threadIdx.x] = s[0];\n}\n"
      "void run(float* y) { k<<<1, 32>>>(y, y, 2, y); }\n");
  EXPECT_EQ(r.accesses("k", "shared"), (Lines{"store s 2/1 of 1 = 2", "load s 1/1 of 1 = 1"})) << r.errors;
  EXPECT_NE(r.errors.find("the type 'Options' is not known here"), std::string::npos) << r.errors;
  EXPECT_EQ(r.errors.find("the type 'int' is not known here"), std::string::npos) << r.errors;
}

// Anything may be done with what is of an unknown type, and nothing else is taken for it.
TEST(CheckHost, AnUnknownTypeHasOperators) {
  const CheckResult r = check_text(
      "enum { kWidth = 2 };\n__global__ void __launch_bounds__(32) k(ns::Image a, const ns::Image b) {\n"
      "  __shared__ float s[64];\n  const int t = threadIdx.x * kWidth;\n  volatile float v = 1;\n"
      "  s[t] = a(t, 1) * 2 + b.ptr(3)[t];\n  a(t, 2) = s[t] + v;\n  b[t] = t >> (b[0] >> 5);\n  v += a[t];\n"
      "  a[0] += 3;\n  if (t == kWidth || a[1] < b[1]) s[t + 1] = a.rows;\n}\n");
  EXPECT_EQ(r.accesses("k", "shared"), (Lines{"store s 2/1 of 1 = 2", "load s 2/1 of 1 = 2", "store s 2/1 of 1 = 2"}));
  EXPECT_EQ(r.errors.find("ambiguous"), std::string::npos) << r.errors;
}

// Float everywhere, int for what goes by value, or int: the first of which clang says the least.
TEST(CheckHost, StandInsAreOfTypesThatFit) {
  const std::string index =
      "template <int B, class T, class I> __global__ void k(T* y, const I* at, I n) {\n"
      "  __shared__ T s[128]; s[threadIdx.x * 2] = y[at[n]];\n}\n"
      "template <int B = 64, class T, class I> void fill(T* y, const I* at, I n) { k<B, T, I><<<2, B>>>(y, at, n); }\n";
  const std::string count =
      "template <class T, class I> __global__ void __launch_bounds__(32) own(T* y, I n) {\n"
      "  __shared__ T s[64]; s[n % 2 + threadIdx.x] = y[n];\n}\n";
  const std::string any =
      "template <class T> __global__ void __launch_bounds__(32) plain(T* y, T v) {\n"
      "  __shared__ T s[64]; s[threadIdx.x] = v;\n}\n";
  const CheckResult r = check_text(index);
  EXPECT_EQ(launches(r), "k<64, int, int> (2) (64) n = 1024") << r.errors;
  EXPECT_EQ(r.accesses("k<64, int, int>", "shared"), (Lines{"store s 2/1 of 4 = 8"}));
  EXPECT_EQ(launches(check_text(count)), "own<float, int> (1) (32) n = 1024");
  EXPECT_EQ(launches(check_text(any)), "plain<float> (1) (32)");
}

// Numbers that stand for others are none that the launch has otherwise.
TEST(CheckHost, AStandInIsNotLaunchedWithOtherNumbers) {
  const auto launched = [](const std::string& numbers) {
    return launches(check_text(
        "enum Kind { kOne };\n"
        "template <class T, int W, int H> __global__ void k(T* x) { __shared__ T s[W * H]; s[threadIdx.x] = 0; }\n"
        "template <Kind kind, int N, class T> void run(T* x) {\n  constexpr int w = 64 / sizeof(short);\n"
        "  k<T, " +
        numbers + "><<<2, w>>>(x);\n}\n"));
  };
  EXPECT_EQ(launched("w, 8 * 4"), "k<float, 32, 32> (2) (32)");
  EXPECT_EQ(launched("w, N"), "k<float, 32, 32> (2) (32)");
  EXPECT_EQ(launched("w, 4"), "k<float, 32, 4> (2) (32)");
  EXPECT_EQ(launched("2 * w, 4><<<2, w>>>(x);\n  k<T, N, 8"), "k<float, 64, 4> (2) (32)");
}

}  // namespace
}  // namespace swizzle::test::check_host_test
