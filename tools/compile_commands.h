// compile_commands.json, as CMake and others write it: which CUDA files a build compiles, and with which flags.
//
//   [{"directory": "/b", "file": "../s/a.cu", "command": "nvcc -DTILE=32 -I../inc -std=c++17 -c ../s/a.cu"}]
//     {"../s/a.cu", {macros: "DTILE=32", include_folders: "/inc", standard: "c++17"}}
//
// Of the flags, -D, -U, -I, -isystem, -include and -std count, as nvcc and clang spell them, also in response files
// (@FILE, --options-file FILE). Paths are taken from the entry's directory, and shown from here where they lie below.
//
// Errors: a file that cannot be read, or is none.
#pragma once

#include <string>
#include <vector>

#include "synth/base/diagnostic.h"
#include "synth/program/compile_flags.h"

namespace swizzle {

struct CompileCommand {
  std::string path;
  CompileFlags flags;
  std::vector<std::string> nvcc_flags = {};  // "-arch=compute_90a", "--extended-lambda": what nvcc alone understands
};

// Those of CUDA files; each once for the same flags. `path`: the file, or its folder.
Result<std::vector<CompileCommand>> read_compile_commands(const std::string& path);

// Of one command's arguments, the compiler's name first.
CompileFlags flags_of_command(const std::vector<std::string>& arguments, const std::string& directory);

// The flags of a file, those of `more` behind them. Of several commands, the first.
CompileFlags flags_for(const std::string& path, const std::vector<CompileCommand>& commands, const CompileFlags& more,
                       bool standard_is_set);

// Those of the file's first command for nvcc, `more` behind them. Of several targets, the last.
std::vector<std::string> nvcc_flags_for(const std::string& path, const std::vector<CompileCommand>& commands,
                                        const std::vector<std::string>& more);

}  // namespace swizzle
