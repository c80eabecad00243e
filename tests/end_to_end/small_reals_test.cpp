// Functions of cuda_fp16.h and cuda_bf16.h: each is what its name says of values that were moved.
#include "tests/end_to_end/sketch_text.h"

namespace swizzle::test::small_reals_test {
namespace {

struct Call {
  const char* name;
  const char *from, *to;  // types of x and y
  const char* value;      // of v and w
};

Sketch sketch_of(const Call& call) {
  const bool is_half = std::string_view(call.from).find("half") != std::string_view::npos ||
                       std::string_view(call.to).find("half") != std::string_view::npos;
  const std::string head = is_half ? "#include <cuda_fp16.h>\n" : "#include <cuda_bf16.h>\n";
  return {
      call.name,
      head + fmt::format("__global__ void f(const {0}* x, {1}* y, int n) {{\n  const int t = threadIdx.x;\n"
                         "  const {0} w = x[t], v = x[t ^ ?sw_const(0, 32)];\n  y[t] = {2};\n}}\n",
                         call.from, call.to, call.value),
      head + fmt::format("void f(const {0}* x, {1}* y, int n) {{ for (int t = 0; t < n; t++) {{ const {0} w = x[t], "
                         "v = x[t ^ 5]; y[t] = {2}; }} }}\n",
                         call.from, call.to, call.value),
      kRuns};
}

class SmallReals : public testing::TestWithParam<Call> {};
TEST_P(SmallReals, HaveTheirFunctions) { expect_verified(sketch_of(GetParam())); }

INSTANTIATE_TEST_SUITE_P(Of, SmallReals,
                         testing::Values(Call{"PairMade", "__half2", "__half2", "__half2(v.y, w.x)"},
                                         Call{"BfloatPairMade", "__nv_bfloat162", "__nv_bfloat162",
                                              "__nv_bfloat162(w.y, v.x)"},
                                         Call{"ToInt", "__half", "int", "__half2int_rn(v)"},
                                         Call{"ToShort", "__nv_bfloat16", "short", "__bfloat162short_rz(v)"},
                                         Call{"ToByte", "__half", "unsigned char", "__half2uchar_rz(v)"},
                                         Call{"FromUint", "unsigned", "__nv_bfloat16", "__uint2bfloat16_rn(v)"},
                                         Call{"FromLong", "long long", "__half", "__ll2half_rn(v)"},
                                         Call{"Bits", "__half", "__half", "__short_as_half(__half_as_short(v))"},
                                         Call{"Tanh", "__half2", "__half2", "h2tanh(v)"},
                                         Call{"Reciprocal", "__nv_bfloat16", "__nv_bfloat16", "hrcp(v)"},
                                         Call{"Saturated", "__half2", "__half2", "__hadd2_sat(v, w)"},
                                         Call{"Relu", "__nv_bfloat162", "__nv_bfloat162", "__hfma2_relu(v, w, v)"},
                                         Call{"Nearest", "__half", "__half", "__hmul_rn(v, w)"},
                                         Call{"Ceiling", "__half", "__half", "hceil(v)"},
                                         Call{"Mask", "__nv_bfloat162", "unsigned", "__hgt2_mask(v, w)"}),
                         [](const auto& i) { return std::string(i.param.name); });

}  // namespace
}  // namespace swizzle::test::small_reals_test
