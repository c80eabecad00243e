// cuda_fp16.h and cuda_bf16.h: clang's own types of 16 bits, whose arithmetic is C's.
#include "frontend/prelude.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "synth/program/device_headers.h"

namespace swizzle {
namespace {

// Arithmetic of two values, as functions and as operators of pairs.
std::string operators_of(const std::string& scalar, const std::string& pair) {
  std::string text;
  for (const auto& [name, op] : {std::pair("__hadd", "+"), {"__hsub", "-"}, {"__hmul", "*"}, {"__hdiv", "/"}}) {
    const std::string of_pairs = std::string_view(name) == "__hdiv" ? "__h2div" : fmt::format("{}2", name);
    text += fmt::format("inline {0} {1}({0} a, {0} b) {{ return a {2} b; }}\n", scalar, name, op);
    text += fmt::format("inline {0} {1}({0} a, {0} b) {{ return {0}{{{2}(a.x {3} b.x), {2}(a.y {3} b.y)}}; }}\n", pair,
                        of_pairs, scalar, op);
    text +=
        fmt::format("inline {0} operator{1}({0} a, {0} b) {{ return {0}{{{2}(a.x {1} b.x), {2}(a.y {1} b.y)}}; }}\n",
                    pair, op, scalar);
    text +=
        fmt::format("inline {0}& operator{1}=({0}& a, {0} b) {{ a.x {1}= b.x; a.y {1}= b.y; return a; }}\n", pair, op);
  }
  return text;
}

// Comparisons of pairs: 1 or 0 each, of both, and as masks.
std::string comparisons_of(const std::string& scalar, const std::string& pair) {
  std::string text;
  for (const auto& [name, op] :
       {std::pair("lt", "<"), {"le", "<="}, {"gt", ">"}, {"ge", ">="}, {"eq", "=="}, {"ne", "!="}})
    text += fmt::format(
        "inline bool __h{0}({2} a, {2} b) {{ return a {1} b; }}\n"
        "inline {3} __h{0}2({3} a, {3} b) {{ return {3}{{{2}(a.x {1} b.x), {2}(a.y {1} b.y)}}; }}\n"
        "inline bool __hb{0}2({3} a, {3} b) {{ return a.x {1} b.x && a.y {1} b.y; }}\n"
        "inline unsigned __h{0}2_mask({3} a, {3} b) {{ return (a.x {1} b.x ? 0xffffu : 0u) | "
        "(a.y {1} b.y ? 0xffff0000u : 0u); }}\n",
        name, op, scalar, pair);
  return text;
}

// From integers to the nearest, and to integers in each direction. `base`: "half"
std::string conversions_of(const std::string& scalar, const std::string& base) {
  std::string text;
  for (const auto& [type, name] : {std::pair("int", "int"),
                                   {"unsigned", "uint"},
                                   {"short", "short"},
                                   {"unsigned short", "ushort"},
                                   {"long long", "ll"},
                                   {"unsigned long long", "ull"}})
    text += fmt::format("inline {0} __{2}2{3}_rn({1} x) {{ return x; }}\n", scalar, type, name, base);
  for (const char* rounding : {"rn", "rz", "rd", "ru"}) {
    for (const auto& [type, name] :
         {std::pair("int", "int"), {"unsigned", "uint"}, {"long long", "ll"}, {"unsigned long long", "ull"}})
      text += fmt::format("inline {1} __{3}2{2}_{4}({0} x) {{ return __float2{2}_{4}(float(x)); }}\n", scalar, type,
                          name, base, rounding);
    for (const auto& [type, name, least, most] : {std::tuple("short", "short", -32768, 32767),
                                                  {"unsigned short", "ushort", 0, 65535},
                                                  {"signed char", "char", -128, 127},
                                                  {"unsigned char", "uchar", 0, 255}})
      if (most > 255 || std::string_view(rounding) == "rz")  // there are no others of bytes
        text += fmt::format(
            "inline {1} __{3}2{2}_{4}({0} x) {{ return ({1})min(max(__float2int_{4}(float(x)), {5}), {6}); }}\n",
            scalar, type, name, base, rounding, least, most);
  }
  return text + fmt::format(
                    "inline short __{1}_as_short({0} x) {{ return (short)__{1}_as_ushort(x); }}\n"
                    "inline {0} __short_as_{1}(short x) {{ return __ushort_as_{1}((unsigned short)x); }}\n",
                    scalar, base);
}

// Of pairs: "__hfma2" for "__hfma", "__hadd2_sat" for "__hadd_sat", "h2exp" for "hexp".
std::string paired_name(const std::string& name) {
  if (name[0] != '_') return "h2" + name.substr(1);
  const std::size_t end = std::min(name.find('_', 2), name.size());
  return name.substr(0, end) + "2" + name.substr(end);
}

// Of values a, b, c, as many as `parameters` names, and of pairs of such.
std::string function_of(const std::string& scalar, const std::string& pair, const std::string& name,
                        const char* parameters, const std::string& value) {
  const auto listed = [&](const auto& text_of) {
    std::string list;
    for (const char* p = parameters; *p != '\0'; ++p) list += (list.empty() ? "" : ", ") + text_of(*p);
    return list;
  };
  const auto typed = [&](const std::string& type) {
    return listed([&](char p) { return fmt::format("{} {}", type, p); });
  };
  const auto of_part = [&](const char* part) {
    return fmt::format("{}({})", name, listed([&](char p) { return fmt::format("{}.{}", p, part); }));
  };
  return fmt::format("inline {} {}({}) {{ return {}; }}\n", scalar, name, typed(scalar), value) +
         fmt::format("inline {0} {1}({2}) {{ return {0}{{{3}, {4}}}; }}\n", pair, paired_name(name), typed(pair),
                     of_part("x"), of_part("y"));
}

std::string functions_of(const std::string& scalar, const std::string& pair) {
  std::string text = operators_of(scalar, pair) + comparisons_of(scalar, pair) +
                     conversions_of(scalar, scalar == "__half" ? "half" : "bfloat16");
  const auto add = [&](const std::string& name, const char* parameters, const std::string& value) {
    text += function_of(scalar, pair, name, parameters, value);
  };
  for (const auto& [name, op] : {std::pair("__hadd", "+"), {"__hsub", "-"}, {"__hmul", "*"}}) {
    add(fmt::format("{}_rn", name), "ab", fmt::format("a {} b", op));
    add(fmt::format("{}_sat", name), "ab", fmt::format("{}(__saturatef(float(a) {} float(b)))", scalar, op));
  }
  add("__hfma", "abc", fmt::format("{}(fmaf(a, b, c))", scalar));
  add("__hfma_sat", "abc", fmt::format("{}(__saturatef(fmaf(a, b, c)))", scalar));
  add("__hfma_relu", "abc", fmt::format("{}(fmaxf(fmaf(a, b, c), 0.0f))", scalar));
  add("__hmax", "ab", fmt::format("{}(fmaxf(a, b))", scalar));
  add("__hmin", "ab", fmt::format("{}(fminf(a, b))", scalar));
  add("__hneg", "a", "-a");
  add("__habs", "a", fmt::format("{}(fabsf(a))", scalar));
  add("hrcp", "a", fmt::format("{}(1.0f / float(a))", scalar));
  for (const char* f : {"exp", "exp2", "exp10", "log", "log2", "log10", "sin", "cos", "tanh", "sqrt", "rsqrt", "floor",
                        "ceil", "rint", "trunc"})
    add(fmt::format("h{}", f), "a", fmt::format("{}({}f(a))", scalar, f));
  return text;
}

constexpr const char* kHalf = R"(#pragma once
typedef _Float16 __half; typedef __half half;
struct alignas(4) __half2 { __half x, y; __half2() = default; constexpr __half2(__half a, __half b) : x(a), y(b) {} }; typedef __half2 half2;
inline __half __float2half(float x) { return x; }
inline __half __float2half_rn(float x) { return x; }
inline __half __double2half(double x) { return x; }
inline float __half2float(__half x) { return x; }
inline __half2 make_half2(__half x, __half y) { return __half2{x, y}; }
inline __half2 __halves2half2(__half x, __half y) { return __half2{x, y}; }
inline __half2 __half2half2(__half x) { return __half2{x, x}; }
inline __half2 __float2half2_rn(float x) { return __half2{__half(x), __half(x)}; }
inline __half2 __floats2half2_rn(float x, float y) { return __half2{__half(x), __half(y)}; }
inline __half2 __float22half2_rn(float2 v) { return __half2{__half(v.x), __half(v.y)}; }
inline float2 __half22float2(__half2 v) { return float2{v.x, v.y}; }
inline __half __low2half(__half2 v) { return v.x; }
inline __half __high2half(__half2 v) { return v.y; }
inline float __low2float(__half2 v) { return v.x; }
inline float __high2float(__half2 v) { return v.y; }
inline __half2 __lowhigh2highlow(__half2 v) { return __half2{v.y, v.x}; }
inline __half2 __lows2half2(__half2 v, __half2 w) { return __half2{v.x, w.x}; }
inline __half2 __highs2half2(__half2 v, __half2 w) { return __half2{v.y, w.y}; }
inline __half2 __low2half2(__half2 v) { return __half2{v.x, v.x}; }
inline __half2 __high2half2(__half2 v) { return __half2{v.y, v.y}; }
unsigned short __half_as_ushort(__half); __half __ushort_as_half(unsigned short);
)";

constexpr const char* kBfloat16 = R"(#pragma once
typedef __bf16 __nv_bfloat16; typedef __nv_bfloat16 nv_bfloat16;
struct alignas(4) __nv_bfloat162 { __nv_bfloat16 x, y; __nv_bfloat162() = default; constexpr __nv_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) : x(a), y(b) {} }; typedef __nv_bfloat162 nv_bfloat162;
inline __nv_bfloat16 __float2bfloat16(float x) { return x; }
inline __nv_bfloat16 __float2bfloat16_rn(float x) { return x; }
inline float __bfloat162float(__nv_bfloat16 x) { return x; }
inline __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return __nv_bfloat162{x, y}; }
inline __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return __nv_bfloat162{x, y}; }
inline __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 x) { return __nv_bfloat162{x, x}; }
inline __nv_bfloat162 __float2bfloat162_rn(float x) { return __nv_bfloat162{__nv_bfloat16(x), __nv_bfloat16(x)}; }
inline __nv_bfloat162 __floats2bfloat162_rn(float x, float y) { return __nv_bfloat162{__nv_bfloat16(x), __nv_bfloat16(y)}; }
inline __nv_bfloat162 __float22bfloat162_rn(float2 v) { return __nv_bfloat162{__nv_bfloat16(v.x), __nv_bfloat16(v.y)}; }
inline float2 __bfloat1622float2(__nv_bfloat162 v) { return float2{v.x, v.y}; }
inline __nv_bfloat16 __low2bfloat16(__nv_bfloat162 v) { return v.x; }
inline __nv_bfloat16 __high2bfloat16(__nv_bfloat162 v) { return v.y; }
inline __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 v, __nv_bfloat162 w) { return __nv_bfloat162{v.x, w.x}; }
inline __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 v, __nv_bfloat162 w) { return __nv_bfloat162{v.y, w.y}; }
inline __nv_bfloat162 __low2bfloat162(__nv_bfloat162 v) { return __nv_bfloat162{v.x, v.x}; }
inline __nv_bfloat162 __high2bfloat162(__nv_bfloat162 v) { return __nv_bfloat162{v.y, v.y}; }
inline __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 v) { return __nv_bfloat162{v.y, v.x}; }
inline float __low2float(__nv_bfloat162 v) { return v.x; }
inline float __high2float(__nv_bfloat162 v) { return v.y; }
unsigned short __bfloat16_as_ushort(__nv_bfloat16); __nv_bfloat16 __ushort_as_bfloat16(unsigned short);
)";

}  // namespace

std::string header_text(const std::string& header) {
  if (const auto known = device_header(header)) return *known;
  if (header == "cuda_fp16.h") return kHalf + functions_of("__half", "__half2");
  if (header == "cuda_bf16.h") return kBfloat16 + functions_of("__nv_bfloat16", "__nv_bfloat162");
  if (header.starts_with("cublas")) return "#pragma once\n#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n";
  if (header == "cmath" || header == "math.h" || header == "cuda_runtime.h") return "#pragma once\n" + math_constants();
  return "";
}

}  // namespace swizzle
