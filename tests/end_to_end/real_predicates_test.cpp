// What tells numbers from what is none: real numbers are not told from others, so that nothing refutes these.
#include "tests/end_to_end/as_it_is.h"

namespace swizzle::test::real_predicates_test {
namespace {

AsItIs each(const std::string& name, const std::string& kernel, const std::string& spec, int exit_code) {
  const std::string type = "const float* x, const float* z, float* y, int n";
  return {name,
          fmt::format("__global__ void f({}) {{ const int i = blockIdx.x * 64 + threadIdx.x; if (i >= n) return; "
                      "const float a = x[i], b = z[i]; y[i] = {}; }}\n"
                      "void run(float* x, float* z, float* y, int n) {{ f<<<(n + 63) / 64, 64>>>(x, z, y, n); }}\n",
                      type, kernel),
          fmt::format("void f({}) {{ for (int i = 0; i < n; i++) {{ const float a = x[i], b = z[i]; y[i] = {}; }} }}\n",
                      type, spec),
          "",
          exit_code,
          exit_code == 20 ? "nothing tells whether they differ" : ""};
}

class RealPredicates : public testing::TestWithParam<AsItIs> {};

TEST_P(RealPredicates, AreNotRefutedByWhatTheyTell) { expect_judged(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Each, RealPredicates,
    testing::Values(each("Same", "isnan(a) ? 0.f : a", "isnan(a) ? 0.f : a", 0),
                    each("Scrubbed", "isnan(a) ? 0.f : a", "a != a ? 0.f : a", 20),
                    each("Finite", "isfinite(a) ? a : b", "!isnan(a) && !isinf(a) ? a : b", 20),
                    each("OfNegative", "isnan(-a) ? 0.f : b", "isnan(a) ? 0.f : b", 20),
                    each("SignOfMagnitude", "signbit(fabsf(a)) ? 1.f : b", "b", 20),
                    each("SignOfBits", "__float_as_uint(a) >> 31 ? b : a", "signbit(a) ? b : a", 20),
                    each("NoneByBits", "(__float_as_uint(a) & 0x7fffffffu) > 0x7f800000u ? b : a", "isnan(a) ? b : a",
                         20),
                    each("Zero", "a == 0.f ? b : a", "__float_as_int(a) << 1 == 0 ? b : a", 20),
                    each("OtherSign", "signbit(a) ? b : a", "signbit(a) ? a : b", 3),
                    each("SignOfAnother", "signbit(a) ? b : a", "signbit(b) ? b : a", 3),
                    each("OtherBits", "__float_as_uint(a) >> 30 == 0 ? b : a", "signbit(a) ? b : a", 3)),
    name_of);

}  // namespace
}  // namespace swizzle::test::real_predicates_test
