#include "synth/execution/hole_points.h"

#include <optional>
#include <utility>

#include <fmt/format.h>

#include "synth/base/integers.h"
#include "synth/provenance/words.h"

namespace swizzle {
namespace {

// The position of an argument that the hole cannot have, and why.
std::optional<std::pair<std::size_t, std::string>> wrong_argument(const HoleTraits& traits,
                                                                  const std::vector<std::int64_t>& known) {
  if (!traits.modulus) return std::nullopt;
  const std::int64_t n = known[*traits.modulus], i = traits.index ? known[*traits.index] : 0;
  if (n < 1 || n > traits.most_values)
    return std::pair(*traits.modulus,
                     fmt::format("n, the {} argument of ?{}, must be between 1 and {}, and is {}",
                                 *traits.modulus == 0 ? "first" : "second", traits.name, traits.most_values, n));
  if (i >= 0 && i < n) return std::nullopt;
  // C's % keeps the sign.
  const std::string reduced = i >= 0               ? fmt::format("% {}", n)
                              : is_power_of_two(n) ? fmt::format("& {}", n - 1)
                                                   : fmt::format("% {0}, plus {0} where that is negative", n);
  return std::pair(*traits.index, fmt::format("the index must be in [0, {}), and is {}: take it {}", n, i, reduced));
}

}  // namespace

Lanes HolePoints::eval_hole(const Expr& e) {
  const Hole& hole = program_.hole(e.hole);
  std::vector<Lanes> arguments;
  for (ExprId a : e.operands) {
    arguments.push_back(operands_.eval(a));
    if (run_.failed()) return run_.blank();
  }
  Lanes result = run_.blank();
  run_.for_active([&](int t) {
    if (run_.failed()) return;
    std::vector<Value> values;
    for (const Lanes& a : arguments) values.push_back(a[at(t)]);
    if (hole.traits().is_cell()) stay_inside_layout(e, values, run_.mask.guard[at(t)]);
    result.entry(at(t)) = hole_value(e, hole, values, 0, {});
  });
  run_.count_per_warp(run_.trace.hole_executions[e.hole]);
  return result;
}

// Arguments that other holes decide are spread out: one point for each value that they may take.
Value HolePoints::hole_value(const Expr& e, const Hole& hole, const std::vector<Value>& arguments, std::size_t next,
                             std::vector<std::int64_t> known) {
  if (next < arguments.size()) {
    if (!provenance_.is_index(arguments[next]) || arguments[next].is_undefined()) {
      const SourceRange range = program_.expr(e.operands[next]).range;
      if (arguments[next].is_undefined()) run_.fail(range, "this argument is undefined");
      else run_.refuse(range, "a hole's argument must not depend on data");
      return {};
    }
    return provenance_.map_leaves(arguments[next], [&](Value leaf) -> Value {
      if (!run_.without_stride(leaf).is_int() || run_.failed()) return {};
      std::vector<std::int64_t> more = known;
      more.push_back(leaf.bits);
      return hole_value(e, hole, arguments, next + 1, std::move(more));
    });
  }
  const HoleTraits& traits = hole.traits();
  if (traits.has_bounds()) return open_value(e, hole, known);
  if (traits.is_word()) return digits_of(e, hole, std::move(known));
  if (traits.is_chosen()) {
    run_.fail(e.range, "nothing has decided this hole yet");
    return {};
  }
  if (traits.is_cell()) return cell_of(hole, known);
  if (const auto wrong = wrong_argument(traits, known)) {
    run_.fail(program_.expr(e.operands[wrong->first]).range, wrong->second);
    return {};
  }
  const int domain = traits.modulus ? static_cast<int>(known[*traits.modulus]) : 2;
  if (traits.modulus) known.erase(known.begin() + static_cast<std::ptrdiff_t>(*traits.modulus));
  const PointId point = run_.points.intern(e.hole, known, domain);
  if (run_.points.domain(e.hole) != domain) {
    run_.fail(e.range, fmt::format("this hole is asked with n = {} and with n = {}; n must be the same everywhere",
                                   run_.points.domain(e.hole), domain));
    return {};
  }
  std::vector<Value> alternatives;
  for (int v = 0; v < domain; ++v) alternatives.push_back(Value::integer(v));
  return provenance_.choice(point, alternatives);
}

// Of a ?sw_expr, or a ?sw_const that constant search leaves open.
Value HolePoints::open_value(const Expr& e, const Hole& hole, const std::vector<std::int64_t>& known) {
  if (hole.high - hole.low > kMaxDomain) {
    run_.refuse(e.range, fmt::format("this hole has {} values, and {} is the most", hole.high - hole.low, kMaxDomain));
    return {};
  }
  std::vector<Value> alternatives;
  for (std::int64_t v = hole.low; v < hole.high; ++v) alternatives.push_back(Value::integer(v));
  return provenance_.choice(run_.points.intern(e.hole, known, static_cast<int>(alternatives.size())), alternatives);
}

// A mask has a point for each bit, a selector of bytes one for each of its four digits: the last argument tells which.
Value HolePoints::digits_of(const Expr& e, const Hole& hole, std::vector<std::int64_t> known) {
  constexpr int kDigits = 4, kBytes = 8;
  const bool is_mask = hole.traits().is_mask();
  std::vector<Value> bits;
  known.push_back(0);
  for (int digit = 0; digit < (is_mask ? hole.bits : kDigits); ++digit) {
    known.back() = digit;
    const int domain = is_mask ? 2 : kBytes;
    const PointId point = run_.points.intern(e.hole, known, domain);
    for (int b = 0; b < (is_mask ? 1 : 4); ++b) {
      std::vector<Value> alternatives;
      for (int v = 0; v < domain; ++v) alternatives.push_back(Value::integer(v >> b & 1));
      bits.push_back(provenance_.choice(point, alternatives));
    }
  }
  bits.resize(static_cast<std::size_t>(hole.bits), Value::integer(0));
  return word_of(provenance_, run_.scalar_of(e.type), bits);
}

Value HolePoints::cell_of(const Hole& hole, const std::vector<std::int64_t>& arguments) const {
  const TileLayout& layout = program_.layout(hole.layout);
  const std::int64_t row = arguments[0], column = arguments[1];
  const bool inside = row >= 0 && row < layout.rows && column >= 0 && column < layout.columns;
  return Value::integer(inside ? row * layout.columns + column : kNoCell);
}

void HolePoints::stay_inside_layout(const Expr& e, const std::vector<Value>& arguments, Value guard) {
  const Hole& hole = program_.hole(e.hole);
  if (!arguments[0].is_int() || !arguments[1].is_int() || truth(guard) != true) return;  // else the access is looked at
  if (cell_of(hole, {arguments[0].bits, arguments[1].bits}).bits != kNoCell) return;
  const TileLayout& layout = program_.layout(hole.layout);
  run_.fail(e.range, fmt::format("row {}, column {} is outside of the {} x {} elements of '{}'", arguments[0].bits,
                                 arguments[1].bits, layout.rows, layout.columns, layout.name));
}

}  // namespace swizzle
