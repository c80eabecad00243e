// Variables: locals, parameters, __shared__ arrays, globals, and what the host fills. Private to frontend/.
//
//   __constant__ float w[49];        in a sketch an input like a buffer that is passed: `const float* w` of 49 items
//   const int kRows = 8;             a global: its value is among Program::globals
//   extern __shared__ float s[];     there is one, whatever the names; the launch tells how long it is
//
// Inputs of the first kind, in a spec `float w[49];`, follow the parameters of the entry, sorted by their names.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "frontend/lowering_context.h"

namespace clang {
class Decl;
}

namespace swizzle {

class VariableLowering {
 public:
  VariableLowering(const LoweringContext& in, LayoutLowering& layouts)
      : ast_(in.ast),
        program_(in.program),
        tree_(in.tree),
        source_(in.source),
        types_(in.types),
        nodes_(in.nodes),
        layouts_(layouts),
        checks_(in.checks) {}

  // See NodeLowering::variable.
  VariableId lower(const clang::VarDecl* decl, SourceRange declaration);
  // To be called last: makes what the host fills parameters of the entry.
  void append_symbols();

 private:
  void refuse(const clang::VarDecl* decl, Variable& v);
  TypeId aligned(TypeId type, const clang::VarDecl* decl);
  void mind_static_bytes(const Variable& v);
  void dynamic_array(const clang::VarDecl* decl, Variable& v);
  void global(const clang::VarDecl* decl, VariableId id);
  bool is_symbol(const clang::VarDecl* decl) const;
  void symbol(const clang::VarDecl* decl, VariableId id);

  clang::ASTContext& ast_;
  Program& program_;
  TreeBuilder& tree_;
  SourceDiagnostics& source_;
  TypeLowering& types_;
  NodeLowering& nodes_;
  LayoutLowering& layouts_;
  const bool checks_;
  std::unordered_map<const clang::Decl*, VariableId> variables_;
  std::vector<VariableId> symbols_;
  std::int64_t static_bytes_ = 0;  // of __shared__ arrays
};

}  // namespace swizzle
