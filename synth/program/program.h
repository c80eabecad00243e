// Program: a kernel with holes (the sketch), or without (the spec, an emitted kernel), after parsing.
//
// The frontend lowers what clang understood to this small tree; everything behind it (execution, search,
// emission) sees nothing of clang. Nodes live in vectors and name each other by id.
//
//   out += __shfl_sync(~0u, rc[?sw_part(2, tid, k)], ?sw_xform(tid, 32, k));
//
//   Assign(kAdd) ─┬─ Variable out
//                 └─ Intrinsic(kShfl) ─┬─ IntLiteral 0xffffffff
//                                      ├─ Subscript ─┬─ Variable rc
//                                      │             └─ Hole 0 (kPart: 2, tid, k)
//                                      └─ Hole 1 (kXform: tid, 32, k)
//
// Memory is counted in *slots*: a scalar or a pointer takes one, an array or a record the sum of its parts
// (float4 takes 4). Pointer arithmetic is in slots of the scalar element; sizes in bytes serve cost models.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "synth/base/diagnostic.h"
#include "synth/base/ids.h"
#include "synth/program/directives.h"
#include "synth/program/hole_kinds.h"
#include "synth/program/inline_ptx.h"
#include "synth/program/operators.h"

namespace swizzle {

struct Field {
  std::string name;
  TypeId type;
  int offset_bytes = 0;
};

struct Type {
  enum class Form { kVoid, kScalar, kPointer, kArray, kRecord };
  Form form = Form::kVoid;
  Scalar scalar = Scalar::kI32;  // kScalar
  TypeId element;                // kPointer: pointee; kArray: element
  std::int64_t count = 0;        // kArray: number of elements; 0 for `extern __shared__ T a[]`
  ExprId extent;                 // kArray, valid: ?sw_const decides the count, which specialize() fills in
  LayoutId sized_by;             // kArray, valid: as many elements as this layout asks for; `count` has its cells
  int slots = 0;
  int size_bytes = 0;
  int alignment_bytes = 1;
  bool pointee_is_const = false;  // kPointer
  bool is_mixed = false;          // kArray, kRecord: not all scalars inside are of type `scalar`
  std::string spelling;           // as C++ writes it: "const float *", "float4"
  std::vector<Field> fields;      // kRecord, of a program that is parsed to be checked
};

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
  SourceRange range;          // of the declaration's name
  SourceRange declaration;    // of the whole declaration statement, with its semicolon; empty for parameters
  bool is_shared = false;     // __shared__
  bool is_extern = false;     // extern __shared__
  bool is_reference = false;  // a reference: its slot holds a pointer, and every use goes through it
  bool is_const = false;
  bool is_global = false;           // namespace-scope constant; Program::globals lists them
  bool is_constant_memory = false;  // __constant__
};

// What one parameter of a template is in an instance.
struct TemplateArgument {
  enum class Kind { kType, kInteger, kOther } kind = Kind::kOther;
  std::string parameter;  // empty: it has no name
  std::string value;      // as C++ text
};

struct Function {
  std::string name;
  std::string qualified_name;              // as a caller at file scope writes it: "ns::f<float, 4>"
  std::vector<TemplateArgument> instance;  // of a template
  std::vector<VariableId> parameters;
  TypeId return_type;
  StmtId body;
  SourceRange range;
};

struct Hole {
  HoleKind kind = HoleKind::kXform;
  SourceRange range;                        // from `?` to the closing parenthesis
  std::vector<ExprId> arguments;            // as written, of the first use: see HoleTraits
  std::vector<std::string> argument_texts;  // what the user wrote for each, to print it again
  std::int64_t low = 0, high = 0;  // kConstant: its value is in [low, high), and `arguments` are k…; kChosen: of which
  int bits = 32;                   // kMask: of the word
  LayoutId layout;                 // HoleValue::kCell: the use L(r, c) of this one; arguments: r, c

  const HoleTraits& traits() const { return traits_of(kind); }
};

// As it is written, without the `?`.
inline const char* name_of(const Hole& hole) { return hole.traits().name; }

// A layout that the user names: sw_pitch(33), sw_cute(3, 3, 3), sw_triton(8, 1, 8), sw_tma(128). See layout_names.h.
struct NamedLayout {
  enum class Kind { kPitch, kCute, kTriton, kTma } kind = Kind::kPitch;
  std::array<int, 3> numbers{};
  std::string text;
  SourceRange range;
};

// `auto L = ?sw_layout(rows, columns);`: unknown is where it puts element (r, c). Each use L(r, c) is a Hole.
struct TileLayout {
  std::string name;
  SourceRange range;        // from `?` to the closing parenthesis
  SourceRange declaration;  // with its semicolon
  int rows = 1, columns = 1;
  std::vector<SourceRange> sizes;  // where L.size() stands
  std::optional<NamedLayout>
      given;               // ?sw_layout(rows, columns, sw_cute(3, 3, 3)): nothing is unknown but its wavefronts
  bool is_passed = false;  // to a function, which uses it by a name of its own
};

// A variable that nothing but the arguments of holes reads, and which a completion may leave without any use.
struct SoleUse {
  std::string name;
  std::uint32_t declared_at = 0;  // offset of the declaration
  std::set<HoleId> holes;
};

struct Program {
  SourceText source;
  std::vector<Type> types;
  std::vector<Expr> exprs;
  std::vector<Stmt> stmts;
  std::vector<Variable> variables;
  std::vector<Function> functions;
  std::vector<Hole> holes;
  std::vector<TileLayout> layouts;
  std::vector<MatrixStatement> matrix_statements;
  std::vector<CopyStatement> copy_statements;
  std::vector<SourceRange> host_code;  // of a spec that is a kernel in a CUDA file: what the kernel does not reach
  std::vector<SoleUse> sole_uses;
  std::vector<StmtId> globals;  // kDeclare statements, executed before the entry function
  FunctionId entry;
  bool is_kernel = false;  // the entry is a __global__ function
  Directives directives;
  Diagnostics skipped;  // of a program that is parsed to be checked: what is left out of it

  const Type& type(TypeId id) const { return types[id.value]; }
  const Expr& expr(ExprId id) const { return exprs[id.value]; }
  const Stmt& stmt(StmtId id) const { return stmts[id.value]; }
  const Variable& variable(VariableId id) const { return variables[id.value]; }
  const Function& function(FunctionId id) const { return functions[id.value]; }
  const Hole& hole(HoleId id) const { return holes[id.value]; }
  const TileLayout& layout(LayoutId id) const { return layouts[id.value]; }
};

}  // namespace swizzle
