#include "synth/search/node_bound.h"

#include <gtest/gtest.h>

#include "tests/unit/problem_builder.h"

namespace swizzle::node_bound_test {
namespace {

// y[0] is x[1], which a hole brings; a condition guards what is issued, and nothing else asks for it.
class BoundOfNode : public testing::Test {
 protected:
  void start(double guarded) {
    b_.equation(b_.choice(b_.at(lanes_, 0), {b_.x(0), b_.x(1)}), b_.x(1));
    if (guarded > 0) b_.guard(condition_, {.accumulates = guarded});
    ASSERT_FALSE(b_.compile(network_));
    costs_.emplace(b_.problem, machine_);
    domains_.emplace(b_.problem.points);
    propagator_.emplace(network_, b_.problem, *domains_);
    classes_.emplace(b_.problem, *domains_, *costs_, shared_);
    classes_->join(*propagator_, {});
    node_.emplace(b_.problem, network_, *domains_, *propagator_, *costs_, *classes_, machine_);
    node_->find_product_prices();
    node_->forget();
  }

  ProblemBuilder b_;
  const HoleId lanes_ = b_.part(2, 2), condition_ = b_.condition(2);
  IssueCosts machine_;
  ConstraintNetwork network_;
  SharedTables shared_;
  std::optional<TableCosts> costs_;
  std::optional<Domains> domains_;
  std::optional<Propagator> propagator_;
  std::optional<CostClasses> classes_;
  std::optional<NodeBound> node_;
};

TEST_F(BoundOfNode, IsTheSumOfWhatHolesAreKnownToCost) {
  start(0);
  EXPECT_FALSE(node_->has_guards());
  const CostBound guards = node_->of_guards();
  EXPECT_EQ(node_->use(&guards), nullptr);
  EXPECT_DOUBLE_EQ(node_->bound(), 0);
  node_->know(lanes_.value, 3, 3);
  const KnownCosts before = node_->known();
  node_->know(condition_.value, 2, 2);
  EXPECT_DOUBLE_EQ(node_->bound(), 5);
  node_->know(before);
  EXPECT_DOUBLE_EQ(node_->bound(), 3);
  node_->forget();
  EXPECT_DOUBLE_EQ(node_->bound(), 0);
  EXPECT_EQ(node_->use(nullptr), &guards);
}

TEST_F(BoundOfNode, PointsThatAreKnownRaiseIt) {
  start(7);
  EXPECT_TRUE(node_->has_guards());
  const CostBound guards = node_->of_guards();
  node_->use(&guards);
  const double open = node_->bound_with_points();
  EXPECT_DOUBLE_EQ(open, 0);
  ASSERT_TRUE(domains_->fix(b_.at(condition_, 0), 1));
  ASSERT_FALSE(propagator_->propagate());
  const double known = node_->bound_with_points();
  EXPECT_GT(known, open);
  EXPECT_GE(known, 7 * machine_.accumulate);
  EXPECT_DOUBLE_EQ(node_->last_bound_with_points(), known);
  EXPECT_LE(node_->bound(), known);
}

}  // namespace
}  // namespace swizzle::node_bound_test
