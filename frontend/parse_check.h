// Parsing a CUDA file as it is, to check its kernels: what cannot be followed is left out, and said.
//
//   transpose<32><<<grid, block>>>(out, in, 1024);     instantiates the template, and tells its launch as far as
//                                          constants do: block (32, 8), n = 1024
//
// Sources of kernels: functions that are no templates, the instances of templates, and `name<32>` where it is asked
// for. A template that nothing instantiates is taken with its default arguments, and float for types without any. Of
// headers, those that the file launches or instantiates; all, if it has none of its own.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frontend/launch_in_file.h"
#include "synth/program/compile_flags.h"
#include "synth/program/program.h"

namespace swizzle {

struct CheckedKernel {
  Program program;                     // program.skipped: what is left out of it
  std::string name;                    // "transpose<32>"
  std::string mangled;                 // as compilers call it; empty: there is no telling
  std::vector<LaunchInFile> launches;  // in host code
  std::optional<int> launch_bounds;    // threads of a block at most
  Diagnostics remarks;                 // headers that are not read, template arguments that nothing tells: warnings
};

struct KernelLeftOut {
  std::string name;
  Diagnostic why;
};

struct ParsedKernels {
  SourceText source;                    // with its headers
  std::vector<CheckedKernel> kernels;   // none only if some are left out
  std::vector<KernelLeftOut> left_out;  // templates whose arguments nothing tells, and what does not parse
};

// `kernel_name`: empty for all, "name", or "name<32>". `instances`: "name<32>", counted besides what the
// file instantiates, where it names such a template. Headers are read that lie in the folders of `flags`. Errors: no
// such kernel; a directive that does not parse.
Result<ParsedKernels> parse_for_check(SourceText file, const std::string& kernel_name, const CompileFlags& flags = {},
                                      const std::vector<std::string>& instances = {});

}  // namespace swizzle
