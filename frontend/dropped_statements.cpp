#include "frontend/dropped_statements.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>
#include <clang/Lex/Lexer.h>

namespace swizzle {
namespace {

std::vector<clang::Token> tokens_between(const clang::ASTContext& ast, clang::SourceLocation begin,
                                         clang::SourceLocation end) {
  const auto& sources = ast.getSourceManager();
  const auto [file, from] = sources.getDecomposedLoc(begin);
  const llvm::StringRef text = sources.getBufferData(file);
  clang::Lexer lexer(sources.getLocForStartOfFile(file), ast.getLangOpts(), text.begin(), text.begin() + from,
                     text.end());
  std::vector<clang::Token> tokens;
  for (clang::Token token; !lexer.LexFromRawLexer(token) && token.getLocation() < end;) tokens.push_back(token);
  return tokens;
}

std::vector<clang::Token> tokens_of(const clang::ASTContext& ast, const std::string& text) {
  clang::Lexer lexer({}, ast.getLangOpts(), text.data(), text.data(), text.data() + text.size());
  std::vector<clang::Token> tokens;
  for (clang::Token token;;) {
    const bool is_last = lexer.LexFromRawLexer(token);
    if (token.isNot(clang::tok::eof)) tokens.push_back(token);
    if (is_last) return tokens;
  }
}

bool assigns(const clang::Token& token) {
  using namespace clang::tok;
  return token.isOneOf(equal, plusequal, minusequal, starequal, slashequal, percentequal, ampequal, pipeequal,
                       caretequal, lesslessequal, greatergreaterequal, plusplus, minusminus);
}

std::string name_of(const clang::Token& token) {
  return token.is(clang::tok::raw_identifier) ? token.getRawIdentifier().str() : std::string();
}

// What is assigned to by the operator at `at`: of a[i].x, a.
std::string assigned_name(const std::vector<clang::Token>& tokens, std::size_t at) {
  int depth = 0;
  for (std::size_t k = at; k-- > 0;) {
    const clang::Token& token = tokens[k];
    if (token.isOneOf(clang::tok::r_square, clang::tok::r_paren)) ++depth;
    else if (token.isOneOf(clang::tok::l_square, clang::tok::l_paren)) --depth;
    else if (depth == 0 && token.is(clang::tok::raw_identifier) &&
             (k == 0 || !tokens[k - 1].isOneOf(clang::tok::period, clang::tok::arrow)))
      return name_of(token);
    if (depth < 0) break;
  }
  return at + 1 < tokens.size() ? name_of(tokens[at + 1]) : std::string();  // ++i
}

// As an argument that a function may change.
bool stands_alone(const std::vector<clang::Token>& tokens, std::size_t at) {
  using namespace clang::tok;
  return at > 0 && at + 1 < tokens.size() && tokens[at - 1].isOneOf(l_paren, comma, amp) &&
         tokens[at + 1].isOneOf(r_paren, comma);
}

}  // namespace

DroppedStatements::DroppedStatements(const clang::ASTContext& ast, UnreadCode unread)
    : ast_(ast),
      unread_(std::move(unread)) {}

std::optional<DroppedStatement> DroppedStatements::between(const clang::FunctionDecl* function,
                                                           const clang::Stmt* block, const clang::Stmt* previous,
                                                           const clang::Stmt* next) const {
  if (unread_.errors.empty()) return std::nullopt;
  const auto& sources = ast_.getSourceManager();
  const auto behind = [&](clang::SourceLocation last) {
    return clang::Lexer::getLocForEndOfToken(sources.getExpansionRange(last).getEnd(), 0, sources, ast_.getLangOpts());
  };
  return in(function, behind(previous != nullptr ? previous->getEndLoc() : block->getBeginLoc()),
            sources.getExpansionLoc(next != nullptr ? next->getBeginLoc() : block->getEndLoc()));
}

std::optional<DroppedStatement> DroppedStatements::within(const clang::FunctionDecl* function,
                                                          const clang::Stmt* statement) const {
  if (unread_.errors.empty()) return std::nullopt;
  const auto whole = ast_.getSourceManager().getExpansionRange(statement->getSourceRange());
  return in(function, whole.getBegin(),
            clang::Lexer::getLocForEndOfToken(whole.getEnd(), 0, ast_.getSourceManager(), ast_.getLangOpts()));
}

std::optional<DroppedStatement> DroppedStatements::at(const clang::FunctionDecl* function,
                                                      const clang::Stmt* none) const {
  const auto begin = ast_.getSourceManager().getExpansionLoc(none->getBeginLoc());
  if (const auto it = unread_.left_out.find(begin); it != unread_.left_out.end() && function != nullptr)
    return of(function, tokens_of(ast_, it->second), begin);
  if (unread_.errors.empty()) return std::nullopt;
  for (const clang::Token& token : tokens_between(ast_, begin, begin.getLocWithOffset(4096)))
    if (token.is(clang::tok::semi))
      return token.getLocation() == begin ? std::nullopt : in(function, begin, token.getLocation());
  return std::nullopt;
}

std::optional<DroppedStatement> DroppedStatements::in(const clang::FunctionDecl* function, clang::SourceLocation begin,
                                                      clang::SourceLocation end) const {
  const auto& sources = ast_.getSourceManager();
  if (function == nullptr || begin.isInvalid() || end.isInvalid() || sources.getFileID(begin) != sources.getFileID(end))
    return std::nullopt;
  if (std::ranges::none_of(unread_.errors, [&](clang::SourceLocation e) {
        return sources.getFileID(e) == sources.getFileID(begin) && begin <= e && e < end;
      }))
    return std::nullopt;
  return of(function, tokens_between(ast_, begin, end), begin);
}

DroppedStatement DroppedStatements::of(const clang::FunctionDecl* function, const std::vector<clang::Token>& tokens,
                                       clang::SourceLocation begin) const {
  std::set<std::string> assigned, handed_over;
  DroppedStatement dropped{begin, {}, false};
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    const std::string name = name_of(tokens[k]);
    dropped.leaves |= name == "return" || name == "break" || name == "continue";
    if (assigns(tokens[k])) assigned.insert(assigned_name(tokens, k));
    if (stands_alone(tokens, k)) handed_over.insert(name);
  }
  const std::set<std::string>& changed = assigned.empty() ? handed_over : assigned;
  for (const clang::Decl* d : function->decls())
    if (const auto* v = llvm::dyn_cast<clang::VarDecl>(d);
        v != nullptr && !v->isInvalidDecl() && v->hasLocalStorage() && !v->getType().isConstQualified() &&
        v->getDeclName().isIdentifier() && changed.contains(v->getName().str()) &&
        ast_.getSourceManager().isBeforeInTranslationUnit(v->getLocation(), begin))
      dropped.changed.push_back(v);
  return dropped;
}

}  // namespace swizzle
