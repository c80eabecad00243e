// Kernels that are the spec bit by bit: at the sizes given, and at all others.
#include "tests/end_to_end/as_it_is.h"

namespace swizzle::test::verified_bits_test {
namespace {

// y[i] of x[i] in both.
AsItIs words(const std::string& name, const std::string& of_kernel, const std::string& of_spec, int exit_code,
             const std::string& said, const std::string& from = "unsigned", const std::string& to = "unsigned") {
  const std::string parameters = fmt::format("(const {}* x, {}* y, int n)", from, to);
  return {name,
          fmt::format("__global__ void f{} {{\n  const int i = blockIdx.x * 256 + threadIdx.x;\n"
                      "  if (i < n) y[i] = {};\n}}\n"
                      "void run{} {{ f<<<(n + 255) / 256, 256>>>(x, y, n); }}\n",
                      parameters, of_kernel, parameters),
          fmt::format("void f{} {{\n  for (int i = 0; i < n; i++) y[i] = {};\n}}\n", parameters, of_spec),
          "",
          exit_code,
          said};
}

constexpr const char* kProved = "; proved for every n from 1 to ";
constexpr const char* kSwapped = "x[i] >> 24 | (x[i] >> 8 & 0xff00) | (x[i] << 8 & 0xff0000) | x[i] << 24";

class VerifiedBits : public testing::TestWithParam<AsItIs> {};

TEST_P(VerifiedBits, AreTheSpecsAtEverySize) { expect_judged(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Of, VerifiedBits,
    testing::Values(words("BytesInTheOtherOrder", "__byte_perm(x[i], 0, 0x0123)", kSwapped, 0, kProved),
                    words("OneByteElsewhere", "__byte_perm(x[i], 0, 0x0213)", kSwapped, 3, "and the spec says"),
                    words("ThreeBitsOfASelector", "__byte_perm(x[i], 0, 0xba98)", "x[i]", 0, "equal to the spec"),
                    words("NoSigns", "__byte_perm(x[i] & 128, 0, 0x4448)", "(x[i] >> 7 & 1) * 255", 3,
                          "and the spec says"),
                    words("TheByteItself", "__byte_perm(x[i] & 128, 0, 0x4448)", "x[i] & 128", 0, kProved),
                    words("WordsOfBytes", "x[4 * i] | x[4 * i + 1] << 8 | x[4 * i + 2] << 16 | x[4 * i + 3] << 24",
                          "((x[4 * i + 3] * 256u + x[4 * i + 2]) * 256 + x[4 * i + 1]) * 256 + x[4 * i]", 0, kProved,
                          "unsigned char"),
                    words("DoubledInAField", "(unsigned char)(x[i] << 1 ^ (x[i] >> 7) * 0x1b)",
                          "(unsigned char)(x[i] & 128 ? x[i] << 1 ^ 0x1b : x[i] << 1)", 0, kProved, "unsigned char",
                          "unsigned char"),
                    words("Rotations", "__funnelshift_r(x[i], x[i], 7) ^ __funnelshift_l(x[i], x[i], 14)",
                          "(x[i] >> 7 | x[i] << 25) ^ (x[i] >> 18 | x[i] << 14)", 0, kProved),
                    words("RotationsOfOneMore", "__funnelshift_r(x[i], x[i], 7) ^ __funnelshift_l(x[i], x[i], 14)",
                          "(x[i] >> 7 | x[i] << 25) ^ (x[i] >> 19 | x[i] << 13)", 3, "and the spec says")),
    name_of);

}  // namespace
}  // namespace swizzle::test::verified_bits_test
