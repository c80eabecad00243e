// Launches in host code, over what the kernel is given: frontend/launch_text.h.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "frontend/parse.h"

namespace swizzle::launch_text_test {
namespace {

// The grid of `f<<<grid, t>>>(y, n)`, as a directive has it; empty: it is asked for.
std::string grid_of(const std::string& grid, const std::string& before = "") {
  const std::string host = fmt::format(
      "#include <algorithm>\n#include <cmath>\n{}\n__global__ void f(int* y, int n) {{ y[0] = n; }}\n"
      "void run(int* y, int n, int m, float r, const int* sizes) {{ const int t = 128; f<<<{}, t>>>(y, n); }}\n",
      before, grid);
  const auto parsed = parse_kernel(SourceText("k.cu", host), "f");
  return parsed.ok() && parsed->directives.launch ? parsed->directives.launch->grid[0].text : "";
}

TEST(LaunchText, FollowsFunctionsThatReturn) {
  EXPECT_EQ(grid_of("cdiv(n, t)", "int cdiv(int a, int b) { return (a + b - 1) / b; }"), "(((n + 128) - 1) / 128)");
  EXPECT_EQ(grid_of("cdiv(n, 64)", "template <class A> A cdiv(A a, A b) { return (a + b - 1) / b; }"),
            "(((n + 64) - 1) / 64)");
  EXPECT_EQ(grid_of("blocks(n)", "int blocks(int n, int t = 32) { const int b = (n + t - 1) / t; return b; }"),
            "(((n + 32) - 1) / 32)");
  EXPECT_EQ(grid_of("grid(n)", "dim3 grid(int n) { return dim3(n / 4); }"), "n / 4");
  EXPECT_EQ(grid_of("half(half(n))", "int half(int n) { return n / 2; }"), "((n / 2) / 2)");
  EXPECT_EQ(grid_of("sum(n, sum(1, 2))", "int sum(int a, int b) { return a + b; }"), "n + 3");
}

TEST(LaunchText, FollowsNoFunctionThatDoesMore) {
  EXPECT_EQ(grid_of("next(n)", "int next(int n) { n += 1; return n; }"), "");
  EXPECT_EQ(grid_of("next(n)", "int count; int next(int n) { return n + count; }"), "");
  EXPECT_EQ(grid_of("next(n)", "int next(short n) { return n + 1; }"), "");
  EXPECT_EQ(grid_of("next(n)", "short next(int n) { return n + 1; }"), "");
  EXPECT_EQ(grid_of("next(n)", "int next(int n) { if (n > 4) return 4; return n; }"), "");
  EXPECT_EQ(grid_of("next(n)", "int next(int n);"), "");
  EXPECT_EQ(grid_of("next(m)", "int next(int k) { return k + 1; }"), "m + 1") << "a size that the launch alone knows";
}

TEST(LaunchText, RoundsUpWhereARestIsLeft) {
  for (const char* grid :
       {"n / t + (n % t != 0)", "n / t + (n % t > 0)", "n / t + (n % t ? 1 : 0)", "n / t + (n % t == 0 ? 0 : 1)",
        "n % t ? n / t + 1 : n / t", "n % t == 0 ? n / t : n / t + 1"})
    EXPECT_EQ(grid_of(grid), "((n + 127) / 128)") << grid;
  EXPECT_EQ(grid_of("n / t + n % t"), "((n / 128) + (n % 128))");
  EXPECT_EQ(grid_of("n / t + (n % 64 != 0)"), "");
  EXPECT_EQ(grid_of("n / t + (n % t == 0)"), "");
  EXPECT_EQ(grid_of("n % t ? n / t : n / t + 1"), "");
}

TEST(LaunchText, FollowsOneLimitBehindTheDeclaration) {
  const auto limited = [](const std::string& limit) {
    const std::string host = fmt::format(
        "__global__ void f(int* y, int n) {{ y[0] = n; }}\n"
        "void run(int* y, int n, int m) {{ int g = (n + 127) / 128; {}; f<<<g, 128>>>(y, n); }}\n",
        limit);
    const auto parsed = parse_kernel(SourceText("k.cu", host), "f");
    return parsed.ok() && parsed->directives.launch ? parsed->directives.launch->grid[0].text : "";
  };
  const std::string blocks = "((n + 127) / 128)";
  for (const char* limit : {"if (g > 64) g = 64", "if (g >= 64) { g = 64; }", "if (64 < g) g = 64"})
    EXPECT_EQ(limited(limit), "min(" + blocks + ", 64)") << limit;
  for (const char* limit :
       {"if (g == 0) g = 1", "if (!g) g = 1", "if (g < 1) g = 1", "if (g <= 0) g = 1", "if (0 == g) { g = 1; }"})
    EXPECT_EQ(limited(limit), "max(" + blocks + ", 1)") << limit;
  for (const char* limit : {"if (g > 64) g = 65", "if (g == 64) g = 1", "if (m > 64) g = 64", "if (g != 0) g = 1",
                            "if (g > 64) g = 64; else g = 1", "if (g > 64) g = 64; if (g < 1) g = 1"})
    EXPECT_EQ(limited(limit), "") << limit;
}

TEST(LaunchText, TakesTheSmallerAndTheLarger) {
  EXPECT_EQ(grid_of("std::min(n / t, 64)"), "min((n / 128), 64)");
  EXPECT_EQ(grid_of("std::max(1, n / t)"), "max(1, (n / 128))");
  EXPECT_EQ(grid_of("n < 64 ? n : 64"), "min(n, 64)");
  EXPECT_EQ(grid_of("n >= 64 ? 64 : n"), "min(64, n)");
  EXPECT_EQ(grid_of("n > 64 ? n : 64"), "max(n, 64)");
  EXPECT_EQ(grid_of("n < 65 ? n : 64"), "");
}

TEST(LaunchText, ShiftsWhatIsNotBelow0) {
  EXPECT_EQ(grid_of("(n + 127) >> 7"), "((n + 127) / 128)");
  EXPECT_EQ(grid_of("n << 1"), "n * 2");
  EXPECT_EQ(grid_of("(n - 1) >> 7"), "");
}

TEST(LaunchText, RoundsQuotientsOfFloats) {
  for (const char* grid : {"ceil((double)n / t)", "std::ceil(n / 128.0)", "ceil(1.0 * n / t)", "ceilf((float)n / t)",
                           "(int)ceil((float)n / (float)t)"})
    EXPECT_EQ(grid_of(grid), "((n + 127) / 128)") << grid;
  EXPECT_EQ(grid_of("(float)n / t"), "n / 128");
  EXPECT_EQ(grid_of("floor(n / 128.0f) + 1"), "");
  EXPECT_EQ(grid_of("(int)floor(n / 128.0) + 1"), "((n / 128) + 1)");
  for (const char* grid : {"(float)n / t * 2", "n * 0.5", "ceil(r * n)", "ceil(n / r)", "n / 1.5", "round(n / 128.0)"})
    EXPECT_EQ(grid_of(grid), "") << grid;
}

// Which holds integers up to 2^24.
TEST(LaunchText, KeepsWhatAFloatHolds) {
  const auto assumptions = [](const std::string& grid) {
    const auto parsed = parse_kernel(
        SourceText("k.cu",
                   "#include <cmath>\n__global__ void f(int* y, int n) { y[0] = n; }\nvoid run(int* y, int n) { f<<<" +
                       grid + ", 64>>>(y, n); }\n"),
        "f");
    return parsed.ok() ? parsed->directives.assumptions : std::vector<Assumption>();
  };
  ASSERT_EQ(assumptions("ceil((float)n / 64)").size(), 1u);
  EXPECT_EQ(assumptions("ceil((float)n / 64)")[0].right.text, "16777215");
  EXPECT_TRUE(assumptions("ceil((double)n / 64)").empty());
}

// Of `f<<<g, 64>>>(y, n)` behind the statements; empty: it is asked for.
std::string grid_behind(const std::string& statements, const std::string& before = "") {
  const auto parsed = parse_kernel(
      SourceText("k.cu", before + "\n__global__ void f(int* y, int n) { y[0] = n; }\nvoid run(int* y, int n) { " +
                             statements + " f<<<g, 64>>>(y, n); }\n"),
      "f");
  return parsed.ok() && parsed->directives.launch ? parsed->directives.launch->grid[0].text : "";
}

TEST(LaunchText, FollowsTheOnlyChangeOfAVariable) {
  EXPECT_EQ(grid_behind("int g; g = n / 64;"), "n / 64");
  EXPECT_EQ(grid_behind("int g = 4; g = n / 64;"), "n / 64");
  for (const char* more : {"if (n % 64) g++;", "if (n % 64 != 0) { g += 1; }", "if (n % 64 > 0) ++g;"})
    EXPECT_EQ(grid_behind(std::string("int g = n / 64; ") + more), "((n + 63) / 64)") << more;
  for (const char* more :
       {"if (n % 64 == 0) g++;", "if (n % 32) g++;", "if (n % 64) g += 2;", "if (n % 64) g++; else g = 1;",
        "if (n % 64) g++; g++;", "if (n > 5) g = n;", "g = g + 1;", "while (n % 64) g++;",
        "for (int i = 0; i < 2; ++i) if (n % 64) g++;", "int* p = &g; g = n;", "again: g = n; if (n == 4) goto again;"})
    EXPECT_EQ(grid_behind(std::string("int g = n / 64; ") + more), "") << more;
  EXPECT_EQ(grid_behind("int g = n / 64; auto later = [&] { return 1; };"), "n / 64");
}

TEST(LaunchText, MindsNothingThatFollowsTheLaunch) {
  const auto grid_in = [](const std::string& body) {
    const auto parsed = parse_kernel(
        SourceText("k.cu",
                   "__global__ void f(int* y, int n) { y[0] = n; }\nvoid run(int* y, int n, int b) { " + body + " }\n"),
        "f");
    return parsed.ok() && parsed->directives.launch ? parsed->directives.launch->grid[0].text : "";
  };
  const std::string launch = " f<<<g, 64>>>(y, n); ";
  EXPECT_EQ(grid_in("int g = n / 64;" + launch + "g = 4; n++;"), "n / 64");
  EXPECT_EQ(grid_in("b = 32; const int g = n / b;" + launch + "b = 64;"), "n / 32");
  EXPECT_EQ(grid_in("int g = n / 64; for (int i = 0; i < 2; ++i) {" + launch + "g = 4; }"), "");
  EXPECT_EQ(grid_in("int g = n / 64; again:" + launch + "g = 4; if (n > 8) goto again;"), "");
  EXPECT_EQ(grid_in("int g = n / 64; auto later = [&] {" + launch + "}; g = 4; later();"), "");
}

TEST(LaunchText, IsAskedForWhereAVariableMayHaveChanged) {
  const std::string grid = "int g = n / 64; ", take = R"(struct S { int& r; S(int& g) : r(g) {} void set() { r = 1; } };
struct T { int& r; };
void cut(const int& a) { const_cast<int&>(a) /= 2; })";
  EXPECT_EQ(grid_behind(grid, take), "n / 64");
  EXPECT_EQ(grid_behind(grid + "const int h = g + 1; auto k = [&] { return g; };"), "n / 64");
  for (const char* change : {"int z; (n > 0 ? g : z) = 1;", "int z; (z, g) = 1;", "auto k = [&h = g] { h = 1; }; k();",
                             "S s(g); s.set();", "T t{g}; t.r = 1;", "const int& r = g; (int&)r = 1;",
                             "const int& r = g; const_cast<int&>(r) = 1;", "cut(g);", "some::unknown(g) = 3;"})
    EXPECT_EQ(grid_behind(grid + change, take), "") << change;
}

// What is made at the first call is of that one's sizes: a size of its own.
TEST(LaunchText, TakesNothingThatOutlivesTheCall) {
  for (const char* made : {"static int g = n / 64;", "static const int g = n / 64;", "thread_local int g = n / 64;"})
    EXPECT_EQ(grid_behind(made), "g") << made;
  EXPECT_EQ(grid_behind("static auto k = [=] { return n / 64; }; const int g = k();"), "");
  EXPECT_EQ(grid_behind("int g = once(n);", "int once(int n) { static int blocks = n / 64; return blocks; }"), "");
  EXPECT_EQ(grid_behind("static const int g = 4;"), "4");
}

TEST(LaunchText, IsAskedForWhereMemoryDecides) {
  for (const char* grid : {"sizes[0]", "*sizes", "n & m", "n - (n > 4)"}) EXPECT_EQ(grid_of(grid), "") << grid;
}

}  // namespace
}  // namespace swizzle::launch_text_test
