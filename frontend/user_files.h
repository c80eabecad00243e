// Which files of those that clang read are the user's, and what stands where in them as they were written: private to
// frontend/.
//
//   k.cu      f<<<1, 32>>>(x);      clang reads another text: see source_rewrite.h
//   tile.h    load(s);              its offsets go on behind those of k.cu: see SourceText
//
//   files.original(location of `load`)      the offset of `load` in program.source; path_of() there is "tile.h"
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "frontend/source_rewrite.h"

namespace clang {
class ASTContext;
class SourceLocation;
class SourceManager;
}  // namespace clang

namespace swizzle {

// A header that clang reads otherwise than it lies on the disk.
struct RewrittenHeader {
  std::string written;
  RewrittenSource read;
};
using RewrittenHeaders = std::map<std::string, RewrittenHeader>;  // by normal path

class UserFiles {
 public:
  // The main file alone, as that of a sketch.
  explicit UserFiles(const RewrittenSource& main) : main_(&main) {}
  // With the headers that clang read and that are not the prelude's: `source` takes their text in.
  static UserFiles with_headers(const RewrittenSource& main, const RewrittenHeaders& rewritten,
                                clang::ASTContext& context, SourceText& source);

  // Whether the use of a macro, or what stands there itself, is the user's.
  bool hold(const clang::SourceManager& sources, clang::SourceLocation location) const;
  // Of a location in a file that these hold, not in a macro.
  std::uint32_t original(const clang::SourceManager& sources, clang::SourceLocation location) const;
  // Where the offsets of a header begin; nothing: clang has not read it.
  std::optional<std::uint32_t> begin_of(const std::string& normal_path) const;

 private:
  struct Header {
    std::uint32_t begin = 0;                     // of its offsets
    const RewrittenSource* rewritten = nullptr;  // null: clang read it as it is
  };
  const RewrittenSource* main_;
  std::map<unsigned, Header> headers_;           // by the hash of clang's FileID
  std::map<std::string, std::uint32_t> begins_;  // a header may be read more than once
};

}  // namespace swizzle
