#include "frontend/instance_repair.h"

#include <algorithm>
#include <set>

#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

#include "frontend/walk.h"

namespace swizzle {
namespace {

// Where statements stand that can be left out of what holds them.
class Removable {
 public:
  explicit Removable(clang::ASTContext& context) : context_(context) {}

  void add_parts_of(const clang::Stmt* s) {
    if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(s))
      for (const clang::Stmt* inner : block->body()) add(inner);
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(s)) add(branch->getThen()), add(branch->getElse());
    if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(s)) add(loop->getBody());
    if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(s)) add(loop->getBody());
    if (const auto* loop = llvm::dyn_cast<clang::DoStmt>(s)) add(loop->getBody());
  }

  std::vector<TextRange> ranges;

 private:
  void add(const clang::Stmt* s) {
    if (s == nullptr || llvm::isa<clang::CompoundStmt>(s)) return;
    const auto& sources = context_.getSourceManager();
    const clang::SourceLocation begin = sources.getExpansionLoc(s->getBeginLoc()),
                                last = sources.getExpansionRange(s->getEndLoc()).getEnd();
    if (!sources.isInMainFile(begin) || !sources.isInMainFile(last)) return;
    const clang::SourceLocation end = clang::Lexer::getLocForEndOfToken(last, 0, sources, context_.getLangOpts());
    ranges.emplace_back(sources.getFileOffset(begin), sources.getFileOffset(end));
  }
  clang::ASTContext& context_;
};

// The patterns of function templates with an instance that has no body, though one was needed.
std::set<clang::Stmt*> patterns_without_instance(clang::ASTContext& context) {
  std::set<clang::Stmt*> found;
  Walk functions;
  functions.instances = true;
  functions.function = [&](clang::FunctionDecl* f) {
    if (!f->isTemplateInstantiation() || f->hasBody()) return;
    const clang::FunctionDecl* pattern = f->getTemplateInstantiationPattern();
    if (pattern != nullptr && pattern->getBody() != nullptr &&
        (f->isInvalidDecl() || f->isReferenced() || f->isUsed(false)))
      found.insert(pattern->getBody());
  };
  walk_user_file(context, functions);
  return found;
}

}  // namespace

std::vector<TextRange> statements_to_leave_out(clang::ASTContext& context, const std::vector<std::uint32_t>& errors) {
  Removable removable(context);
  Walk parts;
  parts.statement = [&](clang::Stmt* s) { removable.add_parts_of(s); };
  for (clang::Stmt* body : patterns_without_instance(context)) walk(body, parts);
  std::set<TextRange> chosen;
  for (const std::uint32_t at : errors) {
    const TextRange* innermost = nullptr;
    for (const TextRange& r : removable.ranges)
      if (r.first <= at && at < r.second &&
          (innermost == nullptr || r.second - r.first < innermost->second - innermost->first))
        innermost = &r;
    if (innermost != nullptr) chosen.insert(*innermost);
  }
  return {chosen.begin(), chosen.end()};
}

}  // namespace swizzle
