// Walks over Clang's syntax trees. The visitor behind them is compiled once, in walk.cpp: every RecursiveASTVisitor
// costs a compiler seconds.
#pragma once

#include <functional>

namespace clang {
class ASTContext;
class FunctionDecl;
class Stmt;
class VarDecl;
}  // namespace clang

namespace swizzle {

class UserFiles;

struct Walk {
  std::function<void(clang::Stmt*)> statement;  // of each statement and expression, before what it holds; may be empty
  std::function<void(clang::FunctionDecl*)> function;  // of each function, before its body; may be empty
  std::function<void(clang::VarDecl*)> variable;       // of each variable, before its initializer; may be empty
  bool instances = false;                              // of templates, too
  bool implicit_code = false;                          // what the compiler adds, too
};

void walk(clang::Stmt* root, const Walk& how);

// Whether anything `within` assigns to `v` or takes its address; null: nothing.
bool is_modified(const clang::Stmt* within, const clang::VarDecl* v);

// All declarations of the user's file, those that come from its macros among them.
void walk_user_file(clang::ASTContext& context, const Walk& how);

// Those of its headers, too.
void walk_user_files(clang::ASTContext& context, const UserFiles& files, const Walk& how);

// Those of whatever clang has read but the prelude.
void walk_all_files(clang::ASTContext& context, const Walk& how);

}  // namespace swizzle
