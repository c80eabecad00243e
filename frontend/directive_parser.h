// The `#pragma swizzle` lines of a file: see synth/program/directives.h for the language.
#pragma once

#include <string>
#include <variant>

#include "synth/base/diagnostic.h"
#include "synth/program/directives.h"

namespace swizzle {

// `constants`: of the file, by name: see integer_constants.h.
Result<Directives> parse_directives(const SourceText& source, const Sizes& constants = {});

// Also those in comments, as emitted kernels carry them: `// swizzle launch grid(4) block(32)`. Where both stand, a
// pragma counts; a comment that only starts with the word is none. An error is one with nearly the name of a directive
// and what would stand behind it: `// swizzle chek n = 64`.
Result<Directives> parse_directives_in_comments(const SourceText& source, const Sizes& constants = {});

// `--machine NAME` over what the file says; empty: as it says. An error where the two are different machines.
Result<std::monostate> use_machine(const std::string& name, const SourceText& source, Directives& directives);

}  // namespace swizzle
