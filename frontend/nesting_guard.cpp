#include "frontend/nesting_guard.h"

#include <cstdlib>

#include <clang/Lex/Preprocessor.h>
#include <clang/Lex/Token.h>

namespace swizzle {
namespace {

// Of the 8 MB that a stack mostly has: those who walk over the tree need less for each level than the parser.
constexpr std::ptrdiff_t kMostStackBytes = 3 << 20;
constexpr std::size_t kMostWords = 1 << 16;

// Not the address of a variable, which a sanitizer may keep elsewhere.
const char* stack_here() { return static_cast<const char*>(__builtin_frame_address(0)); }

bool opens(clang::tok::TokenKind kind) {
  return kind == clang::tok::l_brace || kind == clang::tok::l_paren || kind == clang::tok::l_square;
}
bool closes(clang::tok::TokenKind kind) {
  return kind == clang::tok::r_brace || kind == clang::tok::r_paren || kind == clang::tok::r_square;
}

}  // namespace

void NestingGuard::BeginSourceFile(const clang::LangOptions& language, const clang::Preprocessor* reader) {
  ForwardingDiagnosticConsumer::BeginSourceFile(language, reader);
  if (reader == nullptr) return;
  stack_at_start_ = stack_here();
  // Clang shows the preprocessor as constant, and has no other moment between its making and the first word.
  auto& changed = const_cast<clang::Preprocessor&>(*reader);
  changed.setTokenWatcher([this, reader](const clang::Token& word) { look_at(word, *reader); });
}

// Nothing but that it has cut, once it has: the rest is the consequence.
void NestingGuard::HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info) {
  if (!has_told_) ForwardingDiagnosticConsumer::HandleDiagnostic(level, info);
  has_told_ = has_cut_;
}

void NestingGuard::look_at(const clang::Token& word, const clang::Preprocessor& reader) {
  count(word);
  const bool is_deep = std::abs(stack_at_start_ - stack_here()) > kMostStackBytes;
  if (!has_cut_ && (is_deep || words_ > kMostWords)) {
    has_cut_ = true;
    clang::DiagnosticsEngine& errors = reader.getDiagnostics();
    errors.Report(word.getLocation(),
                  errors.getDiagnosticIDs()->getCustomDiagID(clang::DiagnosticIDs::Error, kNestedTooDeeply));
  }
  // As Parser::cutOffParsing() has it, which is not for others.
  if (has_cut_) const_cast<clang::Token&>(word).setKind(clang::tok::eof);
}

// The commas between the elements of a list or of declarations nest nothing.
void NestingGuard::count(const clang::Token& word) {
  const clang::tok::TokenKind kind = word.getKind();
  const bool is_in_braces = is_brace_.empty() || is_brace_.back();
  const bool ends = kind == clang::tok::semi || kind == clang::tok::l_brace || kind == clang::tok::r_brace ||
                    (kind == clang::tok::comma && is_in_braces);
  words_ = ends ? 0 : words_ + 1;
  if (opens(kind)) is_brace_.push_back(kind == clang::tok::l_brace);
  if (closes(kind) && !is_brace_.empty()) is_brace_.pop_back();
}

}  // namespace swizzle
