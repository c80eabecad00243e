// What a Program is made of: expressions, statements, variables and functions, which name each other by id.
//
//   out += __shfl_sync(~0u, rc[?sw_part(2, tid, k)], ?sw_xform(tid, 32, k));
//
//   Assign(kAdd) ─┬─ Variable out
//                 └─ Intrinsic(kShfl) ─┬─ IntLiteral 0xffffffff
//                                      ├─ Subscript ─┬─ Variable rc
//                                      │             └─ Hole 0 (kPart: 2, tid, k)
//                                      └─ Hole 1 (kXform: tid, 32, k)
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "synth/base/diagnostic.h"
#include "synth/base/ids.h"
#include "synth/program/inline_ptx.h"
#include "synth/program/operators.h"
#include "synth/program/types.h"

namespace swizzle {

enum class ExprKind {
  kIntLiteral,   // int_value
  kRealLiteral,  // real_value
  kVariable,     // variable (an lvalue; reading it is implied where a value is needed)
  kBuiltin,      // builtin: threadIdx.x and its kin
  kUnary,        // op; operands[0]
  kBinary,       // op; operands[0], operands[1]; kLogicalAnd/kLogicalOr are lazy
  kAssign,       // operands[0] = operands[1]; with compound: operands[0] op= operands[1] (computed in `computation`)
  kIncDec,       // op is kAdd or kSub; prefix says which value results; operands[0] an lvalue
  kConditional,  // operands: condition, then, else
  kComma,        // operands[0], operands[1]
  kSubscript,    // operands[0]: array lvalue, pointer or record of registers; operands[1]: index
  kMember,       // operands[0]: record lvalue or value; member_slot within it
  kDereference,  // operands[0]: pointer
  kAddressOf,    // operands[0]: lvalue
  kCast,         // operands[0] converted to `type` (value conversion; array-to-pointer decay included)
  kConstruct,    // a record or array value: operands give its parts in order; missing ones are zero
  kCall,         // callee(operands...); references are passed as kAddressOf'ed lvalues: see Function::by_reference
  kIntrinsic,    // intrinsic(operands...)
  kHole,         // hole(operands...): the arguments as this use of the hole evaluates them
  // Only in programs that are parsed to be checked, where memory is counted in bytes:
  kUnknown,  // a value that nothing is known of; the operands are evaluated for what they access
  kTouch,    // a memory instruction without a value: operands[0] its address, operands[1] its bytes
};

struct Expr {
  ExprKind kind = ExprKind::kIntLiteral;
  TypeId type;
  SourceRange range;  // in the user's file; nodes from the prelude carry the range of the use
  std::vector<ExprId> operands;
  Operator op = Operator::kAdd;
  bool compound = false;  // kAssign
  bool prefix = false;    // kIncDec
  bool implicit = false;  // kCast: nobody wrote it
  TypeId computation;     // kAssign, compound: the type in which op is computed
  std::int64_t int_value = 0;
  double real_value = 0;
  VariableId variable;
  Builtin builtin = Builtin::kThreadIdxX;
  int member_slot = 0;
  int member_offset_bytes = 0;
  FunctionId callee;
  Intrinsic intrinsic{};  // kIntrinsic
  HoleId hole;
  Touch touch;  // kTouch; kIntrinsic: kLdmatrix, kStmatrix
};

enum class StmtKind {
  kExpr,
  kDeclare,
  kBlock,
  kIf,
  kFor,
  kWhile,
  kDoWhile,
  kReturn,
  kBreak,
  kContinue,
  kSwitch,
  kCase
};
constexpr bool is_loop(StmtKind s) { return s == StmtKind::kFor || s == StmtKind::kWhile || s == StmtKind::kDoWhile; }

struct Stmt {
  StmtKind kind = StmtKind::kBlock;
  SourceRange range;
  ExprId expr;               // kExpr, kReturn (may be invalid), kIf/kFor/kWhile/kDoWhile/kSwitch: condition
  VariableId variable;       // kDeclare; `expr` is its initializer, may be invalid (then undefined)
  std::vector<StmtId> body;  // kBlock: statements; kIf: then[, else]; kFor: init, step (ids may be invalid), body;
                             // kWhile, kDoWhile: body; kSwitch: one block of statements with kCase labels between
  std::vector<std::int64_t> case_values;  // kCase: its values; empty for `default`
};

struct Variable {
  std::string name;
  TypeId type;
  std::string pointer = {};   // of a parameter that points to enums or arrays, or into a namespace: its type as written
  TypeId declared = {};       // of a parameter, valid: what it points to is kept as narrower scalars, in `type`
  SourceRange range;          // of the declaration's name
  SourceRange declaration;    // of the whole declaration statement, with its semicolon; empty for parameters
  bool is_shared = false;     // __shared__
  bool is_extern = false;     // extern __shared__
  bool is_reference = false;  // a reference: its slot holds a pointer, and every use goes through it
  bool is_const = false;
  bool is_constexpr = false;
  bool is_global = false;           // namespace-scope constant; Program::globals lists them
  bool is_constant_memory = false;  // __constant__
  bool is_launched = false;         // a size that the launch takes, and the kernel is not given (launched_sizes.h)
  // Of an input that stands outside of the kernel or spec, which the host fills: its qualified name, and of an array
  // how many items it has; its type is a pointer to them. The last of the entry's parameters.
  std::string symbol = {};
  std::int64_t symbol_items = 0;
};

// What one parameter of a template is in an instance.
struct TemplateArgument {
  enum class Kind { kType, kInteger, kUnnamed, kOther } kind = Kind::kOther;  // kUnnamed: not where the template stands
  std::string parameter;                                                      // empty: it has no name
  std::string value;                                                          // as C++ text
};

// In place of a parameter that the launch computes from the spec's sizes: a variable that says so (computed_sizes.h).
struct ComputedParameter {
  std::size_t before = 0;  // in Function::parameters
  VariableId variable;
};

struct Function {
  std::string name;
  std::string qualified_name;              // as a caller at file scope writes it: "ns::f<float, 4>"
  std::vector<TemplateArgument> instance;  // of a template
  std::vector<VariableId> parameters;
  std::vector<ComputedParameter> computed = {};  // of the entry
  TypeId return_type;
  StmtId body;
  SourceRange range;
};

}  // namespace swizzle
