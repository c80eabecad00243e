// Holes: `?sw_part(2, tid, k)`, a layout's uses, and magic_get(), which stands for a shuffle of two holes. Private to
// frontend/.
//
// While clang looks on, a hole is the call of a function; its argument texts are what the emitter writes. The instances
// of a template, and the uses of a macro's argument, share a hole: holes are told apart by where they are written.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>

#include "frontend/lowering_context.h"
#include "synth/program/thread_value.h"

namespace clang {
class CallExpr;
class CXXOperatorCallExpr;
}  // namespace clang

namespace swizzle {

class HoleLowering {
 public:
  HoleLowering(const LoweringContext& in, const LayoutLowering& layouts)
      : ast_(in.ast),
        program_(in.program),
        tree_(in.tree),
        source_(in.source),
        types_(in.types),
        nodes_(in.nodes),
        scope_(in.scope),
        layouts_(layouts) {}

  ExprId call(const clang::CallExpr* expr, const HoleTraits& traits);
  ExprId layout_use(const clang::CXXOperatorCallExpr* expr);  // L(r, c)
  ExprId magic_get(const clang::CallExpr* expr);

  // Where holes were lowered.
  const std::set<std::uint32_t>& places() const { return places_; }

 private:
  ExprId with_table(const clang::CallExpr* expr, const HoleTraits& traits);
  ExprId chosen(const clang::CallExpr* expr, const HoleTraits& traits);
  std::string wider_than(const clang::Expr* alternative, clang::QualType type) const;
  ExprId bounded(const clang::CallExpr* expr, const HoleTraits& traits);
  bool add_bounds(const clang::CallExpr* expr, Hole& out);
  bool add_argument(const clang::Expr* argument, Hole& out);
  std::string argument_text(const clang::Expr* argument, SourceRange range) const;
  ExprId make(Hole hole);
  std::string lane_text() const;
  std::string lane_variable(const std::optional<BlockShape>& block) const;  // empty: there is none
  ExprId initial_value(const clang::VarDecl* v) const;
  ExprId register_count(const clang::Expr* registers, SourceRange range);

  clang::ASTContext& ast_;
  Program& program_;
  TreeBuilder& tree_;
  SourceDiagnostics& source_;
  TypeLowering& types_;
  NodeLowering& nodes_;
  const FunctionScope& scope_;
  const LayoutLowering& layouts_;
  std::map<std::tuple<std::uint32_t, HoleKind, LayoutId>, HoleId> holes_;  // by where they are written
  std::set<std::uint32_t> places_;
};

}  // namespace swizzle
