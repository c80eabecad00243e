// The command line, as a value.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "driver/all_sizes.h"
#include "synth/program/directives.h"

namespace swizzle {

struct Options {
  std::string sketch, spec, output, report, kernel, draw, machine, smt_folder;
  std::string arch = "sm_90";
  RunAt run = RunAt::kAuto;
  Proof proof = Proof::kAuto;
  Sizes set;
  bool first = false, verbose = false, widen = false, certify = false;
  std::size_t all = 0;
  double time_limit_seconds = 60;
  bool time_limit_is_set = false;  // by the user
  int jobs = 1;
};

// Of `swizzle-synth check`.
struct CheckOptions {
  std::string file, kernel, json, launch, draw, machine;
  std::map<std::string, std::string> kernel_launches;  // by kernel; `launch` is that of the others
  std::vector<std::string> include_folders;
  Sizes set;
  bool fail_on_conflicts = false, allow_uncounted = false, all_blocks = false;
  std::int64_t step_limit = 3'000'000;
};

// Parses argv. Returns nothing when the program should go on, else the exit code (usage errors and --help are
// printed here).
std::optional<int> parse_options(int argc, char** argv, Options& options);
std::optional<int> parse_check_options(int argc, char** argv, CheckOptions& options);  // argv from `check` on

// The whole command; returns the exit code.
int synthesize(const Options& options);

}  // namespace swizzle
