// Accumulators for specs that are run natively (the slides' create_accumulator, accumulate, eval).
//
//   acc o = create_accumulator(0, identity, bit_xor, bit_and);
//   accumulate(o, {x, y});           // o = o ^ (x & y): a tuple is combined by the last operator,
//   accumulate(o, {z, w}, i > 0);    //                  the tuples among themselves by the one before
//   out[i] = eval(o);
//
// One operator serves both. A function of two values, or a lambda, may stand in place of an operator; it gets them in
// the type of what is accumulated. Sums of floats are kept as double although the initial value is written `0`: a Value
// is real as soon as one of its parts is. Integers are kept in 64 bits and truncate where they are stored. Has no
// dependencies but <initializer_list>, because a test program includes it inside a namespace of its own.
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
  enum Code { kPlus, kTimes, kXor, kAnd, kOr } code;

  Value operator()(const Value& a, const Value& b) const {
    switch (code) {
      case kPlus: return a + b;
      case kTimes: return a * b;
      case kXor: return a ^ b;
      case kAnd: return a & b;
      default: return a | b;
    }
  }
};

struct Identity {};
constexpr Identity identity{};
constexpr AccumulatorOperator plus{AccumulatorOperator::kPlus};
constexpr AccumulatorOperator times{AccumulatorOperator::kTimes};
constexpr AccumulatorOperator bit_xor{AccumulatorOperator::kXor};
constexpr AccumulatorOperator bit_and{AccumulatorOperator::kAnd};
constexpr AccumulatorOperator bit_or{AccumulatorOperator::kOr};

// A record is held as it is, a number as a Value.
struct Yes {
  char size;
};
struct No {
  char size[2];
};
template <typename T>
auto is_number(const T& v) -> decltype(static_cast<void>(static_cast<double>(v)), Yes());
No is_number(...);
template <bool kIsNumber, typename T>
struct HeldAs {
  using Type = Value;
};
template <typename T>
struct HeldAs<false, T> {
  using Type = T;
};
template <typename T>
using Held = typename HeldAs<sizeof(is_number(*static_cast<const T*>(nullptr))) == sizeof(Yes), T>::Type;

template <typename T, typename F, typename V>
V combined(const F& f, const V& a, const V& b) {
  return V(T(f(T(a), T(b))));
}
template <typename T>
Value combined(const AccumulatorOperator& op, const Value& a, const Value& b) {
  return op(a, b);
}

template <typename V, typename Outer, typename Inner>
struct acc {
  V value;
  Outer among_tuples;
  Inner within_tuple;
};

template <typename T, typename F>
acc<Held<T>, F, F> create_accumulator(T initial, F only) {
  return {initial, only, only};
}
template <typename T, typename F>
acc<Held<T>, F, F> create_accumulator(T initial, Identity, F only) {
  return {initial, only, only};
}
template <typename T, typename F, typename G>
acc<Held<T>, F, G> create_accumulator(T initial, F outer, G inner) {
  return {initial, outer, inner};
}
template <typename T, typename F, typename G>
acc<Held<T>, F, G> create_accumulator(T initial, Identity, F outer, G inner) {
  return {initial, outer, inner};
}

template <typename V, typename F, typename G, typename T>
void accumulate(acc<V, F, G>& o, std::initializer_list<T> tuple, bool condition = true) {
  if (!condition || tuple.size() == 0) return;
  V whole = *tuple.begin();
  for (const T* element = tuple.begin() + 1; element != tuple.end(); ++element) {
    whole = combined<T>(o.within_tuple, whole, V(*element));
  }
  o.value = combined<T>(o.among_tuples, o.value, whole);
}

template <typename V, typename F, typename G>
V eval(const acc<V, F, G>& o) {
  return o.value;
}
