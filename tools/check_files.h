// Which files `check` is asked for, and the flags of each.
//
//   a.cu                        itself
//   src                         *.cu below it, and *.cuh that have kernels; what begins with a dot is passed by
//   'src/**/*_kernel.cu'        what matches: * and ? within a name, ** for folders, as many as there are
//   build/compile_commands.json the CUDA files of a build
//   build/app                   the PTX that it carries: see driver/embedded_ptx.h
//
// Errors: what does not exist, or leads to no file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/options.h"

namespace swizzle {

struct FileToCheck {
  std::string path;
  std::optional<std::string> text;  // in place of what the file holds
  CompileFlags flags;
  std::vector<std::string> nvcc_flags;
};

// In the order of the arguments, those of a folder by name; each once for the same flags.
Result<std::vector<FileToCheck>> files_to_check(const CheckOptions& options);

// Whether the arguments ask for one file, by its name, which is its own text.
bool names_one_file(const CheckOptions& options);

// "src/**/*.cu" and a path that may match it, both with slashes.
bool matches_glob(const std::string& glob, const std::string& path);

}  // namespace swizzle
