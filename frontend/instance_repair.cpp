#include "frontend/instance_repair.h"

#include <algorithm>
#include <set>

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

namespace swizzle {
namespace {

class Statements : public clang::RecursiveASTVisitor<Statements> {
 public:
  explicit Statements(clang::ASTContext& context) : context_(context) {}

  bool VisitCompoundStmt(clang::CompoundStmt* s) {
    for (const clang::Stmt* inner : s->body()) add(inner);
    return true;
  }
  bool VisitIfStmt(clang::IfStmt* s) { return add(s->getThen()), add(s->getElse()), true; }
  bool VisitForStmt(clang::ForStmt* s) { return add(s->getBody()), true; }
  bool VisitWhileStmt(clang::WhileStmt* s) { return add(s->getBody()), true; }
  bool VisitDoStmt(clang::DoStmt* s) { return add(s->getBody()), true; }

  std::vector<TextRange> ranges;

 private:
  void add(const clang::Stmt* s) {
    if (s == nullptr || llvm::isa<clang::CompoundStmt>(s)) return;
    const auto& sources = context_.getSourceManager();
    const clang::SourceLocation begin = sources.getExpansionLoc(s->getBeginLoc()), last = sources.getExpansionRange(s->getEndLoc()).getEnd();
    if (!sources.isInMainFile(begin) || !sources.isInMainFile(last)) return;
    const clang::SourceLocation end = clang::Lexer::getLocForEndOfToken(last, 0, sources, context_.getLangOpts());
    ranges.emplace_back(sources.getFileOffset(begin), sources.getFileOffset(end));
  }
  clang::ASTContext& context_;
};

// The patterns of function templates with an instance that has no body, though one was needed.
class Patterns : public clang::RecursiveASTVisitor<Patterns> {
 public:
  bool VisitFunctionDecl(clang::FunctionDecl* f) {
    if (!f->isTemplateInstantiation() || f->hasBody()) return true;
    const clang::FunctionDecl* pattern = f->getTemplateInstantiationPattern();
    if (pattern != nullptr && pattern->getBody() != nullptr && (f->isInvalidDecl() || f->isReferenced() || f->isUsed(false))) found.insert(pattern->getBody());
    return true;
  }
  bool shouldVisitTemplateInstantiations() const { return true; }

  std::set<clang::Stmt*> found;
};

}  // namespace

std::vector<TextRange> statements_to_leave_out(clang::ASTContext& context, const std::vector<std::uint32_t>& errors) {
  Patterns patterns;
  const auto& sources = context.getSourceManager();
  for (clang::Decl* d : context.getTranslationUnitDecl()->decls())
    if (sources.isInMainFile(sources.getExpansionLoc(d->getLocation()))) patterns.TraverseDecl(d);
  Statements statements(context);
  for (clang::Stmt* body : patterns.found) statements.TraverseStmt(body);
  std::set<TextRange> chosen;
  for (const std::uint32_t at : errors) {
    const TextRange* innermost = nullptr;
    for (const TextRange& r : statements.ranges)
      if (r.first <= at && at < r.second && (innermost == nullptr || r.second - r.first < innermost->second - innermost->first)) innermost = &r;
    if (innermost != nullptr) chosen.insert(*innermost);
  }
  return {chosen.begin(), chosen.end()};
}

}  // namespace swizzle
