#include "frontend/parse.h"

#include <string>

#include <gtest/gtest.h>

#include "frontend/parse_check.h"

namespace swizzle::parse_test {
namespace {

Result<Program> parsed(const std::string& text) { return parse_kernel(SourceText("a.cu", text), ""); }

Program program_of(const std::string& text) {
  auto program = parsed(text);
  EXPECT_TRUE(program.ok()) << (program.ok() ? "" : render(program.errors()[0]));
  return program.ok() ? std::move(*program) : Program{};
}

std::string errors_of(const Result<Program>& result) {
  std::string text;
  if (!result.ok())
    for (const Diagnostic& d : result.errors()) text += render(d);
  return text;
}

std::string kernel(const std::string& body) {
  return "__global__ void f(const int* x, int* y, int n) {\n" + body + "\n}\n";
}

TEST(Parse, AHoleKeepsItsPlaceAndTheUsersWords) {
  const Program p = program_of(kernel("  int t = threadIdx.x;\n  y[t] = x[?sw_xform(t + 1, n)];"));
  ASSERT_EQ(p.holes.size(), 1u);
  EXPECT_EQ(p.source.slice(p.holes[0].range), "?sw_xform(t + 1, n)");
  EXPECT_EQ(p.holes[0].argument_texts, (std::vector<std::string>{"t + 1", "n"}));
}

TEST(Parse, ArgumentsReadAsIntsInAnyExpression) {
  const Program p = program_of("#define LANE threadIdx.x % 32\n#define WARP 32\n" +
                               kernel("  y[0] = x[?sw_xform(LANE, WARP, threadIdx.y, (n))];"));
  ASSERT_EQ(p.holes.size(), 1u);
  EXPECT_EQ(p.holes[0].argument_texts, (std::vector<std::string>{"int(LANE)", "WARP", "int(threadIdx.y)", "(n)"}));
}

TEST(Parse, InstancesOfATemplateShareAHole) {
  const Program p = program_of("template <int K> __device__ int at(int t) { return ?sw_xform(t, 32, K); }\n" +
                               kernel("  y[0] = x[at<0>(n)] + x[at<1>(n)];"));
  EXPECT_EQ(p.holes.size(), 1u);
}

TEST(Parse, UsesOfAMacrosArgumentShareAHole) {
  const Program p = program_of("#define TWICE(v) ((v) + (v))\n" + kernel("  y[0] = TWICE(x[?sw_part(2, n)]);"));
  ASSERT_EQ(p.holes.size(), 1u);
  EXPECT_EQ(p.source.slice(p.holes[0].range), "?sw_part(2, n)");
}

TEST(Parse, TwoHolesOfOneLineAreTwo) {
  EXPECT_EQ(program_of(kernel("  y[0] = x[?sw_part(2, n)] + x[?sw_part(2, n)];")).holes.size(), 2u);
}

TEST(Parse, VariablesThatOnlyHolesReadAreKnown) {
  const Program p = program_of(
      "template <int N> __device__ int at(int t) { constexpr int half = N / 2, all = N; int r[all] = {}; return r[0] + ?sw_xform(t, 32, half); }\n" +
      kernel(
          "  const int row = n / 8, col = n % 8;\n  y[0] = x[?sw_part(2, row)] + x[?sw_part(2, row, col)] + col + at<4>(n);"));
  ASSERT_EQ(p.sole_uses.size(), 2u);
  EXPECT_EQ(p.sole_uses[0].name, "half");
  EXPECT_EQ(p.source.text().compare(p.sole_uses[0].declared_at, 18, "constexpr int half"), 0);
  EXPECT_EQ(p.sole_uses[0].holes.size(), 1u);
  EXPECT_EQ(p.sole_uses[1].name, "row");
  EXPECT_EQ(p.sole_uses[1].holes.size(), 2u);
}

TEST(Parse, AConstantHoleHasARangeAndNoArguments) {
  const Program p = program_of(kernel("  constexpr int kMost = 4;\n  y[0] = x[?sw_const(-1, 2 * kMost)];"));
  ASSERT_EQ(p.holes.size(), 1u);
  EXPECT_EQ(p.holes[0].kind, HoleKind::kConst);
  EXPECT_EQ(p.holes[0].low, -1);
  EXPECT_EQ(p.holes[0].high, 8);
  EXPECT_TRUE(p.holes[0].arguments.empty());
}

TEST(Parse, MagicGetStandsForTwoHoles) {
  const Program p = program_of(
      "#pragma swizzle launch grid(1) block(32)\n" +
      kernel(
          "  int lane = threadIdx.x & 31;\n  auto rc = load(x, 0, 1, 2);\n  for (int k = 0; k < 3; k++) y[lane] += magic_get(rc);"));
  ASSERT_EQ(p.holes.size(), 2u);
  EXPECT_EQ(p.holes[0].argument_texts, (std::vector<std::string>{"2", "lane", "k"}));
  EXPECT_EQ(p.holes[1].argument_texts, (std::vector<std::string>{"lane", "32", "k"}));
}

TEST(Parse, MagicGetNamesNoVariableThatIsChangedOrOutOfScopeOrNotTheLane) {
  const auto lane = [](const std::string& declarations, const std::string& block) {
    const Program p = program_of("#pragma swizzle launch grid(1) block(" + block + ")\n" +
                                 kernel(declarations + "  auto rc = load(x, 0, 1, 2);\n  y[n] = magic_get(rc);"));
    return p.holes.empty() ? "" : p.holes[0].argument_texts[1];
  };
  EXPECT_EQ(lane("  int l = threadIdx.x % 32;\n", "32"), "l");
  EXPECT_EQ(lane("  int l = threadIdx.x % 32;\n  l++;\n", "32"), "int(threadIdx.x & 31)");
  EXPECT_EQ(lane("  { int l = threadIdx.x % 32; }\n", "32"), "int(threadIdx.x & 31)");
  const std::string kAnew = "int(((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) & 31)";
  EXPECT_EQ(lane("  int l = threadIdx.x % 32;\n", "8, 4"), kAnew);
  EXPECT_EQ(lane("  int l = threadIdx.x;\n", "32, n"), kAnew);
  EXPECT_EQ(lane("  int l = threadIdx.x;\n", "64"), "int(threadIdx.x & 31)");
  EXPECT_EQ(lane("  int l = threadIdx.x;\n", "n"), "int(threadIdx.x & 31)");
}

TEST(Parse, MagicGetNamesWhatIsTheLaneInBlocksOfThisShape) {
  const auto lane = [](const std::string& declarations, const std::string& block) {
    const Program p = program_of("#pragma swizzle launch grid(1) block(" + block + ")\n" +
                                 kernel(declarations + "  auto rc = load(x, 0, 1, 2);\n  y[n] = magic_get(rc);"));
    return p.holes.empty() ? "" : p.holes[0].argument_texts[1];
  };
  EXPECT_EQ(lane("  int l = threadIdx.x;\n", "32, 2"), "l");
  EXPECT_EQ(lane("  int l = threadIdx.x;\n", "32"), "l");
  EXPECT_EQ(lane("  int l = threadIdx.y * blockDim.x + threadIdx.x;\n", "8, 4"), "l");
}

TEST(Parse, NamesAreThoseOfACallerAtFileScope) {
  const Program plain = program_of(kernel("  y[0] = 1;"));
  EXPECT_EQ(plain.function(plain.entry).qualified_name, "f");
  const Program nested = program_of(
      "namespace a { template <class T, int K> __global__ void f(T* y) { y[0] = K; } }\ntemplate __global__ void a::f<int, 2>(int*);\n");
  EXPECT_EQ(nested.function(nested.entry).name, "f");
  EXPECT_EQ(nested.function(nested.entry).qualified_name, "a::f<int, 2>");
}

TEST(Parse, TypesKeepTheirSpelling) {
  const Program p = program_of("__global__ void f(const char* a, long long* b, const float4* c, unsigned long d) {}\n");
  const auto& parameters = p.function(p.entry).parameters;
  const auto pointee = [&](int i) {
    return p.type(p.type(p.variable(parameters[static_cast<std::size_t>(i)]).type).element);
  };
  EXPECT_EQ(pointee(0).spelling, "char");
  EXPECT_EQ(pointee(1).spelling, "long long");
  EXPECT_EQ(pointee(1).scalar, Scalar::kI64);
  EXPECT_EQ(pointee(2).spelling, "float4");
  EXPECT_EQ(pointee(2).slots, 4);
}

TEST(Parse, OneErrorALine) {
  const auto twice = parsed(kernel("  asm(\"a\"); asm(\"b\");\n  y[0] = 1;"));
  ASSERT_FALSE(twice.ok());
  EXPECT_EQ(twice.errors().size(), 1u) << errors_of(twice);
  EXPECT_NE(errors_of(twice).find("a.cu:2:"), std::string::npos) << errors_of(twice);
}

TEST(Parse, ErrorsOfClangSpeakOfHolesAsTheyAreWritten) {
  EXPECT_NE(errors_of(parsed(kernel("  ?sw_part(2, n) = 3;"))).find("a.cu:2:18: error: expression is not assignable"),
            std::string::npos)
      << errors_of(parsed(kernel("  ?sw_part(2, n) = 3;")));
}

TEST(Parse, DeepNestingIsRefused) {
  std::string sum = "x[0]";
  for (int i = 0; i < 5000; ++i) sum += " + x[0]";
  EXPECT_NE(errors_of(parsed(kernel("  y[0] = " + sum + ";"))).find("levels of nesting are not supported"),
            std::string::npos);
  sum.resize(500 * 7 - 3);
  EXPECT_TRUE(parsed(kernel("  y[0] = " + sum + ";")).ok());
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

// Clang's parser would overrun the stack, or who walks over the tree.
TEST(Parse, WhatNestsTooDeeplyToBeReadIsRefused) {
  constexpr int kTimes = 100'000;
  for (const std::string& body :
       {repeated("if (y[0]) ; else ", kTimes) + ";", "y[0] = " + repeated("y[0] ? 1 : ", kTimes) + "2;",
        "y[0] = " + repeated("- ", kTimes) + "1;", repeated("y[0] = ", kTimes) + "1;",
        "int " + repeated("*", kTimes) + "p;", "y[0] = " + repeated("1 + ", kTimes) + "1;",
        "y[0] = (" + repeated("1, ", kTimes) + "1);"}) {
    const std::string text = kernel(body);
    for (const std::string& file :
         {text, text + "int main() { return 0; }\n", "int main(int, int* y) {" + body + "}\n" + text}) {
      const std::string errors = errors_of(parsed(file));
      EXPECT_NE(errors.find("error: this is nested too deeply, or is too long an expression"), std::string::npos)
          << body.substr(0, 40) << errors.substr(0, 200);
      EXPECT_TRUE(errors.starts_with("a.cu:")) << errors.substr(0, 200);
    }
  }
  EXPECT_TRUE(
      parsed(kernel("static const int table[] = {" + repeated("-1, ", 60'000) + "};" + repeated(" y[0] += 1;", 10'000)))
          .ok());
}

TEST(Parse, WhatNestsTooDeeplyIsNotCounted) {
  const std::string text =
      "int g() { return " + repeated("1 + ", 100'000) + "1; }\n__global__ void f(int* y) { y[0] = 1; }\n";
  const auto checked = parse_for_check(SourceText("a.cu", text), "");
  ASSERT_FALSE(checked.ok());
  EXPECT_TRUE(render(checked.errors()[0]).starts_with("a.cu:1:")) << render(checked.errors()[0]).substr(0, 100);
  EXPECT_NE(checked.errors()[0].message.find("nested too deeply"), std::string::npos);
}

// Clang's preprocessor would overrun the stack.
TEST(Parse, WhatNestsTooDeeplyToBePreprocessedIsRefused) {
  constexpr int kTimes = 100'000;
  const std::string open = repeated("(", kTimes), close = repeated(")", kTimes), rest = kernel("y[0] = 1;");
  for (const std::string& text :
       {"#if " + open + "1" + close + "\n#endif\n", "#if 0\n# elif " + repeated("! ", kTimes) + "1\n#endif\n",
        "#if \\\n" + repeated("0 ? 1 : ", kTimes) + "1\n#endif\n",
        "#define P " + repeated("- ", kTimes) + "1\n#if P\n#endif\n",
        "#define ID(x) x\nint a = " + repeated("ID(", kTimes) + "1" + close + ";\n"}) {
    const std::string message = "error: this is nested too deeply, or is too long an expression";
    EXPECT_NE(errors_of(parsed(text + rest)).find(message), std::string::npos) << text.substr(0, 40);
    const auto spec = parse_spec(SourceText("a.cpp", text + "void f(int* y) { y[0] = 1; }\n"), "f");
    EXPECT_NE(errors_of(spec).find(message), std::string::npos) << text.substr(0, 40);
    const auto checked = parse_for_check(SourceText("a.cu", text + rest), "");
    ASSERT_FALSE(checked.ok());
    EXPECT_NE(render(checked.errors()[0]).find(message), std::string::npos) << text.substr(0, 40);
  }
}

TEST(Parse, LongTextsThatNestNothingAreRead) {
  const std::string table = "#define TABLE {" + repeated("-1, (2), ", 10'000) + "}\n",
                    lines = repeated("#if 1 - (2)\n#endif\n#define OPEN (\n", 3'000);
  EXPECT_EQ(errors_of(parsed(table + lines + kernel("y[0] = 1; " + repeated("y[0] = (1);", 3'000)))), "");
}

TEST(Parse, ASpecHasNoHoles) {
  const auto spec = parse_spec(SourceText("a.cpp", "void f(int* y) { y[0] = ?sw_part(2, 1); }\n"), "f");
  EXPECT_NE(errors_of(spec).find("a.cpp:1:25: error: a spec has no holes"), std::string::npos) << errors_of(spec);
}

TEST(Parse, AKernelIsChosenByName) {
  const std::string text = "__global__ void f(int* y) {}\n__global__ void g(int* y) {}\n";
  EXPECT_NE(errors_of(parsed(text)).find("a.cu:2:17: error: there are several kernels here (f, g)"), std::string::npos)
      << errors_of(parsed(text));
  const auto g = parse_kernel(SourceText("a.cu", text), "g");
  ASSERT_TRUE(g.ok());
  EXPECT_EQ(g->function(g->entry).name, "g");
  EXPECT_NE(errors_of(parse_kernel(SourceText("a.cu", text), "h")).find("there is no kernel 'h' here; there are f, g"),
            std::string::npos);
}

// What is around the kernel of a whole program is host code, which may use what is not there.
class ParseWholeProgram : public ::testing::Test {
 protected:
  static bool is_whole(const std::string& text) {
    const auto program = parse_kernel(SourceText("a.cu", text), "f");
    EXPECT_TRUE(program.ok()) << text << errors_of(program);
    return program.ok() && !program->host_code.empty();
  }
  const std::string kernel_ = "__global__ void f(int* x) { x[0] = 1; }\n";
};

TEST_F(ParseWholeProgram, HasMain) {
  EXPECT_FALSE(is_whole(kernel_));
  EXPECT_TRUE(is_whole(kernel_ + "int main() { return unknown(1); }"));
  EXPECT_TRUE(is_whole(kernel_ + "int main \n ( int argc, char** argv ) {}"));
  EXPECT_TRUE(is_whole(kernel_ + "int mainly;\nint main() {}"));
}

TEST_F(ParseWholeProgram, OtherWordsAreNotMain) {
  EXPECT_FALSE(is_whole(kernel_ + "int remain(int x) { return x; }"));
  EXPECT_FALSE(is_whole(kernel_ + "int mainly(int x) { return x; }"));
  EXPECT_FALSE(is_whole(kernel_ + "int main_size; int domain;"));
  EXPECT_FALSE(is_whole(kernel_ + "// int main()\n"));
}

TEST_F(ParseWholeProgram, HasSeveralKernelsOrLaunches) {
  EXPECT_TRUE(is_whole(kernel_ + "__global__ void g(int* x) {}\n"));
  EXPECT_TRUE(is_whole(kernel_ + "void run(int* x) { f<<<1, 32>>>(x); }"));
}

TEST_F(ParseWholeProgram, AnInstantiationIsNoKernelOfItsOwn) {
  const std::string kernel = "template <int N> __global__ void f(int* x) { x[0] = N; }\n";
  EXPECT_FALSE(is_whole(kernel + "template __global__ void f<4>(int*);"));
  EXPECT_FALSE(is_whole(kernel + "template\n  __global__ void f<4>(int*);"));
}

}  // namespace
}  // namespace swizzle::parse_test
