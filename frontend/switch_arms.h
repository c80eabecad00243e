// A switch whose labels part what it does, as arms of which one is taken: private to frontend/.
//
//   switch (m) { case 0: a(); break; case 1: case 2: { b(); break; } default: c(); }
//   {0} a();   {1, 2} b();   otherwise c();
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace clang {
class ASTContext;
class Stmt;
class SwitchStmt;
}  // namespace clang

namespace swizzle {

struct SwitchArm {
  std::vector<std::int64_t> values;  // … that lead to it
  bool is_default = false;           // and all others
  std::vector<const clang::Stmt*> body;
};

// The default is the last one, if there is one. Nothing: an arm goes on into the next one, or leaves in its middle, or
// the value is not to be asked for more than once.
std::optional<std::vector<SwitchArm>> arms_of(const clang::SwitchStmt* s, clang::ASTContext& ast);

}  // namespace swizzle
