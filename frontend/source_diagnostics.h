// Where clang's nodes stand in the user's files, and what is reported there: private to frontend/.
//
//   #define SECOND(a) a[1][c]
//   x = SECOND(tile);         `tile` has its own range; `c`, which the macro's body holds, that of `SECOND(tile)`
//   y = atomicAdd(p, x);      what is in the prelude's atomicAdd() has the range of this use of it
//
// What lowering cannot use is reported once a line, and stands in the tree as a literal so that lowering goes on.
#pragma once

#include <set>
#include <string>

#include "frontend/purpose.h"
#include "frontend/user_files.h"
#include "synth/program/tree_builder.h"

namespace clang {
class ASTContext;
class CallExpr;
class NamedDecl;
class SourceLocation;
class SourceRange;
}  // namespace clang

namespace swizzle {

class SourceDiagnostics {
 public:
  SourceDiagnostics(clang::ASTContext& ast, const UserFiles& files, Program& program, TreeBuilder& tree,
                    Purpose purpose)
      : ast_(ast),
        files_(files),
        program_(program),
        tree_(tree),
        checks_(purpose == Purpose::kCheck) {}

  bool in_user_file(clang::SourceLocation location) const;
  bool in_prelude(clang::SourceLocation location) const;
  SourceRange range_of(clang::SourceRange range) const;
  template <class Node>
  SourceRange range_of(const Node* node) const {
    return range_of(node->getSourceRange());
  }
  SourceRange range_of_name(const clang::NamedDecl* decl) const;

  // The range of what is in no file of the user's.
  SourceRange use() const { return use_; }
  void set_use(SourceRange use) { use_ = use; }
  // Sets it for as long as this lives.
  class Use {
   public:
    Use(SourceDiagnostics& of, SourceRange use) : of_(of), outer_(of.use()) { of.set_use(use); }
    ~Use() { of_.set_use(outer_); }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    SourceDiagnostics& of_;
    SourceRange outer_;
  };

  // In a program that is parsed to be checked, a warning among Program::skipped.
  void error(SourceRange range, std::string message);
  // "… is not supported in a sketch"; what stands in its place.
  ExprId unsupported(SourceRange range, const std::string& what);
  template <class Node>
  ExprId unsupported(const Node* node, const std::string& what) {
    return unsupported(range_of(node), what);
  }
  // Whether a hole is written in a macro's body, which is reported.
  bool in_macro_body(const clang::CallExpr* hole);

  const Diagnostics& errors() const { return errors_; }

 private:
  clang::ASTContext& ast_;
  const UserFiles& files_;
  Program& program_;
  TreeBuilder& tree_;
  const bool checks_;
  SourceRange use_;
  Diagnostics errors_;
  std::set<int> lines_with_errors_;
};

}  // namespace swizzle
