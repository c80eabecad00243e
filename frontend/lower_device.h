// Memory instructions that are no C++ expressions, in a program that is checked: atomics, cached loads and stores,
// asynchronous copies, matrix fragments. Private to frontend/.
//
//   x = atomicAdd(&bins[b], 1);      x = unknown(touch(&bins[b], 4 bytes, kAtomic), 1)
#pragma once

#include <string>

#include "frontend/lower_fragments.h"
#include "frontend/lowering_context.h"

namespace swizzle {

class DeviceLowering {
 public:
  DeviceLowering(const LoweringContext& in, UnknownLowering& unknown)
      : ast_(in.ast),
        program_(in.program),
        tree_(in.tree),
        source_(in.source),
        types_(in.types),
        nodes_(in.nodes),
        fragments_(in, unknown) {}

  // Invalid: it is none of them.
  ExprId call(const clang::CallExpr* expr, const std::string& name);

 private:
  bool may_be_wider(const clang::CallExpr* copy, const clang::Expr* pointer, int items_alignment) const;

  clang::ASTContext& ast_;
  Program& program_;
  TreeBuilder& tree_;
  SourceDiagnostics& source_;
  TypeLowering& types_;
  NodeLowering& nodes_;
  FragmentLowering fragments_;
};

}  // namespace swizzle
