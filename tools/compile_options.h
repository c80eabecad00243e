// -D, -U, -I, -include and -std, as compilers take them.
//
//   CompileOptions given;
//   given.add(app, flags);          before the command line is parsed
//   given.finish(app, flags);       behind it: flags.macros is {"DTILE=32", "UNDEBUG"}, in their order
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "synth/program/compile_flags.h"

namespace swizzle {

class CompileOptions {
 public:
  void add(CLI::App& app, CompileFlags& flags);
  // Throws CLI::ValidationError at what is no macro's name.
  void finish(const CLI::App& app, CompileFlags& flags) const;

 private:
  std::vector<std::string> defined_, undefined_;  // as given
};

}  // namespace swizzle
