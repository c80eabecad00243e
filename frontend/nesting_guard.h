// Ends the reading of a file that Clang's recursion would end by overrunning the stack: private to frontend/.
//
//   if (a) … else if (a) … else if (a) …          a level of the parser's for each `else`
//   1 + 1 + 1 + …                                 no level of the parser's, but one of all who walk over the tree
//
// So each word that Clang reads is looked at: how far the stack has grown by then, and how many words there are since
// the last `;` or brace.
#pragma once

#include <cstddef>
#include <vector>

#include <clang/Basic/Diagnostic.h>

namespace clang {
class Token;
}  // namespace clang

namespace swizzle {

inline constexpr const char* kNestedTooDeeply = "this is nested too deeply, or is too long an expression";

// Stands before who is told of errors. Behind the word that is too much, Clang reads nothing but the end of the file.
class NestingGuard : public clang::ForwardingDiagnosticConsumer {
 public:
  explicit NestingGuard(clang::DiagnosticConsumer& errors) : ForwardingDiagnosticConsumer(errors) {}
  bool has_cut() const { return has_cut_; }

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info) override;
  void BeginSourceFile(const clang::LangOptions& language, const clang::Preprocessor* reader) override;

 private:
  void look_at(const clang::Token& word, const clang::Preprocessor& reader);
  void count(const clang::Token& word);

  const char* stack_at_start_ = nullptr;
  std::size_t words_ = 0;       // of one expression
  std::vector<bool> is_brace_;  // of the brackets that are open
  bool has_cut_ = false, has_told_ = false;
};

}  // namespace swizzle
