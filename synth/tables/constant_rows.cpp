#include "synth/tables/constant_rows.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

namespace swizzle {
namespace {

constexpr int kLeastShift = 31;  // that an int has not

// Of what decides alone: by its value.
using ValuesByArgument = std::map<std::int64_t, std::int64_t>;

// Of argument 0, if it gives all values.
std::optional<IndexExpr> if_right(IndexExpr candidate, const ValuesByArgument& values) {
  const auto is_right = [&](const auto& row) { return candidate.evaluate({row.first}) == row.second; };
  return std::ranges::all_of(values, is_right) ? std::optional(std::move(candidate)) : std::nullopt;
}

// What is of argument 0, of another value.
IndexExpr with_argument(IndexExpr e, const IndexExpr& value) {
  if (e.op == IndexExpr::Op::kArgument) return value;
  for (std::size_t i = 0; i < e.operands.size(); ++i) e.operands.own(i) = with_argument(e.operands[i], value);
  return e;
}

// p · argument + q, of integers.
std::optional<IndexExpr> affine(const ValuesByArgument& values) {
  if (values.size() < 2) return std::nullopt;
  const auto& [first, value] = *values.begin();
  const auto& [last, other] = *std::next(values.begin());
  const std::int64_t run = last - first, rise = other - value;
  if (rise % run != 0) return std::nullopt;
  const std::int64_t p = rise / run, q = value - p * first;
  const IndexExpr argument = IndexExpr::argument(0);
  return if_right(p < 0 ? IndexExpr::sub(IndexExpr::constant(q), IndexExpr::mul(argument, -p))
                        : IndexExpr::add(IndexExpr::mul(argument, p), IndexExpr::constant(q)),
                  values);
}

// c << argument or c >> argument, of positive integers.
std::optional<IndexExpr> doubling(const ValuesByArgument& values) {
  const auto& [at, value] = *values.begin();
  if (at < 0 || at >= kLeastShift || value <= 0 || values.rbegin()->first >= kLeastShift) return std::nullopt;
  const IndexExpr argument = IndexExpr::argument(0);
  const auto left = IndexExpr::shift(IndexExpr::Op::kShl, IndexExpr::constant(value >> at), argument);
  if (auto found = if_right(left, values)) return found;
  if (value << at > INT32_MAX) return std::nullopt;
  return if_right(IndexExpr::shift(IndexExpr::Op::kShr, IndexExpr::constant(value << at), argument), values);
}

// Σ p_j · argument j + q: each p from two rows that differ in that argument alone.
std::optional<IndexExpr> affine_of_all(const ConstantRows& rows) {
  const auto& [first, value] = *rows.begin();
  IndexExpr sum = IndexExpr::constant(0);
  std::int64_t q = value;
  for (std::size_t j = 0; j < first.size(); ++j) {
    const auto other = std::ranges::find_if(rows, [&](const auto& row) {
      Arguments moved = first;
      moved[j] = row.first[j];
      return row.first[j] != first[j] && moved == row.first;
    });
    if (other == rows.end()) continue;
    const std::int64_t run = other->first[j] - first[j], rise = other->second - value;
    if (rise % run != 0 || rise / run < 0) return std::nullopt;
    sum = IndexExpr::add(std::move(sum), IndexExpr::mul(IndexExpr::argument(j), rise / run));
    q -= rise / run * first[j];
  }
  sum = IndexExpr::add(std::move(sum), IndexExpr::constant(q));
  const auto is_right = [&](const auto& row) { return sum.evaluate(row.first) == row.second; };
  return std::ranges::all_of(rows, is_right) ? std::optional(std::move(sum)) : std::nullopt;
}

std::optional<IndexExpr> integer_formula(const ValuesByArgument& values) {
  const auto line = affine(values);
  return line ? line : doubling(values);
}

// Words of so many bits.
class WordFormulas {
 public:
  explicit WordFormulas(int bits) : bits_(bits), ones_(~std::uint64_t{0} >> (64 - bits)) {}

  std::optional<IndexExpr> of(const ValuesByArgument& values) const {
    constexpr std::size_t kFew = 2;  // which are listed shorter
    if (values.size() <= kFew) return std::nullopt;
    if (auto found = direct(values)) return found;
    const auto changed = [&](auto change) {
      ValuesByArgument others;
      for (const auto& [at, word] : values)
        others.emplace(at, static_cast<std::int64_t>(change(static_cast<std::uint64_t>(word)) & ones_));
      return direct(others);
    };
    auto inverted = changed([](std::uint64_t w) { return ~w; });
    const bool moves_ones = inverted && inverted->op == IndexExpr::Op::kShl &&
                            inverted->operands[0].op == IndexExpr::Op::kWord &&
                            static_cast<std::uint64_t>(inverted->operands[0].value) == ones_;
    if (inverted && bits_ >= 32 && !moves_ones)  // ~(~0u << k) is (1u << k) - 1
      return IndexExpr::bit_xor(IndexExpr::word(static_cast<std::int64_t>(ones_), bits_), *std::move(inverted));
    if (auto next = changed([](std::uint64_t w) { return w + 1; }))
      return if_right(IndexExpr::sub(*std::move(next), IndexExpr::constant(1)), values);
    return std::nullopt;
  }

 private:
  std::optional<IndexExpr> direct(const ValuesByArgument& values) const {
    for (int width = bits_; width >= 8; width /= 2)
      if (auto found = runs(values, width)) return found;
    return shifted(values);
  }

  // Runs of ones in the lowest `width` bits, if their lengths have a formula.
  static std::optional<IndexExpr> runs(const ValuesByArgument& values, int width) {
    ValuesByArgument lengths;
    for (const auto& [at, word] : values) {
      const std::int64_t length = std::countr_one(static_cast<std::uint64_t>(word));
      const IndexExpr run = IndexExpr::runs(IndexExpr::constant(length), width);
      if (length == 0 || length >= width || width % (2 * length) != 0 || run.evaluate({}) != word) return std::nullopt;
      lengths.emplace(at, length);
    }
    auto length = integer_formula(lengths);
    if (!length) return std::nullopt;
    return IndexExpr::runs(*std::move(length), width);
  }

  // One word, moved up from its lowest bit or down from its highest one, by distances that have a formula.
  std::optional<IndexExpr> shifted(const ValuesByArgument& values) const {
    if (std::ranges::any_of(values, [](const auto& row) { return row.second == 0; })) return std::nullopt;
    const auto up = [](std::uint64_t w) { return std::pair(std::countr_zero(w), w >> std::countr_zero(w)); };
    const auto down = [&](std::uint64_t w) {
      const int distance = std::countl_zero(w) - (64 - bits_);
      return std::pair(distance, w << distance);
    };
    const auto ones_down = [&](std::uint64_t w) { return std::pair(bits_ - std::popcount(w), ones_); };
    std::optional<IndexExpr> best = moved(values, IndexExpr::Op::kShl, up);
    if (bits_ == 64) return best;  // of signed words, `>>` fills up with the sign
    for (auto other : {moved(values, IndexExpr::Op::kShr, ones_down), moved(values, IndexExpr::Op::kShr, down)})
      if (other && (!best || other->integer_ops() < best->integer_ops())) best = std::move(other);
    return best;
  }

  // split(word): a distance, and the word that is moved so far, of which the least moved has the most.
  template <typename F>
  std::optional<IndexExpr> moved(const ValuesByArgument& values, IndexExpr::Op op, const F& split) const {
    ValuesByArgument distances;
    std::pair<int, std::uint64_t> whole{bits_, 0};
    for (const auto& [at, word] : values) {
      const std::pair<int, std::uint64_t> parts = split(static_cast<std::uint64_t>(word));
      distances.emplace(at, parts.first);
      if (parts.first < whole.first) whole = parts;
    }
    const auto distance = affine(distances);
    if (!distance) return std::nullopt;
    return if_right(IndexExpr::shift(op, IndexExpr::word(static_cast<std::int64_t>(whole.second), bits_), *distance),
                    values);
  }

  const int bits_;
  const std::uint64_t ones_;
};

class ConstantChoice {
 public:
  explicit ConstantChoice(ConstantForm form) : form_(form) {}

  IndexExpr of(const ConstantRows& rows) const {
    const std::int64_t first = rows.begin()->second;
    if (std::all_of(rows.begin(), rows.end(), [&](const auto& row) { return row.second == first; }))
      return constant(first);
    const std::size_t count = rows.begin()->first.size();
    for (std::size_t j = 0; j < count; ++j)
      if (const auto values = values_by(rows, j)) return of_one(*values, IndexExpr::argument(j));
    if (auto sum = affine_of_all(rows); sum && form_.kind == ConstantForm::Kind::kInteger) return *std::move(sum);
    std::optional<IndexExpr> shortest;
    for (std::size_t j = 0; j < count; ++j) {
      if (is_same_everywhere(rows, j)) continue;
      IndexExpr parted = by_values_of(rows, j);
      if (!shortest || size_of(parted) < size_of(*shortest)) shortest = std::move(parted);
    }
    return *std::move(shortest);
  }

 private:
  static std::size_t size_of(const IndexExpr& e) {
    std::size_t size = 1;
    for (const IndexExpr& operand : e.operands) size += size_of(operand);
    return size;
  }

  static bool is_same_everywhere(const ConstantRows& rows, std::size_t j) {
    return std::ranges::all_of(rows, [&](const auto& r) { return r.first[j] == rows.begin()->first[j]; });
  }

  // What the others decide for each of its values.
  IndexExpr by_values_of(const ConstantRows& rows, std::size_t j) const {
    std::map<std::int64_t, ConstantRows> parts;
    for (const auto& [arguments, value] : rows) parts[arguments[j]].emplace(arguments, value);
    auto part = parts.rbegin();
    IndexExpr result = of(part->second);
    for (++part; part != parts.rend(); ++part)
      result = where_equal(IndexExpr::argument(j), part->first, of(part->second), std::move(result));
    return result;
  }

  IndexExpr constant(std::int64_t v) const {
    return form_.kind == ConstantForm::Kind::kInteger ? IndexExpr::constant(v) : IndexExpr::word(v, form_.bits);
  }

  static IndexExpr where_equal(IndexExpr argument, std::int64_t value, IndexExpr then, IndexExpr otherwise) {
    return IndexExpr::select(IndexExpr::compare(IndexExpr::Op::kEq, std::move(argument), IndexExpr::constant(value)),
                             std::move(then), std::move(otherwise));
  }

  // If the argument decides alone.
  static std::optional<ValuesByArgument> values_by(const ConstantRows& rows, std::size_t j) {
    ValuesByArgument known;
    for (const auto& [arguments, value] : rows)
      if (known.try_emplace(arguments[j], value).first->second != value) return std::nullopt;
    return known;
  }

  IndexExpr of_one(const ValuesByArgument& values, const IndexExpr& argument) const {
    if (const auto formula = formula_of(values)) return with_argument(*formula, argument);
    if (auto part = by_digits(values, argument)) return *std::move(part);
    if (auto list = list_of(values, argument)) return *std::move(list);
    return chain(values, argument);
  }

  IndexExpr chain(const ValuesByArgument& values, const IndexExpr& argument) const {
    auto row = values.rbegin();
    IndexExpr result = constant(row->second);
    for (++row; row != values.rend(); ++row)
      result = where_equal(argument, row->first, constant(row->second), std::move(result));
    return result;
  }

  // Of argument 0.
  std::optional<IndexExpr> formula_of(const ValuesByArgument& values) const {
    if (form_.kind == ConstantForm::Kind::kMask) return WordFormulas(form_.bits).of(values);
    return form_.kind == ConstantForm::Kind::kInteger ? integer_formula(values) : std::nullopt;
  }

  // By the argument's low bits alone, or by those above: a formula, or a choice between few.
  std::optional<IndexExpr> by_digits(const ValuesByArgument& values, const IndexExpr& argument) const {
    constexpr std::size_t kFew = 2;
    if (values.size() <= kFew || values.begin()->first < 0) return std::nullopt;
    for (std::int64_t digit = 2; digit <= values.rbegin()->first; digit *= 2)
      for (const bool is_low : {true, false}) {
        ValuesByArgument parts;
        const auto part_of = [&](std::int64_t at) { return is_low ? at % digit : at / digit; };
        const bool decides = std::ranges::all_of(values, [&](const auto& row) {
          return parts.try_emplace(part_of(row.first), row.second).first->second == row.second;
        });
        if (!decides || parts.size() == values.size()) continue;
        const IndexExpr part = is_low ? IndexExpr::mask(argument, digit - 1) : IndexExpr::div(argument, digit);
        if (const auto formula = formula_of(parts)) return with_argument(*formula, part);
        if (parts.size() <= kFew) return chain(parts, part);
      }
    return std::nullopt;
  }

  // By an argument that counts from 0 or near it; two are told apart by a condition.
  std::optional<IndexExpr> list_of(const ValuesByArgument& values, const IndexExpr& argument) const {
    constexpr std::int64_t kLongest = 64;
    constexpr std::size_t kFew = 2;
    const std::int64_t first = values.begin()->first, last = values.rbegin()->first;
    const bool is_dense = 2 * values.size() > static_cast<std::size_t>(last);
    if (values.size() <= kFew || first < 0 || last >= kLongest || !is_dense) return std::nullopt;
    std::vector<IndexExpr> elements(static_cast<std::size_t>(last) + 1, constant(0));
    for (const auto& [at, value] : values) elements[static_cast<std::size_t>(at)] = constant(value);
    return IndexExpr::element(argument, std::move(elements));
  }

  const ConstantForm form_;
};

}  // namespace

IndexExpr expression_of(const ConstantRows& rows, ConstantForm form) { return ConstantChoice(form).of(rows); }

}  // namespace swizzle
