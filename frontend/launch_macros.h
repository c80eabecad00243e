// Macros that hold a part of a launch: its configuration, or all but its arguments. As raw text, before clang.
//
//   #define CFG(g, b) <<<g, b>>>              f CFG(4, 64)(x);         the configuration of a launch of f: 4, 64
//   #define LAUNCH(k, n) k<<<n / 64, 64>>>    LAUNCH(f, 128)(x);       the macro is a launch whose arguments follow it
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "synth/base/text.h"

namespace swizzle {

class LaunchMacros {
 public:
  // The configuration macros that the text defines.
  explicit LaunchMacros(const std::string& text);

  struct Use {
    std::vector<std::string> parts;  // of the configuration: grid, block, …
    std::size_t end = 0;             // behind the use
  };
  // Where the name of such a macro stands at `at`, with its arguments.
  std::optional<Use> use_at(std::size_t at) const;

  // Whether [begin, end) is in a `#define`, and nothing stands behind it there, or before it.
  bool ends_definition(std::size_t begin, std::size_t end) const;
  bool begins_definition(std::size_t begin) const;

 private:
  struct Macro {
    std::vector<std::string> parameters, parts;
  };
  // Of the definition around `at`, behind its name and parameters; and where its last line ends.
  struct Body {
    std::size_t name = 0, begin = 0, end = 0;
    std::vector<std::string> parameters;
  };
  std::optional<Body> body_around(std::size_t at) const;
  bool ends_line(std::size_t at) const { return text_[at] == '\n' && !goes_on_behind(text_, at); }

  const std::string& text_;
  std::map<std::string, Macro> macros_;
};

}  // namespace swizzle
