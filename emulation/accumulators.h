// Accumulators for specs that are run natively (the slides' create_accumulator, accumulate, eval).
//
//   acc o = create_accumulator(0, identity, bit_xor, bit_and);
//   accumulate(o, {x, y});           // o = o ^ (x & y): a tuple is combined by the last operator,
//   accumulate(o, {z, w}, i > 0);    //                  the tuples among themselves by the one before
//   out[i] = eval(o);
//
// One operator serves both. A function of two values, or a lambda, may stand in place of an operator; it gets them in
// the type of what is accumulated. Has no dependencies but <initializer_list>, because a test program includes it
// inside a namespace of its own.
#pragma once

// Of what is defined here a spec sees only what it may write: its headers may well have a Value of their own.
namespace swizzle_accumulators {

#include "accumulated_value.h"

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

}  // namespace swizzle_accumulators

using swizzle_accumulators::acc;
using swizzle_accumulators::accumulate;
using swizzle_accumulators::bit_and;
using swizzle_accumulators::bit_or;
using swizzle_accumulators::bit_xor;
using swizzle_accumulators::create_accumulator;
using swizzle_accumulators::eval;
using swizzle_accumulators::identity;
using swizzle_accumulators::plus;
using swizzle_accumulators::times;
