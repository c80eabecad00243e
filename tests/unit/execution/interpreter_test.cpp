// Execution of small kernels, by what they leave in y.
#include <string>

#include <gtest/gtest.h>

#include "frontend/parse.h"
#include "synth/execution/execute.h"

namespace swizzle::interpreter_test {
namespace {

class Executed {
 public:
  explicit Executed(const std::string& body, std::array<int, 3> block = {4, 1, 1}, const std::string& before = "",
                    std::array<int, 3> grid = {1, 1, 1})
      : program_(parse_kernel(
            SourceText("a.cu",
                       before + "__global__ void f(const int* x, int* y) {\n  int t = threadIdx.x;\n" + body + "\n}\n"),
            "")) {
    if (!program_.ok()) return;
    Execution execution;
    execution.shape = LaunchShape{grid, block};
    execution.extents = std::vector<std::int64_t>{64, 64};
    execution.step_limit = 1'000'000;
    trace_.emplace(execute(*program_, execution, provenance_, points_));
  }

  std::string error() const {
    if (!program_.ok()) return render(program_.errors()[0]);
    return trace_->ok() ? "" : render(trace_->errors()[0]);
  }
  std::string y(std::int64_t slot) {
    if (!error().empty()) return error();
    const auto it = (*trace_)->cells[1].find(slot);
    return it == (*trace_)->cells[1].end() ? "nothing stored"
                                           : provenance_.describe(provenance_.normalize(it->second.value), {"x", "y"});
  }
  const Trace& trace() const { return **trace_; }

 private:
  Result<Program> program_;
  Provenance provenance_;
  PointTable points_;
  std::optional<Result<Trace>> trace_;
};

TEST(Interpreter, TheRightSideOfAnAssignmentComesFirst) {
  EXPECT_EQ(Executed("  int r[2] = {0, 0}, i = 0;\n  r[i] = ++i;\n  y[t] = r[0] * 10 + r[1];").y(0), "1");
}

TEST(Interpreter, EachThreadHasItsOwnParameters) {
  Executed run("  x += 4 * blockIdx.x;\n  x += t == 3;\n  y[4 * blockIdx.x + t] = x[t];", {4, 1, 1}, "", {3, 1, 1});
  EXPECT_EQ(run.y(2), "x[2]");
  EXPECT_EQ(run.y(3), "x[4]");
  EXPECT_EQ(run.y(8), "x[8]");
  EXPECT_EQ(run.y(11), "x[12]");
}

TEST(Interpreter, AConditionalIsAPlace) {
  Executed run("  int a = 1, b = 2;\n  (t < 2 ? a : b) = 7;\n  y[t] = a * 10 + b;");
  EXPECT_EQ(run.y(0), "72");
  EXPECT_EQ(run.y(3), "17");
}

TEST(Interpreter, AConditionalOfConditionalsIsAPlace) {
  Executed run(
      "  int a = 1, b = 2, c = 3;\n  (t == 0 ? a : t == 1 ? b : c) = 7;\n  (t > 0 ? (a = 4) : ++b) += 1;\n  y[t] = a * 100 + b * 10 + c;");
  EXPECT_EQ(run.y(0), "743");
  EXPECT_EQ(run.y(1), "573");
  EXPECT_EQ(run.y(2), "527");
}

TEST(Interpreter, AReferenceToAPostfixIncrementIsToTheOldValue) {
  EXPECT_EQ(
      Executed("  int a = 4;\n  y[t] = id(a++) * 10 + a;", {1, 1, 1}, "__device__ int id(const int& v) { return v; }\n")
          .y(0),
      "45");
}

TEST(Interpreter, AReferenceToAConvertedValueSeesTheConversion) {
  const char* low = "__device__ int low(const unsigned char& v) { return v; }\n";
  EXPECT_EQ(Executed("  y[t] = low(300);", {1, 1, 1}, low).y(0), "44");
  EXPECT_NE(Executed("  y[t] = low(x[t]);", {1, 1, 1}, low).y(0), "x[0]");
}

TEST(Interpreter, ATemporaryIsFreshInEachIteration) {
  EXPECT_EQ(Executed("  int s = 0;\n  for (int k = 0; k < 3; k++) s = s * 10 + id(k + 1);\n  y[t] = s;", {1, 1, 1},
                     "__device__ int id(const int& v) { return v; }\n")
                .y(0),
            "123");
}

TEST(Interpreter, MembersConstructorsAndReferencesWork) {
  const char* types =
      "struct V { int a, b = 5; __device__ V(int v) : a(v) { b += a; } __device__ int& first() { return a; } __device__ V operator+(const V& o) const { V r(a + o.a); return r; } };\n";
  EXPECT_EQ(Executed("  V v(1);\n  v.first() = 3;\n  V w = v + V(4);\n  y[t] = v.a * 1000 + v.b * 100 + w.b;",
                     {1, 1, 1}, types)
                .y(0),
            "3612");
}

TEST(Interpreter, RecursionIsRefused) {
  EXPECT_NE(Executed("  y[t] = g(3);", {1, 1, 1}, "__device__ int g(int k) { return k ? g(k - 1) : 0; }\n")
                .error()
                .find("'g' calls itself"),
            std::string::npos);
}

TEST(Interpreter, LanesFollowXThenY) {
  Executed run("  int v = threadIdx.y * 10 + threadIdx.x;\n  y[threadIdx.y * 2 + threadIdx.x] = __shfl_sync(15, v, 2);",
               {2, 2, 1});
  EXPECT_EQ(run.y(0), "10");
}

TEST(Interpreter, ShufflesStayWithinTheirWidth) {
  const std::string body = "  int v = t * 10;\n  y[t] = ";
  const std::array<int, 3> warp = {32, 1, 1};
  EXPECT_EQ(Executed(body + "__shfl_sync(~0u, v, 5, 4);", warp).y(6), "50");
  EXPECT_EQ(Executed(body + "__shfl_up_sync(~0u, v, 1, 4);", warp).y(4), "40");
  EXPECT_EQ(Executed(body + "__shfl_up_sync(~0u, v, 1, 4);", warp).y(5), "40");
  EXPECT_EQ(Executed(body + "__shfl_down_sync(~0u, v, 1, 4);", warp).y(3), "30");
  EXPECT_EQ(Executed(body + "__shfl_xor_sync(~0u, v, 1, 2);", warp).y(3), "20");
  EXPECT_EQ(Executed(body + "__shfl_sync(~0u, v, -1);", warp).y(0), "310");
}

TEST(Interpreter, AShuffleCountsOnceAWarp) {
  EXPECT_EQ(Executed("  y[t] = __shfl_sync(~0u, x[t], 0);", {64, 1, 1}).trace().counts.shuffles, 1);
}

TEST(Interpreter, ALoadCountsOnceAWarp) {
  const auto loads = [](const std::string& body, const std::string& before = "") {
    Executed run(body, {64, 1, 1}, before);
    EXPECT_EQ(run.error(), "");
    return run.error().empty() ? run.trace().counts.loads : -1;
  };
  EXPECT_EQ(loads("  int v = x[t], w = v + v;\n  y[t] = w;"), 1);
  EXPECT_EQ(loads("  if (t < 32) y[t] = __ldg(x + t);"), 0.5);
  EXPECT_EQ(loads("  __shared__ int s[64];\n  s[t] = 1;\n  y[t] = s[t];"), 0);
  EXPECT_EQ(loads("  y[t] += 1;"), 1);
  EXPECT_EQ(loads("  int4 v = reinterpret_cast<const int4*>(x)[t / 4];\n  y[t] = v.x;"), 1);
  EXPECT_EQ(loads("  int3 v = reinterpret_cast<const int3*>(x)[t / 4];\n  y[t] = v.x;"), 3);
  EXPECT_EQ(loads("  P v = reinterpret_cast<const P*>(x)[t / 4];\n  y[t] = v.a;", "struct P { int a, b; };\n"), 2);
  EXPECT_EQ(loads("  y[t] = reinterpret_cast<const P*>(x)[t / 4].b;", "struct P { int a, b; };\n"), 1);
}

TEST(Interpreter, AWiderScalarTakesSeveralOfItsObject) {
  const std::string shared = "  __shared__ short s[64];\n";
  EXPECT_EQ(
      Executed(shared + "  *reinterpret_cast<int*>(&s[2 * t]) = x[t];\n  y[t] = *reinterpret_cast<int*>(&s[2 * t]);")
          .y(1),
      "x[1]");
  EXPECT_EQ(
      Executed(shared + "  *reinterpret_cast<int*>(&s[2 * t]) = 0x00050003;\n  y[t] = s[2 * t] * 10 + s[2 * t + 1];")
          .y(0),
      "35");
  Executed halves(shared +
                  "  s[2 * t] = 3;\n  s[2 * t + 1] = -1;\n  int* p = reinterpret_cast<int*>(s);\n  y[t] = p[t];");
  EXPECT_EQ(halves.y(2), std::to_string(static_cast<int>(0xffff0003u)));
  EXPECT_EQ(
      Executed(
          shared +
          "  *reinterpret_cast<int4*>(&s[8 * t]) = make_int4(1, 2, 3, x[t]);\n  y[t] = (reinterpret_cast<int4*>(s) + t)->w + s[8 * t + 2];")
          .y(3),
      "2 + x[3]");
}

double wavefronts(const std::string& body) {
  const Executed run(body, {32, 1, 1});
  return run.error().empty() ? run.trace().counts.shared_wavefronts : -1;
}

TEST(Interpreter, SharedAccessesCountTheirWavefronts) {
  EXPECT_EQ(wavefronts("  __shared__ int s[32 * 32];\n  s[32 * t] = x[t];"), 32);
  EXPECT_EQ(wavefronts("  __shared__ int s[32 * 33];\n  s[33 * t] = x[t];"), 1);
  EXPECT_EQ(wavefronts("  __shared__ short s[64 * 32];\n  s[64 * t] = 1;"), 32);
  EXPECT_EQ(wavefronts("  __shared__ int s[128];\n  *reinterpret_cast<int4*>(&s[4 * t]) = make_int4(t, t, t, t);"), 4);
  EXPECT_EQ(wavefronts("  __shared__ int3 s[32];\n  s[t] = make_int3(t, t, t);"),
            3);  // three words of 4 bytes, 12 apart
}

TEST(Interpreter, WideLoadsThatAgreeMergeTheirPhases) {
  const double stored = wavefronts("  __shared__ int2 s[32];\n  s[t] = make_int2(t, t);\n  __syncthreads();");
  EXPECT_EQ(stored, 2);
  EXPECT_EQ(
      wavefronts(
          "  __shared__ int2 s[32];\n  s[t] = make_int2(t, t);\n  __syncthreads();\n  int2 v = s[t / 2];\n  y[t] = v.x;"),
      stored + 1);
}

TEST(Interpreter, LoadCountsItsRegisters) {
  Executed run("  auto r = load(x, 0, 2, 3);\n  y[t] = r[0];");
  EXPECT_EQ(run.error(), "");
  EXPECT_EQ(run.trace().counts.loads, 6);
}

TEST(Interpreter, ALoadUnderAHoleCountsForIt) {
  Executed run("  if (?sw_cond(t)) y[t] = x[t];");
  ASSERT_EQ(run.error(), "");
  EXPECT_EQ(run.trace().counts.loads, 0);
  ASSERT_EQ(run.trace().guarded.size(), 1u);
  EXPECT_EQ(run.trace().guarded[0].counts.loads, 1);
  EXPECT_EQ(run.trace().guarded[0].guards.size(), 4u);
}

TEST(Interpreter, LoadGuardsBothEndsOfABuffer) {
  EXPECT_EQ(Executed("  auto r = load(x, 60, 1, 2);\n  y[t] = r[0];").y(3), "x[63]");
  EXPECT_EQ(Executed("  auto r = load(x, -1, 1, 2);\n  y[t] = t > 0 ? r[0] : 0;").y(3), "x[2]");
  EXPECT_EQ(Executed("  auto r = load(x, t - t - 1u, 1, 2);\n  y[t] = t > 0 ? r[0] : 0;").y(3), "x[2]");
}

struct Meeting {
  const char* name;
  const char* body;
  const char* says;  // empty: fine
};

class Collectives : public testing::TestWithParam<Meeting> {};

TEST_P(Collectives, NeedTheLanesThatTheyName) {
  const std::string error = Executed(GetParam().body).error();
  if (GetParam().says[0] == '\0') EXPECT_EQ(error, "");
  else EXPECT_NE(error.find(GetParam().says), std::string::npos) << error;
}

INSTANTIATE_TEST_SUITE_P(
    Each, Collectives,
    testing::Values(
        Meeting{"LanesThatDoNotExist", "y[t] = __shfl_sync(~0u, t, 0);", ""},
        Meeting{"LanesThatExited", "if (t > 1) return; y[t] = __shfl_sync(15, t, 0);", ""},
        Meeting{"HalvesApart", "if (t < 2) y[t] = __shfl_sync(3, t, 0); else y[t] = __shfl_sync(12, t, 2);", ""},
        Meeting{"HalvesTogether", "y[t] = __shfl_sync(t < 2 ? 3 : 12, t, t);", ""},
        Meeting{"LaneElsewhere", "if (t < 2) y[t] = __shfl_sync(15, t, 0);",
                "the mask 0xf names thread 2, which does not reach this shuffle"},
        Meeting{"OwnLaneMissing", "y[t] = __shfl_sync(1, t, 0);", "thread 1 is not in the mask 0x1 of its own shuffle"},
        Meeting{"MasksDiffer", "y[t] = __shfl_sync(t < 2 ? 15 : 12, t, 0);",
                "threads 0 and 2 come to this shuffle with different masks"},
        Meeting{"MaskOfData", "y[t] = __shfl_sync(x[0], t, 0);", "must not depend on holes or data"},
        Meeting{"UnderData", "if (x[t]) y[t] = __shfl_sync(15, t, 0);", "a shuffle under a condition"},
        Meeting{"VoteUnderAHole", "if (?sw_cond(t)) y[t] = __any_sync(15, 1);", "a vote under a condition"},
        Meeting{"VoteOnData", "y[t] = __any_sync(15, x[t]);", ""},
        Meeting{"VoteOnUndefined", "int v; y[t] = __any_sync(15, t == 1 ? v : x[t]);",
                "this vote is on an undefined value"},
        Meeting{"BarrierMissed", "if (t < 2) __syncthreads();", "thread 2 does not reach this __syncthreads()"},
        Meeting{"BarrierAfterExit", "if (t < 2) return; __syncthreads();", ""},
        Meeting{"RaceWithoutBarrier", "__shared__ int s[4]; s[t] = t; y[t] = s[3 - t];", "a race"},
        Meeting{"WarpBarrier", "__shared__ int s[4]; s[t] = t; __syncwarp(); y[t] = s[3 - t];", ""},
        Meeting{"BufferReadAfterAWrite", "y[t] = t; y[4 + t] = y[3 - t];",
                "threads 3 and 0 use 'y[3]' without a barrier between them: a race"},
        Meeting{"BufferWrittenAfterARead", "int v = y[3 - t]; y[t] = v;", "a race"},
        Meeting{"BufferBehindABarrier", "int v = y[3 - t]; __syncthreads(); y[t] = v;", ""},
        Meeting{"BufferReadByAllOverAndOver", "int v = 0; for (int k = 0; k < 3; k++) v += y[0]; if (t == 1) y[0] = v;",
                "threads 0 and 1 use 'y[0]' without a barrier"},
        Meeting{"BufferReadBehindABarrierAndAgain",
                "int v = y[0]; __syncthreads(); if (t == 2) v += y[0]; if (t == 2) y[0] = v;", ""},
        Meeting{"BufferOfItsOwnThread", "y[t] = t; y[t] += x[t];", ""},
        Meeting{"PartialWarpBarrier", "__shared__ int s[4]; s[t] = t; __syncwarp(t < 2 ? 3 : 12); y[t] = s[3 - t];",
                "a race"}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(Interpreter, AValueThatAnotherThreadWroteTooStays) {
  EXPECT_EQ(Executed("  y[0] = 7;\n  y[0] = 7;").error(), "");
  EXPECT_EQ(Executed("  if (t == 1) y[0] = 7;\n  if (t == 1) y[0] = 8;").y(0), "8");
  EXPECT_NE(
      Executed("  y[0] = 7;\n  if (t == 3) y[0] = 8;").error().find("'y[0]' is written twice with different values"),
      std::string::npos);
}

TEST(Interpreter, BlocksMustNotMeetInABuffer) {
  const auto error = [](const std::string& body) { return Executed(body, {4, 1, 1}, "", {2, 1, 1}).error(); };
  EXPECT_NE(error("  int i = blockIdx.x * 4 + t;\n  int v = y[i + 1];\n  __syncthreads();\n  y[i] = v;")
                .find("blocks 0 and 1 use 'y[4]', and one of them writes it: a race"),
            std::string::npos);
  EXPECT_NE(
      error("  int i = blockIdx.x * 4 + t;\n  y[i] = 1;\n  __syncthreads();\n  y[i + 8] = y[i ^ 4];").find("a race"),
      std::string::npos);
  EXPECT_NE(error("  int v = y[0];\n  __syncthreads();\n  v += y[0];\n  if (blockIdx.x == 1 && t == 0) y[0] = v;")
                .find("a race"),
            std::string::npos);
  EXPECT_EQ(error("  int i = blockIdx.x * 4 + t;\n  y[i] += x[i + 1];"), "");
  EXPECT_EQ(error("  y[0] = 7;"), "");
}

TEST(Interpreter, AReturnFromAFunctionIsNoExit) {
  EXPECT_NE(
      Executed("  g(t);\n  y[t] = 0;", {4, 1, 1}, "__device__ void g(int t) { if (t < 2) return; __syncthreads(); }\n")
          .error()
          .find("thread 0 does not reach"),
      std::string::npos);
}

TEST(Interpreter, VotesCountTheLanesOfTheMask) {
  EXPECT_EQ(Executed("  y[t] = __ballot_sync(15, t & 1);").y(0), "10");
  EXPECT_EQ(Executed("  y[t] = __ballot_sync(t < 2 ? 3 : 12, t & 1);").y(0), "2");
  EXPECT_EQ(Executed("  y[t] = __all_sync(t < 2 ? 3 : 12, t >= 2);").y(3), "1");
  EXPECT_EQ(Executed("  y[t] = __any_sync(t < 2 ? 3 : 12, t >= 2);").y(0), "0");
}

TEST(Interpreter, AHoleHasOneDomain) {
  EXPECT_NE(
      Executed("  y[t] = ?sw_part(t < 2 ? 2 : 3, t);").error().find("this hole is asked with n = 2 and with n = 3"),
      std::string::npos);
}

TEST(Interpreter, AHolesIndexesOutsideAreOneRequirement) {
  Executed run("  y[t] = x[?sw_part(1024, t)];");
  ASSERT_EQ(run.error(), "");
  ASSERT_EQ(run.trace().requirements.size(), 4u);
  EXPECT_EQ(run.trace().requirements[0].message, "index 64 is outside 'x' of 64 elements");
}

TEST(Interpreter, NarrowingUndoesWidening) {
  EXPECT_EQ(Executed("  y[t] = (int)(x[t] + 8ul);").y(0), "8 + x[0]");
  EXPECT_EQ(Executed("  y[t] = (int)((long)x[t] * 3 - 2);").y(0), "-2 + 3 * x[0]");
  EXPECT_NE(Executed("  y[t] = (int)((long)x[t] / 3);").y(0), "/(x[0], 3)");
  EXPECT_NE(Executed("  y[t] = (unsigned char)x[t];").y(0), "x[0]");
}

TEST(Interpreter, DataThatCancelLeaveAConstant) {
  EXPECT_EQ(Executed("  int d = x[t] - x[t] - 1;\n  long w = d;\n  y[t] = w < 0 ? 1 : 2;").y(0), "1");
}

// Where holes decide what is read, one requirement tells of all that may have written there.
TEST(Interpreter, AsksOnceForEachOpenAddressThatItMeetNoOther) {
  const Executed run("  __shared__ int s[64]; s[t] = x[t]; y[t] = s[?sw_xform(t, 64)];", {64, 1, 1});
  ASSERT_EQ(run.error(), "");
  ASSERT_EQ(run.trace().requirements.size(), 64u);
  EXPECT_EQ(run.trace().requirements[5].message,
            "thread 5 uses a word of 's' that others use, without a barrier between them: a race");
  EXPECT_TRUE(Executed("  __shared__ int s[64]; s[t] = x[t]; __syncthreads(); y[t] = s[?sw_xform(t, 64)];", {64, 1, 1})
                  .trace()
                  .requirements.empty());
}

}  // namespace
}  // namespace swizzle::interpreter_test
