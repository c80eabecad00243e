// The operator table: one list of scalar types, operators and built-in variables, which execution, Z3 and printing all
// read, so that they cannot drift. Functions are in intrinsics.h.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace swizzle {

enum class Scalar : std::uint8_t { kBool, kI8, kU8, kI16, kU16, kI32, kU32, kI64, kU64, kF16, kBF16, kF32, kF64 };

constexpr bool is_real(Scalar s) { return s >= Scalar::kF16; }
constexpr bool is_unsigned(Scalar s) {
  return s == Scalar::kBool || s == Scalar::kU8 || s == Scalar::kU16 || s == Scalar::kU32 || s == Scalar::kU64;
}
int bit_width(Scalar s);                                      // kBool: 1
int size_bytes(Scalar s);                                     // kBool: 1
double nearest(Scalar s, double value);                       // that an object of real type s can hold
double nearest(Scalar s, Scalar from, std::int64_t integer);  // to an integer of type `from`
std::int64_t wrap(Scalar s, std::int64_t value);              // the value that an object of integer type s would hold

enum class Operator {
  kAdd,
  kSub,
  kMul,
  kDiv,
  kRem,
  kShl,
  kShr,
  kAnd,
  kOr,
  kXor,
  kLt,
  kLe,
  kGt,
  kGe,
  kEq,
  kNe,
  kLogicalAnd,
  kLogicalOr,
  kNegate,
  kBitNot,
  kLogicalNot,
};
constexpr bool is_comparison(Operator op) { return op >= Operator::kLt && op <= Operator::kNe; }
constexpr bool is_unary(Operator op) { return op >= Operator::kNegate; }
std::string_view spelling(Operator op);  // "+", "<<", …
std::string_view spelling(Scalar s);     // "int", "__nv_bfloat16", …

// What C computes on two integers (or one, rhs ignored) of type s: truncating division, wrapping arithmetic.
// Division by zero, the lowest int or long divided by -1, and over-wide shifts are undefined: `defined` is set to
// false.
std::int64_t apply(Operator op, Scalar s, std::int64_t lhs, std::int64_t rhs, bool& defined);

enum class Builtin {
  kThreadIdxX,
  kThreadIdxY,
  kThreadIdxZ,
  kBlockIdxX,
  kBlockIdxY,
  kBlockIdxZ,
  kBlockDimX,
  kBlockDimY,
  kBlockDimZ,
  kGridDimX,
  kGridDimY,
  kGridDimZ,
  kWarpSize,
  kLaneId,
};
// By axis.
inline constexpr std::array kThreadIdx{Builtin::kThreadIdxX, Builtin::kThreadIdxY, Builtin::kThreadIdxZ};
inline constexpr std::array kBlockIdx{Builtin::kBlockIdxX, Builtin::kBlockIdxY, Builtin::kBlockIdxZ};
inline constexpr std::array kBlockDim{Builtin::kBlockDimX, Builtin::kBlockDimY, Builtin::kBlockDimZ};
inline constexpr std::array kGridDim{Builtin::kGridDimX, Builtin::kGridDimY, Builtin::kGridDimZ};

// What create_accumulator takes, by code.
enum class AccumulatorOp { kIdentity, kPlus, kTimes, kXor, kAnd, kOr, kFunction };

}  // namespace swizzle
