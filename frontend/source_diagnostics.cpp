#include "frontend/source_diagnostics.h"

#include <algorithm>
#include <utility>

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

#include "frontend/prelude.h"

namespace swizzle {

bool SourceDiagnostics::in_user_file(clang::SourceLocation location) const {
  return location.isValid() && files_.hold(ast_.getSourceManager(), location);
}

bool SourceDiagnostics::in_prelude(clang::SourceLocation location) const {
  const auto& sources = ast_.getSourceManager();
  return location.isInvalid() || sources.getFilename(sources.getExpansionLoc(location)).starts_with(kPreludeFolder);
}

SourceRange SourceDiagnostics::range_of(clang::SourceRange range) const {
  const auto& sources = ast_.getSourceManager();
  if (range.isInvalid() || !in_user_file(range.getBegin())) return use_;
  const auto original = [&](clang::SourceLocation at) { return files_.original(sources, at); };
  // What stands in a macro's argument has a range of its own, also where the body is nothing else; what comes from a
  // macro's body has that of its use.
  while (sources.isMacroArgExpansion(range.getBegin()) && sources.isMacroArgExpansion(range.getEnd()) &&
         sources.getFileID(range.getBegin()) == sources.getFileID(range.getEnd()))
    range = {sources.getImmediateSpellingLoc(range.getBegin()), sources.getImmediateSpellingLoc(range.getEnd())};
  const auto written =
      clang::Lexer::makeFileCharRange(clang::CharSourceRange::getTokenRange(range), sources, ast_.getLangOpts());
  if (written.isValid() && files_.hold(sources, written.getBegin()))
    return {original(written.getBegin()), original(written.getEnd())};
  const clang::SourceLocation begin = sources.getExpansionLoc(range.getBegin());
  const clang::SourceLocation last = sources.getExpansionRange(range.getEnd()).getEnd();
  const clang::SourceLocation end = clang::Lexer::getLocForEndOfToken(last, 0, sources, ast_.getLangOpts());
  const std::uint32_t from = original(begin);
  return {from, std::max(end.isValid() ? original(end) : from + 1, from)};
}

SourceRange SourceDiagnostics::range_of_name(const clang::NamedDecl* decl) const {
  return range_of({decl->getLocation(), decl->getLocation()});
}

// One a line: what follows the first is mostly its consequence.
void SourceDiagnostics::error(SourceRange range, std::string message) {
  if (!lines_with_errors_.insert(program_.source.locate(range.begin).line).second) return;
  if (checks_)
    return program_.skipped.push_back(make_diagnostic(Severity::kWarning, program_.source, range, std::move(message)));
  errors_.push_back(make_error(program_.source, range, std::move(message)));
}

ExprId SourceDiagnostics::unsupported(SourceRange range, const std::string& what) {
  error(range, what + (checks_ ? " is not followed" : " is not supported in a sketch"));
  return checks_ ? tree_.unknown(range) : tree_.placeholder(range);
}

bool SourceDiagnostics::in_macro_body(const clang::CallExpr* hole) {
  const SourceRange range = range_of(hole);
  if (program_.source.slice(range).starts_with('?')) return false;
  const auto& sources = ast_.getSourceManager();
  const clang::SourceLocation written = sources.getSpellingLoc(hole->getBeginLoc());
  const bool here = sources.isInMainFile(written) && sources.isWrittenInMainFile(written);
  error(here ? range_of({written, written}) : range,
        "a hole cannot stand in the body of a macro; pass it as an argument, or write a __device__ function");
  if (here && !errors_.empty() && errors_.back().severity == Severity::kError)
    errors_.push_back(make_note(program_.source, range, "the macro is used here"));
  return true;
}

}  // namespace swizzle
