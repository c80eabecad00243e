#include "synth/tables/constant_rows.h"

#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace swizzle::constant_rows_test {
namespace {

using Values = std::vector<std::int64_t>;

ConstantRows rows_of(const Values& values) {
  ConstantRows rows;
  for (std::size_t k = 0; k < values.size(); ++k) rows[{static_cast<std::int64_t>(k)}] = values[k];
  return rows;
}

std::string text(const Values& values, ConstantForm form = {}) {
  return expression_of(rows_of(values), form).print({"k"});
}

std::string mask_text(const Values& values, int bits = 32) { return text(values, {ConstantForm::Kind::kMask, bits}); }

template <typename F>
Values for_each_k(int count, F&& f) {
  Values values;
  for (int k = 0; k < count; ++k) values.push_back(static_cast<std::int64_t>(f(k)));
  return values;
}

TEST(ConstantRows, NumbersHaveFormulas) {
  EXPECT_EQ(text({7, 7, 7}), "7");
  EXPECT_EQ(text({1, 3, 5}), "k * 2 + 1");
  EXPECT_EQ(text({16, 8, 4}), "16 >> k");
  EXPECT_EQ(text({0, 1, 0, 1}), "k & 1");
  EXPECT_EQ(text({3, 3, 5, 5, 7, 7}), "(k >> 1) * 2 + 3");
  EXPECT_EQ(text({0, 1, 4}), "{0, 1, 4}[k]");
}

TEST(ConstantRows, MasksAreRunsOrOneWordMoved) {
  EXPECT_EQ(mask_text({0x0000ffff, 0x00ff00ff, 0x0f0f0f0f}), "0xffffffffu / ((1u << (16 >> k)) + 1)");
  EXPECT_EQ(mask_text({0x00ff, 0x0f0f, 0x3333, 0x5555}), "0xffffu / ((1u << (8 >> k)) + 1)");
  EXPECT_EQ(mask_text(for_each_k(32, [](int k) { return 1u << k; })), "0x00000001u << k");
  EXPECT_EQ(mask_text(for_each_k(32, [](int k) { return 0x80000000u >> k; })), "0x80000000u >> k");
  EXPECT_EQ(mask_text(for_each_k(8, [](int k) { return 0xfu << 4 * k; })), "0x0000000fu << (k * 4)");
  EXPECT_EQ(mask_text(for_each_k(4, [](int k) { return 0x000f000fu << 4 * k; })), "0x000f000fu << (k * 4)");
  EXPECT_EQ(mask_text(for_each_k(5, [](int k) { return 0xc0000011u >> k; })), "0xc0000011u >> k") << "lowest bits go";
  EXPECT_EQ(mask_text(for_each_k(32, [](int k) { return ~0u << k; })), "0xffffffffu << k");
  EXPECT_EQ(mask_text(for_each_k(31, [](int k) { return 0xf0000001u << k; })), "0xf0000001u << k") << "highest bits go";
  EXPECT_EQ(mask_text(for_each_k(8, [](int k) { return (2u << k) - 1; })), "0xffffffffu >> (31 - k)");
  EXPECT_EQ(mask_text(for_each_k(8, [](int k) { return (1u << k) - 1; })), "(0x00000001u << k) - 1");
  EXPECT_EQ(mask_text({0xffff0000, 0xff00ff00, 0xf0f0f0f0}), "0xffffffffu ^ (0xffffffffu / ((1u << (16 >> k)) + 1))");
  EXPECT_EQ(mask_text(for_each_k(8, [](int k) { return ~(0xfu << 4 * k); })), "0xffffffffu ^ (0x0000000fu << (k * 4))");
  EXPECT_EQ(mask_text(for_each_k(8, [](int k) { return k % 2 == 0 ? 0x55u : 0xaau; }), 8),
            "(k & 1) == 0 ? 0x55u : 0xaau");
  EXPECT_EQ(mask_text(for_each_k(64, [](int k) { return std::uint64_t{1} << k; }), 64), "0x0000000000000001ull << k");
  EXPECT_EQ(mask_text({0x1, 0x6, 0x8}), "{0x00000001u, 0x00000006u, 0x00000008u}[k]");
  EXPECT_EQ(mask_text({0x1, 0x0, 0x8}), "{0x00000001u, 0x00000000u, 0x00000008u}[k]");
}

// Whatever is found gives the values: of random words, random formulas, and random formulas of digits.
TEST(ConstantRows, OfTwoArgumentsTheOneThatLeavesLessIsAskedFirst) {
  ConstantRows rows;
  for (std::int64_t k = 0; k < 5; ++k)
    for (std::int64_t side = 0; side < 2; ++side) {
      const std::int64_t kept = std::int64_t{0xffffffff} / ((std::int64_t{1} << (16 >> k)) + 1);
      rows[{k, side}] = side == 0 ? kept : 0xffffffff ^ kept;
    }
  EXPECT_EQ(
      expression_of(rows, {ConstantForm::Kind::kMask, 32}).print({"k", "side"}),
      "side == 0 ? 0xffffffffu / ((1u << (16 >> k)) + 1) : 0xffffffffu ^ (0xffffffffu / ((1u << (16 >> k)) + 1))");
}

TEST(ConstantRows, EachFormGivesTheValues) {
  std::mt19937_64 random(7);
  for (int trial = 0; trial < 3000; ++trial) {
    const int bits = 8 << random() % 4, count = 2 + static_cast<int>(random() % 31);
    const std::uint64_t ones = ~std::uint64_t{0} >> (64 - bits), word = random() & ones;
    const int step = 1 + static_cast<int>(random() % 4), digit = 1 << random() % 4,
              kind = static_cast<int>(random() % 6);
    const Values values = for_each_k(count, [&](int k) -> std::uint64_t {
      const int at = (kind % 2 == 0 ? k : k / digit) * step % bits;
      switch (kind / 2) {
        case 0: return (word & 0xff) << at & ones;
        case 1: return word >> at;
        default: return (random() % 3 == 0 ? word : word ^ 5) & ones;
      }
    });
    const ConstantRows rows = rows_of(values);
    for (const ConstantForm form : {ConstantForm{ConstantForm::Kind::kMask, bits}, ConstantForm{}}) {
      const IndexExpr found = expression_of(rows, form);
      for (const auto& [arguments, value] : rows) EXPECT_EQ(found.evaluate(arguments), value) << found.print({"k"});
    }
  }
}

}  // namespace
}  // namespace swizzle::constant_rows_test
