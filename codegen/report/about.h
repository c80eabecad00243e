// What every report says of the run that wrote it: which program, called how, on which files, with what to say.
//
//   "tool": {"name": "swizzle-synth", "version": "0.1.0", "llvm": "19.1.7", "z3": null},
//   "command": {"arguments": ["a.cu", "--spec", "a.cpp"], "folder": "/home/ada/kernels"},
//   "files": [{"role": "sketch", "path": "a.cu", "sha256": "ba78…"}], "exit_code": 0, "diagnostics": []
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "synth/base/diagnostic.h"

namespace swizzle {

struct SourceFile {
  std::string role;  // "sketch", "spec", "header", "kernel"
  std::string path;
  std::optional<std::string> sha256;  // nothing: it cannot be read
};

// Something that is said of the sources: what is wrong with them, or what was found.
struct Finding {
  enum class Kind { kFail, kOpen, kPass };  // open: nothing tells whether there is something wrong
  std::string rule;                         // "error", "warning", "note", "infeasible", …: those of sarif.cpp
  Kind kind = Kind::kFail;
  Diagnostic said;
  Diagnostics notes = {};
  std::optional<std::string> ignored = {};  // the reason that a comment at its line gives: it fails nothing
  bool is_known = false;                    // an earlier run found it, and that is accepted: likewise

  bool is_accepted() const { return ignored.has_value() || is_known; }
};

struct About {
  std::string version, llvm;
  std::optional<std::string> z3;
  std::vector<std::string> arguments;  // behind the program's name
  std::string folder;                  // that it was called in
  std::vector<SourceFile> files;
  std::optional<int> exit_code;
  std::vector<Finding> findings;
  std::optional<std::uint64_t> peak_memory_bytes;
};

// Errors and warnings, each with the notes behind it.
std::vector<Finding> findings_of(const Diagnostics& diagnostics);

// Adds what `about` says to a report.
void add_about(const About& about, nlohmann::ordered_json& report);

// One object each: severity, rule, path, line, column, end_column (behind the last), message, notes.
nlohmann::ordered_json findings_json(const std::vector<Finding>& findings);

// 1-based, counted in characters of the line.
struct Columns {
  int begin = 0, end = 0;  // end: behind the last
};
Columns columns_of(const Diagnostic& diagnostic);

}  // namespace swizzle
