// Iterations, loops and functions that end where data say so.
#include "tests/end_to_end/as_it_is.h"

namespace swizzle::test::data_exits_test {
namespace {

constexpr const char* kParameters = "(const int* x, const int* m, int* y, int n)";
constexpr const char* kEvery = "; proved for every n from 1 to";

// Each thread with an element i of its own; `helpers` stand before the kernel.
AsItIs element(const std::string& name, const std::string& helpers, const std::string& kernel, const std::string& each,
               const std::string& said, int exit_code = 0) {
  return {name,
          fmt::format("{0}\n__global__ void f{1} {{\n  const int i = blockIdx.x * 64 + threadIdx.x;\n"
                      "  if (i >= n) return;\n  {2}\n}}\nvoid run{1} {{ f<<<(n + 63) / 64, 64>>>(x, m, y, n); }}\n",
                      helpers, kParameters, kernel),
          fmt::format("void f{} {{\n  for (int i = 0; i < n; i++) {{ {} }}\n}}\n", kParameters, each),
          "--set n=130",
          exit_code,
          said};
}

constexpr const char *kFind =
                         "int find(const int* x) { for (int k = 0; k < 5; k++) if (x[k] == 3) return k; return -1; }",
                     *kSign = "int sign(int v) { if (v > 0) return 1; if (v < 0) return -1; return 0; }",
                     *kSkip =
                         "int s = 0; for (int k = 0; k < 4; k++) { if (x[4 * i + k] < 0) continue; "
                         "s += x[4 * i + k]; } y[i] = s;",
                     *kLeave =
                         "int s = 0; for (int k = 0; k < 4; k++) { if (x[4 * i + k] == 7) break; "
                         "s += x[4 * i + k]; } y[i] = s;";

class DataExits : public testing::TestWithParam<AsItIs> {};

TEST_P(DataExits, AreArmsOfConditions) { expect_judged(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Of, DataExits,
    testing::Values(
        element("Return", "", "if (m[i] == 0) return;\n  y[i] = x[i];", "if (m[i] != 0) y[i] = x[i];", kEvery),
        element("ReturnOfAFunction", std::string("__device__ ") + kSign, "y[i] = sign(x[i]);",
                "y[i] = x[i] > 0 ? 1 : x[i] < 0 ? -1 : 0;", kEvery),
        element("ReturnFromALoop", std::string("__device__ ") + kFind, "y[i] = find(x + 5 * i);",
                "int r = -1; for (int k = 4; k >= 0; k--) if (x[5 * i + k] == 3) r = k; y[i] = r;", kEvery),
        element("Continue", "", kSkip,
                "int s = 0; for (int k = 0; k < 4; k++) if (x[4 * i + k] >= 0) s += x[4 * i + k]; y[i] = s;", kEvery),
        element("Break", "", kLeave,
                "int s = 0; bool more = true; for (int k = 0; k < 4; k++) { more = more && x[4 * i + k] != 7; "
                "if (more) s += x[4 * i + k]; } y[i] = s;",
                kEvery),
        element("OfTheSpec", "", "y[i] = m[i] == 0 ? y[i] : x[i];", "if (m[i] == 0) continue; y[i] = x[i];", kEvery),
        element("ReturnTooEarly", "", "if (m[i] <= 0) return;\n  y[i] = x[i];", "if (m[i] != 0) y[i] = x[i];",
                "failed its verification", 3),
        element(
            "Switch", "",
            "switch (m[i]) {\n    case 0: y[i] = -x[i]; return;\n    case 1: case 2: y[i] = x[i]; break;\n    default: y[i] = 0;\n"
            "  }",
            "y[i] = m[i] == 0 ? -x[i] : m[i] == 1 || m[i] == 2 ? x[i] : 0;", kEvery),
        element("OneOfMany", "", "bool a = false; for (int k = 0; k < 12; k++) a = a || x[12 * i + k] == 0; y[i] = a;",
                "int a = 0; for (int k = 11; k >= 0; k--) if (x[12 * i + k] == 0) a = 1; y[i] = a;", kEvery)),
    name_of);

}  // namespace
}  // namespace swizzle::test::data_exits_test
