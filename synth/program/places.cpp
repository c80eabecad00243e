#include "synth/program/places.h"

namespace swizzle {

bool is_lvalue(const Program& program, const Expr& e) {
  switch (e.kind) {
    case ExprKind::kVariable:
    case ExprKind::kSubscript:
    case ExprKind::kDereference: return true;
    case ExprKind::kMember: return is_lvalue(program, program.expr(e.operands[0]));
    default: return false;
  }
}

const Type& innermost(const Program& program, TypeId type) {
  const Type* t = &program.type(type);
  while (t->form == Type::Form::kArray) t = &program.type(t->element);
  return *t;
}

}  // namespace swizzle
