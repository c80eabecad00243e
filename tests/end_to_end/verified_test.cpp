// `verify`, as it is asked about kernels that stand in repositories: right ones, and others that are nearly right.
#include <gtest/gtest.h>

#include "tests/end_to_end/tool.h"

namespace swizzle::test::verified_test {
namespace {

// Bodies of `f(const float* x, const float* w, float* y, int n)`, of the kernel with its element i < n.
struct Kernel {
  const char* name;
  int exit_code;
  const char *body, *spec;  // of the spec, with i < n likewise
  const char* said = "";
  const char* directives = "launch grid((n + 127) / 128) block(128)\n#pragma swizzle instance n = 200";
  const char* before = "";
};

ToolResult verified(const Kernel& k) {
  const ScratchFolder scratch;
  const std::string kernel = scratch.write(
      "kernel.cu",
      fmt::format(
          "{}#pragma swizzle {}\n#pragma swizzle extent x(32 * n)\n#pragma swizzle extent w(n)\n__global__ void f(const float* x, const float* w, float* y, int n) {{\n"
          "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n  {}\n}}\n",
          k.before, k.directives, k.body));
  const std::string spec = scratch.write(
      "spec.cpp", fmt::format("#include <cmath>\nvoid f(const float* x, const float* w, float* y, int n) {{\n"
                              "  for (int i = 0; i < n; i++) {{ {} }}\n}}\n",
                              k.spec));
  return run_tool(fmt::format("verify '{}' --spec '{}' --run=none", kernel, spec));
}

class Verified : public testing::TestWithParam<Kernel> {};

TEST_P(Verified, AsItIs) {
  const ToolResult r = verified(GetParam());
  EXPECT_EQ(r.exit_code, GetParam().exit_code) << r.output;
  EXPECT_NE(r.output.find(GetParam().said), std::string::npos) << r.output;
}

std::string name_of(const testing::TestParamInfo<Kernel>& info) { return info.param.name; }

// What holds of real functions is not known, and what no input shows is not denied.
INSTANTIATE_TEST_SUITE_P(
    Identities, Verified,
    testing::Values(
        Kernel{"SineAndCosine", 20, "if (i < n) y[i] = sinf(x[i]) * sinf(x[i]) + cosf(x[i]) * cosf(x[i]);", "y[i] = 1;",
               "sinf at"},
        Kernel{"TurnedBack", 20, "if (i < n) y[i] = w[i] * cosf(x[i]) * cosf(x[i]) + w[i] * sinf(x[i]) * sinf(x[i]);",
               "y[i] = w[i];", "cosf at"},
        Kernel{"EvenFunction", 20, "if (i < n) y[i] = coshf(x[i]) - coshf(-x[i]);", "y[i] = 0;", "coshf at"},
        Kernel{"FloorAndCeiling", 20, "if (i < n) y[i] = floorf(x[i]) + floorf(-x[i]) + (floorf(x[i]) != x[i]);",
               "y[i] = 0;", "floorf at"},
        Kernel{"RootOfASquare", 20, "if (i < n) y[i] = w[i] + powf(1 + x[i] * x[i], 0.5f) - sqrtf(1 + x[i] * x[i]);",
               "y[i] = w[i];", "powf at"},
        Kernel{"PartsOfANumber", 20, "if (i < n) y[i] = fmodf(x[i], 1) + truncf(x[i]) - x[i];", "y[i] = 0;",
               "fmodf at"}),
    name_of);

// A size is written in many ways, of either sign.
INSTANTIATE_TEST_SUITE_P(
    Sizes, Verified,
    testing::Values(
        Kernel{"OfTheNegative", 0, "if (i < n) y[i] = fabsf(x[i] - w[i]);", "y[i] = fabsf(w[i] - x[i]);", "proved for"},
        Kernel{"Chosen", 0, "if (i < n) y[i] = fabsf(x[i] - w[i]);", "y[i] = x[i] > w[i] ? x[i] - w[i] : w[i] - x[i];",
               "proved for"},
        Kernel{"ChosenOtherwise", 0, "if (i < n) y[i] = x[i] - w[i] < 0 ? w[i] - x[i] : x[i] - w[i];",
               "y[i] = w[i] >= x[i] ? w[i] - x[i] : x[i] - w[i];", "proved for"},
        Kernel{"OfIntegers", 0, "short k = x[i % n]; if (i < n) y[i] = abs(k - 5);",
               "short k = x[i]; y[i] = k > 5 ? k - 5 : 5 - k;", "proved for"},
        Kernel{"OfIntegersAtZero", 0, "short k = x[i % n]; if (i < n) y[i] = abs(k - 5);",
               "short k = x[i]; y[i] = k >= 5 ? k - 5 : 5 - k;", "proved for"},
        Kernel{"OneFurther", 3, "short k = x[i % n]; if (i < n) y[i] = abs(k - 5);",
               "short k = x[i]; y[i] = k > 6 ? k - 5 : 5 - k;", "failed its verification"},
        Kernel{"OneNearer", 3, "short k = x[i % n]; if (i < n) y[i] = abs(k - 5);",
               "short k = x[i]; y[i] = k >= 4 ? k - 5 : 5 - k;", "failed its verification"},
        Kernel{"BeyondTheirType", 20,
               "const int a = x[i % n], b = w[i % n]; if (i < n) y[i] = abs(int(unsigned(a) - unsigned(b)));",
               "const int a = x[i], b = w[i];"
               "y[i] = a < b ? int(unsigned(b) - unsigned(a)) : int(unsigned(a) - unsigned(b));",
               "compared as an opaque function"},
        Kernel{"TurnedRound", 3, "if (i < n) y[i] = fabsf(x[i] - w[i]);",
               "y[i] = x[i] < w[i] ? x[i] - w[i] : w[i] - x[i];", "failed its verification"}),
    name_of);

// What is made of unsigned bytes is divided as it is shifted, where it cannot be negative.
TEST(VerifiedBytes, AreDividedAsTheyAreShifted) {
  const auto outcome = [](const std::string& kernel, const std::string& spec) {
    const ScratchFolder scratch;
    const std::string parameters = "(const unsigned char* x, int* y, int n)";
    const std::string cu =
        scratch.write("kernel.cu",
                      "#pragma swizzle launch grid((n + 127) / 128) block(128)\n#pragma swizzle instance n = 200\n"
                      "__global__ void f" +
                          parameters +
                          " {\n  const int i = blockIdx.x * 128 + threadIdx.x;\n"
                          "  if (i < n) y[i] = " +
                          kernel + ";\n}\n");
    const std::string cpp =
        scratch.write("spec.cpp", "void f" + parameters + " { for (int i = 0; i < n; i++) y[i] = " + spec + "; }\n");
    return run_tool(fmt::format("verify '{}' --spec '{}' --run=none", cu, cpp)).exit_code;
  };
  EXPECT_EQ(outcome("(3 * x[i] + 1) >> 2", "(3 * x[i] + 1) / 4"), 0);
  EXPECT_EQ(outcome("(255 - x[i]) & 15", "(255 - x[i]) % 16"), 0);
  EXPECT_EQ(outcome("max(0, x[i] - 9) >> 1", "max(0, x[i] - 9) / 2"), 0);
  EXPECT_NE(outcome("(x[i] - 1) >> 1", "(x[i] - 1) / 2"), 0);  // -1 >> 1 is -1
  EXPECT_NE(outcome("(254 - x[i]) & 15", "(254 - x[i]) % 16"), 0);
}

INSTANTIATE_TEST_SUITE_P(DifferentFunctions, Verified,
                         testing::Values(Kernel{"Sign", 3, "if (i < n) y[i] = sinf(x[i]) + cosf(w[i]);",
                                                "y[i] = sinf(x[i]) - cosf(w[i]);", "failed its verification"},
                                         Kernel{"Exponent", 3, "if (i < n) y[i] = powf(x[i] * x[i], 2);",
                                                "y[i] = powf(x[i] * x[i], 1);", "failed its verification"},
                                         Kernel{"Operands", 3, "if (i < n) y[i] = atan2f(x[i], w[i]);",
                                                "y[i] = atan2f(w[i], x[i]);", "failed its verification"},
                                         Kernel{"Remainder", 3, "if (i < n) y[i] = fmodf(x[i], w[i]);",
                                                "y[i] = fmodf(w[i], x[i]);", "failed its verification"},
                                         Kernel{"Size", 3, "if (i < n) y[i] = fabsf(x[i]);", "y[i] = x[i];",
                                                "failed its verification"},
                                         Kernel{"Base", 3, "if (i < n) y[i] = log2f(1 + x[i] * x[i]);",
                                                "y[i] = log10f(1 + x[i] * x[i]);", "failed its verification"},
                                         Kernel{"FastOne", 3, "if (i < n) y[i] = __expf(x[i]);",
                                                "y[i] = expf(x[i] + 1);", "failed its verification"}),
                         name_of);

INSTANTIATE_TEST_SUITE_P(
    OfRepositories, Verified,
    testing::Values(
        Kernel{"NullPointer", 0, "if (i < n) { float v = x[i]; if (w != NULL && nullptr != y) v += w[i]; y[i] = v; }",
               "y[i] = x[i] + w[i];", "proved for every n"},
        Kernel{"Constants", 0, "if (i < n) y[i] = x[i] * M_PI;", "y[i] = M_PI * x[i];", "proved for every n",
               "launch grid((n + 127) / 128) block(128)\n#pragma swizzle instance n = 200", "#include <cmath>\n"},
        Kernel{
            "StoredAsItWas", 0, "if (2 * i < n) { float2 v = ((float2*)y)[i]; v.x += x[i]; ((float2*)y)[i] = v; }",
            "if (i % 2 == 0) y[i] += x[i / 2];", "equal to the spec",
            "launch grid((n + 255) / 256) block(128)\n#pragma swizzle instance n = 200\n#pragma swizzle assume n % 2 == 0\n#pragma swizzle extent y(n)"},
        Kernel{
            "StoredOtherwise", 3,
            "if (2 * i < n) { float2 v = ((float2*)y)[i]; v.x += x[i]; v.y += 1; ((float2*)y)[i] = v; }",
            "if (i % 2 == 0) y[i] += x[i / 2];", "stores to 'y[1]', which the spec does not write",
            "launch grid((n + 255) / 256) block(128)\n#pragma swizzle instance n = 200\n#pragma swizzle assume n % 2 == 0\n#pragma swizzle extent y(n)"}),
    name_of);

// Sums of pairs: equal at all sizes that are tried, and not proved.
TEST(VerifiedSizes, ThatAreNotProvedAreToldSo) {
  const ToolResult r = verified(
      {"", 0, "if (i < n / 2) y[i] = x[2 * i] + x[2 * i + 1];", "if (i < n / 2) y[i] = x[2 * i + 1] + x[2 * i];"});
  EXPECT_EQ(r.exit_code, 0) << r.output;
  const bool is_proved = r.report["checked"]["all_sizes"]["outcome"] == "proved";
  EXPECT_NE(r.output.find(is_proved ? "proved for every" : "not proved for other sizes, of which "), std::string::npos)
      << r.output;
}

// How many rows of 32 there are, or pairs, as launches have it.
INSTANTIATE_TEST_SUITE_P(
    Grids, Verified,
    testing::Values(Kernel{"AWarpARow", 0,
                           "const int r = i / 32, c = threadIdx.x % 32; if (r < n) y[32 * r + c] = 2 * x[32 * r + c];",
                           "for (int c = 0; c < 32; c++) y[32 * i + c] = x[32 * i + c] + x[32 * i + c];",
                           "proved for every n from 1 to",
                           "launch grid((n * 32 + 127) / 128) block(128)\n#pragma swizzle instance n = 6"},
                    Kernel{"ARowTooMany", 3,
                           "const int r = i / 32, c = threadIdx.x % 32; if (r <= n) y[32 * r + c] = 2 * x[32 * r + c];",
                           "for (int c = 0; c < 32; c++) y[32 * i + c] = x[32 * i + c] + x[32 * i + c];",
                           "none of the sizes given",
                           "launch grid((n * 32 + 127) / 128) block(128)\n#pragma swizzle instance n = 8"}),
    name_of);

// Each of these is right in its first block, or wherever the size is odd.
INSTANTIATE_TEST_SUITE_P(
    OtherSizes, Verified,
    testing::Values(
        Kernel{"SecondBlock", 3, "const int k = blockIdx.x * 32 + threadIdx.x; if (k < n) y[k] = x[k];", "y[i] = x[i];",
               "", "launch grid((n + 127) / 128) block(128)\n#pragma swizzle instance n = 128"},
        Kernel{
            "SecondBlockOfBarriers", 3,
            "__shared__ float s[128]; const int k = blockIdx.x * 32 + threadIdx.x; s[threadIdx.x] = k < n ? x[k] : 0; __syncthreads(); if (k < n) y[k] = s[threadIdx.x];",
            "y[i] = x[i];", "which is none of the sizes given",
            "launch grid((n + 127) / 128) block(128)\n#pragma swizzle instance n = 128"}),
    name_of);

// Launches that are the same for all sizes: each thread has more than one round at some size that is tried.
INSTANTIATE_TEST_SUITE_P(
    SecondRounds, Verified,
    testing::Values(Kernel{"OneElementMore", 3, "for (int k = i; k < n; k += 64 * 256 + 1) y[k] = x[k];",
                           "y[i] = x[i];", "y[16384] is never stored", "launch grid(64) block(256)"},
                    Kernel{
                        "TwiceAsFar", 3, "for (int k = i; k < n; k += 2 * 64 * 256) y[k] = x[k];", "y[i] = x[i];",
                        "which is none of the sizes given",
                        "launch grid(64) block(256)\n#pragma swizzle instance n = 500\n#pragma swizzle check n = 700"},
                    Kernel{"AsFarAsThereAreThreads", 0, "for (int k = i; k < n; k += 64 * 256) y[k] = x[k];",
                           "y[i] = x[i];", "proved for every n", "launch grid(64) block(256)"}),
    name_of);

// What lies in the middle, by minima and maxima and by comparisons.
INSTANTIATE_TEST_SUITE_P(
    Orders, Verified,
    testing::Values(Kernel{"Median", 0,
                           "if (i < n) y[i] = fmaxf(fminf(x[i], w[i]), fminf(fmaxf(x[i], w[i]), x[i + 1]));",
                           "const float a = x[i], b = w[i], c = x[i + 1];\n"
                           "y[i] = a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b);",
                           "proved for every n"},
                    Kernel{"NoMedian", 3,
                           "if (i < n) y[i] = fmaxf(fminf(x[i], w[i]), fminf(fmaxf(x[i], w[i]), x[i + 1]));",
                           "const float a = x[i], b = w[i], c = x[i + 1];\n"
                           "y[i] = a < b ? (b < c ? b : a < c ? a : c) : (a < c ? a : b < c ? c : b);",
                           "failed its verification"}),
    name_of);

TEST(VerifiedLaunches, WarnOfABufferThatIsHandedOverTwice) {
  const auto warns = [](const std::string& before, const std::string& arguments) {
    const ScratchFolder scratch;
    const std::string kernel =
        scratch.write("kernel.cu",
                      "__global__ void f(float* y, const float* x, int n) {\n"
                      "  const int i = blockIdx.x * 64 + threadIdx.x;\n  if (i < n - 1) y[i] = x[i + 1];\n}\n"
                      "void run(float* d, float* e, int n) { " +
                          before + "f<<<(n + 63) / 64, 64>>>(" + arguments + ", n); }\n");
    const std::string spec = scratch.write(
        "spec.cpp", "void f(float* y, const float* x, int n) { for (int i = 0; i < n - 1; i++) y[i] = x[i + 1]; }\n");
    const ToolResult r = run_tool(fmt::format("verify '{}' --spec '{}' --run=none", kernel, spec));
    EXPECT_EQ(r.exit_code, 0) << r.output;
    return r.output.find("warning: this launch hands 'd' over as 'y' and as 'x'") != std::string::npos;
  };
  EXPECT_TRUE(warns("", "d, d"));
  EXPECT_TRUE(warns("float* z = d; ", "z, d"));
  EXPECT_FALSE(warns("", "d, e"));
  EXPECT_FALSE(warns("float* z = e; ", "d, z"));
  EXPECT_FALSE(warns("float* z = d; z = e; ", "z, d"));
}

TEST(VerifiedLaunches, OfALoopThatEachDoAPartAreNotTakenForOne) {
  const auto verified = [](const std::string& arguments) {
    const ScratchFolder scratch;
    const std::string kernel =
        scratch.write("kernel.cu",
                      "__global__ void f(float* y, const float* x, int n) {\n"
                      "  const int i = blockIdx.x * 64 + threadIdx.x;\n  if (i < n) y[i] = x[i];\n}\n"
                      "void run(float* y, float* x, int n) {\n"
                      "  for (int o = 0; o < n; o += 256) f<<<(n + 63) / 64, 64>>>(" +
                          arguments + ", n);\n}\n");
    const std::string spec = scratch.write(
        "spec.cpp", "void f(float* y, const float* x, int n) { for (int i = 0; i < n; i++) y[i] = x[i]; }\n");
    return run_tool(fmt::format("verify '{}' --spec '{}' --run=none", kernel, spec));
  };
  const ToolResult parts = verified("y + o, x + o");
  EXPECT_EQ(parts.exit_code, 1) << parts.output;
  EXPECT_NE(parts.output.find("kernel.cu:6:36: error: this launch is one of those that a loop makes"),
            std::string::npos)
      << parts.output;
  EXPECT_EQ(verified("y, x").exit_code, 0);
}

// The sums begin alike, as far as they are told.
TEST(VerifiedSums, SayWhatIsMissing) {
  const ToolResult r =
      verified({"", 3, "float s = 0; for (int k = 0; k < 31; k++) s += x[32 * i + k]; if (32 * i < n) y[i] = s;",
                "if (i % 32 == 0) { float s = 0; for (int k = 0; k < 32; k++) s += x[i + k]; y[i / 32] = s; }", "",
                "launch grid(n / 1024) block(32)\n#pragma swizzle instance n = 1024"});
  EXPECT_EQ(r.exit_code, 3) << r.output;
  EXPECT_NE(r.output.find("and the spec says that plus x[31]"), std::string::npos) << r.output;
}

}  // namespace
}  // namespace swizzle::test::verified_test
