#include "frontend/instance_repair.h"

#include <algorithm>
#include <optional>
#include <set>

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

#include "frontend/file_functions.h"
#include "frontend/launch_syntax.h"
#include "frontend/walk.h"

namespace swizzle {
namespace {

// Where statements stand that can be left out of what holds them.
class Removable {
 public:
  explicit Removable(clang::ASTContext& context) : context_(context) {}

  void add_parts_of(const clang::Stmt* s) {
    if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(s)) {
      for (const clang::Stmt* inner : block->body()) add(inner);
      if (const auto range = range_of(block)) blocks.push_back(*range);
    }
    if (const auto syntax = launch_syntax(s); syntax && syntax->call != nullptr && !names_one(syntax->kernel))
      if (const auto range = range_of(syntax->call)) ranges.push_back(*range), kept.insert(*range);
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(s)) add(branch->getThen()), add(branch->getElse());
    if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(s)) add(loop->getBody());
    if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(s)) add(loop->getBody());
    if (const auto* loop = llvm::dyn_cast<clang::DoStmt>(s)) add(loop->getBody());
  }

  std::vector<TextRange> ranges, blocks;
  std::set<TextRange> kept;  // of them: what a launch launches, which its pattern tells

 private:
  static bool names_one(const clang::Expr* kernel) {
    const auto* open = kernel != nullptr ? llvm::dyn_cast<clang::OverloadExpr>(kernel->IgnoreParenImpCasts()) : nullptr;
    return kernel != nullptr && (open == nullptr || open->getNumDecls() == 1);
  }
  void add(const clang::Stmt* s) {
    if (s == nullptr || llvm::isa<clang::CompoundStmt>(s)) return;
    if (const auto range = range_of(s)) ranges.push_back(*range);
  }
  std::optional<TextRange> range_of(const clang::Stmt* s) const {
    const auto& sources = context_.getSourceManager();
    const clang::SourceLocation begin = sources.getExpansionLoc(s->getBeginLoc()),
                                last = sources.getExpansionRange(s->getEndLoc()).getEnd();
    const clang::FileID file = sources.getFileID(begin);
    if (sources.getFileID(last) != file) return std::nullopt;
    const clang::SourceLocation end = clang::Lexer::getLocForEndOfToken(last, 0, sources, context_.getLangOpts());
    return TextRange{file, sources.getFileOffset(begin), sources.getFileOffset(end)};
  }
  clang::ASTContext& context_;
};

// Kernels, and what they call as far as it has a body.
std::set<const clang::FunctionDecl*> device_functions(clang::ASTContext& context) {
  std::set<const clang::FunctionDecl*> found;
  std::vector<const clang::FunctionDecl*> open;
  const auto add = [&](const clang::FunctionDecl* f) {
    if (found.insert(f->getCanonicalDecl()).second) open.push_back(f);
  };
  Walk kernels, calls;
  kernels.instances = true;
  kernels.function = [&](clang::FunctionDecl* f) {
    if (is_kernel(f)) add(f);
  };
  calls.statement = [&](clang::Stmt* s) {
    const auto* ref = llvm::dyn_cast<clang::DeclRefExpr>(s);
    const auto* member = llvm::dyn_cast<clang::MemberExpr>(s);
    const clang::ValueDecl* named = ref != nullptr      ? ref->getDecl()
                                    : member != nullptr ? member->getMemberDecl()
                                                        : nullptr;
    if (const auto* f = llvm::dyn_cast_or_null<clang::FunctionDecl>(named)) add(f);
  };
  walk_all_files(context, kernels);
  while (!open.empty()) {
    const clang::FunctionDecl* f = open.back();
    open.pop_back();
    if (clang::Stmt* body = f->getBody()) walk(body, calls);
  }
  return found;
}

// The patterns of function templates with an instance that has no body, though one was needed.
std::set<clang::Stmt*> patterns_without_instance(clang::ASTContext& context, RepairedCode which) {
  std::set<clang::Stmt*> found;
  std::set<const clang::FunctionDecl*> device;
  if (which == RepairedCode::kDevice) device = device_functions(context);
  Walk functions;
  functions.instances = true;
  functions.function = [&](clang::FunctionDecl* f) {
    if (!f->isTemplateInstantiation() || f->hasBody()) return;
    const clang::FunctionDecl* pattern = f->getTemplateInstantiationPattern();
    const bool is_asked = f->isInvalidDecl() || f->isReferenced() || f->isUsed(false);
    const bool is_open = which == RepairedCode::kMainFile || device.contains(f->getCanonicalDecl());
    if (pattern != nullptr && pattern->getBody() != nullptr && is_asked && is_open) found.insert(pattern->getBody());
  };
  if (which == RepairedCode::kMainFile) walk_user_file(context, functions);
  else walk_all_files(context, functions);
  return found;
}

using Place = std::pair<clang::FileID, unsigned>;

const TextRange* innermost_of(const std::vector<TextRange>& ranges, const Place& at) {
  const TextRange* innermost = nullptr;
  for (const TextRange& r : ranges)
    if (r.holds(at.first, at.second) && (innermost == nullptr || r.size() < innermost->size())) innermost = &r;
  return innermost;
}

// Those that can be left out; with `blocks`, none that only holds the block around an error.
std::set<TextRange> innermost_around(const std::vector<Place>& errors, const Removable& removable,
                                     const std::vector<TextRange>* blocks) {
  std::set<TextRange> chosen;
  for (const Place& at : errors) {
    const TextRange* innermost = innermost_of(removable.ranges, at);
    if (innermost == nullptr || removable.kept.contains(*innermost)) continue;
    const TextRange* block = blocks != nullptr ? innermost_of(*blocks, at) : nullptr;
    const bool is_around = block != nullptr && innermost->begin <= block->begin && block->end <= innermost->end;
    if (!is_around) chosen.insert(*innermost);
  }
  return chosen;
}

}  // namespace

std::vector<TextRange> statements_to_leave_out(clang::ASTContext& context, RepairedCode which,
                                               const std::vector<clang::SourceLocation>& errors) {
  Removable removable(context);
  Walk parts;
  parts.statement = [&](clang::Stmt* s) { removable.add_parts_of(s); };
  for (clang::Stmt* body : patterns_without_instance(context, which)) walk(body, parts);
  // An error that stands in a block and in none of its statements is of one that clang left out itself.
  std::vector<Place> places;
  for (const clang::SourceLocation at : errors) places.push_back(context.getSourceManager().getDecomposedLoc(at));
  std::set<TextRange> chosen = innermost_around(places, removable, &removable.blocks);
  if (chosen.empty()) chosen = innermost_around(places, removable, nullptr);
  return {chosen.begin(), chosen.end()};
}

}  // namespace swizzle
