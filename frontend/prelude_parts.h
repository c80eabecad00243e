// What a text needs of the prelude: the declarations that it names, and those that these name in turn.
//
//   const PreludeParts prelude("struct int2 { int x, y; };\nint2 make_int2(int x, int y);\nint lane();\n");
//   prelude.named_in("v = make_int2(x, x);")      struct int2 { int x, y; };
//                                                 int2 make_int2(int x, int y);
//   prelude.nearly_named_in("v = lame();")        int lane();
//
// Clang takes some 20 million instructions for the whole prelude and one for what a sketch names, several times a run.
// Nothing that a text does not name can change what it means: overloads of a name are taken together, macros are
// declarations like others, operators come with the types of their operands. Where Clang says what was perhaps meant,
// it looks at other names, too: the *nearly named* are all that it would consider.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace swizzle {

class PreludeParts {
 public:
  // Declarations and lines that define macros; what stands in a namespace other than std is one part.
  explicit PreludeParts(std::string prelude);
  PreludeParts(const PreludeParts&) = delete;
  PreludeParts& operator=(const PreludeParts&) = delete;

  const std::string& all() const { return text_; }
  std::string named_in(std::string_view text) const;
  std::string nearly_named_in(std::string_view text) const;

 private:
  struct Part {
    std::string_view text;
    bool is_in_std = false;
  };
  void add_all(std::string_view text, bool is_in_std);
  void add(const Part& part);
  std::string with_needs(std::vector<std::size_t> found) const;
  std::vector<std::size_t> named(std::string_view text) const;

  std::string text_;
  std::vector<Part> parts_;  // of text_, in its order
  std::unordered_map<std::string_view, std::vector<std::size_t>> by_name_;
  std::vector<std::size_t> always_;  // without a name of their own, or asked for by Clang itself
};

// Whether `text` may make names of pieces, or hide a directive: then no part of a prelude is known to be enough.
bool pastes_names(std::string_view text);

}  // namespace swizzle
