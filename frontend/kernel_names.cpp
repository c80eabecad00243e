#include "frontend/kernel_names.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Mangle.h>
#include <llvm/Support/raw_ostream.h>

namespace swizzle {

std::string spelled_name(const clang::FunctionDecl* f) {
  std::string name;
  llvm::raw_string_ostream out(name);
  clang::PrintingPolicy policy = f->getASTContext().getPrintingPolicy();
  policy.SuppressUnwrittenScope = true;
  f->getNameForDiagnostic(out, policy, false);
  return name;
}

std::string mangled_name(const clang::FunctionDecl* f) {
  if (f->getType()->isDependentType() || f->isDependentContext() || f->isInvalidDecl()) return "";
  return clang::ASTNameGenerator(f->getASTContext()).getName(f);
}

}  // namespace swizzle
