// IndexExpr: the integer expression that stands in a hole's place, over the hole's arguments.
//
//   part hole (2, lane, k), argument 0 = lane, 1 = k:     select(less(arg 0, arg 1), 1, 0)
//     evaluate({3, 5}) = 1      print({"lane", "k"}) = "lane < k ? 1 : 0"      integer_ops() = 2
//
// The constructors simplify (x + 0, x · 1, x mod 2^m → x & (2^m - 1), ⌊x / 2^m⌋ · 2^m → x & ~(2^m - 1)), so what is
// costed is what is printed. `mod` and `div` are mathematical: the remainder is never negative and the quotient rounds
// down, as in the search. Printing keeps that meaning in C, whose `%` and `/` truncate: a power of two becomes `&` or
// `>>`, and for any other divisor the operand must not be negative, which whoever builds the expression sees to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace swizzle {

struct IndexExpr;

// A list of operands that expressions share: a search copies millions and changes none. What changes one, `own`, has a
// list of its own.
class IndexOperands {
 public:
  IndexOperands() = default;
  IndexOperands(std::initializer_list<IndexExpr> list);
  explicit IndexOperands(std::vector<IndexExpr> list);

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const IndexExpr* begin() const { return list_.get(); }
  inline const IndexExpr* end() const;
  inline const IndexExpr& operator[](std::size_t i) const;
  inline const IndexExpr& back() const;
  IndexExpr& own(std::size_t i);

 private:
  std::shared_ptr<IndexExpr[]> list_;
  std::size_t size_ = 0;
};

struct IndexExpr {
  enum class Op {
    kConstant,
    kWord,
    kArgument,
    kAdd,
    kSub,
    kMul,
    kDiv,
    kMod,
    kAnd,
    kOr,
    kXor,
    kShl,
    kShr,
    kRuns,
    kElement,
    kReverse,
    kLt,
    kLe,
    kEq,
    kNe,
    kSelect
  };
  Op op = Op::kConstant;
  std::int64_t value = 0;  // kConstant, kWord: itself; kArgument: position; kElement: the name's among the texts, or 0
  IndexOperands operands;  // kSelect: condition, then, else; kElement: index, elements

  static IndexExpr constant(std::int64_t v) { return {Op::kConstant, v, {}}; }
  // Printed as 0x00ff00ffu, as many digits as `bits` ask for.
  static IndexExpr word(std::int64_t v, int bits) { return {Op::kWord, v, {constant(bits)}}; }
  static IndexExpr argument(std::size_t position) { return {Op::kArgument, static_cast<std::int64_t>(position), {}}; }
  static IndexExpr add(IndexExpr a, IndexExpr b);
  static IndexExpr sub(IndexExpr a, IndexExpr b);
  static IndexExpr mul(IndexExpr a, std::int64_t factor);
  static IndexExpr div(IndexExpr a, std::int64_t divisor);  // ⌊a / divisor⌋, divisor > 0
  static IndexExpr mod(IndexExpr a, std::int64_t modulus);  // in [0, modulus), modulus > 0
  static IndexExpr mask(IndexExpr a, std::int64_t bits);    // a & bits
  static IndexExpr bit_and(IndexExpr a, IndexExpr b);
  static IndexExpr bit_or(IndexExpr a, IndexExpr b);
  static IndexExpr bit_xor(IndexExpr a, IndexExpr b);
  static IndexExpr product(IndexExpr a, IndexExpr b);
  static IndexExpr shift(Op op, IndexExpr a, IndexExpr b);  // kShl, kShr: by b, in [0, 31]
  // A word whose bits are `length` ones, as many zeros, and so on from the lowest: 0x00ff00ff for 8 of 32.
  static IndexExpr runs(IndexExpr length, int bits) { return {Op::kRuns, bits, {std::move(length)}}; }
  // One of a list, by an index below their number; printed as {0x0fu, 0x33u}[k]. Who emits it names the array.
  static IndexExpr element(IndexExpr index, std::vector<IndexExpr> elements);
  // The lowest `bits` bits of a, the first as the last: of 5, 0b00001 becomes 0b10000.
  static IndexExpr reversed(IndexExpr a, int bits) { return {Op::kReverse, bits, {std::move(a)}}; }
  static IndexExpr compare(Op op, IndexExpr a, IndexExpr b);
  static IndexExpr select(IndexExpr condition, IndexExpr a, IndexExpr b);

  bool is_constant() const { return op == Op::kConstant; }
  bool is_comparison() const { return op >= Op::kLt && op <= Op::kNe; }
  std::int64_t evaluate(const std::vector<std::int64_t>& arguments) const;
  int integer_ops() const;  // machine operations: a select, a compare, an add is 1; % and / by no power of two cost 4,
                            // bits reversed and moved down 2
  // C text. `arguments` are what the user wrote; they are put in parentheses where precedence asks for it.
  std::string print(const std::vector<std::string>& arguments) const;
  // C text that binds tighter than any operator around it.
  std::string print_primary(const std::vector<std::string>& arguments) const;
};

const IndexExpr* IndexOperands::end() const { return begin() + size_; }
const IndexExpr& IndexOperands::operator[](std::size_t i) const { return begin()[i]; }
const IndexExpr& IndexOperands::back() const { return begin()[size_ - 1]; }

}  // namespace swizzle
