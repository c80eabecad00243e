// ValueArithmetic: what operators and functions make of one thread's values.
//
//   t + 1                    an integer
//   x[t] * 2                 provenance: the product of an input element and 2
//   &tile[t] + ?sw_part(…)   a choice of pointers
#pragma once

#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

#include "synth/execution/memory_objects.h"

namespace swizzle {

class ValueArithmetic {
 public:
  ValueArithmetic(Lockstep& run, MemoryObjects& objects)
      : run_(run),
        program_(run.program),
        provenance_(run.provenance),
        objects_(objects) {}

  // Errors: data decide an address, a division by zero, a shift out of the type's width.
  Value compute(Operator op, TypeId type, Value a, Value b, SourceRange range);
  // x op= given of an x that has the type `held`, computed in another one.
  Value compound(Operator op, TypeId held, TypeId computed, Value before, Value given, SourceRange range);
  // The same, where the guard holds.
  Value compound_under(Value guard, Operator op, TypeId held, TypeId computed, Value before, Value given,
                       SourceRange range);
  // Where holes decide whether it is executed at all, the completions with which it is are rejected instead.
  void reject_undefined_operations(Operator op, TypeId type, Lanes& right, SourceRange range);
  // An intrinsic of operands of scalar `s`.
  Value call(const Expr& e, Scalar s, const std::vector<Value>& operands);
  Value extremum(Ring ring, Scalar s, Value a, Value b);
  Value of_each_leaf(const Expr& e, Scalar s, const std::vector<Value>& v);
  Value as_condition(Value v);
  void reject_undefined(Value condition, Value guard, SourceRange range);
  // Bits of `#pragma swizzle bits` must have a place among those of the result.
  void follow(Value result, std::span<const Value> operands, SourceRange range, std::string_view what) {
    if (loses_bits(result, operands)) refuse_bits(range, what, result);
  }
  void follow(Value result, std::initializer_list<Value> operands, SourceRange range, std::string_view what) {
    follow(result, std::span(operands), range, what);
  }
  bool loses_bits(Value result, std::span<const Value> operands) const;
  void refuse_bits(SourceRange range, std::string_view what, Value result);

 private:
  Value shared_offset(Operator op, Value a, Value b, SourceRange range);
  bool has_constant_leaf(Value v) const;

  Lockstep& run_;
  const Program& program_;
  Provenance& provenance_;
  MemoryObjects& objects_;
};

}  // namespace swizzle
