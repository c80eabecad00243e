// A kernel that is a template is completed for one instance, and no other compiles.
#include <tuple>

#include <gtest/gtest.h>

#include "tests/end_to_end/sketch_text.h"

namespace swizzle::test::templates_test {
namespace {

// A stencil of K taps on any type of data.
std::string stencil(const std::string& instances) {
  return "#pragma swizzle launch grid(n / 64) block(64)\n#pragma swizzle instance n = 64\n"
         "#pragma swizzle check n = 256\n"
         "template <typename T, int K> __global__ void f(const T* x, T* y, int n) {\n"
         "  const int lane = threadIdx.x % 32;\n  const int base = blockIdx.x * blockDim.x + threadIdx.x - lane;\n"
         "  auto rc = load(x, base, 1, 2);\n  auto o = create_accumulator(0, identity, plus);\n"
         "  for (int k = 0; k < K; k++)\n"
         "    accumulate(o, {__shfl_sync(~0u, rc[?sw_part(2, lane, k)], ?sw_xform(lane, 32, k))}, true);\n"
         "  y[base + lane] = eval(o);\n}\n" +
         instances;
}

constexpr const char* kSpec =
    "void f(const float* x, float* y, int n) {\n  for (int i = 0; i < n; i++) {\n    float o = 0;\n"
    "    for (int k = 0; k < 3; k++) o += x[i + k];\n    y[i] = o;\n  }\n}\n";

constexpr const char* kOfThree = "template __global__ void f<float, 3>(const float*, float*, int);\n";

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  return at == std::string::npos ? text : text.replace(at, what.size(), by);
}

// What the host's compiler says of an emitted kernel; empty: nothing.
std::string refused(const std::string& kernel) {
  const ScratchFolder scratch;
  const std::string path = scratch.write("kernel.cu", kernel);
  std::FILE* pipe = popen(fmt::format("g++ -std=c++17 -fsyntax-only -x c++ -include '{}/emulation/warp_emulation.h' "
                                      "-include '{}/emulation/intrinsics.inc' '{}' 2>&1",
                                      SWIZZLE_SOURCE_DIR, SWIZZLE_SOURCE_DIR, path)
                              .c_str(),
                          "r");
  std::string said;
  char buffer[4096];
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, pipe)) said.append(buffer, n);
  pclose(pipe);
  return said;
}

TEST(Templates, AreCompletedForOneInstanceAndRefuseOthers) {
  const Sketch sketch{"", stencil(kOfThree), kSpec, kRuns};
  expect_verified(sketch);
  const std::string kernel = run_sketch(sketch).kernel;
  EXPECT_NE(kernel.find("static_assert(K == 3, \"this kernel was completed for K = 3 alone\");"), std::string::npos)
      << kernel;
  EXPECT_EQ(refused(kernel), "");
  EXPECT_NE(refused(replaced(kernel, "f<float, 3>", "f<float, 5>")).find("this kernel was completed for K = 3 alone"),
            std::string::npos);
  const std::string of_doubles =
      replaced(kernel, "f<float, 3>(const float*, float*, int)", "f<double, 3>(const double*, double*, int)");
  EXPECT_NE(of_doubles, kernel);
  EXPECT_NE(refused(of_doubles).find("this kernel was completed for T = float alone"), std::string::npos);
}

TEST(Templates, WithoutUseOfAParameterAreHeldToItAsWell) {
  const Sketch sketch{
      "",
      "enum class Mode { kPlain, kOther };\n"
      "template <Mode M, bool B = true, unsigned = 4> __global__ void f(const int* x, int* y, int n) {\n"
      "  int t = threadIdx.x; y[t] = x[?sw_xform(t, 32)];\n}\n"
      "template __global__ void f<Mode::kOther>(const int*, int*, int);\n",
      kRotated, kRuns};
  expect_verified(sketch);
  const std::string kernel = run_sketch(sketch).kernel;
  EXPECT_NE(kernel.find("static_assert(M == Mode::kOther, "), std::string::npos) << kernel;
  EXPECT_NE(kernel.find("static_assert(B == true, "), std::string::npos) << kernel;
}

TEST(Templates, OfWhichAnInstanceIsSpecializedAreFreeOfChecks) {
  const Sketch sketch{"",
                      "template <int K> __global__ void f(const int* x, int* y, int n);\n"
                      "template <> __global__ void f<2>(const int* x, int* y, int n) {\n"
                      "  int t = threadIdx.x; y[t] = x[?sw_xform(t, 32)];\n}\n",
                      kRotated};
  const ToolResult r = run_sketch(sketch);
  if (r.exit_code == 0) EXPECT_EQ(r.kernel.find("static_assert"), std::string::npos) << r.kernel;
  else EXPECT_EQ(r.exit_code, 1) << r.output;
}

TEST(Templates, OfSeveralInstancesAreRefused) {
  const std::string five = "template __global__ void f<float, 5>(const float*, float*, int);\n";
  const ScratchFolder scratch;
  const std::string sketch = scratch.write("sketch.cu", stencil(kOfThree + five)),
                    spec = scratch.write("spec.cpp", kSpec);
  for (const char* flags : {"", "--kernel f"}) {
    const ToolResult r = run_tool(fmt::format("'{}' --spec '{}' --run=none {}", sketch, spec, flags));
    EXPECT_EQ(r.exit_code, 1) << r.output;
    EXPECT_NE(r.output.find("sketch.cu:4:"), std::string::npos) << r.output;
    EXPECT_NE(r.output.find("leave one of them"), std::string::npos) << r.output;
  }
}

TEST(Templates, WithParameterPacksAreRefused) {
  const Sketch sketch{"",
                      "template <int... K> __global__ void f(const int* x, int* y, int n) {\n"
                      "  int t = threadIdx.x; y[t] = x[?sw_xform(t, 32)];\n}\n"
                      "template __global__ void f<1, 2>(const int*, int*, int);\n"};
  const ToolResult r = run_sketch(sketch);
  EXPECT_EQ(r.exit_code, 1) << r.output;
  EXPECT_NE(r.output.find("the kernel is completed for one 'K', and nothing can hold it to that"), std::string::npos)
      << r.output;
}

TEST(Templates, LeaveOutWhatTheirInstanceDiscards) {
  for (const std::string discarded :
       {"if constexpr (false) s = 1;", "if constexpr (sizeof(int) == 8) { s = 1; s += 2; }",
        "if constexpr (false) if (s > 0) s = 1;"}) {
    const ToolResult r =
        run_sketch({"", "  int s = x[?sw_xform(t, 32)];\n  if (t > 99) s = 2;\n  " + discarded + "\n  y[t] = s;",
                    kRotated, kRuns});
    EXPECT_EQ(r.exit_code, 0) << discarded << r.output;
    EXPECT_NE(r.kernel.find(discarded), std::string::npos) << r.kernel;
  }
}

// A character among the arguments is told by its number.
TEST(Templates, OfCharactersAndNullPointersAreHeldToTheirArguments) {
  for (const auto& [parameter, argument, held] :
       {std::tuple{"unsigned char C", "200", "C == 200"},
        {"char C", "'a'", "C == 97"},
        {"typename C", "decltype(nullptr)", "<C, decltype(nullptr)>::value"}}) {
    const ToolResult r = run_sketch(
        {"",
         fmt::format(
             "#pragma swizzle launch grid(n / 32) block(32)\n#pragma swizzle instance n = 32\ntemplate <{}>\n"
             "__global__ void st(const float* x, float* y, int n) {{\n  int t = threadIdx.x, base = blockIdx.x * 32;\n"
             "  y[base + t] = __shfl_sync(~0u, x[base + t], ?sw_xform(t, 32));\n}}\n"
             "void go() {{ st<{}><<<1, 32>>>(nullptr, nullptr, 32); }}\n",
             parameter, argument),
         "void st(const float* x, float* y, int n) { for (int i = 0; i < n; i++) y[i] = x[i / 32 * 32 + 31 - i % 32]; }\n"});
    ASSERT_EQ(r.exit_code, 0) << r.output;
    EXPECT_NE(r.kernel.find(held), std::string::npos) << r.kernel;
  }
}

std::string launched(const std::string& parameter, const std::string& argument, const std::string& behind = "") {
  return "#pragma swizzle instance n = 32\n#pragma swizzle launch grid(1) block(32)\ntemplate <" + parameter +
         ">\n__global__ void f(const int* x, int* y, int n) {\n  int t = threadIdx.x;\n"
         "  y[t] = x[?sw_xform(t, 32)];\n}\n" +
         behind + "void go() { f<" + argument + "><<<1, 32>>>(nullptr, nullptr, 32); }\n";
}

TEST(Templates, MayBeLaunchedWithShiftsAndComparisonsAmongTheirArguments) {
  for (const auto& [parameter, argument, held] :
       {std::tuple{"unsigned long long C", "1ull<<63", "C == 9223372036854775808"},
        {"bool C", "(3>2)", "C == true"},
        {"int C", "(1<<3)", "C == 8"}}) {
    const ToolResult r = run_sketch({"", launched(parameter, argument), kRotated, kRuns});
    ASSERT_EQ(r.exit_code, 0) << r.output;
    EXPECT_NE(r.kernel.find(held), std::string::npos) << r.kernel;
  }
}

TEST(Templates, OfArgumentsThatHaveNoNameInFrontAreRefused) {
  for (const auto& [argument, behind] :
       {std::tuple{"Late", "struct Late {};\n"},
        {"const Late*", "struct Late {};\n"},
        {"Late<int>::Inner", "template <typename U> struct Late { struct Inner {}; };\n"},
        {"decltype(late)", "struct {} late;\n"},
        {"Late(*)(int)", "enum Late { kLate };\n"}}) {
    const ToolResult r = run_sketch({"", launched("typename T", argument, behind)});
    EXPECT_EQ(r.exit_code, 1) << r.output;
    EXPECT_NE(r.output.find("sketch.cu:4:17: error: the kernel is completed for T = "), std::string::npos) << r.output;
    EXPECT_NE(r.output.find("declare it in front of the kernel"), std::string::npos) << r.output;
  }
  const ToolResult r = run_sketch({"", "struct Early;\n" + launched("typename T", "Early", "struct Early {};\n")});
  EXPECT_EQ(r.exit_code, 0) << r.output;
}

}  // namespace
}  // namespace swizzle::test::templates_test
