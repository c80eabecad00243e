#include "frontend/lost_text.h"

#include <algorithm>

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

#include "frontend/launch_syntax.h"
#include "frontend/source_rewrite.h"
#include "frontend/walk.h"
#include "synth/base/text.h"

namespace swizzle {
namespace {

std::string code_of(const std::string& text) {
  std::string code;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t behind = skip_non_code(text, at);
    code += behind == at ? text[at] : ' ';
    at = std::max(behind, at + 1);
  }
  return code;
}

// To where the statement ends that begins here.
std::string first_statement(const std::string& text) {
  int depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
    if (depth < 0) return text.substr(0, at);
    if (depth == 0 && (c == ';' || c == '}')) return text.substr(0, at + 1);
  }
  return text;
}

// In the tree, whatever else is lost of the statement around.
bool has_launch(const clang::Stmt* s) {
  return s != nullptr && (launch_syntax(s) || std::any_of(s->child_begin(), s->child_end(), has_launch));
}

bool is_in_part(const clang::Stmt* s) {
  if (const auto* e = llvm::dyn_cast<clang::Expr>(s)) return e->containsErrors();
  const auto* declared = llvm::dyn_cast<clang::DeclStmt>(s);
  return declared != nullptr && std::any_of(declared->decl_begin(), declared->decl_end(),
                                            [](const clang::Decl* d) { return d->isInvalidDecl(); });
}

// The words `name` of a text: what stands before it and behind, without space.
template <typename Is>
bool any_mention(llvm::StringRef code, llvm::StringRef name, Is&& is) {
  for (std::size_t at = code.find(name); at != llvm::StringRef::npos; at = code.find(name, at + 1)) {
    const llvm::StringRef before = code.substr(0, at), behind = code.substr(at + name.size());
    const bool is_word =
        (before.empty() || !is_of_word(before.back())) && (behind.empty() || !is_of_word(behind.front()));
    if (is_word && is(before.rtrim(), behind.ltrim())) return true;
  }
  return false;
}

}  // namespace

std::string LostText::between(clang::SourceLocation from, clang::SourceLocation to) const {
  const auto& sources = context_.getSourceManager();
  from = sources.getExpansionLoc(from);
  to = sources.getExpansionLoc(to);
  const bool is_lost = std::any_of(errors_.begin(), errors_.end(), [&](clang::SourceLocation e) {
    return sources.isWrittenInSameFile(e, from) && !sources.isBeforeInTranslationUnit(e, from) &&
           sources.isBeforeInTranslationUnit(e, to);
  });
  if (!is_lost) return "";
  return code_of(
      clang::Lexer::getSourceText(clang::CharSourceRange::getCharRange(from, to), sources, context_.getLangOpts())
          .str());
}

std::string LostText::in_place_of(const clang::NullStmt* s) const {
  const clang::SourceLocation at = context_.getSourceManager().getExpansionLoc(s->getSemiLoc());
  if (const auto known = left_out_.find(at); known != left_out_.end()) return code_of(known->second);
  return errors_.empty() || at != s->getSemiLoc() ? "" : from_here(at);
}

std::string LostText::behind(const clang::VarDecl* v) const {
  const clang::SourceLocation from = context_.getSourceManager().getExpansionLoc(v->getLocation());
  if (errors_.empty() || v->getInit() != nullptr) return "";
  const std::string code = from_here(from);
  return between(from, from.getLocWithOffset(static_cast<int>(code.size())));
}

// Where a branch is not understood, clang has an empty statement at its beginning.
std::string LostText::from_here(clang::SourceLocation at) const {
  const auto& sources = context_.getSourceManager();
  const auto [file, offset] = sources.getDecomposedLoc(at);
  const llvm::StringRef rest = sources.getBufferData(file).substr(offset);
  return rest.empty() || rest.front() == ';' ? "" : first_statement(code_of(rest.str()));
}

const std::vector<std::string>& LostText::before_each_of(const clang::CompoundStmt* block) const {
  const auto [known, is_new] = known_.try_emplace(block);
  if (is_new) known->second = found_before_each_of(block);
  return known->second;
}

std::vector<std::string> LostText::found_before_each_of(const clang::CompoundStmt* block) const {
  std::vector<std::string> out(block->size() + 1);
  if (is_empty()) return out;
  clang::SourceLocation behind = block->getLBracLoc();
  auto text = out.begin();
  for (const clang::Stmt* part : block->body()) {
    *text = between(behind, part->getBeginLoc());
    if (const auto* nothing = llvm::dyn_cast<clang::NullStmt>(part)) *text += in_place_of(nothing);
    ++text;
    behind = context_.getSourceManager().getExpansionRange(part->getEndLoc()).getEnd();
  }
  *text = between(behind, block->getRBracLoc());
  return out;
}

std::vector<std::string> LostText::before_each_in_switch(const clang::CompoundStmt* body) const {
  std::vector<std::string> out = before_each_of(body);
  bool needs_label = !is_empty();
  auto text = out.begin();
  for (const clang::Stmt* part : body->body()) {
    const bool is_label = llvm::isa<clang::SwitchCase>(part);
    const bool does_nothing = llvm::isa<clang::NullStmt, clang::DeclStmt, clang::BreakStmt, clang::ReturnStmt>(part);
    if (needs_label && !is_label && !does_nothing) *text += " default ";
    ++text;
    const clang::Stmt* last = part;
    while (const auto* label = llvm::dyn_cast<clang::SwitchCase>(last)) last = label->getSubStmt();
    while (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(last)) {
      if (block->body_empty()) break;
      last = block->body_back();
    }
    const bool leaves = llvm::isa<clang::BreakStmt, clang::ReturnStmt>(last);
    needs_label = !is_empty() && (leaves || (needs_label && !is_label && does_nothing));
  }
  return out;
}

void LostText::each_in(const clang::Stmt* s, const Told& told) const {
  if (s == nullptr || is_empty()) return;
  const auto tell = [&](const std::string& code) {
    if (!code.empty()) told(code);
  };
  if (const auto* nothing = llvm::dyn_cast<clang::NullStmt>(s)) tell(in_place_of(nothing));
  if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(s))
    for (const std::string& code : before_each_of(block)) tell(code);
  for (const clang::Stmt* part : s->children()) each_in(part, told);
}

void LostText::each_in_part_in(const clang::Stmt* s, const Told& told) const {
  if (s == nullptr || is_empty() || launch_syntax(s)) return;
  if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(s))
    for (const std::string& code : before_each_of(block)) told(code);
  if (const auto* nothing = llvm::dyn_cast<clang::NullStmt>(s)) told(in_place_of(nothing));
  if (is_in_part(s) && !has_launch(s)) {
    const auto text = clang::CharSourceRange::getTokenRange(s->getSourceRange());
    told(code_of(clang::Lexer::getSourceText(text, context_.getSourceManager(), context_.getLangOpts()).str()));
  } else {
    for (const clang::Stmt* part : s->children()) each_in_part_in(part, told);
  }
}

namespace {

// Where names stand in a body, of what is in clang's tree, as offsets in its file.
std::set<unsigned> names_in_tree(const clang::Stmt* body, const clang::SourceManager& sources) {
  std::set<unsigned> known;
  const auto note = [&](clang::SourceLocation at) { known.insert(sources.getDecomposedSpellingLoc(at).second); };
  Walk names;
  names.statement = [&](const clang::Stmt* s) {
    if (const auto* ref = llvm::dyn_cast<clang::DeclRefExpr>(s)) note(ref->getLocation());
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(s)) note(member->getMemberLoc());
    if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(s))
      for (const clang::Decl* d : declared->decls())
        if (!d->isInvalidDecl()) note(d->getLocation());  // f(n) of an unknown f is taken for a declaration of n
    if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(s))
      for (const clang::LambdaCapture& capture : lambda->captures()) note(capture.getLocation());
  };
  walk(const_cast<clang::Stmt*>(body), names);
  return known;
}

// The statement around, as text tells.
std::string statement_at(llvm::StringRef text, std::size_t at) {
  const std::size_t before = text.substr(0, at).find_last_of(";{}");
  const std::size_t begin = before == llvm::StringRef::npos ? 0 : before + 1;
  return text.slice(begin, text.find(';', at)).str() + ";";
}

}  // namespace

bool may_be_changed_where_lost(const clang::VarDecl* v) {
  const auto* around = llvm::dyn_cast_or_null<clang::FunctionDecl>(v->getParentFunctionOrMethod());
  const clang::Stmt* body = around != nullptr ? around->getBody() : nullptr;
  const llvm::StringRef name = v->getName();
  if (body == nullptr || name.empty()) return false;
  const clang::SourceManager& sources = v->getASTContext().getSourceManager();
  const auto [file, begin] = sources.getDecomposedExpansionLoc(body->getBeginLoc());
  const auto [last_file, end] = sources.getDecomposedExpansionLoc(body->getEndLoc());
  if (file != last_file || end < begin) return false;
  const std::set<unsigned> known = names_in_tree(body, sources);
  const std::string text = sources.getBufferData(file).slice(begin, end + 1).str();
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t code = skip_non_code(text, at);
    std::size_t word = code;
    if (code == at && text[at] == '$') ++word;  // ours
    while (word < text.size() && is_of_word(text[word])) ++word;
    if (code == at && llvm::StringRef(text).slice(at, word) == name &&
        !known.contains(begin + static_cast<unsigned>(at)) && may_change(code_of(statement_at(text, at)), name))
      return true;
    at = std::max({code, word, at + 1});
  }
  return false;
}

bool mentions(llvm::StringRef code, llvm::StringRef name) {
  return any_mention(code, name, [](llvm::StringRef, llvm::StringRef) { return true; });
}

bool names_whole(llvm::StringRef code, llvm::StringRef name) {
  if (code.ltrim(" \t\r\n;}").starts_with(name)) return true;
  return any_mention(code, name, [](llvm::StringRef, llvm::StringRef behind) { return !behind.starts_with("."); });
}

bool may_change(llvm::StringRef code, llvm::StringRef name) {
  return any_mention(code, name, [](llvm::StringRef before, llvm::StringRef behind) {
    const auto starts = [&](const auto& words) {
      return std::any_of(std::begin(words), std::end(words), [&](const char* w) { return behind.starts_with(w); });
    };
    constexpr const char* kChanging[] = {
        "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "[", ".", "->"};
    constexpr const char* kEnds[] = {",", ")", ";"};
    const bool is_given = before.ends_with("(") || before.ends_with(",") || before.ends_with(">>");
    return (behind.starts_with("=") && !behind.starts_with("==")) || starts(kChanging) || before.ends_with("++") ||
           before.ends_with("--") || (before.ends_with("&") && !before.ends_with("&&")) || (is_given && starts(kEnds));
  });
}

bool takes_address(llvm::StringRef code, llvm::StringRef name) {
  const bool makes_reference = code.contains("& ") || code.contains(" &");
  return any_mention(code, name, [&](llvm::StringRef before, llvm::StringRef) {
    return (before.ends_with("&") && !before.ends_with("&&")) || (makes_reference && before.ends_with("="));
  });
}

std::set<std::string> declared_names(llvm::StringRef code) {
  std::set<std::string> names;
  for (std::size_t begin = 0; begin < code.size();) {
    std::size_t end = begin;
    while (end < code.size() && is_of_word(code[end])) ++end;
    const llvm::StringRef before = code.substr(0, begin).rtrim(), behind = code.substr(end).ltrim();
    const bool is_behind_type = !before.empty() && (is_of_word(before.back()) || before.ends_with(">") ||
                                                    before.ends_with("&") || before.ends_with("*"));
    const bool ends = behind.empty() || llvm::StringRef("=;({[,:").contains(behind.front());
    if (end > begin && is_behind_type && ends && !before.ends_with("return"))
      names.insert(code.substr(begin, end - begin).str());
    begin = std::max(end, begin + 1);
  }
  return names;
}

bool may_return(llvm::StringRef code) {
  for (const char* word : {"return", "throw", "goto"})
    if (contains_word({code.data(), code.size()}, word)) return true;
  for (std::size_t at = code.find('('); at != llvm::StringRef::npos; at = code.find('(', at + 1)) {
    const llvm::StringRef before = code.substr(0, at).rtrim();
    const llvm::StringRef word = before.substr(before.find_last_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") + 1);
    const std::size_t start = before.size() - word.size();
    if (word.size() > 1 && (start == 0 || !is_of_word(before[start - 1]))) return true;
  }
  return false;
}

}  // namespace swizzle
