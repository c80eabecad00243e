// How many bits the data in a value may need, whatever the type that it has: what a conversion loses is known from
// them.
//
//   const double d = x[i];    x of floats: 32 bits, so that `float f = d` loses nothing
//   x[i] & 0xff               x of ints: 8 bits
//   x[i] + x[j]               x of shorts: 32 bits, those of the int that it is computed in
//   t * 4 + n                 no data: 0 bits
//
// One pass over the expressions after the other, until nothing changes. What is reached through a pointer needs what
// its type has.
#pragma once

#include <vector>

#include "synth/program/program.h"

namespace swizzle {

struct Need {
  int integer = 0, real = 0;
  bool any() const { return integer > 0 || real > 0; }
  friend bool operator==(const Need&, const Need&) = default;
};

// Whether integers come to more bits than they have. A shift is to drop them.
bool grows(Operator op);

class NeededBits {
 public:
  explicit NeededBits(const Program& program);
  Need of(ExprId e) const { return exprs_[e.value]; }

 private:
  Need computed(const Expr& e) const;
  Need of_binary(const Expr& e) const;
  Need of_cast(const Expr& e) const;
  Need of_intrinsic(const Expr& e) const;
  Need of_place(const Expr& e) const;
  Need of_type(TypeId id) const;  // all that it has
  void take(const Expr& e);       // what it makes of variables
  void widen(Need& kept, const Need& more);
  const Expr* root_of(ExprId place) const;
  bool is_boolean(const Expr& e) const;

  const Program& program_;
  std::vector<Need> exprs_, variables_, results_;  // by expression, variable, function
  bool changed_ = false;
};

}  // namespace swizzle
