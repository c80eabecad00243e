// What the parts of lowering work with: private to frontend/.
//
//   const ExprId a = nodes.expression(call->getArg(0));                 what is inside
//   Expr out = types.node(ExprKind::kIntrinsic, call);                  with clang's type, at the call's range
//   out.operands = {a, tree.integer(4, types.of(…), out.range)};
//   return tree.make(std::move(out));                                   or: source.unsupported(call, "a call of 'f'")
#pragma once

#include "frontend/function_scope.h"
#include "frontend/lost_text.h"
#include "frontend/lower_types.h"
#include "frontend/node_lowering.h"
#include "frontend/source_diagnostics.h"
#include "synth/program/tree_builder.h"

namespace swizzle {

struct LoweringContext {
  clang::ASTContext& ast;
  Program& program;
  TreeBuilder& tree;
  SourceDiagnostics& source;
  TypeLowering& types;
  NodeLowering& nodes;
  FunctionScope& scope;
  const LostText* lost;  // null: nothing is
  bool checks;           // the program is parsed to be checked
};

}  // namespace swizzle
