#include "frontend/prelude.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "synth/program/device_headers.h"
#include "synth/program/hole_kinds.h"
#include "synth/program/intrinsics.h"

namespace swizzle {
namespace {

constexpr const char* kDeclarations = R"(
#define __global__ __attribute__((annotate("swizzle_global")))
#define __shared__ __attribute__((annotate("swizzle_shared")))
#define __constant__ __attribute__((annotate("swizzle_constant")))
#define __device__
#define __host__
#define __forceinline__ inline
#define __noinline__
#define __restrict__
#define __grid_constant__
#define __launch_bounds__(...) __attribute__((annotate("swizzle_launch_bounds", __VA_ARGS__)))
#define __align__(n) __attribute__((aligned(n)))
#define __CUDA_ARCH__ 900
#define __CUDACC__ 1
#define assert(...) ((void)0)
#define NULL 0
#define INT_MAX 2147483647
#define INT_MIN (-INT_MAX - 1)
#define FLT_MAX 3.402823466e+38f
#define FLT_MIN 1.175494351e-38f
#define FLT_EPSILON 1.192092896e-07f
#define UINT_MAX 0xffffffffu
#define UINT32_MAX 0xffffffffu
#define INT32_MAX INT_MAX
#define INFINITY 1e999f
#define CHAR_BIT 8
#define SHRT_MAX 32767
#define SHRT_MIN (-SHRT_MAX - 1)
#define USHRT_MAX 65535
#define UCHAR_MAX 255
#define LLONG_MAX 9223372036854775807ll
#define LLONG_MIN (-LLONG_MAX - 1)
#define ULLONG_MAX 0xffffffffffffffffull
#define INT64_MAX 9223372036854775807l
#define INT64_MIN (-INT64_MAX - 1)
#define UINT64_MAX 0xfffffffffffffffful
#define INT32_MIN INT_MIN
#define UINT16_MAX 65535
#define UINT8_MAX 255
#define DBL_MAX 1.7976931348623157e308
#define DBL_MIN 2.2250738585072014e-308
#define DBL_EPSILON 2.2204460492503131e-16
#define CUDART_INF_F 1e999f
#define CUDART_INF 1e999
#define CUDART_PI_F 3.141592654f
#define CUDART_PI 3.1415926535897931
typedef signed char int8_t; typedef unsigned char uint8_t; typedef short int16_t; typedef unsigned short uint16_t;
typedef int int32_t; typedef unsigned uint32_t; typedef long int64_t; typedef unsigned long uint64_t;
typedef unsigned long size_t; typedef long ptrdiff_t; typedef unsigned uint; typedef unsigned long ulong; typedef unsigned char uchar; typedef unsigned short ushort;
typedef unsigned long uintptr_t;
struct uint3 { unsigned x, y, z; };
struct dim3 { unsigned x, y, z; };
extern const uint3 threadIdx, blockIdx; extern const dim3 blockDim, gridDim; extern const int warpSize;
namespace std {
template <class E> class initializer_list { const E* begin_; unsigned long size_; public: constexpr const E* begin() const { return begin_; } constexpr const E* end() const { return begin_ + size_; } constexpr unsigned long size() const { return size_; } };
template <class T> constexpr const T& min(const T& a, const T& b) { return b < a ? b : a; }
template <class T> constexpr const T& max(const T& a, const T& b) { return a < b ? b : a; }
template <class T> constexpr void swap(T& a, T& b) { T old = a; a = b; b = old; }
using ::size_t; using ::int32_t; using ::uint32_t; using ::int64_t; using ::uint64_t; using ::uint8_t; using ::uint16_t;
}
)";

// Of accumulators: names like `plus` and `times`, which others give to functions of their own.
constexpr const char* kAccumulators =
    R"(template <int N> struct $operator {};
constexpr $operator<0> identity{}; constexpr $operator<1> plus{}; constexpr $operator<2> times{}; constexpr $operator<3> bit_xor{};
constexpr $operator<4> bit_and{}; constexpr $operator<5> bit_or{};
struct $any { template <class T> operator T() const; };
template <class T, class... O> struct acc { T value; };
template <class T, class... O> acc<T, O...> create_accumulator(T v, O...) { return {v}; }
template <class F, class T> auto $combined(F& f, const T* a, int) -> decltype(void(f(*a, *a))) { f(*a, *a); }
template <class F, class T> void $combined(F&, const T*, long) {}
template <class A, class... O, class T> void accumulate(acc<A, O...>&, std::initializer_list<T> e, bool = true) { ($combined(*static_cast<O*>(nullptr), e.begin(), 0), ...); }
template <class... O> $any eval(const acc<int, O...>&) { return {}; }
template <class T, class... O> T eval(const acc<T, O...>& o) { return o.value; }
)";

// What else only sketches have.
constexpr const char* kSketchDeclarations =
    R"(size_t __cvta_generic_to_shared(const void*); size_t __cvta_generic_to_global(const void*);
template <int N> struct $layout { int operator()(int, int) const; constexpr long size() const { return (1L << 40) + N; } };
struct $named {};
constexpr $named sw_pitch(int elements) { return {}; }
constexpr $named sw_cute(int bits, int base, int shift) { return {}; }
constexpr $named sw_triton(int vec, int per_phase, int max_phase) { return {}; }
constexpr $named sw_tma(int bytes) { return {}; }
template <class T> struct $registers { T& operator[](int); };
template <class T> $registers<T> load(const T*, long, int, int);
template <class T, class R> void store(T*, long, int, int, R&);
template <class T> T magic_get(const $registers<T>&);
template <class T, int N> T magic_get(const T (&)[N]);
)";

// C++'s forms of C's functions: for integers, by way of double; and by the names that std has for them.
std::string mathematics() {
  std::string text;
  for (const char* f :
       {"sqrt",  "cbrt", "exp",   "exp2",  "expm1", "log",       "log2", "log10", "log1p",  "logb",   "sin",
        "cos",   "tan",  "asin",  "acos",  "atan",  "sinh",      "cosh", "tanh",  "asinh",  "acosh",  "atanh",
        "floor", "ceil", "round", "trunc", "rint",  "nearbyint", "erf",  "erfc",  "lgamma", "tgamma", "fabs"})
    text += fmt::format(
        "template <class T> double {0}(T x) {{ return {0}(double(x)); }}\n"
        "namespace std {{ using ::{0}; }}\n",
        f);
  for (const char* f : {"pow", "fmod", "remainder", "atan2", "hypot", "fdim", "copysign", "nextafter", "fmin", "fmax"})
    text += fmt::format(
        "template <class A, class B> double {0}(A a, B b) {{ return {0}(double(a), double(b)); }}\n"
        "namespace std {{ using ::{0}; }}\n",
        f);
  for (const char* f : {"abs", "fma", "isnan", "isinf", "isfinite", "signbit", "lrint", "llrint", "lround", "llround",
                        "ilogb", "ldexp", "scalbn", "scalbln", "modf", "frexp", "remquo"})
    text += fmt::format("namespace std {{ using ::{}; }}\n", f);
  return text;
}

// What is chosen among is an int where some of it is narrower than others.
constexpr const char* kChosen = R"(template <class T> struct $promoted { using type = T; };
template <> struct $promoted<bool> { using type = int; }; template <> struct $promoted<char> { using type = int; };
template <> struct $promoted<signed char> { using type = int; }; template <> struct $promoted<unsigned char> { using type = int; };
template <> struct $promoted<short> { using type = int; }; template <> struct $promoted<unsigned short> { using type = int; };
template <bool, class T> struct $unless { using type = T; }; template <class T> struct $unless<false, T> { using type = typename $promoted<T>::type; };
template <class T, class... U> using $chosen = typename $unless<(__is_same(T, U) && ...), T>::type;
)";

// Of holes, as source_rewrite.h has them; a layout's number is part of its type.
std::string hole_declarations() {
  std::string text = kChosen;
  for (const HoleTraits& traits : hole_kinds()) {
    if (traits.is_cell())
      for (const char* named : {"", ", $named"})
        text += fmt::format("template <int N> constexpr $layout<N> ${}(int rows, int columns{}) {{ return {{}}; }}\n",
                            traits.name, named);
    else if (traits.is_chosen())
      text += fmt::format("template <class T, class... U> $chosen<T, U...> ${0}(T, U...); int ${0}();\n", traits.name);
    else
      text += fmt::format("{} ${}(...);\n",
                          traits.is_truth()  ? "bool"
                          : traits.is_word() ? "unsigned"
                                             : "int",
                          traits.name);
  }
  return text;
}

std::string vector_types() {
  struct Base {
    const char *name, *scalar;
    int bytes;
  };
  constexpr std::array<Base, 12> kBases = {{{"char", "signed char", 1},
                                            {"uchar", "unsigned char", 1},
                                            {"short", "short", 2},
                                            {"ushort", "unsigned short", 2},
                                            {"int", "int", 4},
                                            {"uint", "unsigned", 4},
                                            {"long", "long", 8},
                                            {"ulong", "unsigned long", 8},
                                            {"longlong", "long long", 8},
                                            {"ulonglong", "unsigned long long", 8},
                                            {"float", "float", 4},
                                            {"double", "double", 8}}};
  constexpr int kWidestAlignment = 16;
  constexpr const char* kFields[] = {"x", "y", "z", "w"};
  std::string text;
  for (const Base& base : kBases)
    for (int n = 1; n <= 4; ++n) {
      const std::string name = fmt::format("{}{}", base.name, n);
      std::string fields, parameters, arguments;
      for (int f = 0; f < n; ++f) {
        fields += fmt::format("{} {}; ", base.scalar, kFields[f]);
        parameters += fmt::format("{}{} {}", f > 0 ? ", " : "", base.scalar, kFields[f]);
        arguments += fmt::format("{}{}", f > 0 ? ", " : "", kFields[f]);
      }
      if (name != "uint3")
        text += fmt::format("struct alignas({}) {} {{ {}}};\n",
                            n % 2 == 0 ? std::min(kWidestAlignment, n * base.bytes) : base.bytes, name, fields);
      text += fmt::format("inline {0} make_{0}({1}) {{ return {0}{{{2}}}; }}\n", name, parameters, arguments);
    }
  return text;
}

std::vector<std::string> with(std::vector<std::string> some, const std::vector<std::string>& others) {
  some.insert(some.begin(), others.begin(), others.end());
  return some;
}

// dim3 as host code makes it.
std::string with_constructors(std::string declarations) {
  constexpr std::string_view kPlainDim3 = "struct dim3 { unsigned x, y, z; };";
  return declarations.replace(
      declarations.find(kPlainDim3), kPlainDim3.size(),
      "struct dim3 { unsigned x, y, z; constexpr dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {} constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {} };");
}

}  // namespace

std::string prelude_text(Accumulators accumulators) {
  return kDeclarations + intrinsic_declarations() + kSketchDeclarations +
         (accumulators == Accumulators::kThere ? kAccumulators : "") + refused_declarations() + mathematics() +
         atomic_declarations() + hole_declarations() + vector_types() + standard_library() + standard_algorithms();
}

std::string prelude_text_with_host(Accumulators accumulators) {
  return with_constructors(prelude_text(accumulators)) + host_declarations();
}

std::string device_prelude_text(bool has_torch) {
  return with_constructors(kDeclarations) + intrinsic_declarations() + vector_types() + device_declarations(has_torch);
}

const std::vector<std::string>& accepted_headers() {
  static const std::vector<std::string> headers = with(device_headers(), {"cuda_runtime.h",
                                                                          "cuda.h",
                                                                          "device_launch_parameters.h",
                                                                          "cuda_runtime_api.h",
                                                                          "vector_types.h",
                                                                          "math_constants.h",
                                                                          "cuda_fp16.h",
                                                                          "cuda_bf16.h",
                                                                          "cublas_v2.h",
                                                                          "cublasLt.h",
                                                                          "stdint.h",
                                                                          "cstdint",
                                                                          "stddef.h",
                                                                          "cstddef",
                                                                          "cmath",
                                                                          "math.h",
                                                                          "algorithm",
                                                                          "stdio.h",
                                                                          "cstdio",
                                                                          "assert.h",
                                                                          "cassert",
                                                                          "climits",
                                                                          "limits.h",
                                                                          "cfloat",
                                                                          "float.h",
                                                                          "stdlib.h",
                                                                          "cstdlib"});
  return headers;
}

}  // namespace swizzle
