// Rules beside bank conflicts: each says what is so, and nothing of what is not.
#include <gtest/gtest.h>

#include "tests/end_to_end/check_runs.h"

namespace swizzle::test::check_rules_test {
namespace {

std::string kernel(const std::string& body, int threads = 64) {
  return fmt::format(
      "#pragma swizzle launch grid(1) block({})\n__global__ void f(float* y, const float* x, const int* k) {{\n"
      "  __shared__ float s[128];\n  const int t = threadIdx.x;\n  {}\n}}\n",
      threads, body);
}

// The rules that say something, in the order of their places.
Lines rules(const CheckResult& r) {
  Lines found;
  for (const auto& v : r.report["kernels"][0]["violations"]) found.push_back(v["rule"]);
  return found;
}
Lines rules(const std::string& body, int threads = 64) {
  return rules(check_text(kernel(body, threads), "--rules all"));
}

TEST(CheckRules, WhatAnotherWarpWritesIsReadBehindABarrier) {
  EXPECT_EQ(rules("s[t] = x[t];\n  y[t] = s[t ^ 32];"), (Lines{"race"}));
  EXPECT_EQ(rules("s[t] = x[t];\n  __syncthreads();\n  y[t] = s[t ^ 32];"), Lines{});
  EXPECT_EQ(rules("s[t] = x[t];\n  __syncwarp();\n  y[t] = s[t ^ 16];"), Lines{});
  EXPECT_EQ(rules("s[t] = x[t];\n  __syncwarp();\n  y[t] = s[t ^ 32];"), (Lines{"race"}));
  EXPECT_EQ(rules("for (int i = 0; i < 9; ++i) {\n    s[t] = x[t];\n    __syncthreads();\n    y[t] = s[t ^ 32];\n  }"),
            (Lines{"race"}));
  EXPECT_EQ(rules("for (int i = 0; i < 9; ++i) {\n    s[t] = x[t];\n    __syncthreads();\n    y[t] = s[t ^ 32];\n"
                  "    __syncthreads();\n  }"),
            Lines{});
  EXPECT_EQ(rules("s[t] = x[t];\n  const float v = __shfl_xor_sync(~0u, s[t], 1);\n  s[t ^ 1] = v;"), Lines{});
  EXPECT_EQ(rules("s[t] = x[t];\n  const float v = s[t ^ 1];\n  s[t] = __shfl_xor_sync(~0u, v, 1) + s[t ^ 2];"),
            (Lines{"warp-race", "warp-race"}));
  const CheckResult r = check_text(kernel("s[t] = x[t];\n  y[t] = s[t ^ 32];"), "--rules race");
  EXPECT_NE(r.errors.find("k.cu:6:10: warning: a warp reads here what another writes at line 5, and no barrier stands "
                          "between"),
            std::string::npos)
      << r.errors;
}

TEST(CheckRules, AllThreadsThatGoOnReachABarrierTogether) {
  const auto of = [](const std::string& body) { return rules(check_text(kernel(body, 64), "--rules barrier")); };
  EXPECT_EQ(of("if (t < 40) __syncthreads();\n  y[t] = x[t];"), (Lines{"barrier"}));
  EXPECT_EQ(of("for (int i = t; i < 100; i += 64) __syncthreads();\n  y[t] = x[t];"), (Lines{"barrier"}));
  EXPECT_EQ(of("if (t < 40) __syncthreads();\n  else __syncthreads();"), (Lines{"barrier", "barrier"}));
  EXPECT_EQ(of("if (t >= 40) return;\n  s[t] = x[t];\n  __syncthreads();\n  y[t] = s[39 - t];"), Lines{});
  EXPECT_EQ(of("for (int i = t; i < 128; i += 64) __syncthreads();\n  if (blockIdx.x == 0) __syncthreads();"), Lines{});
  EXPECT_EQ(of("if (x[t] > 0) __syncthreads();"), Lines{});  // data decide it
  const CheckResult r = check_text(kernel("if (t < 40) __syncthreads();", 64), "--rules barrier --fail-on barrier");
  EXPECT_EQ(r.exit_code, 4);
  EXPECT_NE(r.errors.find("thread 0 waits here, and thread 40 does not come"), std::string::npos) << r.errors;
}

TEST(CheckRules, WhatAnotherLaneWritesIsReadBehindASyncwarp) {
  EXPECT_EQ(rules("s[t] = x[t];\n  y[t] = s[t ^ 16];"), (Lines{"warp-race"}));
  EXPECT_EQ(rules("s[t] = x[t];\n  y[t] = s[t ^ 16];", 32), (Lines{"warp-race"}));
  EXPECT_EQ(rules("s[t] = x[t];\n  __syncthreads();\n  y[t] = s[t ^ 16];"), Lines{});
  EXPECT_EQ(rules("s[t] = x[t];\n  y[t] = s[t];"), Lines{});
  EXPECT_EQ(rules("s[t] = x[t];\n  y[t] = __shfl_xor_sync(~0u, x[t], 1);\n  y[t] += s[t ^ 16];"), Lines{});
  const std::string tree =
      "s[t] = x[t];\n  __syncwarp();\n  if (t < 16) s[t] += s[t + 16];\n  {}if (t < 8) s[t] += s[t + 8];";
  const auto with = [&](const char* between) { return std::string(tree).replace(tree.find("{}"), 2, between); };
  EXPECT_EQ(rules(with(""), 32), (Lines{"warp-race"}));
  EXPECT_EQ(rules(with("__syncwarp();\n  "), 32), Lines{});
  const CheckResult r = check_text(kernel("s[t] = x[t];\n  y[t] = s[t ^ 1];"), "--rules warp-race");
  EXPECT_NE(r.errors.find("k.cu:6:10: warning: a lane reads here what another of its warp writes at line 5, and no "
                          "__syncwarp stands between"),
            std::string::npos)
      << r.errors;
  EXPECT_EQ(check_text(kernel("s[t] = x[t];\n  y[t] = s[t ^ 1];"), "--fail-on warp-race").exit_code, 4);
  EXPECT_EQ(check_text(kernel("s[t] = x[t];\n  y[t] = s[t ^ 1];"), "--fail-on race").exit_code, 0);
}

// What is written for another lane is not written where it is still read.
TEST(CheckRules, ALaneWritesWhatAnotherHasRead) {
  EXPECT_EQ(rules("s[t] = x[t];\n  __syncwarp();\n  float a = s[t ^ 1];\n  s[t] = a;", 32), (Lines{"warp-race"}));
  EXPECT_EQ(rules("s[t] = x[t];\n  __syncwarp();\n  float a = s[t ^ 1];\n  __syncwarp();\n  s[t] = a;", 32), Lines{});
  EXPECT_EQ(rules("s[0] = 1;\n  y[t] = s[0];", 32), Lines{});
}

TEST(CheckRules, OfWhatIsNotSureNoRaceIsTold) {
  for (const char* body :
       {"s[t] = x[t];\n  asm volatile(\"bar.sync 0;\");\n  y[t] = s[t ^ 32];",
        "s[t] = x[t];\n  elsewhere();\n  y[t] = s[t ^ 32];", "if (k[0]) s[t] = x[t];\n  y[t] = s[t ^ 32];",
        "s[k[t]] = x[t];\n  y[t] = s[t ^ 32];", "s[t] = x[t];\n  __syncthreads();\n  atomicAdd(&s[t ^ 32], 1.0f);",
        "s[0] = 1;\n  s[t] = 1;"})
    EXPECT_EQ(rules(body), Lines{}) << body;
}

TEST(CheckRules, WhatNobodyWroteIsNotRead) {
  EXPECT_EQ(rules("y[t] = s[t];"), (Lines{"read-before-write"}));
  EXPECT_EQ(rules("if (t < 63) s[t] = x[t];\n  __syncthreads();\n  y[t] = s[t];"), (Lines{"read-before-write"}));
  EXPECT_EQ(rules("s[t] = x[t];\n  y[t] = s[t];"), Lines{});
  EXPECT_EQ(rules("for (int i = t; i < 128; i += 64) s[i] = 0;\n  __syncthreads();\n  y[t] = s[127 - t];"), Lines{});
  EXPECT_EQ(rules("for (int i = 0; i < 10000; ++i) s[(t + i) % 128] = 0;\n  __syncthreads();\n  y[t] = s[127 - t];"),
            Lines{});
}

// With a size that nobody told, and is assumed, that may not be so.
TEST(CheckRules, WhatRestsOnAssumedSizesIsNoViolation) {
  const auto checked = [](const std::string& index) {
    return check_text("__global__ void f(float* y, int n) { __shared__ float s[64]; s[" + index +
                          "] = 1; __syncthreads(); y[threadIdx.x] = s[threadIdx.x]; }\n"
                          "void run(float* y, int n) { f<<<1, 32>>>(y, n); }\n",
                      "--fail-on out-of-bounds");
  };
  const CheckResult assumed = checked("threadIdx.x * n");
  EXPECT_EQ(assumed.exit_code, 0) << assumed.errors;
  EXPECT_NE(assumed.errors.find("with n = 1024, as is assumed: --set n=… says otherwise"), std::string::npos)
      << assumed.errors;
  EXPECT_EQ(checked("threadIdx.x * (n + 64) + 64").exit_code, 4);
}

TEST(CheckRules, WhatRestsOnAnAssumedBlockIsNoViolation) {
  const auto checked = [](const std::string& index) {
    return check_text("__global__ void f(float* y) { __shared__ float s[256]; s[" + index +
                          "] = 1; __syncthreads(); y[threadIdx.x] = s[threadIdx.x & 255]; }\n"
                          "void run(float* y, int n) { f<<<1, n>>>(y); }\n",
                      "--fail-on out-of-bounds");
  };
  const CheckResult assumed = checked("threadIdx.x");
  EXPECT_EQ(assumed.exit_code, 0) << assumed.errors;
  EXPECT_NE(assumed.errors.find("with a block of 1024 threads, as is assumed: --launch says otherwise"),
            std::string::npos)
      << assumed.errors;
  EXPECT_EQ(checked("threadIdx.x + 256").exit_code, 4);
}

// A race between warps, and what nobody wrote, may be none of the block that there is.
TEST(CheckRules, SoAreRacesOfAnAssumedBlock) {
  const auto checked = [](const std::string& body, const std::string& block, const std::string& attributes = "") {
    return check_text("__global__ void " + attributes +
                          " f(float* y) { __shared__ float s[64]; int t = threadIdx.x;\n  " + body +
                          "\n}\nvoid run(float* y, int n) { f<<<1, " + block + ">>>(y); }\n",
                      "--rules all --fail-on race,read-before-write");
  };
  const std::string race = "s[t % 64] = 1; __syncwarp(); y[t] = s[63 - t % 64];",
                    unwritten = "if (t > 5000) s[0] = 1; __syncthreads(); y[t] = s[t % 64];";
  const CheckResult r = checked(race, "n");
  EXPECT_EQ(r.exit_code, 0) << r.errors;
  EXPECT_NE(r.errors.find("as is assumed: --launch says otherwise"), std::string::npos) << r.errors;
  EXPECT_EQ(checked(race, "64").exit_code, 4);
  EXPECT_EQ(checked(unwritten, "n").exit_code, 4);  // in any block
  const CheckResult bound = checked(race, "g()", "__launch_bounds__(256)");
  EXPECT_EQ(bound.exit_code, 0) << bound.errors;
}

// Of two sizes that nobody told, quotients are not 1.
TEST(CheckRules, AssumedSizesAreTriedUnlikeEachOther) {
  const CheckResult r = check_text(
      "__global__ void f(const float* x, float* y, int c, int heads) {\n"
      "  float4 v = *(const float4*)(x + c / heads * blockIdx.x);\n  y[threadIdx.x] = v.x; }\n"
      "void run(float* x, float* y, int c, int heads) { f<<<2, 64>>>(x, y, c, heads); }\n",
      "--fail-on misaligned");
  EXPECT_EQ(r.exit_code, 0) << r.errors;
  EXPECT_NE(r.errors.find("with c = 1024, heads = 1024, as is assumed: --set c=… says otherwise"), std::string::npos)
      << r.errors;
}

TEST(CheckRules, WhoseThreadEndedAccessesNothing) {
  for (const char* end : {"__trap();", "asm volatile(\"exit;\");", "asm volatile(\"trap;\");"})
    EXPECT_EQ(rules(std::string("if (t >= 32) ") + end + "\n  s[2 * t + 64] = 1;"), Lines{}) << end;
  EXPECT_EQ(rules("if (t < 32) __trap();\n  s[2 * t + 64] = 1;"), (Lines{"out-of-bounds"}));
  EXPECT_EQ(rules("goto end;\n  s[t + 128] = 1;\nend:\n  y[t] = 0;"), Lines{});
}

TEST(CheckRules, PlacesAreWithinTheArrayAndAligned) {
  EXPECT_EQ(rules("s[t + 65] = 1;"), (Lines{"out-of-bounds"}));
  EXPECT_EQ(rules("s[t + 64] = 1;"), Lines{});
  EXPECT_EQ(rules("*(float2*)&s[t + 1] = make_float2(1, 2);"), (Lines{"misaligned"}));
}

// What nobody tells is enough.
TEST(CheckRules, DynamicSharedMemoryEndsWhereTheLaunchSays) {
  const auto first_told = [](const std::string& host) {
    const CheckResult r = check_text(
        "__global__ void f(float* y) { extern __shared__ float s[]; float* b = s + 64;\n"
        "  s[threadIdx.x] = b[threadIdx.x] = 1; __syncthreads(); y[threadIdx.x] = s[127 - threadIdx.x]; }\n"
        "int count();\nvoid run(float* y, cudaStream_t st, void** args) { " +
            host + " }\n",
        "--fail-on out-of-bounds");
    return r.exit_code == 4 ? r.errors.substr(r.errors.find("thread"), r.errors.find('\n') - r.errors.find("thread"))
                            : std::to_string(r.exit_code);
  };
  EXPECT_EQ(first_told("f<<<1, 64, 512>>>(y);"), "0");
  EXPECT_EQ(first_told("f<<<1, 64, 384, st>>>(y);"),
            "thread 32 accesses 4 bytes at byte 384 of 's', for which the launch has 384");
  EXPECT_EQ(first_told("f<<<1, 64>>>(y);"), "thread 0 accesses 4 bytes at byte 0 of 's', for which the launch has 0");
  EXPECT_EQ(first_told("size_t bytes = 2 * 64; bytes *= sizeof(float); f<<<1, 64, bytes>>>(y);"), "0");
  EXPECT_EQ(first_told("f<<<1, 64, count() * sizeof(float)>>>(y);"), "0");
  EXPECT_EQ(first_told("cudaLaunchKernel(f, dim3(1), dim3(64), args, 256, st);"),
            "thread 0 accesses 4 bytes at byte 256 of 's', for which the launch has 256");
}

TEST(CheckRules, EachIsSwitchedByItsName) {
  const std::string text = kernel("s[t] = x[t * 8];\n  y[t] = s[t ^ 32];\n  s[t * 2 + 1] = 1;");
  EXPECT_EQ(check_text(text, "--fail-on race").exit_code, 4);
  EXPECT_EQ(check_text(text, "--fail-on out-of-bounds,misaligned").exit_code, 0);
  EXPECT_EQ(check_text(text, "--fail-on uncoalesced").exit_code, 4);
  EXPECT_EQ(check_text(text, "--fail-on-conflicts").exit_code, 4);
  EXPECT_EQ(check_text(text, "--fail-on races").exit_code, 2);
  const auto told = [&](const std::string& arguments) {
    std::set<std::string> found;
    const CheckResult r = check_text(text, arguments);
    for (const auto& d : r.report["diagnostics"]) found.insert(d["rule"].get<std::string>());
    return found;
  };
  EXPECT_EQ(told(""), (std::set<std::string>{"bank-conflict"}));
  EXPECT_EQ(told("--rules all"), (std::set<std::string>{"bank-conflict", "race", "uncoalesced"}));
  EXPECT_EQ(told("--rules uncoalesced"), (std::set<std::string>{"uncoalesced"}));
}

TEST(CheckRules, ALineMayBeIgnored) {
  const std::string text = kernel("s[t] = x[t];\n  y[t] = s[t ^ 32];  // swizzle-ignore: the launch has one warp");
  EXPECT_EQ(check_text(text, "--fail-on race").exit_code, 0);
}

}  // namespace
}  // namespace swizzle::test::check_rules_test
