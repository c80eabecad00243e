// Accumulators for specs that are run natively (the slides' create_accumulator, accumulate, eval).
//
//   acc o = create_accumulator(0, identity, bit_xor, bit_and);
//   accumulate(o, {x, y});           // o = o ^ (x & y): a tuple is combined by the last operator,
//   accumulate(o, {z, w}, i > 0);    //                  the tuples among themselves by the one before
//   out[i] = eval(o);
//
// One operator serves both. Sums of floats are kept as double although the initial value is written `0`:
// a Value is real as soon as one of its parts is. Integers are kept in 64 bits and truncate where they are stored.
// Has no dependencies but <initializer_list>, because a test program includes it inside a namespace of its own.
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

struct AccumulatorOperator {
  enum Code { kIdentity, kPlus, kTimes, kXor, kAnd, kOr } code;

  Value operator()(const Value& a, const Value& b) const {
    switch (code) {
      case kPlus: return a + b;
      case kTimes: return a * b;
      case kXor: return a ^ b;
      case kAnd: return a & b;
      case kOr: return a | b;
      default: return b;
    }
  }
};

constexpr AccumulatorOperator identity{AccumulatorOperator::kIdentity};
constexpr AccumulatorOperator plus{AccumulatorOperator::kPlus};
constexpr AccumulatorOperator times{AccumulatorOperator::kTimes};
constexpr AccumulatorOperator bit_xor{AccumulatorOperator::kXor};
constexpr AccumulatorOperator bit_and{AccumulatorOperator::kAnd};
constexpr AccumulatorOperator bit_or{AccumulatorOperator::kOr};

struct acc {
  Value value;
  AccumulatorOperator among_tuples;
  AccumulatorOperator within_tuple;
};

inline acc create_accumulator(Value initial, AccumulatorOperator only) { return {initial, only, only}; }
inline acc create_accumulator(Value initial, AccumulatorOperator outer, AccumulatorOperator inner) {
  return {initial, outer.code == AccumulatorOperator::kIdentity ? inner : outer, inner};
}
inline acc create_accumulator(Value initial, AccumulatorOperator, AccumulatorOperator outer,
                              AccumulatorOperator inner) {
  return create_accumulator(initial, outer, inner);
}

inline void accumulate(acc& o, std::initializer_list<Value> tuple, bool condition = true) {
  if (!condition || tuple.size() == 0) return;
  Value combined = *tuple.begin();
  for (const Value* element = tuple.begin() + 1; element != tuple.end(); ++element) {
    combined = o.within_tuple(combined, *element);
  }
  o.value = o.among_tuples(o.value, combined);
}

inline Value eval(const acc& o) { return o.value; }
