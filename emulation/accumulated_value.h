// What an accumulator of a spec that is run natively holds: see accumulators.h, with which it is included inside a
// namespace of its own.
//
//   Value(0) + Value(0.5f)    0.5, real: a Value is real as soon as one of its parts is
//
// Sums of floats are kept as double although the initial value is written `0`. Integers are kept in 64 bits and
// truncate where they are stored.
#pragma once

struct Value {
  bool real = false;
  long long integer = 0;
  double number = 0;

  Value() = default;
  template <typename T>
  Value(T value)
      : real(T(0.5) != T(0) && T(0.5) != T(1)),
        integer(real ? 0 : (long long)value),
        number((double)value) {}

  template <typename T>
  operator T() const {
    return real ? T(number) : T(integer);
  }
};

// clang-format off
#define SWIZZLE_VALUE_OPERATOR(op, Wide, on_reals)                                                                   \
  inline Value operator op(const Value& a, const Value& b) {                                                         \
    if (a.real || b.real) return on_reals;                                                                           \
    return (long long)((Wide)a.integer op (Wide)b.integer);                                                          \
  }                                                                                                                  \
  template <typename T> inline Value operator op(const Value& a, T b) { return a op Value(b); }                      \
  template <typename T> inline Value operator op(T a, const Value& b) { return Value(a) op b; }
SWIZZLE_VALUE_OPERATOR(+, unsigned long long, a.number + b.number)
SWIZZLE_VALUE_OPERATOR(-, unsigned long long, a.number - b.number)
SWIZZLE_VALUE_OPERATOR(*, unsigned long long, a.number * b.number)
SWIZZLE_VALUE_OPERATOR(/, long long, a.number / b.number)
SWIZZLE_VALUE_OPERATOR(%, long long, (__builtin_trap(), 0))
SWIZZLE_VALUE_OPERATOR(^, long long, (__builtin_trap(), 0))
SWIZZLE_VALUE_OPERATOR(&, long long, (__builtin_trap(), 0))
SWIZZLE_VALUE_OPERATOR(|, long long, (__builtin_trap(), 0))
#undef SWIZZLE_VALUE_OPERATOR
#define SWIZZLE_VALUE_COMPARISON(op)                                                                                 \
  inline bool operator op(const Value& a, const Value& b) {                                                          \
    return a.real || b.real ? a.number op b.number : a.integer op b.integer;                                         \
  }                                                                                                                  \
  template <typename T> inline bool operator op(const Value& a, T b) { return a op Value(b); }                       \
  template <typename T> inline bool operator op(T a, const Value& b) { return Value(a) op b; }
SWIZZLE_VALUE_COMPARISON(<)
SWIZZLE_VALUE_COMPARISON(<=)
SWIZZLE_VALUE_COMPARISON(>)
SWIZZLE_VALUE_COMPARISON(>=)
SWIZZLE_VALUE_COMPARISON(==)
SWIZZLE_VALUE_COMPARISON(!=)
#undef SWIZZLE_VALUE_COMPARISON
// clang-format on
inline Value operator-(const Value& a) { return Value(0) - a; }
