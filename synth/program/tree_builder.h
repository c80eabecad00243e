// Adds nodes to a Program's tree, and makes those that lowering makes most. It knows nothing of clang.
//
//   b.dereference(b.plus_scaled(p, i, 4, at))      *(p + i * 4), where `at` is the range of the sum and its parts
//
// A type is made once; an expression or a statement each time. Ids stay valid, references into the Program do not.
#pragma once

#include <cstdint>

#include "synth/program/program.h"

namespace swizzle {

class TreeBuilder {
 public:
  explicit TreeBuilder(Program& program) : program_(program) {}

  ExprId make(Expr expr);
  StmtId make(Stmt stmt);
  VariableId make(Variable variable);

  TypeId scalar_type(Scalar scalar);
  TypeId pointer_to(TypeId element);
  // Whether memory of the one may be used as the other: the same scalar, a wider one over several of it, or several
  // narrower ones that fill it (an unsigned as a half2).
  bool may_be_seen_as(TypeId from, TypeId to) const;

  ExprId integer(std::int64_t value, TypeId type, SourceRange range);
  ExprId placeholder(SourceRange range);  // 0, in place of what was reported or does nothing
  ExprId unknown(SourceRange range);      // a kUnknown without operands, an int until its type is set
  ExprId lane(SourceRange range);
  ExprId builtin(Builtin builtin, SourceRange range);
  ExprId variable_use(VariableId id, SourceRange range);
  bool is_real(ExprId id) const;
  // Whether the holes in it may be such that it is a constant of C++.
  bool is_constant(ExprId id) const;

  // These have the range of what they are given.
  ExprId address_of(ExprId lvalue);
  ExprId dereference(ExprId pointer);
  ExprId seen_as(ExprId place, TypeId to);        // *(to*)&place
  ExprId converted(ExprId value, TypeId wanted);  // the value itself, if it has that type
  ExprId logical_not(ExprId condition, SourceRange range);

  ExprId binary(Operator op, ExprId a, ExprId b, TypeId type, SourceRange range);
  ExprId assigned(ExprId target, ExprId value, SourceRange range);
  ExprId both(ExprId first, ExprId second, SourceRange range);       // (first, second)
  ExprId under(ExprId condition, ExprId effect, SourceRange range);  // condition && (effect, true)
  // sum + value * by, of 64 bits; an invalid sum is none.
  ExprId plus_scaled(ExprId sum, ExprId value, std::int64_t by, SourceRange range);
  ExprId touch(ExprId address, ExprId bytes, Touch touch, SourceRange range);

 private:
  Program& program_;
};

}  // namespace swizzle
