// Diagnostics and Result<T>: how every phase says "no".
//
// A phase returns Result<T>: a value, or the diagnostics that explain why there is none. No exception
// crosses a header. A diagnostic names the narrowest wrong range of a file and prints as clang does:
//
//   sketches/aos3.cu:14:23: error: index 32 is outside 'rc' of 2 registers
//       out += rc[tid];
//                 ^~~
//   sketches/aos3.cu:9:3: note: 'rc' is declared here
//
// Lines and columns are 1-based; offsets are 0-based bytes into the file.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace swizzle {

// What messages call a source: "<stdin>" for "-".
std::string shown_path(const std::string& path);

// A half-open byte range [begin, end) of one source file.
struct SourceRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  friend bool operator==(const SourceRange&, const SourceRange&) = default;
};

struct LineColumn {
  int line = 0;
  int column = 0;
};

// A file as the user wrote it, and perhaps headers: the offsets of one go on behind those of the other.
//
//   SourceText file("k.cu", "f();\n");                                        offsets 0 … 5
//   file.add_header(SourceText("f.h", "\nvoid f();\n"));                 = 6: offsets 6 … 17
//   file.path_of(7), file.locate(7)                                      = "f.h", {2, 1}
class SourceText {
 public:
  SourceText() = default;
  SourceText(std::string path, std::string text);

  // Of the file itself.
  const std::string& path() const { return path_; }
  const std::string& text() const { return text_; }

  // Of the file in which an offset lies.
  const std::string& path_of(std::uint32_t offset) const;
  std::string_view slice(SourceRange range) const;
  LineColumn locate(std::uint32_t offset) const;
  std::string_view line_of(std::uint32_t offset) const;  // the whole line, without its newline
  // Of the file or header of this path, line 1 being the first; empty: there is none.
  std::string_view line_at(const std::string& path, int line) const;
  bool is_in_header(std::uint32_t offset) const { return offset > text_.size(); }

  std::uint32_t add_header(SourceText header);  // where its offsets begin

 private:
  struct Header;
  const Header* header_of(std::uint32_t offset) const;  // null: the file itself

  std::string path_;
  std::string text_;
  std::vector<std::uint32_t> line_starts_;
  std::shared_ptr<const std::vector<Header>> headers_;  // by offset; copies share them
};

struct SourceText::Header {
  std::uint32_t begin = 0;
  SourceText file;
};

enum class Severity { kError, kWarning, kNote };
const char* name_of(Severity severity);  // "error", …

struct Diagnostic {
  Severity severity = Severity::kError;
  std::string path;          // empty: not about a file
  LineColumn where;          // line 0: about the file as a whole
  int width = 0;             // columns to underline after the caret
  std::string excerpt;       // the line of source that the caret points into
  std::string message;       // lower case, no period
  bool breaks_rule = false;  // no kernel may do this, whatever it is for: leave a buffer, race, store elsewhere
  bool lacks_lanes = false;  // … or not at this size: lanes that a shuffle waits for do not come
  bool is_too_long = false;  // to execute: nothing is said against the kernel
  bool is_refused = false;   // not followed here: a kernel may do it, and be right
  struct Length {
    std::string buffer, elements;  // "u", "nx * ny"
  };
  std::optional<Length> longer = {};  // with which a buffer of unknown length would not be left
};

using Diagnostics = std::vector<Diagnostic>;

Diagnostic make_error(std::string message);
Diagnostic make_diagnostic(Severity severity, const SourceText& source, SourceRange range, std::string message);
Diagnostic make_error(const SourceText& source, SourceRange range, std::string message);
Diagnostic make_note(const SourceText& source, SourceRange range, std::string message);

// The text a compiler would print, with excerpt and caret, ending in a newline. Of a line beyond 160 bytes, the part
// around the caret is shown. kAnsi: with a terminal's escape sequences.
enum class Colors { kNone, kAnsi };
std::string render(const Diagnostic& diagnostic, Colors colors = Colors::kNone);
std::string painted(const std::string& text, const char* color, Colors colors);  // `color`: "1;31", bold and red

// A value, or why there is none. `ok()` ⇔ there is a value ⇔ errors() is empty.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}
  Result(Diagnostic error) : state_(Diagnostics{std::move(error)}) {}
  Result(Diagnostics errors) : state_(std::move(errors)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }
  T& operator*() { return std::get<0>(state_); }
  const T& operator*() const { return std::get<0>(state_); }
  T* operator->() { return &std::get<0>(state_); }
  const T* operator->() const { return &std::get<0>(state_); }
  const Diagnostics& errors() const { return std::get<1>(state_); }

 private:
  std::variant<T, Diagnostics> state_;
};

}  // namespace swizzle
