// The headers that a file includes, and which of them lie elsewhere.
//
//   #include <cuda_runtime.h>      the prelude stands for it
//   #include "tile.h"              is read, if it lies beside the file
//   #include <cub/cub.cuh>         does not lie here: what it declares is not followed
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "frontend/user_files.h"
#include "synth/base/diagnostic.h"
#include "synth/program/compile_flags.h"

namespace swizzle {

// The headers that `text` includes, in its order; an empty name where a macro tells which.
std::vector<std::string> included_names(const std::string& text);

// The headers that `text` includes and that do not lie in these folders.
std::set<std::string> headers_elsewhere(const std::string& text, const std::vector<std::string>& include_folders);

// The headers that a file includes, those that they include, and so on. Conditions of the preprocessor are not looked
// at.
struct ScannedHeaders {
  bool reads_libraries = false;              // CUB, and what it stands on
  bool names_cub = false;                    // that kernels use
  std::set<std::string> missing;             // as they are included
  RewrittenHeaders rewritten;                // those that launch kernels
  std::map<std::string, Diagnostic> unread;  // of missing ones that headers include: that they are not read, and where
};
std::string unread_text(const std::string& header);
ScannedHeaders scan_headers(const std::string& text, const std::string& path, const CompileFlags& flags);

// What the prelude stands for, and what only host code needs.
bool is_covered(const std::string& header);

}  // namespace swizzle
