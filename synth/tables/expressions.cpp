#include "synth/tables/expressions.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <set>
#include <unordered_set>

#include "synth/base/hashes.h"

namespace swizzle {
namespace {

constexpr std::int32_t kFurthest = 1 << 20;
constexpr std::int32_t kSmall = 64;      // constants up to here are all tried
constexpr std::int32_t kLargest = 1024;  // and powers of two up to here
constexpr std::int32_t kMostShift = 31;

template <typename F>
bool each(const ExpressionCatalogue::Values& e, ExpressionCatalogue::Values& result, F&& f) {
  std::int32_t beyond = 0;
  for (std::size_t p = 0; p < e.size(); ++p) {
    const std::int32_t v = f(e[p]);
    beyond |= static_cast<std::int32_t>(v > kFurthest) | static_cast<std::int32_t>(v < -kFurthest);
    result[p] = v;
  }
  return beyond == 0;
}

template <typename F>
bool each(const ExpressionCatalogue::Values& a, const ExpressionCatalogue::Values& b,
          ExpressionCatalogue::Values& result, F&& f) {
  std::int64_t beyond = 0;
  for (std::size_t p = 0; p < a.size(); ++p) {
    const std::int64_t v = f(a[p], b[p]);
    beyond |= static_cast<std::int64_t>(v > kFurthest) | static_cast<std::int64_t>(v < -kFurthest);
    result[p] = static_cast<std::int32_t>(v);
  }
  return beyond == 0;
}

bool is_amount(const ExpressionCatalogue::Values& values) {
  return std::ranges::all_of(values, [](std::int32_t v) { return v >= 0 && v <= kMostShift; });
}

bool is_never_negative(const ExpressionCatalogue::Values& values) {
  return std::ranges::all_of(values, [](std::int32_t v) { return v >= 0; });
}

}  // namespace

IndexExpr form_of(ConstantOp step, IndexExpr e, std::int64_t c) {
  IndexExpr constant = IndexExpr::constant(c);
  switch (step) {
    case ConstantOp::kAdd: return IndexExpr::add(std::move(e), std::move(constant));
    case ConstantOp::kSub: return IndexExpr::sub(std::move(e), std::move(constant));
    case ConstantOp::kFrom: return IndexExpr::sub(std::move(constant), std::move(e));
    case ConstantOp::kMul: return IndexExpr::mul(std::move(e), c);
    case ConstantOp::kAnd: return IndexExpr::mask(std::move(e), c);
    case ConstantOp::kOr: return IndexExpr::bit_or(std::move(e), std::move(constant));
    case ConstantOp::kXor: return IndexExpr::bit_xor(std::move(e), std::move(constant));
    case ConstantOp::kShr: return IndexExpr::shift(IndexExpr::Op::kShr, std::move(e), std::move(constant));
    case ConstantOp::kShlOf: return IndexExpr::shift(IndexExpr::Op::kShl, std::move(constant), std::move(e));
    case ConstantOp::kShrOf: return IndexExpr::shift(IndexExpr::Op::kShr, std::move(constant), std::move(e));
  }
  return e;
}

IndexExpr form_of(PairOp join, IndexExpr a, IndexExpr b) {
  switch (join) {
    case PairOp::kAdd: return IndexExpr::add(std::move(a), std::move(b));
    case PairOp::kSub: return IndexExpr::sub(std::move(a), std::move(b));
    case PairOp::kMul: return IndexExpr::product(std::move(a), std::move(b));
    case PairOp::kAnd: return IndexExpr::bit_and(std::move(a), std::move(b));
    case PairOp::kOr: return IndexExpr::bit_or(std::move(a), std::move(b));
    case PairOp::kXor: return IndexExpr::bit_xor(std::move(a), std::move(b));
    case PairOp::kShl: return IndexExpr::shift(IndexExpr::Op::kShl, std::move(a), std::move(b));
    case PairOp::kShr: return IndexExpr::shift(IndexExpr::Op::kShr, std::move(a), std::move(b));
  }
  return a;
}

bool ExpressionCatalogue::apply(ConstantOp step, const Values& e, std::int32_t c, Values& result) {
  switch (step) {
    case ConstantOp::kAdd: return c != 0 && each(e, result, [c](std::int32_t v) { return v + c; });
    case ConstantOp::kSub: return c != 0 && each(e, result, [c](std::int32_t v) { return v - c; });
    case ConstantOp::kFrom: return each(e, result, [c](std::int32_t v) { return c - v; });
    case ConstantOp::kMul: return c != 0 && c != 1 && each(e, result, [c](std::int32_t v) { return v * c; });
    case ConstantOp::kAnd: return c > 0 && each(e, result, [c](std::int32_t v) { return v & c; });
    case ConstantOp::kOr: return c > 0 && each(e, result, [c](std::int32_t v) { return v | c; });
    case ConstantOp::kXor: return c > 0 && each(e, result, [c](std::int32_t v) { return v ^ c; });
    case ConstantOp::kShr: return c > 0 && c <= kMostShift && each(e, result, [c](std::int32_t v) { return v >> c; });
    case ConstantOp::kShlOf:
      return c > 0 && is_amount(e) && std::int64_t{c} << *std::ranges::max_element(e) <= kFurthest &&
             each(e, result, [c](std::int32_t v) { return c << v; });
    case ConstantOp::kShrOf: return c > 0 && is_amount(e) && each(e, result, [c](std::int32_t v) { return c >> v; });
  }
  return false;
}

bool ExpressionCatalogue::apply(PairOp join, const Values& a, const Values& b, Values& result) {
  const auto wide = [](std::int32_t v) { return static_cast<std::int64_t>(v); };
  switch (join) {
    case PairOp::kAdd: return each(a, b, result, [&](std::int32_t x, std::int32_t y) { return wide(x) + y; });
    case PairOp::kSub: return each(a, b, result, [&](std::int32_t x, std::int32_t y) { return wide(x) - y; });
    case PairOp::kMul: return each(a, b, result, [&](std::int32_t x, std::int32_t y) { return wide(x) * y; });
    case PairOp::kAnd: return each(a, b, result, [&](std::int32_t x, std::int32_t y) { return wide(x & y); });
    case PairOp::kOr: return each(a, b, result, [&](std::int32_t x, std::int32_t y) { return wide(x | y); });
    case PairOp::kXor: return each(a, b, result, [&](std::int32_t x, std::int32_t y) { return wide(x ^ y); });
    case PairOp::kShl:
      return is_amount(b) && is_never_negative(a) &&
             each(a, b, result, [&](std::int32_t x, std::int32_t y) { return wide(x) << y; });
    case PairOp::kShr:
      return is_amount(b) && each(a, b, result, [&](std::int32_t x, std::int32_t y) { return wide(x >> y); });
  }
  return false;
}

ExpressionCatalogue::ExpressionCatalogue(const ArgumentList& arguments, std::size_t first_argument)
    : points_(arguments.size()) {
  for (std::size_t a = 0; a < (arguments.empty() ? 0 : arguments[0].size()); ++a) {
    Expression leaf{IndexExpr::argument(first_argument + a), {}};
    bool is_near = true;
    for (const Arguments& values : arguments) {
      is_near = is_near && values[a] <= kFurthest && values[a] >= -kFurthest;
      leaf.values.push_back(static_cast<std::int32_t>(values[a]));
    }
    if (is_near) leaves_.push_back(std::move(leaf));
  }
  choose_constants();
}

const std::vector<Expression>& ExpressionCatalogue::ones() const {
  std::call_once(ones_listed_, [this] { ones_ = list_ones(); });
  return ones_;
}

std::vector<Expression> ExpressionCatalogue::list_ones() const {
  struct Hash {
    std::size_t operator()(const Values& values) const { return hash_of(0, values); }
  };
  std::vector<Expression> ones;
  std::unordered_set<Values, Hash> seen;
  for (const Expression& leaf : leaves_) seen.insert(leaf.values);
  const auto add = [&](const Values& values, const auto& make) {
    const bool is_constant = std::ranges::all_of(values, [&](std::int32_t v) { return v == values[0]; });
    if (!is_constant && seen.insert(values).second) ones.push_back({make(), values});
    return true;
  };
  Values values(points_);
  for (std::size_t a = 0; a < leaves_.size(); ++a) {
    for_each_step(leaves_[a], near_constants(), values, add);
    for (std::size_t b = a; b < leaves_.size(); ++b) for_each_join(leaves_[a], leaves_[b], values, add);
  }
  near_ones_ = ones.size();
  for (const Expression& leaf : leaves_)
    for_each_step(leaf, std::span(constants_).subspan(near_constants_), values, add);
  return ones;
}

void ExpressionCatalogue::choose_constants() {
  std::int32_t reach = 1;
  for (const Expression& leaf : leaves_)
    for (std::int32_t v : leaf.values) reach = std::max(reach, std::abs(v) + 1);
  std::set<std::int32_t> near, far;
  for (std::int32_t c = 0; c <= kSmall; ++c) (c <= reach ? near : far).insert(c);
  for (std::int32_t c = 1; c <= kLargest; c *= 2)
    for (const std::int32_t one_of : {c, c - 1}) (c <= 2 * reach ? near : far).insert(one_of);
  constants_.assign(near.begin(), near.end());
  near_constants_ = constants_.size();
  std::ranges::set_difference(far, near, std::back_inserter(constants_));
}

IndexExpr Comparison::form() const {
  const auto side = [&](const Expression* e) { return e != nullptr ? e->form : IndexExpr::constant(constant); };
  return IndexExpr::compare(op, side(first), side(second));
}

class ExpressionCatalogue::ComparisonLister {
 public:
  explicit ComparisonLister(std::size_t points) : points_(points), seen_({no_points(points), all_points(points)}) {}

  // Of all of `firsts`, with constants and with each of `seconds`.
  std::vector<Comparison> list(const std::vector<Expression>& firsts, const std::vector<Expression>& seconds) {
    for (const Expression& first : firsts) {
      with_constants(first);
      for (const Expression& second : seconds)
        if (&first != &second) with(first, second);
    }
    return std::move(listed_);
  }

 private:
  // As written with < or ==; what fails is written the other way round: 3 <= e for !(e < 3).
  void add(const PointSet& holds, Comparison comparison) {
    if (seen_.insert(holds).second) {
      comparison.holds = holds;
      listed_.push_back(std::move(comparison));
    }
  }

  PointSet others(const PointSet& set) const { return complement(set, points_); }

  void with_constants(const Expression& e) {
    for_each_threshold(e.values, [&](std::int32_t t, std::int32_t, const PointSet& less, const PointSet& equal) {
      add(less, {{}, IndexExpr::Op::kLt, &e, nullptr, t});
      add(others(less), {{}, IndexExpr::Op::kLe, nullptr, &e, t});
      add(equal, {{}, IndexExpr::Op::kEq, &e, nullptr, t});
      add(others(equal), {{}, IndexExpr::Op::kNe, &e, nullptr, t});
    });
  }

  void with(const Expression& a, const Expression& b) {
    PointSet less = no_points(points_), equal = less, at_most = less;
    for (std::size_t p = 0; p < points_; ++p) {
      if (a.values[p] < b.values[p]) insert(less, p);
      if (a.values[p] == b.values[p]) insert(equal, p);
      if (a.values[p] <= b.values[p]) insert(at_most, p);
    }
    add(less, {{}, IndexExpr::Op::kLt, &a, &b, 0});
    add(others(less), {{}, IndexExpr::Op::kLe, &b, &a, 0});
    add(at_most, {{}, IndexExpr::Op::kLe, &a, &b, 0});
    add(others(at_most), {{}, IndexExpr::Op::kLt, &b, &a, 0});
    add(equal, {{}, IndexExpr::Op::kEq, &a, &b, 0});
    add(others(equal), {{}, IndexExpr::Op::kNe, &a, &b, 0});
  }

  const std::size_t points_;
  std::unordered_set<PointSet, HashOfPointSet> seen_;
  std::vector<Comparison> listed_;
};

const std::vector<Comparison>& ExpressionCatalogue::comparisons(int ops) const {
  std::call_once(comparisons_listed_, [this] {
    ComparisonLister lister(points_);
    comparisons_[0] = lister.list(leaves_, leaves_);
    comparisons_[1] = lister.list(ones(), leaves_);
  });
  return comparisons_[ops - 1];
}

const std::vector<Expression>& ExpressionCatalogue::truths() const {
  std::call_once(truths_listed_, [this] {
    for (const Comparison& c : comparisons(1)) {
      Expression& truth = truths_.emplace_back(c.form(), Values(points_));
      for (std::size_t p = 0; p < points_; ++p) truth.values[p] = contains(c.holds, p) ? 1 : 0;
    }
  });
  return truths_;
}

std::shared_ptr<const ExpressionCatalogue> expression_catalogue(const HoleSpace& space) {
  return std::make_shared<ExpressionCatalogue>(space.arguments, space.first_argument);
}

}  // namespace swizzle
