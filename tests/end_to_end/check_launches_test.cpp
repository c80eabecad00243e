// `swizzle-synth check`: launches that the code tells of.
#include <gtest/gtest.h>

#include "tests/end_to_end/check_launches.h"

namespace swizzle::test::check_launches_test {
namespace {

TEST(CheckLaunches, AShapeIsWhatItWasChangedTo) {
  EXPECT_EQ(launches_in("dim3 block(1); block.x = 32; f<<<2, block>>>(x, 3);"), "f (2) (32) n = 3");
  EXPECT_EQ(launches_in("dim3 block; block = dim3(16, 2); f<<<2, block>>>(x, 3);"), "f (2) (16, 2) n = 3");
  EXPECT_EQ(launches_in("int t = 8; t *= 4; t++; f<<<2, t - 1>>>(x, 3);"), "f (2) (32) n = 3");
  EXPECT_EQ(launches_in("dim3 block(1); if (true) block.x = 32; else block.x = 64; f<<<2, block>>>(x, 3);"),
            "f (2) (32) n = 3");
  EXPECT_EQ(launches_in("dim3 block(64); dim3& other = block; other.x = 32; f<<<2, block>>>(x, 3);"),
            "f (2) (32) n = 3");
  EXPECT_EQ(launches_in("int k = 2; switch (k) { case 1: k = 32; break; case 2: k = 64; break; } f<<<2, k>>>(x, 3);"),
            "f (2) (64) n = 3");
}

TEST(CheckLaunches, MacrosMayHoldAPart) {
  const std::string before =
      "#define CFG(g, b) <<<g, b>>>\n#define WITH(k, n) k<<<(n + 31) / 32, 32>>>\n#define TWICE \\\n  <<<2, 64>>>\n";
  EXPECT_EQ(launches_in("f CFG(2, 96)(x, 3);", before), "f (2) (96) n = 3");
  EXPECT_EQ(launches_in("g<4> TWICE(x, 3);", before), "g<4> (2) (64) n = 3");
  EXPECT_EQ(launches_in("WITH(f, 100)(x, 3); f<<<1, 64>>>(x, 5);", before), "f (4) (32) n = 1024; f (1) (64) n = 5");
}

TEST(CheckLaunches, PartsOfStructsThatAreHandedOverAreRead) {
  const std::string before =
      "struct Shape { int rows, at[2]; float scale; };\nstruct Task { Shape shape; float* x; };\n"
      "__global__ void h(Task task) { __shared__ float s[1024]; s[threadIdx.x * task.shape.at[1]] = task.shape.rows; }\n"
      "Task made(float* x, int rows) { Task task; task.shape.rows = rows; task.shape.at[0] = 1; task.shape.at[1] = 2; "
      "task.shape.scale = 3; task.x = x; return task; }\n";
  const std::string known =
      "h (1) (32) task.shape.at[0] = 1 task.shape.at[1] = 2 task.shape.rows = 7 task.shape.scale = 3";
  EXPECT_EQ(launches_in("Task t = {{7, {1, 2}, 3}, x}; h<<<1, 32>>>(t);", before), known);
  EXPECT_EQ(launches_in("h<<<1, 32>>>(made(x, 7));", before), known);
  EXPECT_EQ(
      launches_in("Task t = made(x, 7); for (int i = 0; i < 2; i++) { t.shape.at[1] = 2; h<<<1, 32>>>(t); }", before),
      known);
  for (const char* changed : {"fill(&t); ", "if (b) t.shape.at[1] = n; ", "Task& u = t; u.shape.at[n] = 3; "})
    EXPECT_EQ(launches_in(std::string("Task t = made(x, 7); ") + changed + "h<<<1, 32>>>(t);",
                          before + "void fill(Task* task);\n")
                  .find("at[1] = 2"),
              std::string::npos)
        << changed;
}

TEST(CheckLaunches, AConditionTellsOfWhatWasMadeBefore) {
  // Where nobody comes with the value that is known, it is another one, and what was made of it as well.
  const std::string chosen =
      "void pick(float* x, int n) { dim3 block(n, 2); int half = n / 2; switch (n) { case 32: g<32><<<1, block>>>(x, n); break; "
      "case 64: g<64><<<1, half>>>(x, n); break; } if (n == 16) f<<<2, half>>>(x, n); }\n"
      "int main() { float* x; pick(x, 32); }\n";
  EXPECT_EQ(launches(check_text(kKernels + chosen)),
            "f (2) (8) n = 16; g<32> (1) (32, 2) n = 32; g<64> (1) (32) n = 64");
  EXPECT_EQ(launches_in("dim3 block(n, 2), grid(n / 8); switch (n) { case 32: g<32><<<grid, block>>>(x, n); break; "
                        "case 64: g<64><<<grid, block>>>(x, n); }"),
            "g<32> (4) (32, 2) n = 32; g<64> (8) (64, 2) n = 64");
  EXPECT_EQ(launches_in("int t = n / 2; if (n == 64 && b) f<<<2, t>>>(x, n); else g<9><<<2, 64>>>(x, 3);"),
            "f (2) (32) n = 64; g<9> (2) (64) n = 3");
  EXPECT_EQ(launches_in("int t = n; if (n != 64) return; f<<<2, t>>>(x, 3);"), "f (2) (64) n = 3");
}

// What was made of a variable, or of another, before it changed is not made again.
TEST(CheckLaunches, AConditionTellsNothingOfWhatChanged) {
  EXPECT_EQ(launches_in("int t = n; ++n; if (n == 64) f<<<2, t>>>(x, 3);"), "");
  EXPECT_EQ(launches_in("dim3 block(n); block.x = block.x + 1; if (n == 64) f<<<2, block>>>(x, 3);"),
            "f (2) (257) assumed n = 3");
  EXPECT_EQ(launches_in("int k = 2, t = n * k; k = 3; if (n == 64) f<<<k, t>>>(x, 3);"), "f (3) (512) assumed n = 3");
  EXPECT_EQ(launches_in("if (n == 64 && (n = 32)) f<<<2, n>>>(x, 3);"), "");
}

TEST(CheckLaunches, OfAProgramWithoutArguments) {
  const CheckResult r =
      check_text(std::string(kKernels) +
                 "int main(int argc, char** argv) {\n  float* x; int t = 64; if (argc > 1) t = atoi(argv[1]);\n"
                 "  cudaDeviceProp p; cudaGetDeviceProperties(&p, 0);\n  f<<<2, t>>>(x, 3);\n"
                 "  f<<<1, p.warpSize>>>(x, 4);\n  if (argc > 2) f<<<1, 128>>>(x, 5);\n}\n");
  EXPECT_EQ(launches(r), "f (2) (64) n = 3; f (1) (32) n = 4; f (1) (128) n = 5");
  EXPECT_EQ(r.report["kernels"][0]["launch"], "from line 6 (an empty command line assumed)");
  EXPECT_EQ(r.report["kernels"][1]["launch"], "from line 7");
  EXPECT_EQ(launches(check_text(std::string(kKernels) +
                                "int main(int argc, char** argv) {\n  if (argc != 2) return 1;\n  float* x;\n"
                                "  f<<<2, 96>>>(x, 3);\n}\n")),
            "f (2) (96) n = 3");
  EXPECT_EQ(
      launches(check_text(std::string(kKernels) +
                          "int main(int argc, char** argv) {\n  float* x; int which = 0, t = 64;\n"
                          "  if (argc > 1) which = atoi(argv[1]), t = atoi(argv[2]);\n"
                          "  switch (which) { case 0: f<<<1, t>>>(x, 3); break; case 1: g<2><<<1, t>>>(x, 3); }\n}\n")),
      "f (1) (64) n = 3; g<2> (1) (64) n = 3");
}

// As Visual Studio formats it.
TEST(CheckLaunches, BracketsMayStandApart) {
  EXPECT_EQ(launches_in("f << <2, dim3(32, 2) >> >(x, 3);"), "f (2) (32, 2) n = 3");
  EXPECT_EQ(launches_in("int k = n << 2, m = n >> (k > 3); f<<<1 << 1, 64 >> 1>>>(x, 3);"), "f (2) (32) n = 3");
}

// A kernel whose only launch was read at a first value would be counted.
TEST(CheckLaunches, WhatMayHaveChangedIsNotRead) {
  const std::string helpers = "void touch(dim3*); void change(dim3& d, bool b) { if (b) d.x = 32; }\n";
  for (const char* body : {"dim3 block(1); if (b) block.x = 32; f<<<2, block>>>(x, 3);",
                           "dim3 block(1); block.x = n = 2 * n; f<<<2, block>>>(x, 3);",
                           "dim3 block(1); while (b) { f<<<2, block>>>(x, 3); block.x *= 2; }",
                           "dim3 block(1); block.x = elsewhere; f<<<2, block>>>(x, 3);",
                           "dim3 block(1); elsewhere(block); f<<<2, block>>>(x, 3);",
                           "dim3 block(1); touch(&block); f<<<2, block>>>(x, 3);",
                           "dim3 block(1); change(block, b); f<<<2, block>>>(x, 3);",
                           "int t = 1; int* p = &t; if (b) p = nullptr; *p = 32; f<<<2, t>>>(x, 3);",
                           "int t = 1; auto set = [&] { t = b ? 1 : 2; }; set(); f<<<2, t>>>(x, 3);",
                           "int t = 1; for (int i = 0; i < n; ++i) t = i; f<<<2, t>>>(x, 3);"}) {
    const CheckResult r = check_text(kKernels + helpers + "void run(float* x, int n, bool b) {\n" + body + "\n}\n");
    EXPECT_EQ(launches(r), "") << body;
    EXPECT_NE(r.errors.find("nothing here tells how many threads a block of 'f' has"), std::string::npos) << r.errors;
  }
}

TEST(CheckLaunches, ArithmeticOfTheHostIsEvaluated) {
  const std::string before =
      "#include <cmath>\n#define THREADS (4 * 8)\nconst int kRows = 100; static int rows = 3; int changed = 3;\n"
      "int div_up(int a, int b) { return (a + b - 1) / b; }\ndim3 both(int a, int b) { return dim3(a, b); }\n"
      "struct Shape { dim3 grid, block; };\nvoid elsewhere() { changed = 4; }\n";
  EXPECT_EQ(launches_in("f<<<div_up(kRows, 32), THREADS>>>(x, rows);", before), "f (4) (32) n = 3");
  EXPECT_EQ(launches_in("f<<<(int)ceil(kRows / 32.0), both(32, 4)>>>(x, 2 * 3);", before), "f (4) (32, 4) n = 6");
  EXPECT_EQ(launches_in("f<<<(kRows - 1) / 32 + 1, {8, 4}>>>(x, kRows > 7 ? 1 : 2);", before), "f (4) (8, 4) n = 1");
  EXPECT_EQ(launches_in("Shape s; s.grid = 3; s.block = both(32, 2); f<<<s.grid, s.block>>>(x, s.block.y);", before),
            "f (3) (32, 2) n = 2");
  EXPECT_EQ(launches_in("int sizes[] = {1, 32}; f<<<std::max(2, 1), sizes[1]>>>(x, 3);", before), "f (2) (32) n = 3");
  EXPECT_EQ(launches_in("f<<<2, changed>>>(x, 3);", before), "");
}

TEST(CheckLaunches, OfALoopOfFewRoundsEachIsKnown) {
  EXPECT_EQ(
      launches_in(
          "int sizes[] = {32, 64}; for (int i = 0; i < sizeof(sizes) / sizeof(int); i++) { int t = sizes[i]; f<<<2, t>>>(x, 3); }"),
      "f (2) (32) n = 3; f (2) (64) n = 3");
  EXPECT_EQ(launches_in("int t = 16; while (true) { t *= 2; if (t > 100) break; } f<<<2, t>>>(x, 3);"),
            "f (2) (128) n = 3");
  EXPECT_EQ(launches_in("int t = 1; do t *= 2; while (t < 32); f<<<2, t>>>(x, 3);"), "f (2) (32) n = 3");
  EXPECT_EQ(launches_in("for (int i = 0; i < 100; i++) f<<<2, 32>>>(x, i);"), "f (2) (32) n = 1024");
  EXPECT_EQ(launches_in("int t = 32; for (int i = 0; i < 2; i++) { if (b) continue; t = 64; } f<<<2, t>>>(x, 3);"), "");
  EXPECT_EQ(launches_in("int t = 32; for (int i = 0; i < 2; i++) { if (b) break; t = 64; } f<<<2, t>>>(x, 3);"), "");
}

TEST(CheckLaunches, EveryLaunchCounts) {
  const CheckResult r = check_text(kKernels + std::string("void run(float* x, int n) {\n  f<<<1, elsewhere>>>(x, 1);\n"
                                                          "  f<<<1, 32>>>(x, 2);\n  f<<<2, 64>>>(x, 2);\n"
                                                          "  f<<<1, 32>>>(x, 2);\n}\n"),
                                   "--kernel f --fail-on-conflicts");
  EXPECT_EQ(launches(r), "f (1) (32) n = 2; f (2) (64) n = 2");
  EXPECT_NE(r.errors.find("k.cu:4:3: error: how many threads a block of 'f' has here is not known: this launch is not "
                          "counted"),
            std::string::npos)
      << r.errors;
  EXPECT_EQ(r.exit_code, 20);
  ASSERT_EQ(r.report["uncounted"].size(), 1u);
  EXPECT_EQ(r.report["uncounted"][0]["kernel"], "f");
  const CheckResult told = check_text(kKernels + std::string("void run(float* x, int n) { f<<<1, n>>>(x, 1); }\n"),
                                      "--kernel f --launch 'block(32)'");
  EXPECT_EQ(launches(told), "f (1) (32) n = 1");
}

TEST(CheckLaunches, APartThatIsNotUnderstoodHidesNoOther) {
  EXPECT_EQ(launches_in("f<<<elsewhere, 32>>>(x, 3);"), "f (1) (32) n = 3");
  EXPECT_EQ(launches_in("f<<<2, 32, 0, at::cuda::getCurrentCUDAStream()>>>(x, 3);"), "f (2) (32) n = 3");
  EXPECT_EQ(launches_in("f<<<2, 32>>>(tensor.data(), elsewhere);"), "f (2) (32) n = 1024");
  EXPECT_EQ(launches_in("g<4><<<2, 32>>>(x, elsewhere);"), "g<4> (2) (32) n = 1024");
  EXPECT_EQ(launches_in("CHECKED(f<<<2, 32>>>(x, 3));"), "f (2) (32) n = 3");
}

TEST(CheckLaunches, BehindACommentThatEndsInAPeriodToo) {
  EXPECT_EQ(launches_in("n = 3;  // It doesn't matter.\nf<<<2, 32>>>(x, 3);"), "f (2) (32) n = 3");
}

// An instance without a body loses what it launches; what clang left out of a block itself takes no body away.
TEST(CheckLaunches, StatementsThatAreNotUnderstoodLeaveTheLoopAroundThem) {
  const std::string before =
      "template <class T> __global__ void h(T* x, int n) { x[threadIdx.x] = n; }\n"
      "template <class T> int launch(T* x, int n) {\n  handle_t handle;\n  for (int i = 0; i < n; ++i) {\n"
      "    int status; status = product(handle, UNKNOWN_OPERATION, x);\n    if (status != UNKNOWN_STATUS) return 1;\n"
      "    h<<<2, 32>>>(x, 3);\n  }\n  return 0;\n}\n";
  EXPECT_EQ(launches_in("launch(x, 2);", before), "h<float> (2) (32) n = 3");
}

TEST(CheckLaunches, ThroughFunctionsTemplatesLambdasAndPointers) {
  EXPECT_EQ(launches_in("launch(x, 32); launch(x, 64);", "void launch(float* x, int t) { f<<<2, t>>>(x, t); }\n"),
            "f (2) (32) n = 32; f (2) (64) n = 64");
  EXPECT_EQ(
      launches_in("launch<8>(x, 32);", "template <int N> void launch(float* x, int t) { g<N><<<2, t>>>(x, N); }\n"),
      "g<8> (2) (32) n = 8");
  EXPECT_EQ(launches_in("auto k = &g<16>; k<<<2, 32>>>(x, 3);"), "g<16> (2) (32) n = 3");
  EXPECT_EQ(launches_in("[&] { constexpr int kT = 32; f<<<2, kT>>>(x, 3); }();"), "f (2) (32) n = 3");
  EXPECT_EQ(launches_in("auto launch = [&](int t) { f<<<2, t>>>(x, 3); }; launch(32);"), "f (2) (32) n = 3");
  EXPECT_EQ(launches_in("if (b) return; else if (n == 3) f<<<2, 32>>>(x, 3);"), "f (2) (32) n = 3");
  EXPECT_EQ(launches_in("switch (n) { case 4: g<4><<<2, n>>>(x, 1); break; case 8: g<8><<<2, n>>>(x, 1); }"),
            "g<4> (2) (4) n = 1; g<8> (2) (8) n = 1");
  const std::string torch = "template <class T> __global__ void h(T* x, int n) { x[threadIdx.x] = n; }\n";
  EXPECT_EQ(
      launches_in(
          "AT_DISPATCH_FLOATING_TYPES(t.scalar_type(), \"h\", ([&] { h<scalar_t><<<2, 32>>>((scalar_t*)x, 3); }));",
          torch),
      "h<double> (2) (32) n = 3; h<float> (2) (32) n = 3");
  EXPECT_EQ(launches_in("", torch + "template <class T> void launch(T* x) { h<T><<<2, 32>>>(x, 3); }\n"),
            "h<float> (2) (32) n = 3");
}

TEST(CheckLaunches, OfTheRuntime) {
  EXPECT_EQ(
      launches_in("int m = 5; void* args[] = {&x, &m}; cudaLaunchKernel((void*)g<2>, dim3(2), dim3(32), args, 0, 0);"),
      "g<2> (2) (32) n = 5");
  EXPECT_EQ(launches_in(
                "cudaLaunchConfig_t c = {}; c.gridDim = 2; c.blockDim = dim3(16, 2); cudaLaunchKernelEx(&c, f, x, 3);"),
            "f (2) (16, 2) n = 3");
}

TEST(CheckLaunches, OfTheDeviceIsNoPartOfItsParent) {
  const CheckResult r = check_text(
      "__global__ void f(float* x, int n) { __shared__ float s[1024]; s[threadIdx.x] = n; }\n"
      "__global__ void __launch_bounds__(32) parent(float* x) { f<<<2, 64>>>(x, 3); x[0] = 1; }\n");
  EXPECT_EQ(launches(r), "f (2) (64) n = 3; parent (1) (32)");
  EXPECT_TRUE(r.accesses("parent", "shared").empty());
  EXPECT_EQ(r.accesses("f", "shared").size(), 1u);
  EXPECT_EQ(r.errors, "");
}

// Kernels, launches and helpers in headers.
TEST(CheckLaunches, HeadersAreReadAsTheFileIs) {
  const ScratchFolder scratch;
  scratch.write("kernels.cuh", kKernels);
  scratch.write(
      "launch.cuh",
      "#pragma once\n#include \"kernels.cuh\"\n\ntemplate <int N> void launch(float* x, dim3 block) {\n  g<N><<<2, block>>>(x, N);\n}\n"
      "inline void other(float* x) { f<<<1, 64>>>(x, 5); }\n");
  const std::string file =
      scratch.write("k.cu", "#include \"launch.cuh\"\nvoid run(float* x) { launch<8>(x, dim3(16, 2)); }\n");
  const CheckResult r = run_check("'" + file + "'");
  EXPECT_EQ(launches(r), "f (1) (64) n = 5; g<8> (2) (16, 2) n = 8") << r.errors;
  EXPECT_NE(r.report["kernels"][1]["launch"].get<std::string>().find("launch.cuh:5"), std::string::npos) << r.output;
  EXPECT_NE(r.report["accesses"][0]["location"].get<std::string>().find("kernels.cuh:1:"), std::string::npos);
  const std::string own =
      scratch.write("own.cu",
                    "#include \"kernels.cuh\"\n__global__ void __launch_bounds__(32) k(int* y) { y[0] = 1; }\n"
                    "void run(float* x) { g<2><<<1, 32>>>(x, 1); }\n");
  EXPECT_EQ(launches(run_check("'" + own + "'")), "k (1) (32); g<2> (1) (32) n = 1");
}

// Where clang cannot choose because it does not know an argument, the others do: their number, and what pointers lead
// to.
TEST(CheckLaunches, OfSeveralOfANameTheOneThatTakesTheArguments) {
  const std::string kernels =
      "__global__ void h(float* x, int n) { __shared__ float s[64]; s[threadIdx.x] = n; }\n"
      "__global__ void h(double* x, int n) { __shared__ double s[64]; s[threadIdx.x] = n; }\n"
      "__global__ void h(const float* x, int n, int m) { __shared__ float s[64]; s[threadIdx.x] = n + m; }\n";
  const auto launched = [&](const std::string& body) {
    return launches(check_text(kernels + "void run(float* x, double* y, int n) { " + body + " }\n"));
  };
  EXPECT_EQ(launched("h<<<2, 32>>>(y, n * UNKNOWN);"), "h (2) (32) n = 1024");
  EXPECT_EQ(launched("h<<<2, 32>>>(x, 3, UNKNOWN);"), "");
  EXPECT_EQ(launched("h<<<2, 32>>>(UNKNOWN, 3);"), "");
  EXPECT_EQ(launched("h<<<2, 32>>>(x, 1, 2); h<<<1, 64>>>(y, 2 * UNKNOWN());"),
            "h (1) (64) n = 1024; h (2) (32) m = 2 n = 1");
}

// A shape, and a real number that a function of the library gives.
TEST(CheckLaunches, WhatFunctionsMakeOfAssumedSizesIsKnown) {
  EXPECT_EQ(launches_in("f<<<2, shape(n)>>>(x, 3);",
                        "dim3 shape(unsigned long n) { auto t = n / 128; return dim3(t, 2); }\n"),
            "f (2) (8, 2) assumed n = 3");
  EXPECT_EQ(launches_in("dim3 block(ceil(n / 256.0)); f<<<2, block>>>(x, 3);", "#include <cmath>\n"),
            "f (2) (4) assumed n = 3");
}

// Without __CUDA_ARCH__; kernels are read with it.
TEST(CheckLaunches, AreReadAsTheHostReadsThem) {
  const std::string kernel =
      "template <class T> __global__ void f(T* x) {\n#ifdef __CUDA_ARCH__\n  __shared__ T s[1024]; "
      "s[threadIdx.x * 32 % 1024] = x[0];\n#endif\n}\n";
  const auto of = [&](const std::string& host) {
    const CheckResult r = check_text(kernel + host, "--no-ptx");
    EXPECT_EQ(r.accesses("f<float>", "shared").size(), 1u) << r.errors;
    return launches(r);
  };
  EXPECT_EQ(of("#if __CUDA_ARCH__ >= 200\nconst int T = 512;\n#else\nconst int T = 64;\n#endif\n"
               "void run(float* x) { f<<<1, T>>>(x); }\n"),
            "f<float> (1) (64)");
  EXPECT_EQ(
      launches(check_text(
          "#if __CUDA_ARCH__ >= 700\ntemplate <int N> __global__ void g(float* x) { x[threadIdx.x] = N; }\n#else\n"
          "template <int N> __global__ void g(float* x) { }\n#endif\nvoid run(float* x) { g<3><<<2, 32>>>(x); }\n",
          "--no-ptx")),
      "g<3> (2) (32)");
  EXPECT_EQ(of("#ifndef __CUDA_ARCH__\nvoid run(float* x) { f<<<1, 96>>>(x); }\n#endif\n"), "f<float> (1) (96)");
  EXPECT_EQ(
      of("__host__ __device__ int threads() {\n#ifdef __CUDA_ARCH__\n  return 32;\n#else\n  return 128;\n#endif\n}\n"
         "void run(float* x) { f<<<2, threads()>>>(x); }\n"),
      "f<float> (2) (128)");
}

}  // namespace
}  // namespace swizzle::test::check_launches_test
