// wmma::load_matrix_sync and store_matrix_sync in a program that is checked, as the accesses that ptxas makes of them.
// Private to frontend/.
//
//   load_matrix_sync(f, tile, 16);      touch(tile + (line * 16 + element) * 2, …), where lane decides line and element
#pragma once

#include <string>

#include "frontend/lower_unknown.h"
#include "frontend/lowering_context.h"

namespace swizzle {

struct FragmentAccess;

class FragmentLowering {
 public:
  FragmentLowering(const LoweringContext& in, UnknownLowering& unknown)
      : ast_(in.ast),
        program_(in.program),
        tree_(in.tree),
        source_(in.source),
        types_(in.types),
        nodes_(in.nodes),
        unknown_(unknown) {}

  // Invalid: it is none of those, or one whose accesses are not known, which is told.
  ExprId call(const clang::CallExpr* expr, const std::string& name);

 private:
  ExprId place(const FragmentAccess& access, ExprId start, ExprId stride, int bytes, SourceRange range);

  clang::ASTContext& ast_;
  Program& program_;
  TreeBuilder& tree_;
  SourceDiagnostics& source_;
  TypeLowering& types_;
  NodeLowering& nodes_;
  UnknownLowering& unknown_;
};

}  // namespace swizzle
