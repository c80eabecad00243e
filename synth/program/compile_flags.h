// CompileFlags: what a build tells its compiler about a file.
//
//   -DTILE=32 -UNDEBUG -include sizes.h        preamble():  #define TILE 32
//                                                           #undef NDEBUG
//                                                           #include "sizes.h"
//
// The preamble opens the emitted kernel, which then stands alone: it is completed for these values.
#pragma once

#include <string>
#include <vector>

namespace swizzle {

struct CompileFlags {
  std::vector<std::string> macros;           // in their order: "DTILE=32", "DSQUARE(x)=x*x", "UNDEBUG"
  std::vector<std::string> include_folders;  // -I
  std::vector<std::string> forced_headers;   // -include
  std::string standard = "c++17";            // "c++20"
  std::string library_folder = {};           // where the toolkit has CUB, which checks read; empty: nowhere
};

// The lines that define the macros: `-DN` is `#define N 1`, as compilers have it.
std::string macro_lines(const CompileFlags& flags);

// These and the forced headers, a line each; without those that `text` has already.
std::string preamble(const CompileFlags& flags, const std::string& text = "");

}  // namespace swizzle
