// `swizzle-synth check`: inline PTX in the text of a kernel; and that nvcc's PTX of it says the same.
#include <gtest/gtest.h>

#include "tests/end_to_end/check_runs.h"

namespace swizzle::test::check_asm_test {
namespace {

struct Case {
  const char *name, *body;
  Lines accesses;  // to shared memory, before each thread reads its own
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

std::string kernel_of(const std::string& body) {
  return "__global__ void __launch_bounds__(32) k(const int* x, int* y, float f) {\n  __shared__ int s[2048];\n"
         "  const unsigned at = (unsigned)__cvta_generic_to_shared(s), t = threadIdx.x; unsigned a = t, b = 7;\n  " +
         body + "\n  __syncthreads();\n  y[t] = s[t];\n}\n";
}

Lines and_reads(Lines accesses) {
  accesses.emplace_back("load s 1/1 of 1 = 1");
  return accesses;
}

class InlinePtx : public testing::TestWithParam<Case> {};

TEST_P(InlinePtx, IsFollowedAsFarAsItIsOfIntegers) {
  const CheckResult r = check_text(kernel_of(GetParam().body), "--no-ptx");
  EXPECT_EQ(r.accesses("k", "shared"), and_reads(GetParam().accesses)) << r.errors;
}

TEST_P(InlinePtx, IsCountedByNvccAlike) {
  if (find_nvcc().empty()) GTEST_SKIP() << "no nvcc: PTX is not compared";
  const CheckResult r = check_text(kernel_of(GetParam().body), "--ptx");
  EXPECT_EQ(r.accesses("k", "shared"), and_reads(GetParam().accesses)) << r.errors;
}

// As compilers take it: without a blank before braces, by its other name, and in C++17 beside `register`.
TEST(CheckAsm, IsReadAsItMayBeWritten) {
  const std::string matrix =
      "asm(\"ldmatrix.sync.aligned.m8n8.x4.shared.b16{%0,%1,%2,%3},[%4];\" : \"=r\"(a), \"=r\"(b), \"=r\"(c), \"=r\"(d) "
      ": \"r\"(at + t * 16));";
  const CheckResult r = check_text(
      kernel_of("register int c, d; asm volatile(\"barrier.sync 0;\"); " + matrix + " y[99] = c + d;"), "--no-ptx -v");
  EXPECT_EQ(r.exit_code, 0) << r.errors;
  EXPECT_EQ(r.errors.find("not followed"), std::string::npos) << r.errors;
  EXPECT_EQ(r.accesses("k", "shared").size(), 2u) << r.errors;
}

INSTANTIATE_TEST_SUITE_P(
    Bodies, InlinePtx,
    testing::Values(
        Case{"lane", R"(asm("mov.u32 %0, %%laneid;" : "=r"(a)); s[a * 2] = x[0];)", {"store s 2/1 of 1 = 2"}},
        Case{"lanes_below",
             R"(asm("mov.u32 %0, %%lanemask_le;" : "=r"(a)); s[__popc(a) * 4] = x[0];)",
             {"store s 4/1 of 1 = 4"}},
        Case{"lanes_above",
             R"(asm("mov.u32 %0, %%lanemask_gt;" : "=r"(a)); s[__popc(a) * 8] = x[0];)",
             {"store s 8/1 of 1 = 8"}},
        Case{
            "thread_and_threads",
            R"(asm("{ .reg .u32 t, n; mov.u32 t, %%tid.x; mov.u32 n, %%ntid.x; mad.lo.u32 %0, t, n, 1; }" : "=r"(a)); )"
            R"(s[a] = x[0];)",
            {"store s 32/1 of 1 = 32"}},
        Case{"address",
             R"(asm volatile("{ .reg .u32 p; shl.b32 p, %0, 4; add.u32 p, p, %1; st.shared.u32 [p + 4], %2; }" )"
             R"(:: "r"(t), "r"(at), "r"(x[0]));)",
             {"store s 4/1 of 1 = 4"}},
        Case{
            "field", R"(asm("bfe.u32 %0, %1, 2, 3;" : "=r"(a) : "r"(t)); s[a * 32] = x[0];)", {"store s 8/1 of 1 = 8"}},
        Case{"mask",
             R"(asm("bmsk.clamp.b32 %0, %1, 2;" : "=r"(a) : "r"(t)); s[__popc(a) * 32 + t * 2] = x[0];)",
             {"store s 2/1 of 1 = 2"}},
        Case{"not",
             R"(asm("not.b32 %0, %1;" : "=r"(a) : "r"(t)); s[(a & 31) * 16] = x[0];)",
             {"store s 16/1 of 1 = 16"}},
        Case{"atomic", R"(asm volatile("red.shared.add.u32 [%0], 1;" :: "r"(at + 8 * t));)", {"atomic s 2/1 of 1 = 2"}},
        // outputs that are inputs, too
        Case{"exchange",
             R"(asm("mov.u32 %0, %3; mov.u32 %1, %2;" : "=r"(a), "=r"(b) : "r"(a), "r"(b)); s[b * 32 + a] = x[0];)",
             {"store s 32/1 of 1 = 32"}},
        // what data are added to is not what it was
        Case{"overwritten",
             R"(asm volatile("{ .reg .u32 p; mov.u32 p, %0; add.u32 p, p, %1; st.shared.u32 [p], %1; }" )"
             R"(:: "r"(at), "r"(x[t]));)",
             {"store s unknown of 1"}},
        Case{"predicated",
             R"(asm("{ .reg .pred p; setp.eq.u32 p, %1, 3; @p mov.u32 %0, %2; }" : "+r"(a) : "r"(x[t]), "r"(b)); )"
             R"(s[a] = x[0];)",
             {"store s unknown of 1"}}),
    [](const auto& info) { return info.param.name; });

// The bits of a real number are no number; and what is not followed says so.
TEST(CheckAsm, BitsOfRealsAreNotKnown) {
  const CheckResult r =
      check_text(kernel_of(R"(asm("mov.b32 %0, %1;" : "=r"(a) : "f"(2.f)); s[a & 31] = x[0];)"), "--no-ptx");
  EXPECT_EQ(r.accesses("k", "shared"), and_reads({"store s unknown of 1"}));
  const CheckResult unknown = check_text(
      kernel_of(R"(asm volatile("vshr.u32.u32.u32.clamp.add %0, %1, 2, 3;" : "=r"(a) : "r"(t)); s[a & 31] = 1;)"),
      "--no-ptx");
  EXPECT_NE(unknown.errors.find("the PTX instruction 'vshr.u32.u32.u32.clamp.add' is not followed"), std::string::npos)
      << unknown.errors;
}

// What a predicate keeps from an access is not counted, and is nowhere out of bounds.
TEST(CheckAsm, PredicatesOfComparisonsAreFollowed) {
  const auto counted = [](const std::string& ptx, const char* number) {
    const CheckResult r = check_text(
        "__global__ void __launch_bounds__(32) f(float* y, const float* x) {\n  __shared__ float s[1024];\n"
        "  const int t = threadIdx.x;\n  float v = 0;\n"
        "  const unsigned p = (unsigned)__cvta_generic_to_shared(s) + t * 128;\n  asm volatile(\"{ .reg .pred p; " +
        ptx + " }\" : \"+f\"(v) : \"r\"(p), \"r\"(" + number + "), \"l\"(x));\n}\n");
    std::string told = r.errors;
    for (const std::string& access : r.accesses("f", "shared")) told += access;
    return told;
  };
  EXPECT_EQ(counted("setp.ne.u32 p, %2, 0; @p st.shared.f32 [%1], %0;", "t % 8"), "store s 28/1 of 1 = 28");
  EXPECT_EQ(counted("setp.eq.s32 p, %2, 1; @p cp.async.ca.shared.global [%1], [%3], 4;", "(int)(t < 4)"),
            "store s 4/1 of 1 = 4");
  EXPECT_EQ(counted("setp.lt.s32 p, %2, 4; @!p ld.shared.f32 %0, [%1];", "t"), "load s 28/1 of 1 = 28");
  EXPECT_EQ(counted("setp.hi.u32 p, %2, 29; @p ld.shared.f32 %0, [%1 + 64];", "t"), "load s 2/1 of 1 = 2");
  EXPECT_EQ(counted("setp.lt.s32 p, %2, 8; @p ld.shared.f32 %0, [%1 + 3072];", "t"), "load s 8/1 of 1 = 8");
  EXPECT_NE(
      counted("setp.lt.f32 p, %0, 0f00000000; @p ld.shared.f32 %0, [%1];", "t").find("data decide this condition"),
      std::string::npos);
}

}  // namespace
}  // namespace swizzle::test::check_asm_test
