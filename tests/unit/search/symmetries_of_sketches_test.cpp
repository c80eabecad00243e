#include "synth/search/symmetries.h"

#include <gtest/gtest.h>

#include "tests/unit/posed_product.h"

namespace swizzle::symmetries_of_sketches_test {
namespace {

// The symmetries of a kernel of this body that is to multiply polynomials modulo X^4 - 1.
std::vector<VariableSymmetry> symmetries_of(const std::string& body) {
  Problem problem;
  const auto sketch = pose_product(
      body, "for (int i = 0; i < 4; i++) { c[i] = 0; for (int j = 0; j < 4; j++) c[i] ^= a[j] & b[(i - j) & 3]; }",
      problem);
  collect_holes(sketch, problem);
  ConstraintNetwork network;
  EXPECT_FALSE(add_equations(problem, covering_equations(problem), network));
  return find_symmetries(problem, network, GuardedIssues(problem, {}));
}

const char* const kOneProduct = R"(
  unsigned out = 0;
  for (int k = 0; k < 4; k++) {
    const unsigned x = __shfl_sync(15, a[t], ?sw_xform(t, 4, k)), y = __shfl_sync(15, b[t], ?sw_xform(t, 4, k));
    if (?sw_cond(t, k)) out ^= x & y;
  }
  c[t] = out;)";

// Two products, each offered in every iteration.
const char* const kTwoProducts = R"(
  unsigned out = 0;
  for (int k = 0; k < 2; k++) {
    const unsigned x = __shfl_sync(15, a[t], ?sw_xform(t, 4, k)), y = __shfl_sync(15, b[t], ?sw_xform(t, 4, k));
    const unsigned u = __shfl_sync(15, a[t], ?sw_xform(t, 4, k)), v = __shfl_sync(15, b[t], ?sw_xform(t, 4, k));
    if (?sw_cond(t, k)) out ^= x & y;
    if (?sw_cond(t, k)) out ^= u & v;
  }
  c[t] = out;)";

// What x brings to y, u brings to y too: x and u may change places, with their conditions.
const char* const kSharedOperand = R"(
  unsigned out = 0;
  for (int k = 0; k < 2; k++) {
    const unsigned y = __shfl_sync(15, b[t], ?sw_xform(t, 4, k));
    const unsigned x = __shfl_sync(15, a[t], ?sw_xform(t, 4, k)), u = __shfl_sync(15, a[t], ?sw_xform(t, 4, k));
    if (?sw_cond(t, k)) out ^= x & y;
    if (?sw_cond(t, k)) out ^= u & y;
  }
  c[t] = out;)";

TEST(SymmetriesOfSketches, AreNoneBetweenDifferentInputs) { EXPECT_TRUE(symmetries_of(kOneProduct).empty()); }

TEST(SymmetriesOfSketches, TakeAWholeProductAlong) {
  const std::vector<VariableSymmetry> found = symmetries_of(kTwoProducts);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0], (VariableSymmetry{2, 3, 0, 1, 5, 4}));
}

TEST(SymmetriesOfSketches, LeaveWhatBothShareInItsPlace) {
  const std::vector<VariableSymmetry> found = symmetries_of(kSharedOperand);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0], (VariableSymmetry{0, 2, 1, 4, 3}));
}

// Another cost, or another argument, is another hole.
TEST(SymmetriesOfSketches, KeepArgumentsAndWhatIsGuarded) {
  std::string text = kSharedOperand;
  text.replace(text.rfind("?sw_cond(t, k)"), 14, "?sw_cond(k, t)");
  EXPECT_TRUE(symmetries_of(text).empty());
}

// What one grammar has, another need not have.
TEST(SymmetriesOfSketches, KeepTheKindOfTransformation) {
  std::string text = kSharedOperand;
  text.replace(text.rfind("?sw_xform"), 9, "?sw_xor");
  EXPECT_TRUE(symmetries_of(text).empty());
}

}  // namespace
}  // namespace swizzle::symmetries_of_sketches_test
