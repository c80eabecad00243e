// A file as Clang reads it. Clang's Tooling headers are slow to compile, and known to syntax_tree.cpp alone.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace clang {
class ASTContext;
class DiagnosticConsumer;
}  // namespace clang

namespace swizzle {

class SyntaxTree {
 public:
  // (path, text), both as Clang sees them.
  using Header = std::pair<std::string, std::string>;

  // `text`, said to stand at `path`; `headers` are there for this parse only. `errors` must outlive the tree.
  static SyntaxTree parse(const std::string& text, const std::string& path, const std::vector<std::string>& arguments,
                          const std::vector<Header>& headers, clang::DiagnosticConsumer& errors);

  SyntaxTree() = default;
  explicit operator bool() const { return reading_ != nullptr; }  // false if Clang could not start
  bool is_whole() const;  // false: too much is nested for the rest to be read, which is told as an error
  clang::ASTContext& context() const;

 private:
  struct Reading;
  std::shared_ptr<const Reading> reading_;
};

}  // namespace swizzle
