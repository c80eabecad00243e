// Statements that a template's instance cannot have: private to frontend/.
//
// clang gives an instance no body if one of its statements does not fit (an unknown member of an unknown type). To
// follow the rest, such statements are taken out of the text, and it is parsed again.
#pragma once

#include <cstdint>
#include <vector>

#include <clang/AST/ASTContext.h>
#include <clang/Basic/SourceLocation.h>

namespace swizzle {

// Half-open, in the text that clang was given of a file.
struct TextRange {
  clang::FileID file;
  std::uint32_t begin = 0, end = 0;
  std::uint32_t size() const { return end - begin; }
  bool holds(clang::FileID of, std::uint32_t at) const { return of == file && begin <= at && at < end; }
  bool operator<(const TextRange& other) const {
    return file != other.file ? file < other.file : begin != other.begin ? begin < other.begin : end < other.end;
  }
};

// In which templates statements may be left out: of the main file, or device code of it and its headers. Host code of
// headers is left as it is.
enum class RepairedCode { kMainFile, kDevice };

// The innermost statements around `errors` (places in files) in templates of which an instance has no body.
std::vector<TextRange> statements_to_leave_out(clang::ASTContext& context, RepairedCode which,
                                               const std::vector<clang::SourceLocation>& errors);

}  // namespace swizzle
