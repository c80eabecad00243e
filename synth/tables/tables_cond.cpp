// Conditions and partitions: thresholds and (in)equalities on a - b, a + b, a.
#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "synth/base/hashes.h"
#include "synth/tables/point_set.h"
#include "synth/tables/tables.h"

namespace swizzle {
namespace {

using Op = IndexExpr::Op;

struct Condition {
  PointSet holds;
  IndexExpr expression;
  int integer_ops = 0;
};

// a - b ⊙ t, written without a subtraction where possible: a < b, a <= b + 3, a + 2 < b. No a - b lies between `below`
// and t, so that a < b or a <= b may say the same as a < b + t.
IndexExpr compare_difference(Op op, const IndexExpr& a, const IndexExpr& b, std::int64_t below, std::int64_t t) {
  if (op == Op::kLt && below < 0 && t > 0) t = 0;
  if (op == Op::kLt && below < 1 && t > 0) return IndexExpr::compare(Op::kLe, a, b);
  if (t >= 0) return IndexExpr::compare(op, a, IndexExpr::add(b, IndexExpr::constant(t)));
  return IndexExpr::compare(op, IndexExpr::add(a, IndexExpr::constant(-t)), b);
}

// !(a < b) is b <= a, !(a <= b) is b < a
IndexExpr negate(const IndexExpr& e) {
  return IndexExpr::compare(e.op == Op::kLt ? Op::kLe : Op::kLt, e.operands[1], e.operands[0]);
}

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
    return IndexExpr::select(IndexExpr::compare(Op::kLt, condition.operands[1], condition.operands[0]), std::move(b),
                             std::move(a));
  }
  return IndexExpr::select(condition, std::move(a), std::move(b));
}

}  // namespace

// Every distinct condition of the grammar over some points, by non-decreasing cost: a ⊙ (I ± b), true, false.
class ConditionCatalogue {
 public:
  explicit ConditionCatalogue(const HoleSpace& space) : arguments_(space.arguments) {
    add(all_points(points()), [] { return IndexExpr::constant(1); });
    add(no_points(points()), [] { return IndexExpr::constant(0); });
    const std::size_t arity = arguments_[0].size();
    for (std::size_t a = 0; a < arity; ++a) {
      const IndexExpr x = IndexExpr::argument(space.first_argument + a);
      threshold([&](const auto& v) { return v[a]; },
                [&](Op op, std::int64_t, std::int64_t t) { return IndexExpr::compare(op, x, IndexExpr::constant(t)); });
    }
    for (std::size_t a = 0; a < arity; ++a)
      for (std::size_t b = a + 1; b < arity; ++b) {
        const IndexExpr x = IndexExpr::argument(space.first_argument + a),
                        y = IndexExpr::argument(space.first_argument + b);
        threshold([&](const auto& v) { return v[a] - v[b]; },
                  [&](Op op, std::int64_t below, std::int64_t t) { return compare_difference(op, x, y, below, t); });
        threshold([&](const auto& v) { return v[a] + v[b]; },
                  [&](Op op, std::int64_t, std::int64_t t) {
                    return IndexExpr::compare(op, IndexExpr::add(x, y), IndexExpr::constant(t));
                  });
      }
    std::stable_sort(all_.begin(), all_.end(),
                     [](const Condition& a, const Condition& b) { return a.integer_ops < b.integer_ops; });
    std::unordered_map<PointSet, std::size_t, HashOfPointSet> first;
    std::vector<Condition> distinct;
    for (Condition& c : all_) {
      const auto [known, is_new] = first.try_emplace(c.holds, distinct.size());
      if (is_new) distinct.push_back(std::move(c));
      else prefer(std::move(c), distinct[known->second]);
    }
    all_ = std::move(distinct);
  }

  std::size_t points() const { return arguments_.size(); }
  const std::vector<Condition>& all() const { return all_; }

 private:
  // lane == 31 says more than lane >= 31, where there are 32.
  static void prefer(Condition other, Condition& own) {
    const auto is_backwards = [](const IndexExpr& e) {
      return (e.op == Op::kLt || e.op == Op::kLe) && e.operands[0].is_constant();
    };
    if (other.expression.op == Op::kEq && other.integer_ops == own.integer_ops && is_backwards(own.expression))
      own = std::move(other);
  }

  template <typename Print>
  void add(PointSet holds, Print&& print) {
    IndexExpr expression = print();
    const int ops = expression.integer_ops();
    all_.push_back({std::move(holds), std::move(expression), ops});
  }

  template <typename F, typename Print>
  void threshold(F&& value_of, Print&& print) {
    std::vector<std::int64_t> values;
    for (const auto& v : arguments_) values.push_back(value_of(v));
    for_each_threshold(values, [&](std::int64_t t, std::int64_t below, const PointSet& less, const PointSet& equal) {
      add(less, [&] { return print(Op::kLt, below, t); });
      add(complement(less, points()), [&] { return negate(print(Op::kLt, below, t)); });
      add(complement(equal, points()), [&] { return print(Op::kNe, below, t); });
      add(equal, [&] { return print(Op::kEq, below, t); });
    });
  }

  ArgumentList arguments_;
  std::vector<Condition> all_;
};

namespace {

// may[v]: the points that may take value v; must[v]: those that may take no larger one.
struct Allowed {
  std::vector<PointSet> may, must;
  Allowed(const HoleSpace& space, const Domains& domains) {
    const auto domain = static_cast<std::size_t>(space.domain);
    may.assign(domain, no_points(space.points.size()));
    must = may;
    for (std::size_t p = 0; p < space.points.size(); ++p) {
      std::size_t largest = 0;
      for (std::size_t v = 0; v < domain; ++v)
        if (domains.allows(space.points[p], static_cast<int>(v))) {
          insert(may[v], p);
          largest = v;
        }
      for (std::size_t v = largest; v < domain; ++v) insert(must[v], p);
    }
  }
};

class PartGrammar : public TableGrammar {
 public:
  PartGrammar(const HoleSpace& space, std::shared_ptr<const ConditionCatalogue> conditions, const Deadline& deadline)
      : space_(space),
        conditions_(std::move(conditions)),
        deadline_(deadline) {}

  Enumeration within(const Domains& domains, int max_ops, std::size_t limit) const override {
    return within(domains, BinaryNogoods(space_.points.size(), space_.domain), max_ops, limit);
  }

  Enumeration within(const Domains& domains, const BinaryNogoods& excluded, int max_ops,
                     std::size_t limit) const override {
    const Limits limits{Allowed(space_, domains), excluded, limit};
    Partition partition{{}, PointSet(excluded.words(), 0)};
    Enumeration result;
    descend(limits, 0, all_points(space_.points.size()), max_ops, partition, result);
    if (!result.complete && deadline_.passed()) return {.tables = {}, .complete = false};  // millions, and in vain
    keep_distinct(result);
    return result;
  }

  bool heeds_excluded_pairs() const override { return true; }
  bool is_dear_to_list() const override { return space_.domain > 2; }  // nested conditions
  double settings() const override {
    return std::pow(static_cast<double>(conditions_->all().size()), space_.domain - 1);
  }
  int most_ops() const override { return (space_.domain - 1) * (conditions_->all().back().integer_ops + 1); }
  std::optional<double> distinct_log10(const Deadline& deadline) const override {
    constexpr std::size_t kMostVisits = 1'000'000;
    Count count{{}, {}, kMostVisits, deadline};
    count.level.resize(static_cast<std::size_t>(space_.domain));
    if (!tell_apart(0, all_points(space_.points.size()), 0, count)) return std::nullopt;
    return std::log10(static_cast<double>(count.tables.size()));
  }

 private:
  struct Limits {
    Allowed allowed;
    const BinaryNogoods& excluded;
    std::size_t tables;
  };
  struct Partition {
    std::vector<const Condition*> chosen;
    PointSet assigned;  // by value, and by point
  };

  // Points in `open`, those without a value yet, take `value` where the chosen condition holds.
  void descend(const Limits& limits, std::size_t value, const PointSet& open, int ops_left, Partition& partition,
               Enumeration& result) const {
    result.complete = result.complete && !deadline_.passed();
    if (!result.complete) return;
    if (value + 1 == static_cast<std::size_t>(space_.domain)) return conclude(limits, value, open, partition, result);
    std::unordered_set<PointSet, HashOfPointSet> seen;
    PointSet taken(open.size()), rest(open.size());
    for (const Condition& condition : conditions_->all()) {
      const bool always = condition.expression.is_constant();
      const int ops = always ? 0 : condition.integer_ops + 1;
      if (ops > ops_left) break;  // sorted
      bool fits = true;
      for (std::size_t i = 0; i < open.size() && fits; ++i) {
        taken[i] = open[i] & condition.holds[i];
        rest[i] = open[i] & ~condition.holds[i];
        fits = (taken[i] & ~limits.allowed.may[value][i]) == 0 && (rest[i] & limits.allowed.must[value][i]) == 0;
      }
      if (!fits || !assign(limits, value, taken, partition) || !seen.insert(rest).second) continue;
      partition.chosen.push_back(&condition);
      descend(limits, value + 1, rest, ops_left - ops, partition, result);
      partition.chosen.pop_back();
    }
  }

  struct Count {
    std::unordered_set<std::size_t> tables;              // hashes of the points that take each value
    std::vector<std::unordered_set<std::size_t>> level;  // by value: what was seen before it is given
    std::size_t visits_left;
    const Deadline& deadline;
  };

  // Of the points in `open`, some take `value`, and the rest larger ones. False: there are too many ways.
  bool tell_apart(std::size_t value, const PointSet& open, std::size_t before, Count& count) const {
    const std::size_t here = hash_of(before, open);
    if (value + 1 == static_cast<std::size_t>(space_.domain)) return count.tables.insert(here), true;
    if (!count.level[value].insert(here).second) return true;
    if (count.deadline.passed()) return false;
    PointSet rest(open.size());
    for (const Condition& condition : conditions_->all()) {
      if (count.visits_left-- == 0) return false;
      for (std::size_t i = 0; i < open.size(); ++i) rest[i] = open[i] & ~condition.holds[i];
      if (!tell_apart(value + 1, rest, here, count)) return false;
    }
    return true;
  }

  // All that is left takes the last value.
  void conclude(const Limits& limits, std::size_t value, const PointSet& open, Partition& partition,
                Enumeration& result) const {
    for (std::size_t i = 0; i < open.size(); ++i)
      if ((open[i] & ~limits.allowed.may[value][i]) != 0) return;
    if (!assign(limits, value, open, partition)) return;
    if (result.tables.size() >= limits.tables) result.complete = false;
    else result.tables.push_back(table_of(partition.chosen));
  }

  // False: two of the points that have a value cannot have them together.
  static bool assign(const Limits& limits, std::size_t value, const PointSet& points, Partition& partition) {
    if (limits.excluded.empty()) return true;
    std::copy(points.begin(), points.end(),
              partition.assigned.begin() + static_cast<std::ptrdiff_t>(value * points.size()));
    std::fill(partition.assigned.begin() + static_cast<std::ptrdiff_t>((value + 1) * points.size()),
              partition.assigned.end(), 0);
    return limits.excluded.allows(value, partition.assigned);
  }

  HoleTable table_of(const std::vector<const Condition*>& chosen) const {
    HoleTable table;
    table.values.assign(space_.points.size(), static_cast<std::int16_t>(space_.domain - 1));
    for (std::size_t p = 0; p < table.values.size(); ++p)
      for (std::size_t v = 0; v < chosen.size(); ++v)
        if (contains(chosen[v]->holds, p)) {
          table.values[p] = static_cast<std::int16_t>(v);
          break;
        }
    IndexExpr e = IndexExpr::constant(space_.domain - 1);
    for (std::size_t v = chosen.size(); v-- > 0;)
      e = choose(chosen[v]->expression, IndexExpr::constant(static_cast<std::int64_t>(v)), std::move(e));
    table.expression = std::move(e);
    table.integer_ops = table.expression.integer_ops();
    return table;
  }

  const HoleSpace& space_;
  std::shared_ptr<const ConditionCatalogue> conditions_;
  const Deadline deadline_;
};

class CondGrammar : public TableGrammar {
 public:
  CondGrammar(const HoleSpace& space, std::shared_ptr<const ConditionCatalogue> conditions)
      : space_(space),
        conditions_(std::move(conditions)) {}

  Enumeration within(const Domains& domains, int max_ops, std::size_t limit) const override {
    Enumeration result;
    const Allowed allowed(space_, domains);
    for (const Condition& condition : conditions_->all()) {
      if (condition.integer_ops > max_ops) break;
      bool fits = true;
      for (std::size_t i = 0; i < condition.holds.size() && fits; ++i)
        fits = (condition.holds[i] & ~allowed.may[1][i]) == 0 &&
               (~condition.holds[i] & allowed.must[1][i] & ~allowed.may[0][i]) == 0;
      if (!fits) continue;
      if (result.tables.size() >= limit) {
        result.complete = false;
        break;
      }
      HoleTable& table = result.tables.emplace_back(
          HoleTable{std::vector<std::int16_t>(space_.points.size()), condition.expression, condition.integer_ops});
      for (std::size_t p = 0; p < table.values.size(); ++p) table.values[p] = contains(condition.holds, p) ? 1 : 0;
    }
    return result;
  }

  double settings() const override { return static_cast<double>(conditions_->all().size()); }
  int most_ops() const override { return conditions_->all().back().integer_ops; }
  std::optional<double> distinct_log10(const Deadline&) const override {
    return std::log10(static_cast<double>(conditions_->all().size()));
  }

 private:
  const HoleSpace& space_;
  std::shared_ptr<const ConditionCatalogue> conditions_;
};

}  // namespace

std::shared_ptr<const ConditionCatalogue> condition_catalogue(const HoleSpace& space) {
  return std::make_shared<ConditionCatalogue>(space);
}

std::unique_ptr<TableGrammar> part_grammar(const HoleSpace& space, std::shared_ptr<const ConditionCatalogue> conditions,
                                           const Deadline& deadline) {
  return std::make_unique<PartGrammar>(space, std::move(conditions), deadline);
}

std::unique_ptr<TableGrammar> cond_grammar(const HoleSpace& space,
                                           std::shared_ptr<const ConditionCatalogue> conditions) {
  return std::make_unique<CondGrammar>(space, std::move(conditions));
}

}  // namespace swizzle
