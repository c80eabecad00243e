#include "synth/program/tree_builder.h"

#include <utility>

#include "synth/program/constant_assignments.h"
#include "synth/program/places.h"

namespace swizzle {
namespace {

Expr node(ExprKind kind, TypeId type, SourceRange range) {
  Expr e;
  e.kind = kind;
  e.type = type;
  e.range = range;
  return e;
}

}  // namespace

ExprId TreeBuilder::make(Expr expr) {
  program_.exprs.push_back(std::move(expr));
  return ExprId(program_.exprs.size() - 1);
}

StmtId TreeBuilder::make(Stmt stmt) {
  program_.stmts.push_back(std::move(stmt));
  return StmtId(program_.stmts.size() - 1);
}

VariableId TreeBuilder::make(Variable variable) {
  program_.variables.push_back(std::move(variable));
  return VariableId(program_.variables.size() - 1);
}

TypeId TreeBuilder::scalar_type(Scalar scalar) {
  for (std::size_t i = 0; i < program_.types.size(); ++i)
    if (program_.types[i].form == Type::Form::kScalar && program_.types[i].scalar == scalar) return TypeId(i);
  static constexpr const char* kNames[] = {
      "bool", "signed char",   "unsigned char", "short",         "unsigned short", "int",   "unsigned int",
      "long", "unsigned long", "__half",        "__nv_bfloat16", "float",          "double"};
  Type t;
  t.form = Type::Form::kScalar;
  t.scalar = scalar;
  t.slots = 1;
  t.size_bytes = t.alignment_bytes = size_bytes(scalar);
  t.spelling = kNames[static_cast<int>(scalar)];
  program_.types.push_back(t);
  return TypeId(program_.types.size() - 1);
}

TypeId TreeBuilder::pointer_to(TypeId element) {
  for (std::size_t i = 0; i < program_.types.size(); ++i)
    if (program_.types[i].form == Type::Form::kPointer && program_.types[i].element == element &&
        !program_.types[i].pointee_is_const)
      return TypeId(i);
  Type t;
  t.form = Type::Form::kPointer;
  t.element = element;
  t.slots = 1;
  t.size_bytes = t.alignment_bytes = 8;
  t.spelling = program_.type(element).spelling + " *";
  program_.types.push_back(t);
  return TypeId(program_.types.size() - 1);
}

bool TreeBuilder::may_be_seen_as(TypeId from, TypeId to) const {
  const auto own = packed_scalar(program_.type(from)), other = packed_scalar(program_.type(to));
  if (!own || !other || *own == *other) return own && other;
  if (*own == Scalar::kBool || *other == Scalar::kBool) return false;
  return size_bytes(*other) >= size_bytes(*own) || program_.type(to).size_bytes % size_bytes(*own) == 0;
}

ExprId TreeBuilder::integer(std::int64_t value, TypeId type, SourceRange range) {
  Expr e = node(ExprKind::kIntLiteral, type, range);
  e.int_value = value;
  return make(std::move(e));
}

ExprId TreeBuilder::placeholder(SourceRange range) { return integer(0, scalar_type(Scalar::kI32), range); }

ExprId TreeBuilder::unknown(SourceRange range) {
  return make(node(ExprKind::kUnknown, scalar_type(Scalar::kI32), range));
}

ExprId TreeBuilder::lane(SourceRange range) {
  Expr e = node(ExprKind::kBuiltin, scalar_type(Scalar::kI32), range);
  e.builtin = Builtin::kLaneId;
  return make(std::move(e));
}

ExprId TreeBuilder::builtin(Builtin builtin, SourceRange range) {
  Expr e = node(ExprKind::kBuiltin, scalar_type(Scalar::kU32), range);
  e.builtin = builtin;
  return make(std::move(e));
}

ExprId TreeBuilder::variable_use(VariableId id, SourceRange range) {
  Expr e = node(ExprKind::kVariable, program_.variable(id).type, range);
  e.variable = id;
  return make(std::move(e));
}

bool TreeBuilder::is_real(ExprId id) const {
  const Type& type = program_.type(program_.expr(id).type);
  return type.form == Type::Form::kScalar && swizzle::is_real(type.scalar);
}

bool TreeBuilder::is_constant(ExprId id) const {
  return constant_value(program_, id, least_constants(program_)).has_value();
}

ExprId TreeBuilder::address_of(ExprId lvalue) {
  const Expr& of = program_.expr(lvalue);
  Expr e = node(ExprKind::kAddressOf, pointer_to(of.type), of.range);
  e.operands = {lvalue};
  return make(std::move(e));
}

ExprId TreeBuilder::dereference(ExprId pointer) {
  const Expr& of = program_.expr(pointer);
  const Type& type = program_.type(of.type);
  const bool is_pointer = type.form == Type::Form::kPointer;  // otherwise an error was reported
  Expr e = node(ExprKind::kDereference, is_pointer ? type.element : of.type, of.range);
  e.operands = {pointer};
  return make(std::move(e));
}

ExprId TreeBuilder::seen_as(ExprId place, TypeId to) {
  const ExprId address = address_of(place);
  program_.exprs[address.value].type = pointer_to(to);
  return dereference(address);
}

ExprId TreeBuilder::converted(ExprId value, TypeId wanted) {
  const Expr& of = program_.expr(value);
  if (of.type == wanted) return value;
  Expr cast = node(ExprKind::kCast, wanted, of.range);
  cast.operands = {value};
  return make(std::move(cast));
}

ExprId TreeBuilder::logical_not(ExprId condition, SourceRange range) {
  Expr e = node(ExprKind::kUnary, scalar_type(Scalar::kBool), range);
  e.op = Operator::kLogicalNot;
  e.operands = {condition};
  return make(std::move(e));
}

ExprId TreeBuilder::binary(Operator op, ExprId a, ExprId b, TypeId type, SourceRange range) {
  Expr e = node(ExprKind::kBinary, type, range);
  e.op = op;
  e.operands = {a, b};
  return make(std::move(e));
}

ExprId TreeBuilder::assigned(ExprId target, ExprId value, SourceRange range) {
  Expr e = node(ExprKind::kAssign, program_.expr(target).type, range);
  e.operands = {target, value};
  return make(std::move(e));
}

ExprId TreeBuilder::both(ExprId first, ExprId second, SourceRange range) {
  Expr e = node(ExprKind::kComma, program_.expr(second).type, range);
  e.operands = {first, second};
  return make(std::move(e));
}

ExprId TreeBuilder::under(ExprId condition, ExprId effect, SourceRange range) {
  const TypeId truth = scalar_type(Scalar::kBool);
  const ExprId happened = both(effect, integer(1, truth, range), range);
  return binary(Operator::kLogicalAnd, condition, happened, truth, range);
}

ExprId TreeBuilder::plus_scaled(ExprId sum, ExprId value, std::int64_t by, SourceRange range) {
  if (by == 0) return sum;
  const TypeId i64 = scalar_type(Scalar::kI64);
  const ExprId scaled = by == 1 ? value : binary(Operator::kMul, value, integer(by, i64, range), i64, range);
  return sum.valid() ? binary(Operator::kAdd, sum, scaled, i64, range) : scaled;
}

ExprId TreeBuilder::touch(ExprId address, ExprId bytes, Touch touch, SourceRange range) {
  Expr e = node(ExprKind::kTouch, scalar_type(Scalar::kI32), range);
  e.operands = {address, bytes};
  e.touch = touch;
  return make(std::move(e));
}

}  // namespace swizzle
