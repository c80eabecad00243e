// Arithmetic on polynomials, as C computes it.
#include <bit>

#include "synth/base/integers.h"
#include "synth/proof/quotients.h"
#include "synth/proof/symbolic_interpreter.h"
#include "synth/proof/thread_digits.h"
#include "synth/provenance/words.h"

namespace swizzle {
void SymbolicTrace::keep_large(const Polynomial& p, Value where) {
  const auto [known, fresh] = large_at.try_emplace({p - Polynomial(p.constant()), where}, large.size());
  if (fresh) large.push_back({p, where});
  else if (LargeInteger& l = large[known->second]; l.value.constant() < p.constant()) l.value = p;
}

Value SymbolicInterpreter::data_of(const Symbol& s, Scalar scalar) {
  switch (s.kind) {
    case Symbol::Kind::kData: return s.data;
    case Symbol::Kind::kInteger: return elements_.number(s.number, scalar);
    default: return {};
  }
}

Symbol SymbolicState::symbol_of(Value v) const {
  if (v.is_undefined()) return {};
  if (auto number = elements_.polynomial_of(v)) return Symbol::integer(std::move(*number));
  return {Symbol::Kind::kData, {}, 0, v};
}

std::optional<bool> SymbolicInterpreter::is_at_least_0(const Polynomial& p) {
  if (stopped()) return std::nullopt;
  Split split;
  if (const auto known = region_.is_at_least_0(p, split)) return known;
  if (const auto known = known_of_rounds(p)) return known;
  if (p.is_broken() || split.atom == 0) give_up("an index is too large to be followed");
  else split_at(split);
  return std::nullopt;
}

// The number of a round stands for all of them: nothing is split there.
void SymbolicInterpreter::split_at(const std::optional<Split>& split) {
  if (split && region_.is_unsplit(split->atom)) give_up("what a round of a loop over a size decides");
  else split_ = split;
}

// By how many rounds there are, or blocks.
std::optional<bool> SymbolicInterpreter::known_of_rounds(const Polynomial& p) {
  const std::vector<Polynomial>& facts = guards().assumed();
  if (facts.empty()) return std::nullopt;
  if (guards().follows(p, facts, region_)) return true;
  return guards().follows(Polynomial(-1) - p, facts, region_) ? std::optional(false) : std::nullopt;
}

void SymbolicInterpreter::keep_large(const Polynomial& p) {
  const auto most = greatest(p);
  if (!most) return give_up("nothing bounds an integer that grows from round to round");
  trace_.keep_large(*most, path_[at(thread_)]);
}

// Whether p >= 0 by index < count, of the index loops around, in a run for all of them.
std::optional<bool> SymbolicInterpreter::known_of_indices(const Polynomial& p) {
  if (!is_for_all()) return std::nullopt;
  std::vector<Polynomial> facts;
  for (StmtId id : loops_) {
    const IndexLoop& loop = trace_.loops.at(id);
    facts.push_back(loop.count - Polynomial::atom(loop.index) - Polynomial(1));
  }
  if (guards().follows(p, facts, region_)) return true;
  return guards().follows(Polynomial(-1) - p, facts, region_) ? std::optional(false) : std::nullopt;
}

// Of sizes that have bounds both cases are followed, by a guard.
Symbol SymbolicInterpreter::compared(const Polynomial& p) {
  if (stopped()) return {};
  Split split;
  if (const auto known = region_.is_at_least_0(p, split)) return Symbol::integer(Polynomial(*known));
  if (p.is_broken() || split.atom == 0) return give_up("an index is too large to be followed"), Symbol{};
  if (const auto known = known_of_indices(p)) return Symbol::integer(Polynomial(*known));
  if (const auto known = known_of_rounds(p)) return Symbol::integer(Polynomial(*known));
  if (!is_for_all() && region_.is_guarded(split.atom)) return symbol_of(guards().at_least_0(p));
  split_at(split);
  return {};
}

Symbol SymbolicInterpreter::equal_to_0(const Polynomial& p) {
  const Symbol above = compared(p);
  if (stopped() || (above.is_integer() && above.number.value() == 0)) return above;
  const Symbol below = compared(Polynomial(0) - p);
  if (stopped()) return {};
  return symbol_of(guards().both(data_of(above, Scalar::kBool), data_of(below, Scalar::kBool)));
}

// Where an integer of 32 bits or less is not bounded, sizes must bound it: see all_sizes_proof.h.
Polynomial SymbolicInterpreter::fitting(Polynomial p, Scalar s) {
  const int width = bit_width(s);
  if (p.is_broken()) give_up("an index is too large to be followed");
  if (stopped() || s == Scalar::kBool) return p;
  if (const auto value = p.value()) {
    if (is_unsigned(s) || width < 64)
      if (wrap(s, *value) != *value) give_up("an integer wraps around");
    return p;
  }
  const std::int64_t top = width >= 64                    ? INT64_MAX
                           : is_unsigned(s) && width < 32 ? (std::int64_t{1} << width) - 1
                                                          : (std::int64_t{1} << (width - 1)) - 1;
  const auto least = region_.least(p), most = region_.most(p);
  if (is_unsigned(s)) {
    const auto known = is_at_least_0(p);
    if (known == false) give_up("an unsigned integer wraps around");
  } else if (!least || *least < -top - 1) {
    keep_large(Polynomial(0) - p);
  }
  if (most && *most <= top) return p;
  if (width < 32) give_up("a narrow integer depends on the sizes");
  keep_large(p);
  return p;
}

std::optional<bool> SymbolicInterpreter::truth(const Symbol& s) {
  if (stopped()) return std::nullopt;
  if (!s.is_integer()) {
    if (s.is_pointer()) return true;
    give_up(s.is_undefined() ? "a condition is undefined" : "data decide a condition");
    return std::nullopt;
  }
  if (const auto value = s.number.value()) return *value != 0;
  const auto above = is_at_least_0(s.number - Polynomial(1));
  if (!above || *above) return above;
  const auto below = is_at_least_0(Polynomial(-1) - s.number);
  return below;
}

// What a thread that is for no iteration computes before a guard says so may be any number that is no more than a.
static bool is_of_no_iteration(const SizeRegion& region, const Polynomial& a, const Polynomial& divisor) {
  return region.numbered && region.numbered->is_beyond && region.least(a).value_or(-1) >= 0 &&
         region.least(divisor).value_or(0) >= 1;
}

// (i + 1) % n, where 0 <= i < n: i + 1 >= n ? i + 1 - n : i + 1
Symbol SymbolicInterpreter::divided_by_size(Operator op, Scalar s, const Polynomial& a, const Polynomial& by) {
  const auto is_least_0 = [&](const Polynomial& p) { return region_.least(p).value_or(-1) >= 0; };
  auto division = swizzle::divided(a, by, is_least_0);
  // Of digits of one size, assumptions alone say how many of each there are.
  if (!division && !is_for_all() && !region_.assumed.empty())
    division = swizzle::divided(
        a, by, [&](const Polynomial& p) { return is_least_0(p) || guards().follows(p, guards().assumed(), region_); });
  if (division)
    return Symbol::integer(
        fitting(op == Operator::kDiv ? std::move(division->quotient) : std::move(division->rest), s));
  if (is_for_all()) return unknown();
  if (spec_ == nullptr && is_of_no_iteration(region_, a, by))
    return Symbol::integer(Polynomial::atom(region_.unknown()));
  if (region_.numbered && region_.numbered->all_divide_digits)
    return give_up("a division by what are no digits"), Symbol{};
  const std::vector<Polynomial> facts = guards().facts(path_[at(thread_)], region_);
  const auto is_known = [&](const Polynomial& p) { return is_least_0(p) || guards().follows(p, facts, region_); };
  if (is_known(by - Polynomial(1)) && is_known(a) && is_known(by + by - Polynomial(1) - a)) {
    const Symbol is_1 = compared(a - by);
    if (stopped()) return {};
    const auto where = [&](const Polynomial& yes, const Polynomial& no) {
      if (is_1.is_integer()) return Symbol::integer(is_1.number.value() == 1 ? yes : no);
      return selected(data_of(is_1, Scalar::kBool), Symbol::integer(yes), Symbol::integer(no), s);
    };
    return op == Operator::kDiv ? where(Polynomial(1), Polynomial(0)) : where(a - by, a);
  }
  if (const auto quotient = unknown_quotient(a, by, region_, elements_))  // which are no larger than `a`
    return Symbol::integer(op == Operator::kDiv ? *quotient : a - by * *quotient);
  return give_up("a division by what depends on the sizes"), Symbol{};
}

Symbol SymbolicInterpreter::divided(Operator op, Scalar s, const Polynomial& a, const Polynomial& by) {
  if (!by.is_constant()) return divided_by_size(op, s, a, by);
  const std::int64_t divisor = by.constant();
  if (divisor <= 0) return give_up("a division by what is not positive"), Symbol{};
  const auto is_positive = is_at_least_0(a);
  if (!is_positive) return {};
  if (!*is_positive) return give_up("a division of a negative integer"), Symbol{};
  auto [quotient, rest] = a.divided(divisor);
  const auto least = region_.least(rest), most = region_.most(rest);
  if (!least || !most || floor_div(*least, divisor) != floor_div(*most, divisor)) {
    if (is_for_all()) return unknown();
    split_at(region_.split_for_rest(rest, divisor));
    if (!split_) give_up("what a division leaves is not followed");
    return {};
  }
  const std::int64_t more = floor_div(*least, divisor);
  quotient = quotient + Polynomial(more);
  rest = rest - Polynomial(more * divisor);
  return Symbol::integer(fitting(op == Operator::kDiv ? std::move(quotient) : std::move(rest), s));
}

Symbol SymbolicInterpreter::bitwise(Operator op, Scalar s, const Polynomial& a, std::int64_t b) {
  const auto is_positive = is_at_least_0(a);
  if (!is_positive) return {};
  if (!*is_positive) return give_up("bits of a negative integer"), Symbol{};
  std::int64_t low = b;
  if (op == Operator::kAnd && (b < 0 || (s == Scalar::kU32 && b >= std::int64_t{1} << 31)))
    low = ~(s == Scalar::kU32 ? static_cast<std::int64_t>(static_cast<std::int32_t>(b)) : b);  // what it takes away
  if (low < 0) return give_up("bits of a negative integer"), Symbol{};
  const std::int64_t modulus = std::int64_t{1} << std::bit_width(static_cast<std::uint64_t>(low));
  if (modulus > 1 << 24) return give_up("high bits of an integer that depends on the sizes"), Symbol{};
  const Symbol rest = divided(Operator::kRem, Scalar::kI64, a, modulus);
  if (stopped()) return {};
  const bool takes_away = low != b;
  if (op == Operator::kAnd && low == modulus - 1)
    return Symbol::integer(takes_away ? fitting(a - rest.number, s) : rest.number);
  const auto bits = rest.number.value();
  if (!bits) {
    split_at(region_.split_for_rest(rest.number, modulus));
    if (!split_) give_up("bits of an integer that depends on the sizes");
    return {};
  }
  const std::int64_t changed = takes_away             ? *bits & ~low
                               : op == Operator::kAnd ? *bits & b
                               : op == Operator::kOr  ? *bits | b
                                                      : *bits ^ b;
  const bool keeps_high = op != Operator::kAnd || takes_away;
  return Symbol::integer(keeps_high ? fitting(a - Polynomial(*bits) + Polynomial(changed), s) : Polynomial(changed));
}

Symbol SymbolicInterpreter::integers(Operator op, Scalar s, const Polynomial& a, const Polynomial& b) {
  const auto x = a.value(), y = b.value();
  if (x && y) {
    bool defined = true;
    const std::int64_t value = apply(op, s, *x, *y, defined);
    return defined ? Symbol::integer(Polynomial(value)) : Symbol{};
  }
  // unsigned(i - 2) < unsigned(n): where i - 2 is below 0, it is above what integers of 32 bits are to stay below.
  if (is_comparison(op) && s == Scalar::kU32 && std::max(x.value_or(0), y.value_or(0)) > INT32_MAX) {
    keep_large(x ? b : a);
    return integers(op, Scalar::kI64, Polynomial(x ? 1 : 0), Polynomial(x ? 0 : 1));
  }
  switch (op) {
    case Operator::kAdd: return Symbol::integer(fitting(a + b, s));
    case Operator::kSub: return Symbol::integer(fitting(a - b, s));
    case Operator::kMul: return Symbol::integer(fitting(a * b, s));
    case Operator::kLt: return compared(b - a - Polynomial(1));
    case Operator::kLe: return compared(b - a);
    case Operator::kGt: return compared(a - b - Polynomial(1));
    case Operator::kGe: return compared(a - b);
    case Operator::kEq: return equal_to_0(a - b);
    case Operator::kNe: {
      const Symbol equal = equal_to_0(a - b);
      return stopped() ? Symbol{} : symbol_of(guards().negated(data_of(equal, Scalar::kBool)));
    }
    default: break;
  }
  const bool commutes = op == Operator::kAnd || op == Operator::kOr || op == Operator::kXor;
  if (!y && x && commutes) return bitwise(op, s, b, *x);
  if (op == Operator::kDiv || op == Operator::kRem) return divided(op, s, a, b);
  if (!y) return give_up("bits, a shift or a division by what depends on the sizes"), Symbol{};
  const bool is_amount = *y >= 0 && *y <= 31;
  if (op == Operator::kShl && is_amount) return Symbol::integer(fitting(a * Polynomial(std::int64_t{1} << *y), s));
  if (op == Operator::kShr && is_amount) return divided(Operator::kDiv, s, a, std::int64_t{1} << *y);
  if (commutes) return bitwise(op, s, a, *y);
  return give_up("an operation on an integer that depends on the sizes"), Symbol{};
}

// In a run for all indices, what one of them decides is not known, nor is what is computed of that: one atom stands for
// all such integers, so that none may be taken from another.
Symbol SymbolicInterpreter::binary(Operator op, TypeId type, const Symbol& a, const Symbol& b) {
  if (is_for_all() && !stopped() && (a.number.has(unknown_) || b.number.has(unknown_))) {
    const bool is_integer = program_.type(type).form == Type::Form::kScalar && !is_real(scalar_of(type));
    if (is_integer && a.is_integer() && b.is_integer()) return unknown();
    if (a.is_pointer() && b.is_integer()) return Symbol::pointer(a.object, Polynomial::atom(unknown_));
    if (a.is_integer() && b.is_pointer()) return Symbol::pointer(b.object, Polynomial::atom(unknown_));
  }
  Symbol result = decided(op, type, a, b);
  if (!split_ || !is_for_all()) return result;
  split_.reset();
  return unknown();
}

// Of data: whether a shift or a division by this is defined at all sizes.
static bool is_defined(const SizeRegion& region, Operator op, Scalar s, const Polynomial& by) {
  const auto least = region.least(by), most = region.most(by);
  if (op == Operator::kShl || op == Operator::kShr)
    return least.value_or(-1) >= 0 && most.value_or(INT64_MAX) < bit_width(s);
  const bool divides = op == Operator::kDiv || op == Operator::kRem;
  return !divides || least.value_or(0) >= 1 || most.value_or(0) < -1;
}

Symbol SymbolicInterpreter::decided(Operator op, TypeId type, const Symbol& a, const Symbol& b) {
  if (stopped()) return {};
  if (goes_by_cases(a, b))
    return by_cases(a, b, [&](const Symbol& x, const Symbol& y) { return decided(op, type, x, y); });
  const Type& t = program_.type(type);
  if (a.is_pointer() || b.is_pointer()) {
    if (a.is_pointer() && b.is_pointer()) {
      if (a.object != b.object || a.data.is_node() || b.data.is_node())
        return give_up("pointers into different objects"), Symbol{};
      if (t.form != Type::Form::kPointer || slots_per_scalar(a, t.element) != 1)
        return give_up("pointers to several elements are subtracted"), Symbol{};
      return integers(op, Scalar::kI64, a.number, b.number);
    }
    if (t.form == Type::Form::kScalar && !is_comparison(op)) return shared_offset(op, a, b);
    const Symbol &pointer = a.is_pointer() ? a : b, &offset = a.is_pointer() ? b : a;
    const bool adds = op == Operator::kAdd, is_moved = t.form == Type::Form::kPointer && (adds || op == Operator::kSub);
    if (!is_moved || (!offset.is_integer() && (!adds || offset.kind != Symbol::Kind::kData)))
      return give_up("data decide an address"), Symbol{};
    const std::int64_t stride = slots_of(t.element) * slots_per_scalar(pointer, t.element);
    if (!offset.is_integer()) return gathered(pointer, offset, stride);
    const Polynomial slots = offset.number * Polynomial(stride);
    Symbol moved = pointer;
    moved.number = adds ? pointer.number + slots : pointer.number - slots;
    return moved;
  }
  if (a.is_undefined() || b.is_undefined()) return {};
  const Scalar s = scalar_of(type);
  if (a.is_integer() && b.is_integer() && !is_real(s)) return integers(op, s, a.number, b.number);
  if (b.is_integer() && !is_real(s) && !is_for_all() && !is_defined(region_, op, s, b.number))
    return give_up("a shift or a division of data by what depends on the sizes may be undefined"), Symbol{};
  Provenance& provenance = elements_.provenance();
  const Value x = data_of(a, s), y = data_of(b, s);
  // What a guard chooses is compared as each of what it may be: with a number, it may be known.
  if (is_comparison(op) && guards().is_choice(x) && !guards().is_choice(y))
    return symbol_of(provenance.map_leaves(x, [&](Value leaf) { return provenance.binary(op, s, leaf, y); }));
  if (is_comparison(op) && guards().is_choice(y) && !guards().is_choice(x))
    return symbol_of(provenance.map_leaves(y, [&](Value leaf) { return provenance.binary(op, s, x, leaf); }));
  return symbol_of(provenance.binary(op, s, x, y));
}

Symbol SymbolicInterpreter::converted(const Symbol& s, Scalar from, Scalar to) {
  if (stopped() || s.is_undefined()) return s;
  if (s.is_pointer()) return is_real(to) || size_bytes(to) < 4 ? (give_up("an address is cast"), Symbol{}) : s;
  if (has_cases(s) && !is_guard(s)) return by_cases(s, [&](const Symbol& x) { return converted(x, from, to); });
  if (s.is_integer() && !is_real(from) && !is_real(to)) {
    if (const auto value = s.number.value())
      return Symbol::integer(Polynomial(to == Scalar::kBool ? *value != 0 : wrap(to, *value)));
    if (to == Scalar::kBool) {
      if (is_for_all()) return s;
      const auto is = truth(s);
      return is ? Symbol::integer(Polynomial(*is)) : Symbol{};
    }
    const Polynomial p = fitting(s.number, to);
    if (!split_ || !is_for_all()) return Symbol::integer(p);
    split_.reset();
    return unknown();
  }
  return symbol_of(elements_.provenance().convert(data_of(s, from), from, to));
}

}  // namespace swizzle
