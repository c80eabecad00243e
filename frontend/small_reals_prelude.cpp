// cuda_fp16.h, cuda_bf16.h, cuda_fp8.h and PyTorch's types of 16 bits, for a file that is checked: their sizes and
// alignments are what counts, and nothing is known of their values.
#include "frontend/prelude.h"

#include <fmt/format.h>

namespace swizzle {
namespace {

// By the operands: one, two or three of the type's own.
std::string arithmetic_of(const std::string& type) {
  std::string text = fmt::format("{0} operator-({0});\n", type);
  for (const char* op : {"+", "-", "*", "/"}) text += fmt::format("{0} operator{1}({0}, {0});\n", type, op);
  for (const char* op : {"<", ">", "<=", ">=", "==", "!="})
    text += fmt::format("bool operator{1}({0}, {0});\n", type, op);
  for (const char* f : {"add", "sub", "mul", "div", "max", "min", "max_nan", "min_nan", "add_sat", "sub_sat", "mul_sat",
                        "add_rn", "sub_rn", "mul_rn"})
    text += fmt::format("{0} __h{1}({0}, {0}); {0} __h{1}2({0}, {0});\n", type, f);
  text += fmt::format("{0} __h2div({0}, {0});\n", type);
  for (const char* f : {"fma", "fma_sat", "fma_relu"})
    text += fmt::format("{0} __h{1}({0}, {0}, {0}); {0} __h{1}2({0}, {0}, {0});\n", type, f);
  for (const char* f : {"neg", "abs"}) text += fmt::format("{0} __h{1}({0}); {0} __h{1}2({0});\n", type, f);
  for (const char* f : {"exp", "exp2", "exp10", "log", "log2", "log10", "sqrt", "rsqrt", "rcp", "sin", "cos", "tanh",
                        "floor", "ceil", "rint", "trunc"})
    text += fmt::format("{0} h{1}({0}); {0} h2{1}({0});\n", type, f);
  for (const char* f : {"lt", "le", "gt", "ge", "eq", "ne", "ltu", "gtu"})
    text += fmt::format("bool __h{1}({0}, {0}); {0} __h{1}2({0}, {0}); bool __hb{1}2({0}, {0});\n", type, f);
  return text + fmt::format("bool __hisnan({0}); int __hisinf({0});\n", type);
}

std::string scalar_and_pair(const char* scalar, const char* pair, const char* alias) {
  std::string text = fmt::format(
      "struct {0}_raw {{ unsigned short x; }}; struct {1}_raw {{ unsigned short x, y; }};\n"
      "struct alignas(2) {0} {{ unsigned short bits; {0}() = default; {0}(float); {0}(double); {0}(int); {0}({0}_raw); operator float() const; operator {0}_raw() const; {0}& operator+=({0}); {0}& operator-=({0}); {0}& operator*=({0}); {0}& operator/=({0}); }};\n"
      "struct alignas(4) {1} {{ {0} x, y; {1}() = default; {1}({0}, {0}); {1}({1}_raw); {1}& operator+=({1}); {1}& operator-=({1}); {1}& operator*=({1}); {1}& operator/=({1}); }};\n"
      "typedef {0} {2}; typedef {1} {2}2;\n",
      scalar, pair, alias);
  return text + arithmetic_of(scalar) + arithmetic_of(pair);
}

// "float", "half" and so on in the names of conversions.
std::string conversions() {
  std::string text;
  for (const auto& [type, name] : {std::pair("__half", "half"), {"__nv_bfloat16", "bfloat16"}}) {
    for (const auto& [other, other_name] : {std::pair("int", "int"),
                                            {"unsigned", "uint"},
                                            {"short", "short"},
                                            {"unsigned short", "ushort"},
                                            {"long long", "ll"},
                                            {"unsigned long long", "ull"},
                                            {"double", "double"},
                                            {"float", "float"}})
      for (const char* rounding : {"", "_rn", "_rz", "_rd", "_ru"})
        text += fmt::format("{0} __{1}2{2}{3}({4}); {4} __{2}2{1}{3}({0});\n", type, other_name, name, rounding, other);
    for (const auto& [other, other_name] : {std::pair("unsigned short", "ushort"), {"short", "short"}})
      text += fmt::format("{0} __{1}_as_{2}({3}); {3} __{2}_as_{1}({0});\n", type, other_name, name, other);
  }
  return text + R"(
__half2 __float2half2_rn(float); __half2 __floats2half2_rn(float, float); float2 __half22float2(__half2); __half2 __half2half2(__half); __half2 __halves2half2(__half, __half);
__half __low2half(__half2); __half __high2half(__half2); __half2 make_half2(__half, __half); __half2 __float22half2_rn(float2);
float __low2float(__half2); float __high2float(__half2); float __low2float(__nv_bfloat162); float __high2float(__nv_bfloat162);
__nv_bfloat162 __float2bfloat162_rn(float); __nv_bfloat162 __floats2bfloat162_rn(float, float); float2 __bfloat1622float2(__nv_bfloat162); __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16); __nv_bfloat162 __halves2bfloat162(__nv_bfloat16, __nv_bfloat16);
__nv_bfloat16 __low2bfloat16(__nv_bfloat162); __nv_bfloat16 __high2bfloat16(__nv_bfloat162); __nv_bfloat162 make_bfloat162(__nv_bfloat16, __nv_bfloat16); __nv_bfloat162 __float22bfloat162_rn(float2);
__half2 __lows2half2(__half2, __half2); __half2 __highs2half2(__half2, __half2); __half2 __low2half2(__half2); __half2 __high2half2(__half2); __half2 __lowhigh2highlow(__half2);
__nv_bfloat162 __lows2bfloat162(__nv_bfloat162, __nv_bfloat162); __nv_bfloat162 __highs2bfloat162(__nv_bfloat162, __nv_bfloat162); __nv_bfloat162 __low2bfloat162(__nv_bfloat162); __nv_bfloat162 __high2bfloat162(__nv_bfloat162); __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162);
)";
}

std::string bytes() {
  std::string text = R"(
typedef unsigned char __nv_fp8_storage_t; typedef unsigned short __nv_fp8x2_storage_t; typedef unsigned __nv_fp8x4_storage_t;
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 }; enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
__nv_fp8_storage_t __nv_cvt_float_to_fp8(float, __nv_saturation_t, __nv_fp8_interpretation_t); __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2, __nv_saturation_t, __nv_fp8_interpretation_t);
__nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw, __nv_saturation_t, __nv_fp8_interpretation_t); __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw, __nv_saturation_t, __nv_fp8_interpretation_t);
__half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t, __nv_fp8_interpretation_t); __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t, __nv_fp8_interpretation_t);
)";
  for (const char* type : {"e4m3", "e5m2"})
    text += fmt::format(
        "struct alignas(1) __nv_fp8_{0} {{ __nv_fp8_storage_t __x; __nv_fp8_{0}() = default; template <class T> explicit __nv_fp8_{0}(const T&); operator float() const; }};\n"
        "struct alignas(2) __nv_fp8x2_{0} {{ __nv_fp8x2_storage_t __x; __nv_fp8x2_{0}() = default; template <class T> explicit __nv_fp8x2_{0}(const T&); operator float2() const; }};\n"
        "struct alignas(4) __nv_fp8x4_{0} {{ __nv_fp8x4_storage_t __x; __nv_fp8x4_{0}() = default; template <class T> explicit __nv_fp8x4_{0}(const T&); operator float4() const; }};\n",
        type);
  return text;
}

// Both names are of one type.
std::string of_torch() {
  std::string text = "namespace c10 {\n";
  for (const char* type : {"Half", "BFloat16"})
    text += fmt::format(
        "struct alignas(2) {0} {{ unsigned short x; {0}() = default; {0}(float); operator float() const; {0}& operator+=({0}); {0}& operator-=({0}); {0}& operator*=({0}); {0}& operator/=({0}); }};\n",
        type);
  return text + "}\nnamespace at { using c10::Half; using c10::BFloat16; }\n";
}

}  // namespace

std::string small_real_declarations(bool has_torch) {
  return scalar_and_pair("__half", "__half2", "half") +
         scalar_and_pair("__nv_bfloat16", "__nv_bfloat162", "nv_bfloat16") + conversions() + bytes() +
         (has_torch ? of_torch() : "");
}

}  // namespace swizzle
