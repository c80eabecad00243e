// Memory that is looked at as other scalars: parts of a buffer's words, integers of the other sign, the bits of reals.
#include <gtest/gtest.h>

#include "tests/end_to_end/sketch_text.h"

namespace swizzle::test::views_test {
namespace {

struct View {
  const char* name;
  const char* type;  // of x's and y's elements
  const char *of_sketch, *of_spec;
  const char* before = "";
};

Sketch sketch_of(const View& view) {
  const std::string parameters = fmt::format("(const {0}* x, {0}* y, int n)", view.type);
  return {view.name,
          fmt::format("#pragma swizzle launch grid(n / 32) block(32)\n#pragma swizzle instance n = 64\n{}"
                      "__global__ void f{} {{\n  int t = blockIdx.x * 32 + threadIdx.x;\n  {}\n}}\n",
                      view.before, parameters, view.of_sketch),
          fmt::format("{}void f{} {{\n  {}\n}}\n", std::string(view.before).find("#include") == 0 ? view.before : "",
                      parameters, view.of_spec),
          kRuns};
}

class Views : public testing::TestWithParam<View> {};

TEST_P(Views, AreOfTheSameBits) { expect_verified(sketch_of(GetParam())); }

constexpr const char* kBits = "#pragma swizzle bits(x, y)\n";
constexpr const char* kReversedBytes =
    "for (int i = 0; i < n; i++) y[i] = x[i] >> 24 | (x[i] >> 8 & 0xff00) | (x[i] << 8 & 0xff0000) | x[i] << 24;";
constexpr const char* kReversedThroughBytes =
    "const unsigned char* b = (const unsigned char*)x; unsigned char* o = (unsigned char*)y;\n"
    "  for (int i = 0; i < n; i++) for (int j = 0; j < 4; j++) o[4 * i + j] = b[4 * i + 3 - j];";
constexpr const char* kFrom5 = "for (int i = 0; i < n; i++) y[i] = x[i ^ 5];";

const View kPartsOfBuffers[] = {
    {"read", "unsigned",
     "const unsigned char* b = reinterpret_cast<const unsigned char*>(x); unsigned v = 0;\n"
     "  for (int i = 0; i < 4; i++) v |= (unsigned)b[4 * t + ?sw_xform(i, 4)] << 8 * i;\n  y[t] = v;",
     kReversedBytes, kBits},
    {"written", "unsigned",
     "unsigned w = x[t]; unsigned char* o = (unsigned char*)(y + t);\n"
     "  for (int i = 0; i < 4; i++) o[i] = (unsigned char)(w >> 8 * ?sw_xform(i, 4));",
     kReversedBytes, kBits},
    {"of_kernel_and_spec", "unsigned",
     "const unsigned char* b = (const unsigned char*)x; unsigned char* o = (unsigned char*)y;\n"
     "  for (int i = 0; i < 4; i++) o[4 * t + i] = b[4 * t + ?sw_xform(i, 4)];",
     kReversedThroughBytes},
    {"of_the_spec_alone", "unsigned", "unsigned v = x[t]; y[t] = __byte_perm(v, 0, ?sw_bytes());",
     "for (int i = 0; i < n; i++) { unsigned r = 0; for (int j = 0; j < 4; j++) r |= "
     "(unsigned)((const unsigned char*)(x + i))[3 - j] << 8 * j; y[i] = r; }",
     kBits},
    {"in_a_function", "unsigned",
     "unsigned v = 0; for (int i = 0; i < 4; i++) v |= part(x + t, ?sw_xform(i, 4)) << 8 * i; y[t] = v;",
     kReversedBytes,
     "#pragma swizzle bits(x, y)\n__device__ unsigned part(const unsigned* p, int i) { return ((const unsigned "
     "char*)p)[i]; }\n"},
    {"of_an_argument", "unsigned",
     "unsigned v = 0, w = x[t]; for (int i = 0; i < 4; i++) v |= part(w, ?sw_xform(i, 4)) << 8 * i; y[t] = v;",
     kReversedBytes,
     "#pragma swizzle bits(x, y)\n__device__ unsigned part(unsigned w, int i) { return ((const unsigned char*)&w)[i]; "
     "}\n"},
    {"of_a_pointer_that_moves", "unsigned",
     "const unsigned* p = x; p += t; const unsigned* q; q = p; unsigned v = 0;\n"
     "  for (int i = 0; i < 4; i++) v |= (unsigned)((const unsigned char*)q)[?sw_xform(i, 4)] << 8 * i;\n  y[t] = v;",
     kReversedBytes, kBits},
    {"words_of_64_bits", "unsigned long long",
     "const unsigned* b = (const unsigned*)x; unsigned lo = b[2 * t + ?sw_const(0, 2)], hi = b[2 * t + ?sw_const(0, 2)];"
     "\n  y[t] = lo | (unsigned long long)hi << 32;",
     "for (int i = 0; i < n; i++) y[i] = x[i] >> 32 | x[i] << 32;", kBits},
    {"of_vectors", "uint4",
     "unsigned char* o = (unsigned char*)y; const unsigned char* b = (const unsigned char*)x;\n"
     "  for (int i = 0; i < 16; i++) o[16 * t + i] = b[16 * t + ?sw_xform(i, 16)];",
     "const unsigned char* b = (const unsigned char*)x; unsigned char* o = (unsigned char*)y;\n"
     "  for (int i = 0; i < n; i++) for (int j = 0; j < 16; j++) o[16 * i + j] = b[16 * i + 15 - j];"},
    {"guarded_by_an_extent", "unsigned",
     "const unsigned char* b = (const unsigned char*)x; unsigned char* o = (unsigned char*)y;\n"
     "  for (int i = 0; i < 4; i++) o[4 * t + i] = b[4 * t + ?sw_xform(i, 4)];",
     kReversedThroughBytes, "#pragma swizzle extent x(n + 2)\n"},
};

const View kOtherScalars[] = {
    {"intrinsics", "float",
     "int v = __float_as_int(x[t]); y[t] = __int_as_float(__shfl_xor_sync(~0u, v, ?sw_const(0, 32)));", kFrom5},
    {"intrinsics_of_doubles", "double",
     "long long v = __double_as_longlong(x[t]); y[t] = __longlong_as_double(__shfl_xor_sync(~0u, v, ?sw_const(0, 32)));",
     kFrom5},
    {"intrinsics_of_halves", "__half",
     "unsigned short v = __half_as_ushort(x[t]);\n"
     "  y[t] = __ushort_as_half(__shfl_xor_sync(~0u, v, ?sw_const(0, 32)));",
     kFrom5, "#include <cuda_fp16.h>\n"},
    {"buffers", "float",
     "int v = reinterpret_cast<const int*>(x)[t];\n"
     "  reinterpret_cast<unsigned*>(y)[t] = __shfl_xor_sync(~0u, v, ?sw_const(0, 32));",
     kFrom5},
    {"vectors", "int",
     "float4 v = reinterpret_cast<const float4*>(x)[t];\n  reinterpret_cast<float4*>(y)[?sw_xform(t, 64)] = v;",
     "for (int i = 0; i < 4 * n; i++) y[i] = x[i ^ 12];"},
    {"the_other_sign", "int",
     "const unsigned* s = reinterpret_cast<const unsigned*>(x); y[t] = s[t ^ ?sw_const(0, 32)] / 3;",
     "for (int i = 0; i < n; i++) y[i] = (unsigned)x[i ^ 5] / 3;"},
    {"references", "float",
     "float g = x[t]; int w = reinterpret_cast<int&>(g); w = __shfl_xor_sync(~0u, w, ?sw_const(0, 32));\n"
     "  y[t] = *(float*)&w;",
     kFrom5},
    {"shared_memory", "float",
     "__shared__ float s[32]; s[threadIdx.x] = x[t]; __syncthreads();\n"
     "  int v = ((int*)s)[threadIdx.x ^ ?sw_const(0, 32)]; y[t] = __int_as_float(v);",
     kFrom5},
    {"unions", "float",
     "union { float f; int i; } u, w; u.f = x[t]; w.i = __shfl_xor_sync(~0u, u.i, ?sw_const(0, 32)); y[t] = w.f;",
     kFrom5},
    {"unions_of_halves_of_words", "float",
     "union { float f; unsigned short h[2]; } u, w; u.f = x[t];\n"
     "  for (int i = 0; i < 2; i++) w.h[i] = (unsigned short)__shfl_xor_sync(~0u, (int)u.h[i], ?sw_const(0, 32));\n"
     "  y[t] = w.f;",
     kFrom5},
};

const auto name_of_view = [](const auto& i) { return std::string(i.param.name); };
INSTANTIATE_TEST_SUITE_P(PartsOfBuffers, Views, testing::ValuesIn(kPartsOfBuffers), name_of_view);
INSTANTIATE_TEST_SUITE_P(OtherScalars, Views, testing::ValuesIn(kOtherScalars), name_of_view);

TEST(ViewsOfWords, AreProvedForAllSizes) {
  for (const View& view : {kPartsOfBuffers[2], kOtherScalars[3]}) {
    const ToolResult r = run_sketch(sketch_of(view));
    EXPECT_EQ(r.report["checked"]["all_sizes"]["outcome"], "proved") << view.name << r.output;
  }
}

TEST(ViewsOfWords, AreNamedAsTheyAreStored) {
  const ToolResult r =
      run_sketch(sketch_of({"", "unsigned",
                            "const unsigned char* b = (const unsigned char*)x; unsigned char* o = (unsigned char*)y;\n"
                            "  for (int i = 0; i < 4; i++) o[4 * t + i] = b[4 * t + ?sw_const(0, 2)];",
                            kReversedThroughBytes}));
  EXPECT_EQ(r.exit_code, 10) << r.output;
  EXPECT_NE(r.output.find("((unsigned char*)y)[0], written by thread 0, needs ((unsigned char*)x)[3]"),
            std::string::npos)
      << r.output;
}

// The order of reals is not that of their bits, and their signs are flipped by what nobody follows here.
TEST(ViewsOfReals, AreFunctionsOfTheBits) {
  const ToolResult other =
      run_sketch(sketch_of({"", "float", "y[t] = __int_as_float(__float_as_int(x[t ^ ?sw_const(0, 32)]) ^ 0x80000000);",
                            "for (int i = 0; i < n; i++) y[i] = -x[i ^ 5];"}));
  EXPECT_EQ(other.exit_code, 20) << other.output;
  const ToolResult values =
      run_sketch(sketch_of({"", "float", "y[t] = __float_as_int(x[t ^ ?sw_const(0, 32)]);", kFrom5}));
  EXPECT_NE(values.exit_code, 0) << values.output;
}

TEST(ViewsOfReals, AreRefusedWhereBitsAreFollowed) {
  const ToolResult r = run_sketch(sketch_of(
      {"", "unsigned", "float v = reinterpret_cast<const float*>(x)[t]; y[t] = __float_as_uint(v);", kFrom5, kBits}));
  EXPECT_EQ(r.exit_code, 1) << r.output;
  EXPECT_NE(r.output.find("sketch.cu:6:13: error: this word is followed bit by bit, and no real value is"),
            std::string::npos)
      << r.output;
}

}  // namespace
}  // namespace swizzle::test::views_test
