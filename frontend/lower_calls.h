// Calls: of functions, constructors and operators, of intrinsics, and of what the prelude declares for clang alone.
// Private to frontend/.
//
//   f(a, r)                   kCall of f, where a reference is passed as an address
//   __shfl_sync(m, v, l)      kIntrinsic
//   __stcs(p, v)              *p = v
//   store(…)                  must be a statement of its own, since the emitter writes statements for it
#pragma once

#include <span>
#include <string>
#include <vector>

#include "frontend/lower_accumulators.h"
#include "frontend/lower_device.h"
#include "frontend/lower_holes.h"
#include "frontend/lower_unknown.h"
#include "frontend/lowering_context.h"

namespace clang {
class CallExpr;
class CXXConstructExpr;
class CXXOperatorCallExpr;
}  // namespace clang

namespace swizzle {

class CallLowering {
 public:
  CallLowering(const LoweringContext& in, LayoutLowering& layouts, HoleLowering& holes,
               AccumulatorLowering& accumulators, UnknownLowering& unknown)
      : ast_(in.ast),
        program_(in.program),
        tree_(in.tree),
        source_(in.source),
        types_(in.types),
        nodes_(in.nodes),
        scope_(in.scope),
        layouts_(layouts),
        holes_(holes),
        accumulators_(accumulators),
        unknown_(unknown),
        device_(in, unknown),
        checks_(in.checks) {}

  ExprId call(const clang::CallExpr* expr);
  ExprId operator_call(const clang::CXXOperatorCallExpr* expr);
  ExprId construct(const clang::CXXConstructExpr* expr);

 private:
  // What has a meaning only in a program that is checked; invalid: it is a call like in any other.
  ExprId checked(const clang::CallExpr* expr);
  void note_host_call(const clang::FunctionDecl& callee, const clang::CallExpr* expr);  // if it is of std
  ExprId of_prelude(const clang::CallExpr* expr, const std::string& name);
  ExprId refused(const clang::CallExpr* expr, const std::string& name);
  ExprId nothing_of(const clang::CallExpr* expr);
  ExprId store(const clang::CallExpr* expr);
  ExprId atomic(const clang::CallExpr* expr, Intrinsic kind, const std::string& name);
  bool stands_well(const clang::CallExpr* expr, const std::string& name);
  bool has_small_counts(const clang::CallExpr* expr, const std::string& name);
  std::vector<ExprId> arguments_of(std::span<const clang::Expr* const> arguments, const clang::FunctionDecl* callee);

  clang::ASTContext& ast_;
  Program& program_;
  TreeBuilder& tree_;
  SourceDiagnostics& source_;
  TypeLowering& types_;
  NodeLowering& nodes_;
  const FunctionScope& scope_;
  LayoutLowering& layouts_;
  HoleLowering& holes_;
  AccumulatorLowering& accumulators_;
  UnknownLowering& unknown_;
  DeviceLowering device_;
  const bool checks_;
};

}  // namespace swizzle
