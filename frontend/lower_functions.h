// Functions, once a call reaches them: private to frontend/.
//
//   float Tile::at(int i) const { … }     at(this, i)
//   Tile(int n) : rows(n) { f(); }        Tile(n) { Tile object; object.rows = n; f(); return object; }
//
// A reference is a pointer to what it refers to. A function of the prelude is lowered for each call, since what is in
// it has the range of its call.
#pragma once

#include <unordered_map>
#include <vector>

#include "frontend/lower_fields.h"
#include "frontend/lowering_context.h"

namespace clang {
class CXXConstructorDecl;
class CXXCtorInitializer;
class CXXRecordDecl;
class Decl;
}  // namespace clang

namespace swizzle {

class FunctionLowering {
 public:
  explicit FunctionLowering(const LoweringContext& in)
      : ast_(in.ast),
        program_(in.program),
        tree_(in.tree),
        source_(in.source),
        types_(in.types),
        nodes_(in.nodes),
        scope_(in.scope),
        fields_(in),
        checks_(in.checks) {}

  FunctionId lower(const clang::FunctionDecl* decl);
  // Where the functions stand that were lowered.
  const std::vector<SourceRange>& bodies() const { return bodies_; }

 private:
  void body(const clang::FunctionDecl* definition, Function& out);
  void constructor_body(const clang::CXXConstructorDecl* constructor, Function& out);
  ExprId initialized(const clang::CXXCtorInitializer* init, const clang::CXXRecordDecl* of, SourceRange range);

  clang::ASTContext& ast_;
  Program& program_;
  TreeBuilder& tree_;
  SourceDiagnostics& source_;
  TypeLowering& types_;
  NodeLowering& nodes_;
  FunctionScope& scope_;
  FieldLowering fields_;
  const bool checks_;
  std::unordered_map<const clang::Decl*, FunctionId> functions_;
  std::vector<SourceRange> bodies_;
};

}  // namespace swizzle
