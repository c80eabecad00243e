// `swizzle-synth check`: which accesses there are, where they are told, and what is left out.
#include <gtest/gtest.h>

#include "tests/end_to_end/check_runs.h"
#include "tests/end_to_end/nvcc.h"

namespace swizzle::test::check_places_test {
namespace {

// Of `void f(float* x, const int* k, int n)` with 32 threads, whose body this is; t is threadIdx.x.
CheckResult check_body(const std::string& body, const std::string& arguments = "", const std::string& before = "") {
  return check_text(
      before + "__global__ void __launch_bounds__(32) f(float* x, const int* k, int n) {\n  int t = threadIdx.x;\n" +
          body + "\n}\n",
      arguments);
}

Lines shared(const CheckResult& r) { return r.accesses("f", "shared"); }
Lines global(const CheckResult& r) { return r.accesses("f", "global"); }

bool tells(const CheckResult& r, const std::string& what) { return r.errors.find(what) != std::string::npos; }

// The conflict comes behind a loop that takes all steps: its rounds do not repeat.
TEST(CheckLimit, WhatComesBehindALongLoopIsCounted) {
  const CheckResult r = check_body(
      "  __shared__ float s[1024];\n  for (int i = 0; i < 100000; ++i) s[i * i % 512 + t] = i;\n  s[t * 32] = 1;",
      "--step-limit 10000");
  EXPECT_EQ(r.exit_code, 0);
  const Lines found = shared(r);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[1], "store s 32/1 of 1 = 32");
  EXPECT_EQ(r.report["kernels"][0]["complete"], false);
  EXPECT_TRUE(tells(r, "the step limit is reached: ")) << r.errors;
}

TEST(CheckLimit, OfALoopItIsToldOnce) {
  const CheckResult r = check_body(
      "  __shared__ float s[1024];\n  for (int k = 1; k < 9; ++k)\n    for (int i = 0; i < 100000; ++i) s[i * i % (k * 50) + t] = i;",
      "--step-limit 10000");
  const std::string at = ":5:21: warning: the step limit is reached: not all rounds of this loop are counted";
  ASSERT_TRUE(tells(r, at)) << r.errors;
  EXPECT_EQ(r.errors.find(at, r.errors.find(at) + 1), std::string::npos) << r.errors;
}

TEST(CheckLimit, WhatIsIncompleteNeverSaysNone) {
  const CheckResult r =
      check_body("  __shared__ float s[1024];\n  for (int i = 0; i < 100000; ++i) s[i * i % 512 + t] = i;",
                 "--step-limit 10000 --fail-on-conflicts");
  EXPECT_EQ(r.exit_code, 20);
  EXPECT_NE(r.output.find("no bank conflicts in what was counted of 1 access"), std::string::npos) << r.output;
  EXPECT_NE(check_body("  undeclared(x);").output.find("no access to shared memory was counted"), std::string::npos);
  EXPECT_NE(check_body("  x[t] = 1;").output.find("no access to shared memory;"), std::string::npos);
}

// After the loop i is no longer known: an access with it is not counted, rather than counted wrong.
TEST(CheckLimit, WhatALoopChangesIsUnknownBehindIt) {
  const CheckResult r = check_body(
      "  __shared__ float s[4096];\n  int i = 0, j = 1;\n  for (; i < 100000; ++i) { s[i * i % 512 + t] = i; if (i % 2) j = i; }\n  s[t * j] = 1;\n  s[t * i] = 1;",
      "--step-limit 10000");
  const Lines found = shared(r);
  ASSERT_EQ(found.size(), 3u) << r.errors;
  EXPECT_EQ(found[1], "store s unknown of 1");
  EXPECT_EQ(found[2], "store s unknown of 1");
}

TEST(CheckLimit, EachKernelHasItsOwn) {
  std::string text;
  for (const char* name : {"a", "b", "c", "d"})
    text += fmt::format(
        "__global__ void __launch_bounds__(32) {}(float* x) {{ __shared__ float s[64]; for (int i = 0; i < 400; ++i) s[threadIdx.x] = i; }}\n",
        name);
  const CheckResult r = check_text(text, "--step-limit 10000");
  EXPECT_EQ(r.errors, "");
}

TEST(CheckPlaces, AnUnknownIndexMakesNoOtherAccess) {
  const CheckResult r = check_body("  __shared__ float s[1024];\n  s[undeclared(3)] = 1;\n  s[t * 32] = 1;");
  for (const std::string& line : shared(r)) EXPECT_EQ(line.find("load"), std::string::npos) << line;
  EXPECT_EQ(shared(r).back(), "store s 32/1 of 1 = 32") << r.errors;
}

TEST(CheckPlaces, WhatGoesByValueStaysAsItIs) {
  for (const char* call : {"elsewhere(i);", "int j = elsewhere(i) + 1;", "undeclared(i + 0);"}) {
    const CheckResult r =
        check_body(fmt::format("  __shared__ float s[1024];\n  int i = t;\n  {}\n  s[i * 32] = 1;", call), "",
                   "__device__ int elsewhere(int);\n");
    EXPECT_EQ(shared(r), (Lines{"store s 32/1 of 1 = 32"})) << call << r.errors;
  }
  const CheckResult changed = check_body("  __shared__ float s[1024];\n  int i = t;\n  elsewhere(i);\n  s[i * 32] = 1;",
                                         "", "__device__ void elsewhere(int&);\n");
  EXPECT_EQ(shared(changed), (Lines{"store s unknown of 1"}));
}

TEST(CheckPlaces, WhatIsPrintedOrAssertedIsRead) {
  const CheckResult r = check_text(
      "#define SHOW(...) printf(__VA_ARGS__)\n"
      "__global__ void __launch_bounds__(32) f(float* y) {\n  __shared__ float s[1024];\n  const int t = threadIdx.x;\n"
      "  SHOW(\"%d %f\\n\", t, s[t * 32]);\n  assert(s[t * 2] > 0);\n  y[t] = 1;\n}\n");
  EXPECT_EQ(r.accesses("f", "shared"), (Lines{"load s 32/1 of 1 = 32", "load s 2/1 of 1 = 2"})) << r.output;
}

TEST(CheckPlaces, TablesInGlobalMemoryAreRead) {
  const CheckResult r =
      check_body("  __shared__ float s[1024];\n  s[table[t]] = 1;\n  x[t] = folded[t % 4];", "",
                 "__device__ const int table[32] = {0, 32, 64, 96};\nconstexpr int folded[4] = {1, 2, 3, 4};\n");
  EXPECT_EQ(global(r), (Lines{"load table 4/4 of 1 = 4", "store x 4/4 of 1 = 4"})) << r.errors;
  EXPECT_EQ(shared(r), (Lines{"store s 4/1 of 1 = 4"}));
}

TEST(CheckPlaces, ConstantMemoryIsTold) {
  const std::string before = "__constant__ float c[32];\n";
  EXPECT_TRUE(tells(check_body("  x[t] = c[t];", "", before), "lanes read different words of 'c' in constant memory"));
  EXPECT_EQ(check_body("  x[t] = c[3] + c[n - 1024];", "", before).errors, "");
}

TEST(CheckPlaces, ACopyOfAGroupIsCounted) {
  const CheckResult r = check_body(
      "  __shared__ float s[128];\n  cg::memcpy_async(cg::this_thread_block(), s, x, sizeof(float) * 128);\n", "",
      "#include <cooperative_groups.h>\n#include <cooperative_groups/memcpy_async.h>\nnamespace cg = cooperative_groups;\n");
  ASSERT_EQ(shared(r).size(), 1u) << r.errors;
  EXPECT_EQ(shared(r)[0].find("store s"), 0u) << shared(r)[0];
}

// Half of the lanes read s, whose words of bank 0 are 2 apart, and the others x.
TEST(CheckPlaces, APointerMayGoToSharedMemoryInSomeLanes) {
  const CheckResult r =
      check_body("  __shared__ float s[1024];\n  const float* p = t < 16 ? s : x;\n  x[t] = p[t * 32];");
  EXPECT_EQ(shared(r), (Lines{"load s 16/1 of 1 = 16"})) << r.errors;
  EXPECT_EQ(global(r), (Lines{"store x 4/4 of 1 = 4", "load x 16/2 of 1 = 16"})) << r.errors;
}

TEST(CheckPlaces, FunctionsOfHeadersAreToldAtTheirLinesForEachCall) {
  const ScratchFolder scratch;
  scratch.write(
      "tile.h",
      "#pragma once\n__device__ inline float at(const float* s, int stride) {\n  return s[threadIdx.x * stride];\n}\n");
  const std::string file = scratch.write(
      "k.cu",
      "#include \"tile.h\"\n__global__ void __launch_bounds__(32) f(float* x) {\n  __shared__ float s[1024], r[64];\n  x[0] = at(s, 32);\n  x[1] = at(r, 1);\n}\n");
  const CheckResult r = run_check("'" + file + "'");
  EXPECT_EQ(shared(r), (Lines{"load s 32/1 of 1 = 32", "load r 1/1 of 1 = 1"})) << r.errors;
  for (const auto& a : r.report["accesses"]) {
    if (a["space"] != "shared") continue;
    EXPECT_NE(a["location"].get<std::string>().find("tile.h:3:10"), std::string::npos);
    EXPECT_NE(a["called_from"].get<std::string>().find(a["array"] == "s" ? "k.cu:4:" : "k.cu:5:"), std::string::npos);
  }
  EXPECT_NE(r.output.find("called at "), std::string::npos) << r.output;
}

TEST(CheckPlaces, AWitnessNamesItsArray) {
  const CheckResult r = check_body("  __shared__ float s[1024], r[64];\n  put(s, 32);\n  put(r, 1);", "",
                                   "__device__ void put(float* p, int stride) { p[threadIdx.x * stride] = 1; }\n");
  EXPECT_NE(r.output.find("several"), std::string::npos) << r.output;
  EXPECT_NE(r.output.find("bytes 0, 128, … 3968 of s"), std::string::npos) << r.output;
}

TEST(CheckPlaces, IndicesThroughOtherArithmeticAreKnown) {
  for (const char* index : {"__umul24(t, 32)", "__mul24(t, 32)", "__umulhi(t << 16, 1 << 21)", "(int)(t * 32.0f)",
                            "(int)floorf(t / 0.03125f)", "__float2int_rd(t * 32 + 0.5f)", "t * (b ? 32 : 1)", "t * c"})
    EXPECT_EQ(
        check_text(
            fmt::format("__global__ void __launch_bounds__(32) f(float* x, bool b, char c) {{\n  int t = threadIdx.x;\n"
                        "  __shared__ float s[1024];\n  s[{}] = 1;\n}}\n",
                        index),
            "--set b=1 --set c=32")
            .accesses("f", "shared"),
        (Lines{"store s 32/1 of 1 = 32"}))
        << index;
}

// A rounded product may be added to before it is rounded; floats behind other types are nobody's integers.
TEST(CheckPlaces, WhatRealsAreNotKnownToGiveIsNotCounted) {
  for (const char* index : {"(int)(t * 0.1f + 0.3f)", "*(int*)&r", "(int)(x[0] * 2)"})
    EXPECT_EQ(shared(check_body(fmt::format("  __shared__ float s[1024];\n  float r = t;\n  s[{}] = 1;", index))),
              (Lines{"store s unknown of 1"}))
        << index;
}

TEST(CheckPlaces, ARealParameterIsWhatItIsSaidToBe) {
  const std::string kernel =
      "__global__ void k(float f, half h) {\n  __shared__ float s[1024];\n  s[threadIdx.x * (int)f] = 1;\n}\n";
  EXPECT_EQ(check_text(kernel, "--launch 'block(32)' --set f=4").accesses("k", "shared"),
            (Lines{"store s 4/1 of 1 = 4"}));
  EXPECT_EQ(check_text(kernel, "--launch 'block(32)'").accesses("k", "shared"), (Lines{"store s unknown of 1"}));
  EXPECT_EQ(check_text(kernel + "void run() { k<<<1, 32>>>(2.f, 0); }\n").accesses("k", "shared"),
            (Lines{"store s 2/1 of 1 = 2"}));
}

TEST(CheckPlaces, AnUndefinedShiftIsTold) {
  const CheckResult r = check_body("  __shared__ float s[1024];\n  s[1 << (t + 20)] = 1;");
  EXPECT_TRUE(tells(r, "thread 12 shifts 32 bits by 32 here, which is undefined")) << r.errors;
}

TEST(CheckPlaces, SizesThatNoKernelHasAreErrors) {
  const CheckResult r = check_body("  x[t] = n;", "--set m=4");
  EXPECT_EQ(r.exit_code, 1);
  EXPECT_TRUE(tells(r, "--set m=4: no kernel here has a parameter of this name that is a number")) << r.errors;
  EXPECT_EQ(check_body("  x[t] = n;", "--set x=4").exit_code, 1);
  EXPECT_EQ(check_body("  x[t] = n;", "--set n=4").exit_code, 0);
}

TEST(CheckPlaces, MisalignedAccessesAndThoseOutsideOfTheArrayAreTold) {
  const CheckResult r =
      check_body("  __shared__ float s[64];\n  float4 v = *(float4*)&s[t + 1];\n  s[t + 40] = 1;\n  x[t] = v.x;");
  EXPECT_TRUE(tells(r, "k.cu:4:14: warning: thread 0 accesses 16 bytes at byte 4 of 's', which is no multiple of 16"))
      << r.errors;
  EXPECT_TRUE(tells(r, "k.cu:5:3: warning: thread 24 accesses 4 bytes at byte 256 of 's', which has 256")) << r.errors;
  EXPECT_EQ(check_body("  __shared__ float s[64];\n  if (t < 24) s[t + 40] = 1;\n  s[t * 2 + 1] = 1;").errors, "");
}

TEST(CheckPlaces, CopiesOfBytesTexturesAndRandomNumbers) {
  const CheckResult r = check_body(
      "  __shared__ float s[1024];\n  float v;\n  memcpy(&v, &s[t * 32], 4);\n  x[t] = v + tex1Dfetch<float>(image, t) + curand_uniform(states + t) * M_PI;\n",
      "",
      "#include <curand_kernel.h>\n#if CUDART_VERSION < 11000 || !defined(__NVCC__) || CUDA_VERSION < 11000\n#error old\n#endif\n"
      "__device__ curandState states[32]; __device__ cudaTextureObject_t image;\n");
  EXPECT_EQ(shared(r), (Lines{"load s 32/1 of 1 = 32"})) << r.errors;
  EXPECT_FALSE(tells(r, "not followed")) << r.errors;
}

// Headers of headers are known to be missing before anything is parsed.
TEST(CheckPlaces, MissingHeadersOfHeadersAreLeftOut) {
  const ScratchFolder scratch;
  std::string includes;
  for (int i = 0; i < 20; ++i) includes += fmt::format("#include <elsewhere/part_{}.cuh>\n", i);
  scratch.write("all.cuh", includes);
  const std::string file = scratch.write(
      "k.cu", "#include \"all.cuh\"\n__global__ void __launch_bounds__(32) f(float* x) { x[threadIdx.x] = 1; }\n");
  const CheckResult r = run_check("'" + file + "'");
  EXPECT_EQ(r.exit_code, 0);
  EXPECT_TRUE(tells(r, "all.cuh:20:11: warning: 'elsewhere/part_19.cuh' is not read")) << r.errors;
}

// What it refers to is where it was bound, and is as it is when it is used.
TEST(CheckPlaces, AMemberMayBeAReference) {
  const CheckResult r = check_text(R"(struct Rows { float* data; int stride; };
struct Row {
  Rows& of; float* const data;
  Row(Rows& rows, float* at) : of(rows), data(at) {}
  void set(int i, float v) { data[i * of.stride] = v; }
};
struct View { float (&tile)[32][33]; int& column; };
Row row_of(Rows& rows, int r) { return Row(rows, rows.data + r); }
__global__ void k(float* x) {
  __shared__ float s[32][33];
  Rows rows{&s[0][0], 33};
  row_of(rows, 1).set(threadIdx.x, 1);
  rows.stride = 32;
  row_of(rows, 1).set(threadIdx.x, 2);
  int column = 3;
  View view{s, column};
  x[threadIdx.x] = view.tile[threadIdx.x][view.column];
  view.column = threadIdx.x;
  x[threadIdx.x] = s[0][column] + view.tile[threadIdx.x][-column];
}
void run(float* x) { k<<<1, 32>>>(x); }
)");
  EXPECT_EQ(r.accesses("k", "shared"),
            (Lines{"store s 32/1 of 2 = 33", "load s 1/1 of 1 = 1", "load s 1/1 of 1 = 1", "load s 32/1 of 1 = 32"}))
      << r.errors;
  EXPECT_EQ(r.report["uncounted"].size(), 0u);
}

// One lane's request costs the same wherever it goes; that of several does not.
TEST(CheckPlaces, WhereOneLaneGoesNeedNotBeKnown) {
  const CheckResult r = check_text(R"(__global__ void k(const int* y, float* x) {
  __shared__ float s[64];
  __shared__ float4 v[64];
  if (threadIdx.x == 3) s[y[0]] = x[y[1]];
  if (threadIdx.x % 32 == 0) v[y[threadIdx.x]] = v[y[4]];
  for (int i = 0; i < 1000; ++i)
    if (threadIdx.x == 0) s[y[i]] = i;
  if (threadIdx.x % 16 == 0) s[y[5]] = 3;
}
void run(int* y, float* x) { k<<<1, 64>>>(y, x); }
)");
  EXPECT_EQ(r.accesses("k", "shared"), (Lines{"store s 1/1 of 1 = 1", "store v 1/1 of 2 = 2", "load v 1/1 of 2 = 2",
                                              "store s 1/1 of 1000 = 1000", "store s unknown of 2"}))
      << r.errors;
  ASSERT_EQ(r.report["uncounted"].size(), 1u) << r.errors;
  EXPECT_NE(r.report["uncounted"][0]["location"].get<std::string>().find(":8:"), std::string::npos);
}

// As nvcc splits them: by the type that is copied in shared memory, by bytes in global memory.
TEST(CheckPlaces, CopiesOfBytesAreNotMisaligned) {
  const auto copied = [](const std::string& body) {
    const CheckResult r = check_text(
        "#include <cstring>\n__global__ void __launch_bounds__(32) f(float* y, char* z) {\n"
        "  __shared__ float s[4100];\n  __shared__ char c[4100];\n  const int t = threadIdx.x;\n  " +
            body + "\n}\n",
        "--fail-on misaligned --no-ptx");
    EXPECT_EQ(r.exit_code, 0) << r.errors;
    Lines all = r.accesses("f", "shared");
    for (const std::string& line : r.accesses("f", "global")) all.push_back(line);
    return all;
  };
  EXPECT_EQ(copied("memcpy(s + t * 4 + 1, y + t * 4, 16);"),
            (Lines{"store s 4/1 of 4 = 16", "load y 16/1 of 16 = 256"}));
  EXPECT_EQ(copied("memcpy(&s[t * 32], &y[t * 4], 16);"),
            (Lines{"store s 32/1 of 4 = 128", "load y 16/1 of 16 = 256"}));
  EXPECT_EQ(copied("int v; memcpy(&v, z + t * 5, 4); memcpy(c + t * 5, &v, 4);"),
            (Lines{"store c 2/1 of 4 = 8", "load z 5/1 of 4 = 20"}));
}

// How much of an array's alignment nvcc sees at an address in it, its PTX alone tells.
TEST(CheckPlaces, CopiesThatMayBeWiderAreNotCounted) {
  const auto copied = [](const std::string& declared, const std::string& copy, const std::string& flags) {
    return check_text("#include <cstring>\n__global__ void __launch_bounds__(32) f(int2* y) {\n  __shared__ " +
                          declared + ";\n  const int t = threadIdx.x;\n  int2 v;\n  " + copy + "\n  y[t] = v;\n}\n",
                      "--fail-on-conflicts " + flags);
  };
  const CheckResult r = copied("__align__(16) unsigned char c[1024]", "memcpy(&v, c + t * 8, 8);", "--no-ptx");
  EXPECT_EQ(r.exit_code, 20) << r.output << r.errors;
  EXPECT_NE(r.errors.find("how wide nvcc makes this copy"), std::string::npos) << r.errors;
  EXPECT_EQ(copied("unsigned char c[1024]", "memcpy(&v, c + t * 4, 8);", "--no-ptx").accesses("f", "shared").size(),
            1u);
  EXPECT_EQ(copied("__align__(16) int c[256]", "memcpy(&v.x, c + t, 4);", "--no-ptx").exit_code, 0);
  if (find_nvcc().empty()) GTEST_SKIP() << "no nvcc: nothing is counted in PTX";
  EXPECT_EQ(copied("__align__(16) unsigned char c[1024]", "memcpy(&v, c + t * 8, 8);", "").exit_code, 0);
}

}  // namespace
}  // namespace swizzle::test::check_places_test
