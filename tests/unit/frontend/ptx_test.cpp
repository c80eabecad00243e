#include "frontend/ptx.h"

#include <gtest/gtest.h>

namespace swizzle::ptx_test {
namespace {

TEST(Ptx, ScopesDeclarationsAndCommentsAreDropped) {
  const auto found = ptx_instructions(
      "{\n  .reg .pred p;\n  setp.ne.b32 p, %0, 0; // guard\n  @p cp.async.cg.shared.global [%1], [%2 + 16], 16;\n}\n");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].name, "setp.ne.b32");
  EXPECT_EQ(found[0].operands, (std::vector<std::string>{"p", "%0", "0"}));
  EXPECT_EQ(found[1].operands, (std::vector<std::string>{"[%1]", "[%2 + 16]", "16"}));
  EXPECT_TRUE(found[0].is_quiet());
  EXPECT_FALSE(found[1].is_quiet());
  EXPECT_EQ(found[0].predicate, "");
  EXPECT_EQ(found[1].predicate, "p");
  EXPECT_EQ(ptx_instructions("@!q bra L;").at(0).predicate, "!q");
}

TEST(Ptx, AListIsOneOperand) {
  const auto found = ptx_instructions("ldmatrix.sync.aligned.m8n8.x4.trans.shared::cta.b16 {%0, %1, %2, %3}, [%4];");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].operands, (std::vector<std::string>{"{%0, %1, %2, %3}", "[%4]"}));
  EXPECT_EQ(found[0].matrices(), 4);
  EXPECT_TRUE(found[0].is_shared());
}

TEST(Ptx, WidthsOfLoadsAndStores) {
  const auto bytes = [](const std::string& text) { return ptx_instructions(text).at(0).bytes(); };
  EXPECT_EQ(bytes("ld.shared.b32 %0, [%1];"), 4);
  EXPECT_EQ(bytes("ld.global.nc.v4.f32 {%0,%1,%2,%3}, [%4];"), 16);
  EXPECT_EQ(bytes("st.shared.v2.u64 [%0], {%1,%2};"), 16);
  EXPECT_EQ(bytes("st.shared.u8 [%0], %1;"), 1);
}

TEST(Ptx, Addresses) {
  EXPECT_EQ(ptx_address("[%4]"), (std::pair<std::string, std::int64_t>("%4", 0)));
  EXPECT_EQ(ptx_address("[ %4 + 0x10 ]"), (std::pair<std::string, std::int64_t>("%4", 16)));
  EXPECT_EQ(ptx_address("[p + q]"), std::nullopt);
  EXPECT_EQ(ptx_address("%4"), std::nullopt);
}

}  // namespace
}  // namespace swizzle::ptx_test
