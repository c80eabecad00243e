#include "synth/program/index_expr.h"

#include <algorithm>
#include <bit>
#include <cctype>

#include <fmt/format.h>

#include "synth/base/integers.h"

namespace swizzle {
namespace {

using Op = IndexExpr::Op;

// C's precedence, larger binds tighter.
enum BindingStrength {
  kTernary = 1,
  kBitOr = 3,
  kBitXor = 4,
  kBitAnd = 5,
  kEquality = 6,
  kRelational = 7,
  kShift = 8,
  kAdditive = 9,
  kMultiplicative = 10,
  kPrimary = 12
};

struct Text {
  std::string text;
  int precedence;
};

// An identifier, a literal, a member access or a call is primary; anything else gets parentheses.
bool is_primary(const std::string& s) {
  int depth = 0;
  for (char c : s) {
    if (c == '(' || c == '[') ++depth;
    else if (c == ')' || c == ']') --depth;
    else if (depth == 0 && !std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '.') return false;
  }
  return !s.empty();
}

std::string wrap_below(const Text& t, int precedence) {
  return t.precedence < precedence ? "(" + t.text + ")" : t.text;
}

Text to_text(const IndexExpr& e, const std::vector<std::string>& arguments);

Text infix(const IndexExpr& e, const char* op, int precedence, const std::vector<std::string>& arguments) {
  // gcc and clang warn about `a + b & c` and `a < b == c`: mixed additive and bitwise operators always get parentheses,
  // and so does a comparison within a comparison.
  const bool compares = precedence == kRelational || precedence == kEquality;
  const bool bitwise = precedence == kBitAnd || precedence == kBitXor || precedence == kBitOr || precedence == kShift;
  const int left = bitwise ? kMultiplicative + 1 : compares ? kShift : precedence;
  const Text first = to_text(e.operands[0], arguments);
  const bool chains = (precedence == kBitXor || precedence == kBitOr) && first.precedence == precedence;
  return {wrap_below(first, chains ? precedence : left) + op +
              wrap_below(to_text(e.operands[1], arguments), std::max(left, precedence + 1)),
          precedence};
}

// Of a division or a remainder; a division by a power of two is a shift.
Text quotient(const IndexExpr& e, const std::vector<std::string>& arguments) {
  const std::int64_t d = e.operands[1].value;
  const Text left = to_text(e.operands[0], arguments);
  if (e.op == Op::kDiv && is_power_of_two(d))
    return {fmt::format("{} >> {}", wrap_below(left, kMultiplicative + 1), log2_of(d)), kShift};
  return {fmt::format("{} {} {}", wrap_below(left, kMultiplicative), e.op == Op::kDiv ? "/" : "%", d), kMultiplicative};
}

// A number stands on the right: lane >= 28.
Text inequality(const IndexExpr& e, const std::vector<std::string>& arguments) {
  const bool is_strict = e.op == Op::kLt;
  if (!e.operands[0].is_constant() || e.operands[1].is_constant())
    return infix(e, is_strict ? " < " : " <= ", kRelational, arguments);
  const IndexExpr turned = IndexExpr::compare(e.op, e.operands[1], e.operands[0]);
  return infix(turned, is_strict ? " > " : " >= ", kRelational, arguments);
}

std::string word_text(std::int64_t value, int bits) {
  return fmt::format("0x{:0{}x}{}", static_cast<std::uint64_t>(value), bits / 4, bits > 32 ? "ull" : "u");
}

std::int64_t all_ones(int bits) { return static_cast<std::int64_t>(~std::uint64_t{0} >> (64 - bits)); }

// 2^16 - 1 is 0xff · (2^8 + 1), so that all ones over 2^length + 1 are runs of as many.
Text runs_text(const IndexExpr& e, const std::vector<std::string>& arguments) {
  const int bits = static_cast<int>(e.value);
  return {fmt::format("{} / (({} << {}) + 1)", word_text(all_ones(bits), bits), bits > 32 ? "1ull" : "1u",
                      wrap_below(to_text(e.operands[0], arguments), kMultiplicative + 1)),
          kMultiplicative};
}

Text element_text(const IndexExpr& e, const std::vector<std::string>& arguments) {
  const std::string index = to_text(e.operands[0], arguments).text;
  if (e.value > 0) return {fmt::format("{}[{}]", arguments[static_cast<std::size_t>(e.value)], index), kPrimary};
  std::string elements;
  for (std::size_t i = 1; i < e.operands.size(); ++i)
    elements += (i == 1 ? "" : ", ") + to_text(e.operands[i], arguments).text;
  return {fmt::format("{{{}}}[{}]", elements, index), kPrimary};
}

// What is reversed is unsigned, and would make all that it meets unsigned.
std::string reversal_text(const IndexExpr& e, const std::vector<std::string>& arguments) {
  const std::string word = fmt::format("__brev({})", to_text(e.operands[0], arguments).text);
  return fmt::format("int({} >> {})", word, 32 - e.value);
}

Text to_text(const IndexExpr& e, const std::vector<std::string>& arguments) {
  switch (e.op) {
    case Op::kConstant: return {fmt::format("{}", e.value), e.value < 0 ? kAdditive : kPrimary};
    case Op::kWord: return {word_text(e.value, static_cast<int>(e.operands[0].value)), kPrimary};
    case Op::kArgument: {
      const std::string& s = arguments[static_cast<std::size_t>(e.value)];
      return is_primary(s) ? Text{s, kPrimary} : Text{"(" + s + ")", kPrimary};
    }
    case Op::kAdd: return infix(e, " + ", kAdditive, arguments);
    case Op::kSub: return infix(e, " - ", kAdditive, arguments);
    case Op::kMul: return infix(e, " * ", kMultiplicative, arguments);
    case Op::kAnd:
      if (const IndexExpr& mask = e.operands[1]; mask.is_constant() && mask.value < 0)
        return {fmt::format("{} & ~{}", wrap_below(to_text(e.operands[0], arguments), kMultiplicative + 1),
                            -mask.value - 1),
                kBitAnd};
      return infix(e, " & ", kBitAnd, arguments);
    case Op::kOr: return infix(e, " | ", kBitOr, arguments);
    case Op::kXor: return infix(e, " ^ ", kBitXor, arguments);
    case Op::kShl: return infix(e, " << ", kShift, arguments);
    case Op::kShr: return infix(e, " >> ", kShift, arguments);
    case Op::kRuns: return runs_text(e, arguments);
    case Op::kElement: return element_text(e, arguments);
    case Op::kReverse: return {reversal_text(e, arguments), kPrimary};
    case Op::kLt:
    case Op::kLe: return inequality(e, arguments);
    case Op::kEq: return infix(e, " == ", kEquality, arguments);
    case Op::kNe: return infix(e, " != ", kEquality, arguments);
    case Op::kDiv:
    case Op::kMod: return quotient(e, arguments);
    case Op::kSelect:
      return {fmt::format("{} ? {} : {}", wrap_below(to_text(e.operands[0], arguments), kTernary + 1),
                          wrap_below(to_text(e.operands[1], arguments), kTernary + 1),
                          to_text(e.operands[2], arguments).text),
              kTernary};
  }
  return {"0", kPrimary};
}

std::int64_t runs_of(std::int64_t length, int bits) {
  std::uint64_t word = 0;
  for (int b = 0; b < bits; ++b) word |= static_cast<std::uint64_t>(length > 0 && b / length % 2 == 0) << b;
  return static_cast<std::int64_t>(word);
}

std::int64_t reversed_bits(std::int64_t of, std::int64_t bits) {
  std::int64_t word = 0;
  for (std::int64_t b = 0; b < bits; ++b) word |= ((of >> b) & 1) << (bits - 1 - b);
  return word;
}

}  // namespace

IndexOperands::IndexOperands(std::initializer_list<IndexExpr> list)
    : list_(std::make_shared<IndexExpr[]>(list.size())),
      size_(list.size()) {
  std::copy(list.begin(), list.end(), list_.get());
}

IndexOperands::IndexOperands(std::vector<IndexExpr> list)
    : list_(std::make_shared<IndexExpr[]>(list.size())),
      size_(list.size()) {
  std::move(list.begin(), list.end(), list_.get());
}

IndexExpr& IndexOperands::own(std::size_t i) {
  if (list_.use_count() > 1) *this = IndexOperands(std::vector<IndexExpr>(begin(), end()));
  return list_[i];
}

IndexExpr IndexExpr::add(IndexExpr a, IndexExpr b) {
  if (a.is_constant() && b.is_constant()) return constant(a.value + b.value);
  if (a.is_constant()) std::swap(a, b);
  if (b.is_constant() && b.value == 0) return a;
  if (b.is_constant() && b.value < 0) return sub(std::move(a), constant(-b.value));
  if (b.op == Op::kSub && b.operands[0].is_constant() && b.operands[0].value == 0)  // a + (0 - k)
    return sub(std::move(a), b.operands[1]);
  if (b.op == Op::kMul && b.operands[1].value < 0) {
    IndexExpr positive = mul(b.operands[0], -b.operands[1].value);
    return sub(std::move(a), std::move(positive));
  }
  // (i & ~3) + 3 is i | 3.
  const bool fills_low_bits = b.is_constant() && is_power_of_two(b.value + 1) && a.op == Op::kAnd &&
                              a.operands[1].is_constant() && a.operands[1].value == -(b.value + 1);
  if (fills_low_bits) return bit_or(a.operands[0], std::move(b));
  return {Op::kAdd, 0, {std::move(a), std::move(b)}};
}

IndexExpr IndexExpr::sub(IndexExpr a, IndexExpr b) {
  if (a.is_constant() && b.is_constant()) return constant(a.value - b.value);
  if (b.is_constant() && b.value == 0) return a;
  if (b.is_constant() && b.value < 0) return add(std::move(a), constant(-b.value));
  return {Op::kSub, 0, {std::move(a), std::move(b)}};
}

IndexExpr IndexExpr::mul(IndexExpr a, std::int64_t factor) {
  if (factor == 0) return constant(0);
  if (factor == 1) return a;
  if (a.is_constant()) return constant(a.value * factor);
  if (a.op == Op::kDiv && a.operands[1].value == factor && is_power_of_two(factor)) return mask(a.operands[0], -factor);
  return {Op::kMul, 0, {std::move(a), constant(factor)}};
}

IndexExpr IndexExpr::div(IndexExpr a, std::int64_t divisor) {
  if (divisor == 1) return a;
  if (a.is_constant()) return constant(floor_div(a.value, divisor));
  return {Op::kDiv, 0, {std::move(a), constant(divisor)}};
}

IndexExpr IndexExpr::mod(IndexExpr a, std::int64_t modulus) {
  if (modulus == 1) return constant(0);
  if (a.is_constant()) return constant(a.value - floor_div(a.value, modulus) * modulus);
  if (is_power_of_two(modulus)) return mask(std::move(a), modulus - 1);
  return {Op::kMod, 0, {std::move(a), constant(modulus)}};
}

IndexExpr IndexExpr::mask(IndexExpr a, std::int64_t bits) {
  if (a.is_constant()) return constant(a.value & bits);
  return {Op::kAnd, 0, {std::move(a), constant(bits)}};
}

IndexExpr IndexExpr::bit_and(IndexExpr a, IndexExpr b) {
  if (a.is_constant()) std::swap(a, b);
  if (b.is_constant()) return mask(std::move(a), b.value);
  return {Op::kAnd, 0, {std::move(a), std::move(b)}};
}

IndexExpr IndexExpr::bit_or(IndexExpr a, IndexExpr b) {
  if (a.is_constant() && b.is_constant()) return constant(a.value | b.value);
  if (a.is_constant()) std::swap(a, b);
  if (b.is_constant() && b.value == 0) return a;
  return {Op::kOr, 0, {std::move(a), std::move(b)}};
}

IndexExpr IndexExpr::product(IndexExpr a, IndexExpr b) {
  if (a.is_constant()) std::swap(a, b);
  if (b.is_constant()) return mul(std::move(a), b.value);
  return {Op::kMul, 0, {std::move(a), std::move(b)}};
}

IndexExpr IndexExpr::shift(Op op, IndexExpr a, IndexExpr b) {
  if (b.is_constant() && op == Op::kShr) return div(std::move(a), std::int64_t{1} << b.value);
  if (b.is_constant() && b.value == 0) return a;
  return {op, 0, {std::move(a), std::move(b)}};
}

IndexExpr IndexExpr::bit_xor(IndexExpr a, IndexExpr b) {
  if (a.is_constant() && b.is_constant()) return constant(a.value ^ b.value);
  if (a.is_constant()) std::swap(a, b);
  if (b.is_constant() && b.value == 0) return a;
  return {Op::kXor, 0, {std::move(a), std::move(b)}};
}

IndexExpr IndexExpr::element(IndexExpr index, std::vector<IndexExpr> elements) {
  elements.insert(elements.begin(), std::move(index));
  return {Op::kElement, 0, IndexOperands(std::move(elements))};
}

IndexExpr IndexExpr::compare(Op op, IndexExpr a, IndexExpr b) { return {op, 0, {std::move(a), std::move(b)}}; }

IndexExpr IndexExpr::select(IndexExpr condition, IndexExpr a, IndexExpr b) {
  if (condition.is_constant()) return condition.value != 0 ? a : b;
  return {Op::kSelect, 0, {std::move(condition), std::move(a), std::move(b)}};
}

std::int64_t IndexExpr::evaluate(const std::vector<std::int64_t>& arguments) const {
  const auto at = [&](std::size_t i) { return operands[i].evaluate(arguments); };
  switch (op) {
    case Op::kConstant:
    case Op::kWord: return value;
    case Op::kArgument: return arguments[static_cast<std::size_t>(value)];
    case Op::kAdd: return at(0) + at(1);
    case Op::kSub: return at(0) - at(1);
    case Op::kMul: return at(0) * at(1);
    case Op::kDiv: return floor_div(at(0), at(1));
    case Op::kMod: return at(0) - floor_div(at(0), at(1)) * at(1);
    case Op::kAnd: return at(0) & at(1);
    case Op::kOr: return at(0) | at(1);
    case Op::kXor: return at(0) ^ at(1);
    case Op::kShl: {
      constexpr std::int64_t kUnsigned = 0xffffffff;  // what words of up to 32 bits are printed as
      const bool is_short = operands[0].op == Op::kWord && operands[0].operands[0].value <= 32;
      return is_short ? (at(0) << at(1)) & kUnsigned : at(0) << at(1);
    }
    case Op::kShr: return at(0) >> at(1);
    case Op::kRuns: return runs_of(at(0), static_cast<int>(value));
    case Op::kElement: return at(1 + static_cast<std::size_t>(at(0)));
    case Op::kReverse: return reversed_bits(at(0), value);
    case Op::kLt: return at(0) < at(1);
    case Op::kLe: return at(0) <= at(1);
    case Op::kEq: return at(0) == at(1);
    case Op::kNe: return at(0) != at(1);
    case Op::kSelect: return at(0) != 0 ? at(1) : at(2);
  }
  return 0;
}

int IndexExpr::integer_ops() const {
  int ops = op == Op::kConstant || op == Op::kWord || op == Op::kArgument ? 0 : 1;
  if ((op == Op::kDiv || op == Op::kMod) && !is_power_of_two(operands[1].value)) ops = 4;
  if (op == Op::kReverse) ops = 2;
  for (const IndexExpr& e : operands) ops += e.integer_ops();
  return ops;
}

std::string IndexExpr::print(const std::vector<std::string>& arguments) const { return to_text(*this, arguments).text; }

std::string IndexExpr::print_primary(const std::vector<std::string>& arguments) const {
  return wrap_below(to_text(*this, arguments), kPrimary);
}

}  // namespace swizzle
