// A CUDA file and its headers as clang reads them for a check: private to frontend/. What clang does not understand is
// kept by place: most of it is none of the kernels' business.
//
//   #include "tile.h"              is read; launches in it are rewritten as those of the file are
//   #include <cub/cub.cuh>         does not lie here: an empty header stands for it
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <clang/Basic/Diagnostic.h>

#include "frontend/syntax_tree.h"
#include "frontend/user_files.h"
#include "synth/base/diagnostic.h"
#include "synth/program/compile_flags.h"

namespace swizzle {

class CheckErrors : public clang::DiagnosticConsumer {
 public:
  struct Error {
    clang::SourceLocation where;  // in a file
    unsigned length = 1;
    std::string message;
    bool in_main = true;
    std::uint32_t begin = 0;   // in_main: in the text that clang was given
    bool in_instance = false;  // of a template
  };
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info) override;
  std::vector<clang::SourceLocation> places() const;

  std::vector<Error> found;
  std::set<std::string> missing;  // headers
};

class CheckUnit {
 public:
  // `text` is the main file's, launches rewritten.
  explicit CheckUnit(CompileFlags flags) : flags_(std::move(flags)) {}
  void parse(const std::string& text, const std::string& path);
  // What clang reads of a header from now on, in place of what lies there.
  RewrittenSource& read_of_header(clang::FileID header);
  std::string normal_path(clang::FileID header) const;

  bool is_parsed() const { return static_cast<bool>(tree_); }
  bool is_whole() const { return tree_.is_whole(); }  // else the last error says why not
  clang::ASTContext& context() const { return tree_.context(); }
  const CheckErrors& errors() const { return errors_; }
  const RewrittenHeaders& headers() const { return headers_; }
  std::set<std::string> unread() const;  // headers that clang asked for and that do not lie here
  // That one of them is not read, where another header includes it. Nothing: none does.
  std::optional<Diagnostic> unread_in_header(const std::string& header) const;

 private:
  void scan(const std::string& text, const std::string& path);
  bool is_all_that_is_read(const std::string& text) const;

  CompileFlags flags_;
  SyntaxTree tree_;
  CheckErrors errors_;
  bool has_scanned_ = false;
  bool reads_libraries_ = false;   // of the toolkit
  std::string missing_operators_;  // text that stands in for what those libraries no longer define
  std::map<std::string, Diagnostic> unread_in_headers_;
  std::set<std::string> stubs_;  // empty headers
  RewrittenHeaders headers_;
};

}  // namespace swizzle
