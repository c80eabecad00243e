#include "driver/address_uses.h"

#include <gtest/gtest.h>

#include "tests/unit/driver/arrays_in_file.h"

namespace swizzle::address_uses_test {
namespace {

// What is accessed through the address of `s[0][0]`, the only one that is taken.
std::optional<int> accessed(const std::string& use) {
  const CheckedKernel kernel = test::parsed_kernel(
      "struct Pair { float a, b; };\n"
      "__device__ float of(const float* p) { return *p; }\n"
      "__device__ float beyond(const float* p) { return p[1]; }\n"
      "__device__ void rows(unsigned& a, const void* p) {\n"
      "  unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(p));\n"
      "  asm volatile(\"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];\" : \"=r\"(a) : \"r\"(at));\n}\n"
      "__global__ void k(float* y, unsigned* z) {\n  __shared__ float s[4][4];\n  int i = threadIdx.x;\n  " +
      use + "\n}\n");
  const Program& program = kernel.program;
  for (std::uint32_t e = 0; e < program.exprs.size(); ++e) {
    const Expr& address = program.exprs[e];
    if (address.kind != ExprKind::kAddressOf) continue;
    if (program.expr(address.operands[0]).kind == ExprKind::kSubscript)
      return AddressUses(program).accessed_bytes(ExprId(e));
  }
  ADD_FAILURE() << "no address is taken: " << use;
  return std::nullopt;
}

TEST(AddressUses, AreFollowedToWhatTheyAccess) {
  EXPECT_EQ(accessed("y[0] = *&s[0][0];"), 4);
  EXPECT_EQ(accessed("y[0] = reinterpret_cast<float4*>(&s[0][0])->x;"), 16);
  EXPECT_EQ(accessed("const float2* p = (const float2*)&s[0][0]; y[0] = p->x; y[1] = p[0].y;"), 8);
  EXPECT_EQ(accessed("const float* p; p = &s[0][0]; y[0] = *p;"), 4);
  EXPECT_EQ(accessed("y[0] = of(&s[0][0]);"), 4);
  EXPECT_EQ(accessed("unsigned a; rows(a, &s[0][0]); z[0] = a;"), 16);
  EXPECT_EQ(accessed("atomicAdd(&s[0][0], 1.f);"), 4);
  EXPECT_EQ(accessed("bool b = &s[0][0] == y; y[0] = b;"), 1);
}

TEST(AddressUses, WhereOtherElementsMayBeAccessedNothingIsSaid) {
  for (const char* use : {
           "y[0] = (&s[0][0])[i];", "y[0] = (&s[0][0])[1];", "y[0] = *(&s[0][0] + 4);",
           "const float* p = &s[0][0]; ++p; y[0] = *p;", "const float* p = &s[0][0]; y[0] = *p; p += 4; y[1] = *p;",
           "y[0] = beyond(&s[0][0]);", "y[0] = elsewhere(&s[0][0]);", "memcpy(y, &s[0][0], 16);",
           "const float4* p = (const float4*)&s[0][0]; const float* q = &p->x; y[0] = q[2];",
           "y[0] = reinterpret_cast<Pair*>(&s[0][0])->b;",  // may lie at any multiple of four
       })
    EXPECT_EQ(accessed(use), std::nullopt) << use;
}

}  // namespace
}  // namespace swizzle::address_uses_test
