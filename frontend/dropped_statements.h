// Statements that clang could not read and left out of its tree, as what they may do: private to frontend/.
//
//   o = o * UNKNOWN; f.g<2>(p);      o and p are something else afterwards
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <clang/Basic/SourceLocation.h>

namespace clang {
class ASTContext;
class FunctionDecl;
class Stmt;
class Token;
class VarDecl;
}  // namespace clang

namespace swizzle {

struct UnreadCode {
  std::vector<clang::SourceLocation> errors;              // where clang found something wrong
  std::map<clang::SourceLocation, std::string> left_out;  // what stood there, before it was left out for that
};

struct DroppedStatement {
  clang::SourceLocation begin;
  std::vector<const clang::VarDecl*> changed;  // local variables
  bool leaves = false;                         // a return, a break or a continue is in it
};

class DroppedStatements {
 public:
  DroppedStatements(const clang::ASTContext& ast, UnreadCode unread);

  // Of a function's block: what stood before `next`, or before its end if that is null, behind `previous` or its
  // beginning. Nothing: nothing did.
  std::optional<DroppedStatement> between(const clang::FunctionDecl* function, const clang::Stmt* block,
                                          const clang::Stmt* previous, const clang::Stmt* next) const;
  // The statement itself, if something is wrong in it.
  std::optional<DroppedStatement> within(const clang::FunctionDecl* function, const clang::Stmt* statement) const;
  // In place of a statement that is none.
  std::optional<DroppedStatement> at(const clang::FunctionDecl* function, const clang::Stmt* none) const;

 private:
  std::optional<DroppedStatement> in(const clang::FunctionDecl* function, clang::SourceLocation begin,
                                     clang::SourceLocation end) const;

  DroppedStatement of(const clang::FunctionDecl* function, const std::vector<clang::Token>& tokens,
                      clang::SourceLocation begin) const;

  const clang::ASTContext& ast_;
  UnreadCode unread_;
};

}  // namespace swizzle
