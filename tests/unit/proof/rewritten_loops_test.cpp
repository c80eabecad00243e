#include <gtest/gtest.h>

#include "frontend/parse.h"
#include "synth/proof/flat_loops.h"
#include "synth/proof/guarded_loops.h"
#include "synth/proof/loop_counters.h"
#include "synth/proof/loop_tails.h"
#include "synth/proof/loops_from_zero.h"
#include "synth/proof/real_bounds.h"
#include "synth/proof/recomputed_elements.h"
#include "synth/proof/tile_loops.h"

namespace swizzle::rewritten_loops_test {
namespace {

Program program_of(const std::string& body) {
  const std::string text =
      "__device__ void touch(int& i) { i += 1; }\n"
      "__global__ void f(int* y, int n, int m) { int i = threadIdx.x; " +
      body + " }\n";
  auto parsed = parse_kernel(SourceText("k.cu", text), "f");
  EXPECT_TRUE(parsed.ok()) << body;
  return parsed.ok() ? *std::move(parsed) : Program();
}

bool owns(const std::string& body) { return with_own_counters(program_of(body)).has_value(); }
bool has_tiles(const std::string& body) { return with_loops_over_elements(program_of(body)).has_value(); }

std::size_t count_of(StmtKind kind, const Program& program) {
  return static_cast<std::size_t>(std::ranges::count(program.stmts, kind, &Stmt::kind));
}

TEST(LoopCounters, BecomeTheLoopsOwn) {
  EXPECT_TRUE(owns("for (; i < n; i += 32) y[i] = 1;"));
  EXPECT_TRUE(owns("for (i = 4; i < n; ++i) y[i] = 1;"));
  EXPECT_TRUE(owns("for (int k = i; k < n; k = k + 32) y[k] = 1;"));
  EXPECT_TRUE(owns("for (int k = i, p = m; k < n; k += 32, p += m) y[k] = p;"));
  EXPECT_TRUE(owns("for (int k = i; k < n;) { y[k] = 1; k += 32; }"));
  const auto counted = with_own_counters(program_of("while (i < n) { y[i] = 1; i += 32; }"));
  ASSERT_TRUE(counted);
  EXPECT_EQ(count_of(StmtKind::kFor, *counted), 1u);
}

TEST(LoopCounters, StayWhereTheyAre) {
  EXPECT_FALSE(owns("for (int k = i; k < n; k += 32) y[k] = 1;"));
  EXPECT_FALSE(owns("while (i < n) { if (m > i) { i += 7; continue; } y[i] = 1; i += 32; }"));
  EXPECT_FALSE(owns("while (i < n) { y[i] = 1; touch(i); i += 32; }"));
  EXPECT_FALSE(owns("int& j = i; while (i < n) { y[j] = 1; i += 32; }"));
  EXPECT_FALSE(owns("while (i < n) { const int s = m; y[i] = s; i += s; }")) << "a step of the body's own";
  EXPECT_FALSE(owns("for (int k = i, p = k; k < n; k += 32, p = k) y[k] = p;"));
  EXPECT_FALSE(owns("for (int k = i, s = 1; k < n; k += s, s += 1) y[k] = s;"));
  EXPECT_FALSE(owns("while (i > m) { y[i] = 1; i -= 32; }"));
}

TEST(LoopTails, AreOfInnermostLoopsOverSizes) {
  const auto divides = [](const std::string& body) {
    const auto divided = with_loop_tails(program_of(body), {{"n", 4}});
    return divided ? count_of(StmtKind::kFor, *divided) : 0;
  };
  EXPECT_EQ(divides("for (int k = 0; k < n; k++) y[k] = i;"), 2u);
  EXPECT_EQ(divides("for (int r = 0; r < n; r++) for (int k = 0; k < n; ++k) y[k] = i;"), 3u);
  EXPECT_EQ(divides("for (int k = 0; k < m; k++) y[k] = i;"), 0u) << "of another size";
  EXPECT_EQ(divides("for (int k = 1; k < n; k++) y[k] = i;"), 0u);
  EXPECT_EQ(divides("for (int k = 0; k < n; k += 2) y[k] = i;"), 0u);
  EXPECT_EQ(divides("for (int k = 0; k <= n; k++) y[k] = i;"), 0u);
  EXPECT_EQ(divides("for (int k = 0; k < n; k++) { y[k] = i; k++; }"), 0u);
  EXPECT_EQ(divides("for (int k = 0; k < n; k++) { if (k == i) break; y[k] = i; }"), 0u);
}

TEST(LoopsFromZero, AreOfSizesAndOneStep) {
  const auto begins = [](const std::string& body) { return with_loops_from_zero(program_of(body)).has_value(); };
  EXPECT_TRUE(begins("for (int k = 1; k < n - 1; k++) y[k] = i;"));
  EXPECT_TRUE(begins("for (unsigned k = 3; k <= n; ++k) { if (k == m) continue; y[k] = i; }"));
  EXPECT_FALSE(begins("for (int k = 0; k < n; k++) y[k] = i;"));
  EXPECT_FALSE(begins("for (int k = 1; k < 4; k++) y[k] = i;"));
  EXPECT_FALSE(begins("for (int k = 1; k < n; k += 2) y[k] = i;"));
  EXPECT_FALSE(begins("for (int k = -1; k < n; k++) y[k + 1] = i;"));
  EXPECT_FALSE(begins("for (int k = m; k < n; k++) y[k] = i;"));
  EXPECT_FALSE(begins("for (int k = 1; k < n; k++) { y[k] = i; k++; }"));
  EXPECT_FALSE(begins("for (unsigned char k = 1; k < n; k++) y[k] = i;")) << "never ends";
}

TEST(TileLoops, GoOverElements) {
  EXPECT_TRUE(has_tiles("for (int t = 0; t < (n + 15) / 16; ++t) y[t * 16] = i;"));
  EXPECT_TRUE(has_tiles("const int tiles = (n + 16 - 1) / 16; for (int t = i; t < tiles; t += 2) y[t * 16] = i;"));
  EXPECT_TRUE(has_tiles("for (int t = 0; t * 16 < n; ++t) y[t * 16] = i;"));
  EXPECT_TRUE(has_tiles("for (int t = 0; t < (n - 1) / 16 + 1; ++t) y[t * 16] = i;"));
  EXPECT_TRUE(has_tiles("for (int t = i; 24 * t < n; t += 2) { if (t == m) continue; y[t] = i; }"));
  EXPECT_TRUE(has_tiles("int tiles = (n - 1 + 6) / 6; for (int t = blockIdx.x; t < tiles; t += gridDim.x) y[t] = 1;"));
}

TEST(TileLoops, AreLeftWhereTheyAreSomethingElse) {
  EXPECT_FALSE(has_tiles("for (int t = 0; t < n / 16; ++t) y[t] = i;"));
  EXPECT_FALSE(has_tiles("for (int t = 0; t < (n + 14) / 16; ++t) y[t] = i;"));
  EXPECT_FALSE(has_tiles("for (int t = 0; t < (n - 2) / 16 + 1; ++t) y[t] = i;"));
  EXPECT_FALSE(has_tiles("for (int t = 0; t < (n - 1) / 16 + 2; ++t) y[t] = i;"));
  EXPECT_FALSE(has_tiles("for (int t = 0; t <= (n + 15) / 16; ++t) y[t] = i;"));
  EXPECT_FALSE(has_tiles("for (int t = 0; t < (i + 15) / 16; ++t) { y[t] = i; ++i; }"));
  EXPECT_FALSE(has_tiles("int tiles = (n + 15) / 16; --tiles; for (int t = 0; t < tiles; ++t) y[t] = i;"));
  EXPECT_FALSE(has_tiles("for (int t = 0; t < (n + 15) / 16; ++t) { y[t] = i; ++t; }"));
  EXPECT_FALSE(has_tiles("for (int t = 0; t * 16 <= n; ++t) y[t] = i;"));
  EXPECT_FALSE(has_tiles("for (int t = 0; t * m < n; ++t) y[t] = i;"));
  EXPECT_FALSE(has_tiles("for (int t = 0; t * -16 < n; ++t) y[t] = i;"));
  EXPECT_FALSE(has_tiles("for (int t = 0; t * 16 < n; ++t) { y[t] = i; ++t; }"));
  EXPECT_FALSE(has_tiles("for (int t = 0; t * 16ll < n; ++t) y[t] = i;"));
  EXPECT_FALSE(has_tiles("for (unsigned t = 0; t < (n + 15) / 16; ++t) y[t] = i;"));
}

TEST(RealBounds, AreOfIntegers) {
  const auto bounded = [](const std::string& body) { return with_integer_bounds(program_of(body)).has_value(); };
  EXPECT_TRUE(bounded("for (int t = 0; t < ceil(n / 16.0f); ++t) y[t] = i;"));
  EXPECT_TRUE(bounded("for (int t = 0; t < ceilf((float)n / 16); t += 2) y[t] = i;"));
  EXPECT_TRUE(bounded("const int tiles = (int)ceil(n / 10.0); for (int t = 1; t < tiles; ++t) y[t] = i;"));
  EXPECT_FALSE(bounded("for (int t = 0; t < ceil(n / 0.5f); ++t) y[t] = i;"));
  EXPECT_FALSE(bounded("for (int t = 0; t <= ceil(n / 16.0f); ++t) y[t] = i;"));
  EXPECT_FALSE(bounded("for (int t = 0; t < floor(n / 16.0f); ++t) y[t] = i;"));
  EXPECT_FALSE(bounded("for (int t = -1; t < ceil(n / 16.0f); ++t) y[t + 1] = i;")) << "below 0 they differ";
  EXPECT_FALSE(bounded("for (int t = 0; t < ceil(n / (float)m); ++t) y[t] = i;"));
  EXPECT_FALSE(bounded("for (int t = 0; t < ceil(n / 16); ++t) y[t] = i;")) << "of an integer";
}

TEST(RecomputedElements, AreThoseThatALoopKeeps) {
  const auto recomputed = [](const std::string& first, const std::string& between, const std::string& last) {
    const std::string head = "for (int c = i; c < n; c += 32)";
    return with_recomputed_elements(
               program_of("int s = 0; " + head + " { " + first + " } " + between + " " + head + " { " + last + " }"))
        .has_value();
  };
  EXPECT_TRUE(recomputed("y[c] = c * m; s += y[c];", "", "y[c] += s;"));
  EXPECT_TRUE(recomputed("const int v = c * m; y[m + c] = v + 1;", "s += m;", "s += y[m + c];"));
  EXPECT_TRUE(recomputed("if (c > 3) s += 1; y[c] = m; if (c > 5) s += y[c];", "", "if (c > 6) s += y[c]; y[c] = s;"));
  EXPECT_FALSE(recomputed("y[c] = s; s += 1;", "", "y[c] += s;")) << "of what changes";
  EXPECT_FALSE(recomputed("y[c] = m; s += y[c];", "", "y[c + 1] += s;")) << "another element";
  EXPECT_FALSE(recomputed("y[c / 2] = m; s += y[c / 2];", "", "y[c / 2] += s;")) << "one element of several";
  EXPECT_FALSE(recomputed("y[c] = m;", "y[i] = 7;", "y[c] += s;")) << "stored between";
  EXPECT_FALSE(recomputed("y[c] = m;", "for (int c = 0; c < n; c += 32) s += y[c];", "y[c] += s;")) << "another head";
  EXPECT_FALSE(recomputed("if (c > 3) y[c] = m;", "", "y[c] += s;"));
  EXPECT_FALSE(recomputed("s += y[c]; y[c] = m;", "", "y[c] += s;")) << "read first";
  EXPECT_FALSE(recomputed("y[c] = m; if (s > m) break;", "", "y[c] += s;"));
  EXPECT_TRUE(recomputed("y[c] = 0;", "", "for (int k = 0; k < m; k++) if (k != s) y[c] += k;"));
  EXPECT_TRUE(recomputed("y[c] = m;", "", "y[c] += s; s += y[c]; y[c] = s;"));
  EXPECT_FALSE(recomputed("y[c] = m;", "", "atomicAdd(&y[c], s);"));
  EXPECT_FALSE(recomputed("y[c] = __shfl_sync(~0u, c, m);", "", "y[c] += s;"));
  EXPECT_FALSE(recomputed("y[c] = m;", "touch(y[m]);", "y[c] += s;"));
}

bool has_guards(const std::string& body) {
  const Program program = program_of(body);
  const auto counted = with_own_counters(program);
  return with_guards_for_bounds(counted ? *counted : program).has_value();
}

TEST(GuardedLoops, GoOnToTheirOwnBound) {
  EXPECT_TRUE(has_guards("for (int k = m; k < m + 8 && k < n; k++) y[k] = i;"));
  EXPECT_TRUE(has_guards("for (int k = 0; n > 3 * k + m && k < 8; k += 2) y[k] = i;"));
  EXPECT_TRUE(has_guards("for (int k = m; k < (n < m + 8 ? n : m + 8); k++) y[k] = i;"));
  EXPECT_TRUE(has_guards("const int end = min(m + 8, n); for (int k = m; k < end; ++k) y[k] = i;"));
  EXPECT_TRUE(has_guards(
      "for (int b = 0; b < n; b += 8) { const int e = b + 8; for (int k = b; k < min(e, n); ++k) y[k] = i; }"));
  EXPECT_TRUE(
      has_guards("for (int k = 0; k < 8; k++) { const int e = m + k; if (e >= n || e > 99) { break; } y[e] = i; }"));
}

TEST(GuardedLoops, AreLeftWhereTheyAreSomethingElse) {
  EXPECT_FALSE(has_guards("for (int k = m; k < m + 8; k++) if (k < n) y[k] = i;")) << "as it is";
  EXPECT_FALSE(has_guards("for (int k = m; k < 2 * m + 8 && k < n; k++) y[k] = i;"));
  EXPECT_FALSE(has_guards("for (int k = 0; k < 8 && n > m - k; k++) y[k] = i;")) << "may hold again";
  EXPECT_FALSE(has_guards("for (int k = 0; k < 8 && k != n; k++) y[k] = i;"));
  EXPECT_FALSE(has_guards("for (int k = 0; k < 8 && m < n; k++) { y[k] = i; m++; }"));
  EXPECT_FALSE(has_guards("for (int k = 0; k < 8 && k < i; k++) { y[k] = i; touch(i); }"));
  EXPECT_FALSE(has_guards("for (int k = 0; k < 8 && k < n; k++) { y[k] = i; k++; }"));
  EXPECT_FALSE(has_guards("for (int k = 0; k < 8 && k < n; k++) { if (k == i) break; y[k] = i; }"));
  EXPECT_FALSE(has_guards("for (int k = 0; k < 8; k++) { if (m + k >= n) break; if (k == i) break; y[k] = i; }"));
  EXPECT_FALSE(has_guards("for (int k = 0; k < 8; k++) { const int e = y[k]; if (k >= n) break; y[k] = e; }"))
      << "reads on";
  EXPECT_FALSE(has_guards("for (int k = 0; k < 8; k++) { y[k] = i; if (k >= n) break; }"));
  EXPECT_FALSE(has_guards("for (int k = 0; k < 8 && y[k] < n; k++) y[k] = i;"));
  EXPECT_FALSE(has_guards("for (int k = 8; k > 0 && k < n; k--) y[k] = i;"));
  EXPECT_FALSE(has_guards("int k; for (k = m; k < m + 8 && k < n; k++) y[k] = i; y[k] = 7;"));
  EXPECT_FALSE(has_guards("for (int k = m; k < ((size_t)(n - 40) < (size_t)(m + 8) ? n - 40 : m + 8); k++) y[k] = i;"))
      << "n - 40 may be below 0";
  EXPECT_FALSE(has_guards("for (int k = m; (unsigned)k < 8u && k < m + 8; k++) y[k] = i;")) << "of other signs";
}

// By the orders of the factors.
std::size_t nests_of(const std::string& body) {
  const auto spec = parse_spec(SourceText("s.cpp", "void f(int* y, int w, int h, int d) { " + body + " }\n"), "f");
  EXPECT_TRUE(spec.ok()) << body;
  return spec.ok() ? with_nested_loops(*spec).size() : 0;
}

TEST(FlatLoops, AreNestedInEachOrder) {
  EXPECT_EQ(nests_of("for (int i = 0; i < w * h; ++i) y[i] = 1;"), 2u);
  EXPECT_EQ(nests_of("const int n = w * h; for (int i = 0; i < n; i++) y[i] = 1;"), 2u);
  EXPECT_EQ(nests_of("for (size_t i = 0; i < (size_t)w * h * d; ++i) y[i] = 1;"), 6u);
}

TEST(FlatLoops, AreNestedAsTheyAreTakenApart) {
  EXPECT_EQ(nests_of("for (int i = 0; i < w * h; ++i) y[i] = i / w;"), 1u);
  EXPECT_EQ(nests_of("for (int i = 0; i < w * h * 3; ++i) y[i] = i % 3 + i / 3 % w + i / 3 / w;"), 1u);
  EXPECT_EQ(nests_of("for (int i = 0; i < w * (h / 2) * d; ++i) y[i] = i % d + i / d % (h / 2);"), 1u);
  EXPECT_EQ(nests_of("for (int i = 0; i < w * 4; ++i) y[i] = 1;"), 2u);
  EXPECT_EQ(nests_of("for (int i = 0; i < w * h; ++i) y[i] = i / d;"), 2u) << "none is";
}

TEST(FlatLoops, AreLeftWhereTheyAreSomethingElse) {
  EXPECT_EQ(nests_of("for (int i = 0; i < w; ++i) y[i] = 1;"), 0u);
  EXPECT_EQ(nests_of("for (int i = 0; i < 8 * 4; ++i) y[i] = 1;"), 0u);
  EXPECT_EQ(nests_of("for (int i = 0; i < w * (h - 2); ++i) y[i] = 1;"), 0u) << "both may be below 0";
  EXPECT_EQ(nests_of("for (int i = 1; i < w * h; ++i) y[i] = 1;"), 0u);
  EXPECT_EQ(nests_of("for (int i = 0; i < w * h; i += 2) y[i] = 1;"), 0u);
  EXPECT_EQ(nests_of("w += 1; for (int i = 0; i < w * h; ++i) y[i] = 1;"), 0u);
  EXPECT_EQ(nests_of("for (int i = 0; i < w * h; ++i) { if (i > d) break; y[i] = 1; }"), 0u);
  EXPECT_EQ(nests_of("for (int i = 0; i < w * h; ++i) { y[i] = 1; ++i; }"), 0u);
}

}  // namespace
}  // namespace swizzle::rewritten_loops_test
