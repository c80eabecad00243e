#include "codegen/emit/rotation.h"

#include <algorithm>
#include <bit>

#include "synth/base/integers.h"

namespace swizzle {
namespace {

using Op = IndexExpr::Op;

struct ScaledTerm {
  std::int64_t factor;
  const IndexExpr* of;
};

void collect_terms(const IndexExpr& e, std::int64_t factor, std::vector<ScaledTerm>& terms) {
  if (e.op == Op::kAdd || e.op == Op::kSub) {
    collect_terms(e.operands[0], factor, terms);
    return collect_terms(e.operands[1], e.op == Op::kAdd ? factor : -factor, terms);
  }
  if (e.op == Op::kMul) return collect_terms(e.operands[0], factor * e.operands[1].value, terms);
  terms.push_back({factor, &e});
}

bool only(const IndexExpr& e, const std::vector<bool>& is_known, bool wanted) {
  if (e.op == Op::kArgument) return is_known[static_cast<std::size_t>(e.value)] == wanted;
  return std::all_of(e.operands.begin(), e.operands.end(),
                     [&](const IndexExpr& operand) { return only(operand, is_known, wanted); });
}

// constant + Σ terms: what is added comes first, `1 - j`, and a constant last, `j + 1`.
IndexExpr sum_of(const std::vector<ScaledTerm>& terms, std::int64_t constant, bool negate = false) {
  IndexExpr result = IndexExpr::constant(0);
  const auto factor = [&](const ScaledTerm& t) { return negate ? -t.factor : t.factor; };
  for (const ScaledTerm& t : terms)
    if (factor(t) > 0) result = IndexExpr::add(result, IndexExpr::mul(*t.of, factor(t)));
  const bool is_open = result.is_constant();
  if (is_open) result = IndexExpr::constant(constant);
  for (const ScaledTerm& t : terms)
    if (factor(t) < 0) result = IndexExpr::sub(result, IndexExpr::mul(*t.of, -factor(t)));
  return is_open ? result : IndexExpr::add(result, IndexExpr::constant(constant));
}

// The terms without the constants, which are added up.
std::int64_t take_constants(std::vector<ScaledTerm>& terms) {
  std::int64_t constant = 0;
  std::erase_if(terms, [&](const ScaledTerm& t) {
    if (t.of->is_constant()) constant += t.factor * t.of->value;
    return t.of->is_constant();
  });
  return constant;
}

std::int64_t modulo(std::int64_t a, std::int64_t m) { return (a % m + m) % m; }

std::int64_t modulus_of(const IndexExpr& e) {
  if (e.op == Op::kMod) return e.operands[1].value;
  if (e.op != Op::kAnd || !e.operands[1].is_constant()) return 0;
  const std::int64_t modulus = e.operands[1].value + 1;
  return modulus > 1 && std::has_single_bit(static_cast<std::uint64_t>(modulus)) ? modulus : 0;
}

std::optional<Digit> as_digit(const ScaledTerm& term, const std::vector<bool>& is_known) {
  Digit digit;
  digit.weight = term.factor;
  digit.modulus = modulus_of(*term.of);
  if (digit.weight < 1 || digit.modulus < 2) return std::nullopt;
  std::vector<ScaledTerm> terms, known, turn;
  collect_terms(term.of->operands[0], 1, terms);
  for (const ScaledTerm& t : terms) {
    if (only(*t.of, is_known, true)) known.push_back(t);
    else if (only(*t.of, is_known, false)) turn.push_back(t);
    else return std::nullopt;
  }
  digit.backwards = std::all_of(turn.begin(), turn.end(), [](const ScaledTerm& t) { return t.factor < 0; });
  const bool forwards = std::all_of(turn.begin(), turn.end(), [](const ScaledTerm& t) { return t.factor > 0; });
  const bool is_power = std::has_single_bit(static_cast<std::uint64_t>(digit.modulus));
  if (!digit.backwards && !forwards && !is_power) return std::nullopt;
  digit.offset = modulo(take_constants(known), digit.modulus);
  digit.known = sum_of(known, 0);
  digit.turn = sum_of(turn, 0, digit.backwards);
  return digit;
}

}  // namespace

IndexExpr Digit::turned(IndexExpr i, std::int64_t shift, std::int64_t all) const {
  const std::int64_t run = weight * modulus;
  const IndexExpr inside = IndexExpr::mod(IndexExpr::add(i, IndexExpr::constant(shift * weight)), run);
  return run == all ? inside : IndexExpr::add(IndexExpr::mul(IndexExpr::div(i, run), run), inside);
}

IndexExpr Digit::without_turn(std::int64_t shift, const std::vector<std::vector<std::int64_t>>& arguments) const {
  const std::int64_t wanted = modulo(offset + shift, modulus);
  std::int64_t least = 0, most = 0;
  for (const auto& a : arguments) {
    least = std::min(least, known.evaluate(a) + wanted);
    most = std::max(most, known.evaluate(a) + wanted);
  }
  const std::int64_t positive = wanted + (modulus - 1 - least) / modulus * modulus;  // C's % truncates
  std::vector<ScaledTerm> terms;
  collect_terms(known, 1, terms);
  take_constants(terms);
  const IndexExpr sum = sum_of(terms, positive);
  return least == 0 && most < modulus ? sum : IndexExpr::mod(sum, modulus);
}

IndexExpr Rotation::known(std::size_t d, std::int64_t shift,
                          const std::vector<std::vector<std::int64_t>>& arguments) const {
  IndexExpr index = base;
  for (std::size_t n = 0; n < digits.size(); ++n)
    index =
        IndexExpr::add(index, IndexExpr::mul(digits[n].without_turn(n == d ? shift : 0, arguments), digits[n].weight));
  return index;
}

bool Rotation::turns_registers(const std::vector<std::int64_t>& arguments, std::int64_t all) const {
  const std::int64_t start = known(0, 0, {arguments}).evaluate(arguments);
  if (start < 0 || start >= all) return false;
  std::int64_t run = 1;  // digits lie side by side
  for (const Digit& digit : digits) {
    if (digit.weight % run != 0 || all % (digit.weight * digit.modulus) != 0) return false;
    const std::int64_t at = modulo(digit.known.evaluate(arguments) + digit.offset, digit.modulus);
    if (start / digit.weight % digit.modulus != at) return false;
    run = digit.weight * digit.modulus;
  }
  return true;
}

namespace {

void collect_flips(const IndexExpr& e, std::vector<const IndexExpr*>& terms) {
  if (e.op != Op::kXor) return terms.push_back(&e);
  for (const IndexExpr& operand : e.operands) collect_flips(operand, terms);
}

// What has the bit as its lowest; nothing, if a mask takes it away.
std::optional<IndexExpr> from_bit(const IndexExpr& e, std::int64_t bit) {
  if (e.op == Op::kAnd && e.operands[1].is_constant() && e.operands[1].value >= 0)
    return (e.operands[1].value & bit) == 0 ? std::nullopt : from_bit(e.operands[0], bit);
  if (e.op == Op::kDiv && is_power_of_two(e.operands[1].value))
    return IndexExpr::div(e.operands[0], e.operands[1].value * bit);
  return IndexExpr::div(e, bit);
}

// known ^ flipped: each bit that may be flipped is a digit of two values.
std::optional<Rotation> as_flips(const IndexExpr& index, const std::vector<bool>& is_known, std::int64_t all) {
  std::vector<const IndexExpr*> terms;
  collect_flips(index, terms);
  Rotation rotation;
  IndexExpr known = IndexExpr::constant(0);
  for (const IndexExpr* term : terms) {
    if (!only(*term, is_known, true) && !only(*term, is_known, false)) return std::nullopt;
    IndexExpr& sum = only(*term, is_known, true) ? known : rotation.flipped;
    sum = IndexExpr::bit_xor(std::move(sum), *term);
  }
  if (rotation.flipped.is_constant()) return std::nullopt;
  std::int64_t stay = -1;
  for (std::int64_t bit = 1; all % (2 * bit) == 0; bit *= 2) {
    rotation.flips_below = 2 * bit;
    auto turn = from_bit(rotation.flipped, bit);
    if (!turn) continue;
    rotation.digits.push_back({bit, 2, IndexExpr::div(known, bit), std::move(*turn)});
    stay -= bit;
  }
  rotation.base = stay == -all ? IndexExpr::constant(0) : IndexExpr::mask(known, stay);
  return rotation.digits.empty() ? std::nullopt : std::optional(std::move(rotation));
}

}  // namespace

std::optional<Rotation> as_rotation(const IndexExpr& index, const std::vector<bool>& is_known, std::int64_t all) {
  if (index.op == Op::kXor) return as_flips(index, is_known, all);
  std::vector<ScaledTerm> terms, known;
  collect_terms(index, 1, terms);
  Rotation rotation;
  for (const ScaledTerm& t : terms) {
    if (only(*t.of, is_known, true)) {
      known.push_back(t);
      continue;
    }
    auto digit = as_digit(t, is_known);
    if (!digit) return std::nullopt;
    rotation.digits.push_back(std::move(*digit));
  }
  const std::int64_t constant = take_constants(known);
  rotation.base = sum_of(known, constant);
  if (rotation.digits.empty()) return std::nullopt;
  std::stable_sort(rotation.digits.begin(), rotation.digits.end(),
                   [](const Digit& a, const Digit& b) { return a.weight < b.weight; });
  return rotation;
}

}  // namespace swizzle
