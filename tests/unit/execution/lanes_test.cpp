// What all threads have alike is held and computed once: nobody can tell, wherever threads part and meet again.
#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "frontend/parse.h"
#include "synth/execution/execute.h"
#include "synth/execution/lanes.h"

namespace swizzle::lanes_test {
namespace {

TEST(Lanes, AreAlikeUntilOneHasItsOwn) {
  Lanes lanes(4, Value::integer(7));
  EXPECT_TRUE(lanes.are_alike());
  EXPECT_EQ(lanes.values().size(), 1u);
  EXPECT_EQ(lanes[3], Value::integer(7));
  lanes.entry(2) = Value::integer(1);
  EXPECT_FALSE(lanes.are_alike());
  EXPECT_EQ(lanes.size(), 4u);
  EXPECT_EQ(lanes[1], Value::integer(7));
  EXPECT_EQ(lanes[2], Value::integer(1));
  lanes.join_alike();
  EXPECT_EQ(lanes[2], Value::integer(1));
  lanes.entry(2) = Value::integer(7);
  lanes.join_alike();
  EXPECT_TRUE(lanes.are_alike());
  EXPECT_EQ(lanes[2], Value::integer(7));
}

TEST(Lanes, OfOneThreadAreAlike) {
  Lanes lanes(1);
  EXPECT_TRUE(lanes.are_alike());
  EXPECT_TRUE(lanes[0].is_undefined());
  lanes.entry(0) = Value::integer(3);
  EXPECT_TRUE(lanes.are_alike());
  EXPECT_EQ(lanes[0], Value::integer(3));
  EXPECT_EQ(Lanes().size(), 0u);
}

constexpr int kThreads = 32;

struct Parting {
  const char* what;
  const char* body;  // leaves in s what a thread t computes
  std::function<int(int)> expected;
};

const std::vector<Parting> kPartings = {
    {"nobody", "s = 3 * 5; s -= 1;", [](int) { return 14; }},
    {"one thread writes", "s = 7; if (t == 3) s = 2;", [](int t) { return t == 3 ? 2 : 7; }},
    {"all write again", "s = 7; if (t == 3) s = 2; s = 4; s += 1;", [](int) { return 5; }},
    {"a copy is taken before", "int k = 7; if (t > 3) k = 2; s = k; k = 1; s = s * 10 + k;",
     [](int t) { return t > 3 ? 21 : 71; }},
    {"each writes an element", "int a[32] = {}; a[t] = 5; for (int k = 0; k < 32; k++) s = s * (k > 1) + a[k] * k;",
     [](int t) { return t > 0 ? 5 * t : 0; }},
    {"one writes an element", "int a[3] = {1, 1, 1}; if (t == 9) a[1] = 5; s = a[0] * 100 + a[1] * 10 + a[2];",
     [](int t) { return t == 9 ? 151 : 111; }},
    {"an element of a row",
     "int a[2][2] = {{1, 2}, {3, 4}}; int* p = a[1]; if (t & 1) p = a[0]; p[1] = 9; "
     "s = a[0][1] * 10 + a[1][1];",
     [](int t) { return t & 1 ? 94 : 29; }},
    {"continue", "for (int k = 0; k < 4; k++) { if (k == t) continue; s += k + 1; }",
     [](int t) { return t < 4 ? 10 - t - 1 : 10; }},
    {"break", "s = 1; while (s < 64) { s *= 2; if (s > t) break; }",
     [](int t) {
       int s = 1;
       while (s < 64)
         if ((s *= 2) > t) break;
       return s;
     }},
    {"loops of different lengths", "for (int i = 0; i < t % 3; i++) { int v = i; v++; s += v; }",
     [](int t) { return t % 3 == 2 ? 3 : t % 3; }},
    {"a function returns early", "s = early(t) * 10 + early(2);", [](int t) { return t < 3 ? 11 : 21; }},
    {"a function under a condition", "s = 4; if (t % 2) s = early(s); else s = twice(s);",
     [](int t) { return t % 2 ? 2 : 8; }},
    {"a parameter is written", "int k = 3; add(k, t == 5); s = k; k = 4; add(k, true); s = s * 10 + k;",
     [](int t) { return t == 5 ? 45 : 35; }},
    {"a reference", "int a = 1, b = 2; int& r = t == 0 ? a : b; r += 3; s = a * 10 + b;",
     [](int t) { return t == 0 ? 42 : 15; }},
    {"members", "Pair p = {1, 2}; if (t > 7) p.b = 4; Pair q = p; q.a += 1; s = p.a * 100 + q.a * 10 + q.b;",
     [](int t) { return t > 7 ? 124 : 122; }},
    {"a switch", "s = 3; switch (t) { case 1: s = 8; break; case 2: s = 9; default: s += 1; }",
     [](int t) { return t == 1   ? 8
                        : t == 2 ? 10
                                 : 4; }},
    {"a switch that none leaves",
     "int k = 2; switch (k) { case 1: s = 8; break; case 2: s = 9; break; default: s = t; }", [](int) { return 9; }},
    {"a conditional of what is alike", "int k = 2; s = k == 2 ? t : 77; s += k != 2 ? 40 : k;",
     [](int t) { return t + 2; }},
    {"one side is known", "int k = 0; s = k && t > 3 ? 5 : 6; s = s * 10 + (k == 0 || t > 3);", [](int) { return 61; }},
    {"a shuffle of what is alike", "s = 3; if (t == 1) s = 4; s = __shfl_xor_sync(~0u, s, 1) * 10 + s;",
     [](int t) { return (t == 0 ? 4 : 3) * 10 + (t == 1 ? 4 : 3); }},
    {"half of the warp shuffles", "s = 3; if (t < 16) s = __shfl_sync(0xffffu, t, 5);",
     [](int t) { return t < 16 ? 5 : 3; }},
    {"threads leave", "if (t >= 20) { y[t] = x[99]; return; } s = 6; s++;", [](int t) { return t >= 20 ? 99 : 7; }},
    {"a register's neighbours", "int2 v = make_int2(1, 2); if (t == 2) v.y = 5; int2 w = v; s = w.x * 10 + w.y;",
     [](int t) { return t == 2 ? 15 : 12; }},
    {"rows of threads", "s = threadIdx.y * 10 + blockDim.x % 10;", [](int) { return 2; }},
};

TEST(Lanes, WhereThreadsPartAreWhatEachHas) {
  const std::string before =
      "struct Pair { int a, b; };\n"
      "__device__ int early(int v) { if (v < 3) return 1; return 2; }\n"
      "__device__ int twice(int v) { return 2 * v; }\n"
      "__device__ void add(int& to, bool also) { if (also) to += 1; }\n";
  for (const Parting& parting : kPartings) {
    SCOPED_TRACE(parting.what);
    const auto program = parse_kernel(
        SourceText("k.cu", before + "__global__ void f(const int* x, int* y) {\n  int t = threadIdx.x, s = 0;\n  " +
                               parting.body + "\n  y[t] = x[s];\n}\n"),
        "f");
    ASSERT_TRUE(program.ok()) << render(program.errors()[0]);
    Execution how;
    how.shape = LaunchShape{{1, 1, 1}, {kThreads, 1, 1}};
    how.extents = std::vector<std::int64_t>{1000, kThreads};
    how.step_limit = 1'000'000;
    Provenance provenance;
    PointTable points;
    const auto trace = execute(*program, how, provenance, points);
    ASSERT_TRUE(trace.ok()) << render(trace.errors()[0]);
    for (int t = 0; t < kThreads; ++t) {
      ASSERT_TRUE(trace->cells[1].contains(t));
      EXPECT_EQ(trace->cells[1].at(t).value, provenance.input(BufferId(0), parting.expected(t), Scalar::kI32)) << t;
    }
  }
}

// Under a hole's condition each thread keeps what it had where the hole says no.
TEST(Lanes, UnderAHoleKeepWhatTheyHad) {
  const auto program =
      parse_kernel(SourceText("k.cu",
                              "__global__ void f(const int* x, int* y) {\n  int t = threadIdx.x, s = 4;\n"
                              "  if (?sw_cond(t)) s = 6;\n  y[t] = x[s];\n}\n"),
                   "f");
  ASSERT_TRUE(program.ok()) << render(program.errors()[0]);
  Execution how;
  how.shape = LaunchShape{{1, 1, 1}, {4, 1, 1}};
  how.extents = std::vector<std::int64_t>{64, 4};
  Provenance provenance;
  PointTable points;
  const auto trace = execute(*program, how, provenance, points);
  ASSERT_TRUE(trace.ok()) << render(trace.errors()[0]);
  ASSERT_EQ(points.size(), 4u);
  for (const int says : {0, 1}) {
    PointId blocked;
    const Value v =
        provenance.resolve(trace->cells[1].at(2).value, Assignment{1 - says, 1 - says, says, 1 - says}, blocked);
    EXPECT_EQ(v, provenance.input(BufferId(0), says == 1 ? 6 : 4, Scalar::kI32)) << says;
  }
}

}  // namespace
}  // namespace swizzle::lanes_test
