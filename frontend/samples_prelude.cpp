// What well-known headers of NVIDIA's samples declare, where a file includes them and they do not lie beside it.
#include <fmt/format.h>

#include "frontend/prelude.h"

namespace swizzle {
namespace {

constexpr const char* kMacrosOfCutil = R"(
#define CUT_BANK_CHECKER(array, index) array[index]
#define CUDA_SAFE_CALL(call) call
#define CUDA_SAFE_CALL_NO_SYNC(call) call
#define CUT_SAFE_CALL(call) call
#define CUFFT_SAFE_CALL(call) call
#define cutilSafeCall(call) call
#define cutilCheckError(call) call
)";

// helper_math.h and cutil_math.h: componentwise arithmetic, of whose results nothing is known.
std::string vector_arithmetic() {
  std::string text;
  for (const char* scalar : {"float", "int", "uint"})
    for (int n = 2; n <= 4; ++n) {
      const std::string v = fmt::format("{}{}", scalar, n);
      for (const char* op : {"+", "-", "*", "/"}) {
        for (const auto& [a, b] : {std::pair(v, v), {v, std::string(scalar)}, {std::string(scalar), v}})
          text += fmt::format("{0} operator{1}({2}, {3});\n", v, op, a, b);
        for (const std::string& b : {v, std::string(scalar)})
          text += fmt::format("void operator{1}=({0}&, {2});\n", v, op, b);
      }
      text += fmt::format(
          "{0} operator-({0}); {0} make_{0}({1}); {1} dot({0}, {0}); {0} clamp({0}, {0}, {0}); "
          "{0} clamp({0}, {1}, {1}); {0} fminf({0}, {0}); {0} fmaxf({0}, {0});\n",
          v, scalar);
    }
  for (const char* v : {"float2", "float3", "float4"})
    text += fmt::format(
        "float length({0}); {0} normalize({0}); {0} lerp({0}, {0}, float); {0} floorf({0}); "
        "{0} fabs({0}); {0} reflect({0}, {0});\n",
        v);
  return text +
         "float3 cross(float3, float3); float3 make_float3(float2, float); float3 make_float3(float4); "
         "float4 make_float4(float3, float); float4 make_float4(float3); float lerp(float, float, float); "
         "float clamp(float, float, float); int clamp(int, int, int); float2 make_float2(float3);\n";
}

}  // namespace

std::string samples_header(const std::string& header) {
  const std::string name = header.substr(header.rfind('/') + 1);
  if (name == "cutil.h" || name == "cutil_inline.h") return kMacrosOfCutil;
  if (name == "helper_math.h" || name == "cutil_math.h") return "#pragma once\n" + vector_arithmetic();
  return "";
}

}  // namespace swizzle
