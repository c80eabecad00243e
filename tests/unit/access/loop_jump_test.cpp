// Loops that are multiplied count as those that are walked round by round.
#include "synth/access/loop_jump.h"

#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "frontend/parse_check.h"

namespace swizzle::loop_jump_test {
namespace {

struct Walk {
  AccessTrace trace;
  std::string text;  // of all that was counted and told
};

Walk walk(const Program& program, bool multiplies_loops, std::int64_t step_limit) {
  TraceOptions options;
  options.sizes = {{"n", 1000}, {"m", 77}};
  options.shape.block = {32, 2, 1};
  options.shape.grid = {3, 1, 1};
  options.multiplies_loops = multiplies_loops;
  options.step_limit = step_limit;
  Walk out{trace_accesses(program, options), ""};
  for (const AccessSite& s : out.trace.sites)
    out.text += fmt::format("{} {} {}: {} x {}/{}, {}/{}, open {}, {}\n", s.range.begin, s.bits, s.array, s.requests,
                            s.worst, s.worst_ideal, s.total, s.total_ideal, s.not_counted, s.is_conditional);
  for (const Diagnostic& d : out.trace.remarks)
    if (d.message.find(" shifts ") == std::string::npos) out.text += render(d);  // of each round that is walked
  return out;
}

constexpr std::int64_t kEnough = 1'000'000'000;

Program parsed_body(const std::string& body) {
  const auto kernels =
      parse_for_check(SourceText("a.cu",
                                 "__device__ int twice(int i) { if (i < 0) return 0; return 2 * i; }\n"
                                 "__global__ void f(const float* x, const int* k, float* y, int n, int m) {\n"
                                 "  __shared__ float s[4096];\n  __shared__ float2 w[2048];\n"
                                 "  int t = threadIdx.x, r = threadIdx.y;\n  float sum = 0;\n" +
                                     body + "\n  y[t] = sum;\n}\n"),
                      "");
  EXPECT_TRUE(kernels.ok()) << body;
  return kernels.ok() ? kernels->kernels[0].program : Program();
}

// Whether both ways agree; how many steps the shorter needs is seen by a limit that the longer exceeds.
void expect_same(const std::string& body) {
  const Program program = parsed_body(body);
  EXPECT_EQ(walk(program, true, kEnough).text, walk(program, false, kEnough).text) << body;
}
void expect_multiplied(const std::string& body, std::int64_t step_limit = 30'000) {
  const Program program = parsed_body(body);
  const Walk fast = walk(program, true, step_limit);
  EXPECT_TRUE(fast.trace.is_complete) << body << fast.text;
  EXPECT_FALSE(walk(program, false, step_limit).trace.is_complete) << body;
  EXPECT_EQ(fast.text, walk(program, false, kEnough).text) << body;
}

TEST(LoopJump, RoundsThatOnlyMoveAreMultiplied) {
  expect_multiplied("for (int i = 0; i < 4000; ++i) sum += x[i * 32 + t] * s[t * 32];");
  expect_multiplied("for (int i = 0; i < 4000; i += 4) sum += s[(i % 64) * 32 + t] + s[t * 4 + i % 4];");
  expect_multiplied("for (int i = 0; i < 4000; ++i) sum += s[(i & 31) * 32 + t] + w[(t ^ (i & 7)) * 2].x;");
  expect_multiplied("for (int i = 4000; i > 0; --i) sum += s[((i >> 2) & 3) + t * 32];");
  expect_multiplied("int i = 0; while (i < 4000) { sum += s[t * 2]; i += 1; }");
  expect_multiplied("int i = 0; do { sum += s[t * 2]; i += 1; } while (i < 4000);");
}

TEST(LoopJump, PointersAndPhasesGoOn) {
  expect_multiplied("const float* p = x + t; for (int i = 0; i < 4000; ++i) { sum += *p + s[t * 2]; p += n; }");
  expect_multiplied("int phase = 0; for (int i = 0; i < 4000; ++i) { sum += s[phase * 1024 + t * 2]; phase ^= 1; }");
  expect_multiplied(
      "int at = 0; for (int i = 0; i < 4000; ++i) { sum += s[at * 32 + t]; at = at == 2 ? 0 : at + 1; "
      "at = (at + 1) % 4; }");
}

TEST(LoopJump, FunctionsAndInnerLoopsAreWalkedInIt) {
  expect_multiplied("for (int i = 0; i < 4000; ++i) sum += s[twice(t) + (i & 1)];");
  expect_multiplied("for (int i = 0; i < 1000; ++i) for (int j = 0; j < 8; ++j) sum += s[j * 64 + t * 2];");
  expect_multiplied(
      "for (int i = 0; i < 1000; ++i) { if (t < 16) s[t * 2] = x[i]; else sum += s[t]; "
      "__syncthreads(); }");
}

TEST(LoopJump, RoundsThatDataPerhapsCutShortAreMultiplied) {
  expect_multiplied("for (int i = 0; i < 4000; ++i) { if (k[t]) continue; s[t * 2] = x[i]; }");
  expect_multiplied("int j = t; for (int i = 0; i < 4000; ++i) { s[t * 2] = j; if (k[t]) continue; j += 2; }");
  expect_same(
      "int j = t; for (int i = 0; i < 900; ++i) { if (k[t]) continue; j = 2 * t; if (k[i]) continue; j = t; } s[j] = 1;");
  expect_same("for (int i = 0; i < 900; ++i) { s[t * 2] = i; if (k[t]) continue; if (t < i) break; }");
  expect_same("int j = t; for (int i = 0; i < 900; ++i) { if (k[t]) break; j += 2; } s[j] = 1;");
  expect_same("if (k[0] > 0) { int j = 0; for (int i = t; i < 900; i += 3) { s[i] = 1; ++j; } s[j * 32] = 1; }");
}

TEST(LoopJump, TheLastRoundsMayDoOtherwise) {
  expect_multiplied("for (int i = 0; i < 4000; ++i) { if (i + 1 < 4000) s[t * 2] = x[i]; sum += s[t * 4]; }");
  expect_multiplied("for (int i = 0; i < 4000; ++i) { if (i + 3 < 4000) s[t * 2] = x[i]; sum += s[t * 4]; }");
}

TEST(LoopJump, WhatDependsOnTheRoundIsWalked) {
  expect_same("for (int i = 0; i < 900; ++i) { if (i % 3 == 0) s[t * 2] = 1; else sum += s[t * 4]; }");
  expect_same("for (int i = 0; i < 900; ++i) { if (i > 400) s[t * 2] = 1; else sum += s[t * 4]; }");
  expect_same("for (int i = 0; i < 60; ++i) for (int j = i; j < 60; ++j) sum += s[i * 32 + j];");
  expect_same("for (int i = 0; i < 900; ++i) { if (i == 700) break; sum += s[t * 4]; }");
  expect_same("for (int i = 0; i < 900; ++i) { if (t == i) continue; sum += s[t * 4]; }");
  expect_same("for (int i = 1; i < 1 << 20; i *= 2) sum += s[t * i % 4096];");
  expect_same("int at = 1; for (int i = 0; i < 900; ++i) { at = at * 5 % 1024; sum += s[at * t % 4096]; }");
  expect_same("unsigned at = 4294967000u; for (int i = 0; i < 900; ++i) { ++at; sum += s[(at & 31) * 32 + t % 8]; }");
  expect_same("unsigned char at = 0; for (int i = 0; i < 900; ++i) { ++at; sum += s[at * t % 4096]; }");
  expect_same("for (int i = 0; i < 900; ++i) sum += s[i * t % 4096];");
  expect_same("for (int i = 0; i < 900; ++i) { if (k[i]) sum += s[t * 4]; sum += s[k[i]]; }");
  expect_same("int last = 0; for (int i = 0; i < 900; ++i) { if (i < 500) last = i; } sum = s[t * (last % 7)];");
  expect_same("int c[4] = {0, 1, 2, 3}; for (int i = 0; i < 900; ++i) { c[i % 4] += 4; } sum = s[t * c[1]];");
}

TEST(LoopJump, WhatIsBeyondTheArrayInALaterRoundIsTold) {
  const Program program = parsed_body("for (int i = 0; i < 4000; ++i) sum += s[i * 2 + t];");
  const Walk fast = walk(program, true, 100'000);
  EXPECT_NE(fast.text.find("accesses 4 bytes at byte"), std::string::npos) << fast.text;
  EXPECT_NE(fast.text.find("of 's', which has 16384"), std::string::npos) << fast.text;
}

TEST(LoopJump, ValuesBehindTheLoopAreTheLast) {
  expect_multiplied("int at = 5; for (int i = 0; i < 4000; ++i) { at += 3; sum += s[t]; } sum += s[t * (at % 16)];");
  expect_multiplied(
      "int i = 0, last = 0; for (; i < 4001; i += 2) { last = i; sum += s[t]; } "
      "sum += s[t * (i % 16)] + s[t * (last % 16)];");
}

// Bodies at random: both ways agree in all that is counted.
TEST(LoopJump, RandomLoopsCountAlike) {
  std::mt19937 random(7);
  const auto pick = [&](std::initializer_list<const char*> of) {
    return std::string(of.begin()[random() % of.size()]);
  };
  const auto index = [&] {
    std::string e = pick({"i", "j", "t", "r", "i * 32", "t * 32", "a", "b"});
    for (int part = 0; part < 3; ++part)
      e = fmt::format("({} {} {})", e, pick({"+", "+", "^", "*", "%", "&", ">>", "-", "|", "/"}),
                      pick({"1", "2", "3", "4", "32", "t", "i", "j", "8", "31", "a"}));
    return fmt::format("((unsigned)({})) % 2048", e);
  };
  for (int trial = 0; trial < 60; ++trial) {
    std::string body = fmt::format("int a = 1, b = {}; for (int i = {}; i < 150; i += {}) {{", random() % 9,
                                   random() % 3, 1 + random() % 3);
    const bool has_inner = random() % 2 == 0;
    body += has_inner ? fmt::format("for (int j = 0; j < {}; ++j) {{", 2 + random() % 20) : "{ int j = 3;";
    for (int part = 0; part < 2; ++part) {
      const std::string guard =
          random() % 3 == 0 ? fmt::format("if ({} < {}) ", pick({"t", "i", "j", "a"}), random() % 160) : "";
      body +=
          guard + pick({fmt::format("s[{}] = x[i];", index()).c_str(), fmt::format("sum += s[{}];", index()).c_str(),
                        fmt::format("sum += w[{}].y + x[{}];", index(), index()).c_str()});
    }
    body += "}" + pick({"a += 2;", "a ^= 1;", "b = a; a = b + i;", "b += t;", "a = i % 4;", ""}) + "}";
    expect_same(body + "sum += s[(a * t) & 1023] + s[(b * t) & 1023];");
  }
}

TEST(AffineValues, ArithmeticIsThatOfEachRound) {
  std::mt19937_64 random(11);
  constexpr Operator kOperators[] = {Operator::kAdd, Operator::kSub, Operator::kMul, Operator::kDiv,
                                     Operator::kRem, Operator::kShl, Operator::kShr, Operator::kAnd,
                                     Operator::kOr,  Operator::kXor, Operator::kLt,  Operator::kLe,
                                     Operator::kGt,  Operator::kGe,  Operator::kEq,  Operator::kNe};
  constexpr Scalar kScalars[] = {Scalar::kI32, Scalar::kU32, Scalar::kI64, Scalar::kU64, Scalar::kU8};
  int followed = 0;
  for (int trial = 0; trial < 40000; ++trial) {
    const std::int64_t rounds = 1 + static_cast<std::int64_t>(random() % 40);
    const auto number = [&](int bits) { return static_cast<std::int64_t>(random() % (1ull << (random() % bits + 1))); };
    const auto value = [&](bool is_affine) {
      std::vector<std::int64_t> values, slopes;
      for (int t = 0; t < 2; ++t) {
        values.push_back(number(12) - (random() % 4 == 0 ? number(10) : 0));
        slopes.push_back(is_affine ? (number(7) - number(5)) : 0);
      }
      return LaneValue::affine(values, slopes, rounds);
    };
    const LaneValue a = value(true), b = value(random() % 3 == 0);
    const Operator op = kOperators[random() % std::size(kOperators)];
    const Scalar s = kScalars[random() % std::size(kScalars)];
    const bool swapped = random() % 2 == 0;
    const LaneValue all = swapped ? binary(op, s, b, a) : binary(op, s, a, b);
    if (!all.is_affine() && !all.is_known_everywhere()) continue;
    ++followed;
    for (std::int64_t q = 0; q < rounds; ++q) {
      const LaneValue one =
          swapped ? binary(op, s, b.in_round(q), a.in_round(q)) : binary(op, s, a.in_round(q), b.in_round(q));
      for (int t = 0; t < 2; ++t) {
        ASSERT_TRUE(one.knows(t)) << static_cast<int>(op) << " " << static_cast<int>(s) << " " << a.in_round(q).at(t)
                                  << " " << b.in_round(q).at(t) << swapped;
        ASSERT_EQ(all.in_round(q).at(t), one.at(t)) << static_cast<int>(op) << " " << static_cast<int>(s);
      }
    }
  }
  EXPECT_GT(followed, 5000);
}

TEST(AffineValues, ConversionsAreThoseOfEachRound) {
  const LaneValue v = LaneValue::affine({0, 100}, {3, 2}, 50);
  EXPECT_TRUE(convert(v, Scalar::kI32, Scalar::kI64).is_affine());
  EXPECT_TRUE(convert(v, Scalar::kI32, Scalar::kU8).is_affine());
  EXPECT_FALSE(convert(v, Scalar::kI32, Scalar::kI8).is_affine());    // 147 is none
  EXPECT_TRUE(convert(v, Scalar::kI32, Scalar::kBool).is_unknown());  // 0 in the first round alone
  EXPECT_TRUE(convert(v, Scalar::kI32, Scalar::kF32).is_unknown());
  EXPECT_EQ(v.in_round(4).at(1), 108);
  EXPECT_TRUE(LaneValue::affine({4, 4}, {0, 0}, 9).is_uniform());
}

}  // namespace
}  // namespace swizzle::loop_jump_test
