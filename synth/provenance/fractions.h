// Real numbers that differ in how they are divided: the same function where quotients are products with reciprocals.
//
//   a / b                  a · (1 / b)
//   (a + b) / c            a · (1 / c) + b · (1 / c)
//   a / (b · c)            a · (1 / b) · (1 / c)
//   rsqrt(a), pow(a, 3)    1 / sqrt(a), a · a · a
//
// Values keep the form that they were written in: of sums, the products would be many, and squares of them more.
#pragma once

#include <cstddef>
#include <optional>

#include "synth/provenance/provenance.h"

namespace swizzle {

class Fractions {
 public:
  explicit Fractions(Provenance& provenance) : p_(provenance) {}

  // True: the same, whatever the data are. Of values without choices; false also where that is too long to tell.
  bool are_alike(Value a, Value b);

 private:
  // Made of reciprocals; nothing: too large.
  std::optional<Value> of(Value v);
  std::optional<Value> of_sum(Value v);
  std::optional<Value> of_function(Value v);
  std::optional<Value> divided(Scalar s, Value dividend, Value divisor);
  std::optional<Value> power(Scalar s, Value base, Value exponent);
  std::optional<Value> product(Ring ring, Scalar s, Value a, Value b);
  Value reciprocal(Scalar s, Value v);

  Provenance& p_;
  DecidedValues known_;
  std::size_t terms_left_ = 1'000'000;
};

}  // namespace swizzle
