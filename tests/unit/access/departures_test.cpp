// Leaves that data decide, and what is sure behind them: who takes part in what follows, and what they hold then.
#include "synth/access/departures.h"

#include <gtest/gtest.h>

#include "frontend/parse_check.h"
#include "synth/access/access_trace.h"

namespace swizzle::departures_test {
namespace {

constexpr const char* kFunctions =
    "__device__ void doubled(const int* k, int& i) { if (k[0]) return; i = 2 * i; }\n"
    "__device__ int chosen(const int* k, int i) { for (int j = 0; j < 2; ++j) { if (k[j]) continue; return i; } "
    "return 2 * i; }\n"
    "__device__ int twice(int i) { if (i < 8) return 2 * i; return 2 * i; }\n";

// Each access to shared memory of a block of 32: "2/4" of 2 requests in 4 wavefronts, "-" where the address is
// unknown; "?" behind it if it is conditional.
std::string counted(const std::string& body) {
  const auto kernels =
      parse_for_check(SourceText("a.cu", std::string(kFunctions) +
                                             "__global__ void f(const int* k, int n) {\n  __shared__ int s[4096];\n"
                                             "  int t = threadIdx.x, j = t;\n  " +
                                             body + "\n}\n"),
                      "");
  EXPECT_TRUE(kernels.ok()) << body;
  if (!kernels.ok()) return "";
  TraceOptions options;
  options.sizes = {{"n", 80}};
  options.shape.block = {32, 1, 1};
  std::string text;
  for (const AccessSite& s : trace_accesses(kernels->kernels[0].program, options).sites) {
    if (s.space != MemorySpace::kShared) continue;
    text += text.empty() ? "" : " ";
    text += s.not_counted > 0 ? "-" : std::to_string(s.requests) + "/" + std::to_string(s.total);
    text += s.is_conditional ? "?" : "";
  }
  return text;
}

TEST(Departures, WhatOnlyThoseChangedWhoStayedIsUnknownWhereTheOthersAreBack) {
  EXPECT_EQ(counted("for (int i = 0; i < 2; ++i) { if (k[i]) continue; j = 2 * t; } s[j] = 1;"), "-");
  EXPECT_EQ(counted("for (int i = 0; i < 4; ++i) { if (k[i]) break; j += 32; } s[t * j] = 1;"), "-");
  EXPECT_EQ(counted("doubled(k, j); s[j] = 1;"), "-");
  EXPECT_EQ(counted("switch (n) { case 80: if (k[0]) break; j = 2 * t; } s[j] = 1;"), "-");
  EXPECT_EQ(counted("int p[2] = {t, t}; for (int i = 0; i < 2; ++i) { if (k[i]) continue; p[i] = 0; } s[p[1]] = 1;"),
            "-");
  // Behind several leaves it is what it was at each of them.
  EXPECT_EQ(
      counted("for (int i = 0; i < 2; ++i) { if (k[0]) continue; j = 2 * t; if (k[1]) continue; j = t; } s[j] = 1;"),
      "-");
}

TEST(Departures, UntilThenTheyHoldWhatThoseChangedWhoStayed) {
  EXPECT_EQ(counted("for (int i = 0; i < 2; ++i) { if (k[i]) continue; j = 2 * t; s[j] = 1; }"), "2/4?");
  EXPECT_EQ(counted("if (k[t]) return; j = 2 * t; s[j] = 1;"), "1/2?");
  EXPECT_EQ(counted("for (int i = 0; i < 2; ++i) { if (k[i]) continue; int o = 2 * t; s[o] = 1; } s[j] = 1;"),
            "2/4? 1/1");
  EXPECT_EQ(counted("for (int i = t; i < n; i += 32) { if (k[i]) continue; s[2 * i] = 1; }"), "3/5?");
  EXPECT_EQ(counted("for (int i = 0; i < 2; ++i) { if (k[i]) continue; j = t; } s[j] = 1;"), "1/1");
}

TEST(Departures, WhoSurelyLeavesBehindAPerhapsComesBackWithThoseWhoHadLeft) {
  EXPECT_EQ(counted("for (int i = 0; i < 2; ++i) { s[t * 2] = i; if (k[i]) continue; if (t < 16) break; }"), "2/4?");
  EXPECT_EQ(counted("for (int i = 0; i < 2; ++i) { if (k[i]) continue; return; } s[t * 4] = 1;"), "1/4?");
  EXPECT_EQ(counted("for (int i = 0; i < 2; ++i) { if (k[i]) break; return; } s[t * 4] = 1;"), "1/4?");
  EXPECT_EQ(counted("switch (n) { case 80: if (k[0]) break; return; } s[t * 4] = 1;"), "1/4?");
  EXPECT_EQ(counted("s[chosen(k, t)] = 1;"), "-");
  // Not before: here those of t < 16 have either continued or returned.
  EXPECT_EQ(counted("for (int i = 0; i < 1; ++i) { if (k[i]) continue; if (t < 16) return; s[t * 2] = 1; }"), "1/1?");
}

TEST(Departures, WhoLeavesInABranchThatDataDecideIsOutOfTheRestOfIt) {
  EXPECT_EQ(counted("if (k[t] > 0) { if (t >= 16) return; s[t * 2] = 1; } s[t * 2] = 2;"), "1/1? 1/2?");
  EXPECT_EQ(counted("for (int i = 0; i < 2; ++i) if (k[t] > 0) { if (t < 16) continue; s[t * 2] = 1; }"), "2/2?");
  EXPECT_EQ(counted("switch (k[t]) { case 0: if (t < 16) break; s[t * 2] = 1; break; case 1: s[t * 2] = 2; }"),
            "1/1? 1/2?");
  EXPECT_EQ(counted("if (t < 4) return; if (k[t]) j = t; s[t * 8] = 1;"), "1/7");
}

TEST(Departures, WithinABranchThatDataDecideItsOwnVariablesAreKnown) {
  EXPECT_EQ(counted("if (k[0] > 0) s[twice(t)] = 1;"), "1/2?");
  EXPECT_EQ(counted("if (k[0] > 0) for (int i = t; i < n; i += 32) s[2 * i] = 1;"), "3/5?");
  EXPECT_EQ(counted("if (k[0] > 0) { int i = t; for (;;) { if (i >= n) break; s[2 * i] = 1; i += 32; } }"), "3/5?");
  EXPECT_EQ(counted("if (k[0] > 0) { int i = t; if (k[1] > 0) i = 2 * t; s[i] = 1; }"), "-?");
  EXPECT_EQ(counted("if (k[0] > 0) j = 2 * t; s[j] = 1;"), "-");
  EXPECT_EQ(counted("if (k[0] > 0) { int i = t; k[1] > 0 ? i = 2 * t : 0; s[i] = 1; }"), "-?");
  EXPECT_EQ(counted("if (k[0] > 0) { int i = t; k[1] > 0 && (i = 2 * t); s[i] = 1; }"), "-?");
  EXPECT_EQ(counted("if (k[0] > 0) { int i = t; while (k[i] > 0) { i = 2 * t; break; } s[i] = 1; }"), "-?");
  EXPECT_EQ(counted("if (k[0] > 0) { int i = t; switch (k[1]) { case 1: i = 2 * t; } s[i] = 1; }"), "-?");
}

}  // namespace
}  // namespace swizzle::departures_test
