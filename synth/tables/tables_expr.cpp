// ?sw_expr(lo, hi, v…) and ?sw_pred(v…): expressions of up to kExhausted operations that are all listed, and some of
// one operation more. Those of as many have near constants alone (expressions.h): with all of them there are too many.
//
//   e := a | e ⊙ e, ⊙ of + - * & | ^ << >>       an argument or a constant, or an operation on two
//   t := e | c | c ? t : t, c := e ~ e, ~ of < <= == !=      a comparison and a choice stand outside of operations
//   e / n and e % n of n that is no power of two, of an argument or of one operation: they count as four
//
// Which values the points may have is known, so that the outermost operation is solved for rather than tried: of
// `e + c` the first point tells c.
#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <span>
#include <unordered_set>

#include "synth/base/hashes.h"
#include "synth/tables/demand.h"
#include "synth/tables/expressions.h"
#include "synth/tables/nested_choices.h"
#include "synth/tables/solved_comparisons.h"
#include "synth/tables/solved_masks.h"

namespace swizzle {
namespace {

using Op = IndexExpr::Op;
using Values = ExpressionCatalogue::Values;

constexpr int kExhausted = 3, kOfQuotient = 4, kMostOps = kOfQuotient + 1;
constexpr std::int32_t kLargestDivisor = 1024;
constexpr int kBitsOfValues = 20;            // of the values of expressions
constexpr std::size_t kMostListed = 20'000;  // tables
constexpr std::size_t kMostPairs = 4'096;    // of what stands on both sides of a `:`
constexpr std::size_t kFewPairs = 8;         // the same, where conditions of three operations are tried

// One call of within(): every table of so many operations.
class ExpressionSearch {
 public:
  ExpressionSearch(const ExpressionCatalogue& catalogue, const HoleSpace& space, const Domains& domains,
                   std::size_t limit, const Deadline& deadline)
      : catalogue_(catalogue),
        space_(space),
        demand_(space, domains),
        limit_(limit),
        deadline_(deadline) {}

  Enumeration up_to(int ops) {
    for (int n = 0; n <= ops && !is_over(); ++n) of(n);
    keep_distinct(result_);
    return std::move(result_);
  }

 private:
  // Most of what is found has the values of something cheaper: its form is not made before it is wanted.
  using Form = std::function<IndexExpr()>;
  using Emit = std::function<void(const Values&, const Form&)>;

  bool is_over() {
    if (result_.complete && ++asked_ % 1024 == 0 && deadline_.passed()) result_.complete = false;
    return !result_.complete;
  }

  void of(int ops) {
    if (ops == 0) return leaves();
    if (ops == kOfQuotient) quotients_of(catalogue_.leaves());
    if (ops > kOfQuotient) return with_quotients();
    arithmetic(ops);
    if (const auto truths = told_apart(demand_, [](std::size_t) { return 1; }, [](std::size_t) { return 0; }))
      conditions(*truths, ops, [&](const Values& values, const Form& form) { add(values, form); });
    choices(ops);
  }

  void leaves() {
    for (const Expression& leaf : catalogue_.leaves())
      if (demand_.fits(leaf.values)) add(leaf.values, [&] { return leaf.form; });
    for (std::int32_t c : demand_.allowed(demand_.order()[0])) {
      const Values values(catalogue_.points(), c);
      if (demand_.fits(values)) add(values, [&] { return IndexExpr::constant(c); });
    }
  }

  // Expressions of `ops` operations that are no comparisons and no choices.
  void arithmetic(int ops) {
    if (ops == 1)
      for (const Expression& leaf : catalogue_.leaves()) finish(leaf.values, [&] { return leaf.form; });
    if (ops == 2)
      for (const Expression& one : catalogue_.ones()) finish(one.values, [&] { return one.form; });
    if (ops != 3) return;
    catalogue_.for_each_two([&](const Values& values, const auto& make) {
      finish(values, make);
      return !is_over();
    });
    for (const auto ones = catalogue_.near_ones(); const Expression& a : ones) {
      if (is_over()) return;
      for (const Expression& b : ones.subspan(static_cast<std::size_t>(&a - ones.data())))
        joined(a.values, b.values, [&] { return a.form; }, [&] { return b.form; });
    }
  }

  // What one operation makes of an expression.
  void finish(const Values& e, const auto& make) {
    const std::size_t first = demand_.order()[0];
    const auto with = [&](ConstantOp step, std::int64_t c) {
      if (c >= std::numeric_limits<std::int32_t>::min() && c <= std::numeric_limits<std::int32_t>::max())
        stepped(step, e, static_cast<std::int32_t>(c), make);
    };
    for (std::int32_t v : demand_.allowed(first)) {
      with(ConstantOp::kAdd, std::int64_t{v} - e[first]);
      with(ConstantOp::kFrom, std::int64_t{v} + e[first]);
      with(ConstantOp::kXor, v ^ e[first]);
      if (e[first] >= 0 && e[first] < 31 && (v >> e[first]) << e[first] == v) with(ConstantOp::kShlOf, v >> e[first]);
    }
    const auto turning = std::ranges::find_if(demand_.order(), [&](std::size_t p) { return e[p] != 0; });
    if (turning != demand_.order().end())
      for (std::int32_t v : demand_.allowed(*turning))
        if (v % e[*turning] == 0) with(ConstantOp::kMul, v / e[*turning]);
    for (int bits = 1; bits <= kBitsOfValues; ++bits) with(ConstantOp::kShr, bits);
    const std::size_t nearest = static_cast<std::size_t>(std::ranges::min_element(e) - e.begin());
    if (e[nearest] >= 0 && e[nearest] <= kBitsOfValues)  // what is shifted out everywhere is 0
      for (std::int32_t v : demand_.allowed(nearest)) with(ConstantOp::kShrOf, std::int64_t{v} << e[nearest]);
    SolvedMasks(demand_, [this] { return is_over(); }).each(e, with);
    for (const Expression& leaf : catalogue_.leaves()) joined(e, leaf.values, make, [&] { return leaf.form; });
  }

  void stepped(ConstantOp step, const Values& e, std::int32_t c, const auto& make) {
    for (std::size_t p :
         {demand_.order().front(), demand_.order()[demand_.order().size() / 2], demand_.order().back()}) {
      one_.assign(1, e[p]);
      if (!ExpressionCatalogue::apply(step, one_, c, at_one_) || !demand_.allows(p, at_one_[0])) return;
    }
    if (ExpressionCatalogue::apply(step, e, c, scratch_) && demand_.fits(scratch_))
      add(scratch_, [&] { return form_of(step, make(), c); });
  }

  template <typename MakeA, typename MakeB>
  void joined(const Values& a, const Values& b, const MakeA& make_a, const MakeB& make_b) {
    const std::size_t first = demand_.order().front(), last = demand_.order().back();
    for (PairOp join : kPairOps)
      for (bool swapped : {false, true}) {
        if (swapped && commutes(join)) continue;
        const Values &x = swapped ? b : a, &y = swapped ? a : b;
        if (!fits_at(join, x, y, first) || !fits_at(join, x, y, last)) continue;
        if (!ExpressionCatalogue::apply(join, x, y, scratch_) || !demand_.fits(scratch_)) continue;
        add(scratch_, [&] { return swapped ? form_of(join, make_b(), make_a()) : form_of(join, make_a(), make_b()); });
      }
  }

  bool fits_at(PairOp join, const Values& a, const Values& b, std::size_t p) const {
    const std::int64_t x = a[p], y = b[p];
    switch (join) {
      case PairOp::kAdd: return demand_.allows(p, x + y);
      case PairOp::kSub: return demand_.allows(p, x - y);
      case PairOp::kMul: return demand_.allows(p, x * y);
      case PairOp::kAnd: return demand_.allows(p, x & y);
      case PairOp::kOr: return demand_.allows(p, x | y);
      case PairOp::kXor: return demand_.allows(p, x ^ y);
      case PairOp::kShl: return y >= 0 && y < 32 && demand_.allows(p, x << y);
      case PairOp::kShr: return y >= 0 && y < 32 && demand_.allows(p, x >> y);
    }
    return false;
  }

  // Conditions of `ops` operations that hold and fail where they must: emit(values, form).
  void conditions(const Truths& truths, int ops, const Emit& emit) {
    if (ops < 3) {
      for (const Comparison& c : catalogue_.comparisons(ops))
        if (truths.admit(c.holds)) emit(values_of(c.holds), [&] { return c.form(); });
      return;
    }
    catalogue_.for_each_two([&](const Values& e, const auto& make) {
      SolvedComparisons::with_constants(e, truths, [&](Op op, std::int32_t c, bool is_first) {
        constant_.assign(e.size(), c);
        const auto constant = [&] { return IndexExpr::constant(c); };
        is_first ? emit_comparison(op, constant_, e, constant, make, emit)
                 : emit_comparison(op, e, constant_, make, constant, emit);
      });
      for (const Expression& leaf : catalogue_.leaves())
        SolvedComparisons::with_each_other(e, leaf.values, truths, [&](Op op, bool swapped) {
          const auto other = [&] { return leaf.form; };
          swapped ? emit_comparison(op, leaf.values, e, other, make, emit)
                  : emit_comparison(op, e, leaf.values, make, other, emit);
        });
      return !is_over();
    });
    const std::span<const Expression> ones = catalogue_.near_ones();
    for (std::size_t a = 0; a < ones.size() && !is_over(); ++a)
      for (std::size_t b = a + 1; b < ones.size(); ++b)
        SolvedComparisons::with_each_other(ones[a].values, ones[b].values, truths, [&](Op op, bool swapped) {
          const Expression &x = ones[swapped ? b : a], &y = ones[swapped ? a : b];
          emit_comparison(op, x.values, y.values, [&] { return x.form; }, [&] { return y.form; }, emit);
        });
    both_and_either(truths, emit);
  }

  // c & d holds where both must; c | d fails where both must.
  void both_and_either(const Truths& truths, const Emit& emit) {
    const std::size_t words = truths.holds.size();
    for (const bool both : {true, false}) {
      std::vector<const Comparison*> sides;
      for (const Comparison& c : catalogue_.comparisons(1)) {
        bool fits = true;
        for (std::size_t w = 0; w < words && fits; ++w)
          fits = both ? (truths.holds[w] & ~c.holds[w]) == 0 : (truths.fails[w] & c.holds[w]) == 0;
        if (fits) sides.push_back(&c);
      }
      PointSet set(words);
      for (std::size_t a = 0; a < sides.size() && !is_over(); ++a)
        for (std::size_t b = a + 1; b < sides.size(); ++b) {
          for (std::size_t w = 0; w < words; ++w)
            set[w] = both ? sides[a]->holds[w] & sides[b]->holds[w] : sides[a]->holds[w] | sides[b]->holds[w];
          const auto form = [&] {
            return both ? IndexExpr::bit_and(sides[a]->form(), sides[b]->form())
                        : IndexExpr::bit_or(sides[a]->form(), sides[b]->form());
          };
          if (truths.admit(set)) emit(values_of(set), std::ref(form));
        }
    }
  }

  Values values_of(const PointSet& set) const {
    Values values(catalogue_.points());
    for (std::size_t p = 0; p < values.size(); ++p) values[p] = contains(set, p) ? 1 : 0;
    return values;
  }

  void emit_comparison(Op op, const Values& a, const Values& b, const auto& make_a, const auto& make_b,
                       const Emit& emit) {
    const auto holds = [op](std::int32_t x, std::int32_t y) {
      return op == Op::kLt ? x < y : op == Op::kLe ? x <= y : op == Op::kEq ? x == y : x != y;
    };
    std::ranges::transform(a, b, compared_.begin(), holds);
    const auto form = [&] { return IndexExpr::compare(op, make_a(), make_b()); };
    emit(compared_, std::ref(form));
  }

  // condition ? a : b
  void choices(int ops) {
    if (ops < 2) return;
    std::vector<Expression> plain = catalogue_.leaves();
    std::set<std::int32_t> constants;
    for (std::size_t p : demand_.order()) constants.insert(demand_.allowed(p).begin(), demand_.allowed(p).end());
    for (std::int32_t c : constants) plain.push_back({IndexExpr::constant(c), Values(catalogue_.points(), c)});
    chosen_of(plain, plain, ops - 1);
    if (ops < 3) return;
    for (const std::span<const Expression> larger : {catalogue_.near_ones(), std::span(catalogue_.truths())}) {
      chosen_of(larger, plain, ops - 2);
      chosen_of(plain, larger, ops - 2);
    }
    if (ops == 4)
      NestedChoices(catalogue_, demand_, plain)
          .each([&](const Values& values, const auto& make) { add(values, make); }, [this] { return is_over(); });
  }

  void chosen_of(std::span<const Expression> firsts, std::span<const Expression> seconds, int ops) {
    struct Pair {
      const Expression &first, &second;
      Truths truths;
    };
    std::vector<Pair> pairs;
    for (const Expression& a : firsts)
      for (const Expression& b : seconds) {
        if (is_over()) return;
        auto truths =
            told_apart(demand_, [&](std::size_t p) { return a.values[p]; }, [&](std::size_t p) { return b.values[p]; });
        if (!truths) continue;
        // Beyond what is exhausted, not where one of them serves alone.
        if (ops >= 3 && (truths->where_holds.empty() || truths->where_fails.empty())) continue;
        pairs.push_back({a, b, std::move(*truths)});
        if (pairs.size() <= (ops < 3 ? kMostPairs : kFewPairs)) continue;
        result_.complete = result_.complete && ops >= 3;
        return;
      }
    for (const Pair& pair : pairs)
      conditions(pair.truths, ops, [&](const Values& holds, const Form& form) {
        Values values(holds);
        for (std::size_t p = 0; p < values.size(); ++p)
          values[p] = holds[p] != 0 ? pair.first.values[p] : pair.second.values[p];
        if (demand_.fits(values))
          add(values, [&] { return IndexExpr::select(form(), pair.first.form, pair.second.form); });
      });
  }

  // Of what is never negative at the points that there are, by those that may fit.
  template <typename Each>
  void each_quotient(const Expression& e, const auto& may_fit, const Each& each) {
    const auto [least, most] = std::ranges::minmax(e.values);
    if (least < 0) return;
    Values values(e.values.size());
    for (std::int32_t c = 3; c <= std::min(most + 1, kLargestDivisor) && !is_over(); ++c) {
      if (std::has_single_bit(static_cast<std::uint32_t>(c)) || !may_fit(e, c)) continue;
      for (const bool is_quotient : {true, false}) {
        std::ranges::transform(e.values, values.begin(), [&](std::int32_t v) { return is_quotient ? v / c : v % c; });
        each(values, [&] { return is_quotient ? IndexExpr::div(e.form, c) : IndexExpr::mod(e.form, c); });
      }
    }
  }

  void quotients_of(std::span<const Expression> all) {
    const std::size_t first = demand_.order().front(), last = demand_.order().back();
    const auto may_fit = [&](const Expression& e, std::int32_t c) {
      const auto fits_as = [&](auto&& of) {
        return demand_.allows(first, of(first)) && demand_.allows(last, of(last));
      };
      return fits_as([&](std::size_t p) { return e.values[p] / c; }) ||
             fits_as([&](std::size_t p) { return e.values[p] % c; });
    };
    for (const Expression& e : all)
      each_quotient(e, may_fit, [&](const Values& values, const auto& form) {
        if (demand_.fits(values)) add(values, form);
      });
  }

  // Quotients of one operation, and one operation or comparison on a quotient.
  void with_quotients() {
    quotients_of(catalogue_.near_ones());
    const auto truths = told_apart(demand_, [](std::size_t) { return 1; }, [](std::size_t) { return 0; });
    const auto any = [](const Expression&, std::int32_t) { return true; };
    for (const Expression& leaf : catalogue_.leaves())
      each_quotient(leaf, any, [&](const Values& values, const auto& form) {
        finish(values, form);
        if (!truths) return;
        SolvedComparisons::with_constants(values, *truths, [&](Op op, std::int32_t c, bool is_first) {
          constant_.assign(values.size(), c);
          const auto constant = [&] { return IndexExpr::constant(c); };
          const auto emit = [&](const Values& holds, const Form& made) { add(holds, made); };
          is_first ? emit_comparison(op, constant_, values, constant, form, emit)
                   : emit_comparison(op, values, constant_, form, constant, emit);
        });
      });
  }

  void add(const Values& values, const auto& form) {
    if (!seen_.insert(hash_of(0, values)).second) return;
    if (result_.tables.size() >= limit_) {
      result_.complete = false;
      return;
    }
    HoleTable table{{}, form(), 0};
    for (std::int32_t v : values) table.values.push_back(static_cast<std::int16_t>(v - space_.least));
    table.integer_ops = table.expression.integer_ops();
    result_.tables.push_back(std::move(table));
  }

  const ExpressionCatalogue& catalogue_;
  const HoleSpace& space_;
  const Demand demand_;
  const std::size_t limit_;
  const Deadline& deadline_;
  Enumeration result_;
  std::unordered_set<std::size_t> seen_;
  Values scratch_ = Values(catalogue_.points()), one_, at_one_ = Values(1);
  Values constant_, compared_ = Values(catalogue_.points());
  std::size_t asked_ = 0;
};

class ExpressionGrammar : public TableGrammar {
 public:
  ExpressionGrammar(const HoleSpace& space, std::shared_ptr<const ExpressionCatalogue> catalogue,
                    const Deadline& deadline)
      : space_(space),
        catalogue_(std::move(catalogue)),
        deadline_(deadline) {}

  Enumeration within(const Domains& domains, int max_ops, std::size_t limit) const override {
    for (PointId p : space_.points)
      if (domains.count(p) == 0) return {};
    ExpressionSearch search(*catalogue_, space_, domains, std::min(limit, kMostListed), deadline_);
    Enumeration found = search.up_to(std::min(max_ops, kMostOps));
    found.complete = found.complete && max_ops <= kExhausted;
    return found;
  }

  // Three operations on four operands.
  double settings() const override {
    const double operands = static_cast<double>(catalogue_->leaves().size() + catalogue_->constants().size());
    return std::pow(operands, kExhausted + 1) * std::pow(std::size(kPairOps) + 4.0, kExhausted);
  }
  bool is_dear_to_list() const override { return true; }
  int most_ops() const override { return kMostOps; }
  std::optional<int> exhausted_ops() const override { return kExhausted; }
  std::optional<double> distinct_log10(const Deadline&) const override { return std::nullopt; }

 private:
  const HoleSpace& space_;
  std::shared_ptr<const ExpressionCatalogue> catalogue_;
  const Deadline deadline_;
};

}  // namespace

std::unique_ptr<TableGrammar> expression_grammar(const HoleSpace& space,
                                                 std::shared_ptr<const ExpressionCatalogue> expressions,
                                                 const Deadline& deadline) {
  return std::make_unique<ExpressionGrammar>(space, std::move(expressions), deadline);
}

}  // namespace swizzle
