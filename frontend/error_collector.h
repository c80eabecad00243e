// What Clang finds wrong, as diagnostics that point into the user's files: private to frontend/.
//
//   y[t] = x[$sw_xfrm(t, 4)];      "use of undeclared identifier '$sw_xfrm'" at an offset of the rewritten text
//                                  becomes a.cu:3:12: error: use of undeclared identifier '?sw_xfrm'
//
// What Clang says of the prelude is told without its place.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <clang/Basic/Diagnostic.h>

#include "frontend/source_rewrite.h"
#include "synth/base/diagnostic.h"

namespace clang {
class FunctionDecl;
}  // namespace clang

namespace swizzle {

class ErrorCollector : public clang::DiagnosticConsumer {
 public:
  ErrorCollector(const SourceText& source, const RewrittenSource& rewritten) : source_(source), rewritten_(rewritten) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info) override;

  // As before the first error.
  void forget();

  // Errors within these functions, with their notes.
  Diagnostics within(const std::vector<const clang::FunctionDecl*>& functions) const;

  Diagnostics found;

 private:
  Diagnostic located(const clang::Diagnostic& info, const std::string& message) const;
  void add(Diagnostic d, const clang::Diagnostic& info);
  std::string told(std::string message) const;

  const SourceText& source_;
  const RewrittenSource& rewritten_;
  std::vector<std::optional<unsigned>> offsets_;  // by `found`, in the text that Clang was given
  bool after_error_ = false;
  bool silent_ = false;  // the notes of the last error are about the prelude
};

// Where the file's code begins: for what is wrong with the file as a whole.
Diagnostic error_at_start(const SourceText& source, std::string message);

}  // namespace swizzle
