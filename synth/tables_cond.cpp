// Conditions and partitions: thresholds and (in)equalities on a - b, a + b, a.
#include <algorithm>
#include <set>

#include "synth/tables.h"

namespace swizzle {
namespace {

using PointSet = std::vector<bool>;

struct Condition {
  PointSet holds;
  IndexExpr expression;
  int integer_ops = 0;
};

using Op = IndexExpr::Op;

// a - b ⊙ t, written without a subtraction where possible: a < b, a <= b + 3, a + 2 < b
IndexExpr compare_difference(Op op, const IndexExpr& a, const IndexExpr& b, std::int64_t t) {
  if (op == Op::kLt && t == 1) return IndexExpr::compare(Op::kLe, a, b);
  if (t >= 0) return IndexExpr::compare(op, a, IndexExpr::add(b, IndexExpr::constant(t)));
  return IndexExpr::compare(op, IndexExpr::add(a, IndexExpr::constant(-t)), b);
}

// Every distinct condition of the grammar over these points, by non-decreasing cost: a ⊙ (I ± b), true, false.
class Conditions {
 public:
  explicit Conditions(const HoleSpace& space) : space_(space) {
    add(PointSet(points(), true), IndexExpr::constant(1));
    add(PointSet(points(), false), IndexExpr::constant(0));
    const std::size_t arity = space.arguments[0].size();
    for (std::size_t a = 0; a < arity; ++a) {
      const IndexExpr x = IndexExpr::argument(space.first_argument + a);
      threshold([&](const auto& v) { return v[a]; }, [&](Op op, std::int64_t t) { return IndexExpr::compare(op, x, IndexExpr::constant(t)); });
      for (std::size_t b = a + 1; b < arity; ++b) {
        const IndexExpr y = IndexExpr::argument(space.first_argument + b);
        threshold([&](const auto& v) { return v[a] - v[b]; }, [&](Op op, std::int64_t t) { return compare_difference(op, x, y, t); });
        threshold([&](const auto& v) { return v[a] + v[b]; },
                  [&](Op op, std::int64_t t) { return IndexExpr::compare(op, IndexExpr::add(x, y), IndexExpr::constant(t)); });
      }
    }
    std::stable_sort(all_.begin(), all_.end(), [](const Condition& a, const Condition& b) { return a.integer_ops < b.integer_ops; });
    std::set<PointSet> seen;
    std::erase_if(all_, [&](const Condition& c) { return !seen.insert(c.holds).second; });
  }

  const std::vector<Condition>& all() const { return all_; }

 private:
  std::size_t points() const { return space_.points.size(); }

  void add(PointSet holds, IndexExpr expression) {
    const int ops = expression.integer_ops();
    all_.push_back({std::move(holds), std::move(expression), ops});
  }

  template <typename F, typename Print>
  void threshold(F&& value_of, Print&& print) {
    std::vector<std::int64_t> values;
    for (const auto& v : space_.arguments) values.push_back(value_of(v));
    std::set<std::int64_t> distinct(values.begin(), values.end());
    for (std::int64_t t : distinct) {
      PointSet less(points()), equal(points());
      for (std::size_t p = 0; p < points(); ++p) {
        less[p] = values[p] < t;
        equal[p] = values[p] == t;
      }
      PointSet not_less = less, not_equal = equal;
      not_less.flip();
      not_equal.flip();
      add(less, print(Op::kLt, t));
      add(equal, print(Op::kEq, t));
      add(not_equal, print(Op::kNe, t));
      add(not_less, negate(print(Op::kLt, t)));
    }
  }

  // !(a < b) is b <= a, !(a <= b) is b < a
  static IndexExpr negate(IndexExpr e) {
    std::swap(e.operands[0], e.operands[1]);
    e.op = e.op == Op::kLt ? Op::kLe : Op::kLt;
    return e;
  }

  const HoleSpace& space_;
  std::vector<Condition> all_;
};

// `c ? 1 : 0` reads best with < or ==: a negated condition swaps its arms.
IndexExpr choose(const IndexExpr& condition, IndexExpr a, IndexExpr b) {
  if (condition.op == Op::kNe) {
    IndexExpr equal = condition;
    equal.op = Op::kEq;
    return IndexExpr::select(std::move(equal), std::move(b), std::move(a));
  }
  const bool backwards = condition.op == Op::kLe && condition.operands[0].op != Op::kArgument;
  const bool arguments_backwards = condition.op == Op::kLe && condition.operands[0].op == Op::kArgument &&
                                   condition.operands[1].op == Op::kArgument &&
                                   condition.operands[1].value < condition.operands[0].value;
  if ((backwards || arguments_backwards) && b.op != Op::kSelect) {
    IndexExpr less = condition;
    std::swap(less.operands[0], less.operands[1]);
    less.op = Op::kLt;
    return IndexExpr::select(std::move(less), std::move(b), std::move(a));
  }
  return IndexExpr::select(condition, std::move(a), std::move(b));
}

class PartEnumerator {
 public:
  PartEnumerator(const HoleSpace& space, const std::vector<ValueSet>& allowed, std::size_t limit)
      : space_(space), allowed_(allowed), limit_(limit), conditions_(space) {}

  Enumeration run() {
    std::vector<std::int16_t> table(space_.points.size(), -1);
    descend(0, table, {});
    return std::move(result_);
  }

 private:
  // Points without a value yet fall to `value` where the chosen condition holds.
  void descend(int value, const std::vector<std::int16_t>& table, const std::vector<const Condition*>& chosen) {
    if (!result_.complete) return;
    const auto allows = [&](std::size_t p) { return allowed_[p].test(static_cast<std::size_t>(value)); };
    const auto demands = [&](std::size_t p) { return (allowed_[p] >> static_cast<std::size_t>(value + 1)).none(); };
    if (value == space_.domain - 1) {
      std::vector<std::int16_t> whole = table;
      for (std::size_t p = 0; p < table.size(); ++p)
        if (table[p] < 0) {
          if (!allows(p)) return;
          whole[p] = static_cast<std::int16_t>(value);
        }
      return emit(std::move(whole), chosen);
    }
    std::set<std::vector<std::int16_t>> seen;
    for (const Condition& condition : conditions_.all()) {
      bool fits = true;
      for (std::size_t p = 0; p < table.size() && fits; ++p)
        if (table[p] < 0) fits = condition.holds[p] ? allows(p) : !demands(p);
      if (!fits) continue;
      std::vector<std::int16_t> next = table;
      for (std::size_t p = 0; p < table.size(); ++p)
        if (table[p] < 0 && condition.holds[p]) next[p] = static_cast<std::int16_t>(value);
      if (!seen.insert(next).second) continue;
      std::vector<const Condition*> more = chosen;
      more.push_back(&condition);
      descend(value + 1, next, more);
    }
  }

  void emit(std::vector<std::int16_t> values, const std::vector<const Condition*>& chosen) {
    if (result_.tables.size() >= limit_) {
      result_.complete = false;
      return;
    }
    HoleTable table;
    table.values = std::move(values);
    IndexExpr e = IndexExpr::constant(space_.domain - 1);
    for (std::size_t v = chosen.size(); v-- > 0;) e = choose(chosen[v]->expression, IndexExpr::constant(static_cast<std::int64_t>(v)), std::move(e));
    table.expression = std::move(e);
    table.integer_ops = table.expression.integer_ops();
    result_.tables.push_back(std::move(table));
  }

  const HoleSpace& space_;
  const std::vector<ValueSet>& allowed_;
  std::size_t limit_;
  Conditions conditions_;
  Enumeration result_;
};

}  // namespace

Enumeration enumerate_part(const HoleSpace& space, const std::vector<ValueSet>& allowed, std::size_t limit) {
  return PartEnumerator(space, allowed, limit).run();
}

Enumeration enumerate_cond(const HoleSpace& space, const std::vector<ValueSet>& allowed, std::size_t limit) {
  Enumeration result;
  const Conditions conditions(space);
  for (const Condition& condition : conditions.all()) {
    bool fits = true;
    for (std::size_t p = 0; p < space.points.size() && fits; ++p) fits = allowed[p].test(condition.holds[p] ? 1 : 0);
    if (!fits) continue;
    if (result.tables.size() >= limit) {
      result.complete = false;
      break;
    }
    HoleTable table;
    for (bool h : condition.holds) table.values.push_back(h ? 1 : 0);
    table.expression = condition.expression;
    table.integer_ops = condition.integer_ops;
    result.tables.push_back(std::move(table));
  }
  return result;
}

}  // namespace swizzle
