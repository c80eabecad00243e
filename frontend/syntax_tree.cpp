#include "frontend/syntax_tree.h"

#include <clang/Frontend/ASTUnit.h>
#include <clang/Tooling/Tooling.h>

namespace swizzle {

clang::ASTContext& SyntaxTree::context() const { return unit_->getASTContext(); }

SyntaxTree SyntaxTree::parse(const std::string& text, const std::string& path,
                             const std::vector<std::string>& arguments, const std::vector<Header>& headers,
                             clang::DiagnosticConsumer& errors) {
  SyntaxTree tree;
  tree.unit_ = clang::tooling::buildASTFromCodeWithArgs(
      text, arguments, path, "swizzle-synth", std::make_shared<clang::PCHContainerOperations>(),
      clang::tooling::getClangStripDependencyFileAdjuster(), headers, &errors);
  return tree;
}

}  // namespace swizzle
