// Program: a kernel with holes (the sketch), or without (the spec, an emitted kernel), after parsing.
//
// The frontend lowers what clang understood to this small tree; everything behind it (execution, search,
// emission) sees nothing of clang. Nodes live in vectors and name each other by id: see tree.h.
#pragma once

#include <optional>
#include <vector>

#include "synth/base/diagnostic.h"
#include "synth/base/ids.h"
#include "synth/program/compile_flags.h"
#include "synth/program/directives.h"
#include "synth/program/holes.h"
#include "synth/program/inline_ptx.h"
#include "synth/program/tree.h"

namespace swizzle {

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
  bool is_kernel = false;            // the entry is a __global__ function
  std::optional<int> launch_bounds;  // of the kernel: threads of a block at most
  Diagnostics host_calls;            // in a kernel: nvcc compiles what is called for the host alone
  Directives directives;
  CompileFlags flags;                // that it was parsed with
  std::vector<std::string> headers;  // files of the user's that it includes
  Diagnostics skipped;               // of a program that is parsed to be checked: what is left out of it

  const Type& type(TypeId id) const { return types[id.value]; }
  const Expr& expr(ExprId id) const { return exprs[id.value]; }
  const Stmt& stmt(StmtId id) const { return stmts[id.value]; }
  const Variable& variable(VariableId id) const { return variables[id.value]; }
  const Function& function(FunctionId id) const { return functions[id.value]; }
  const Hole& hole(HoleId id) const { return holes[id.value]; }
  const TileLayout& layout(LayoutId id) const { return layouts[id.value]; }
};

}  // namespace swizzle
