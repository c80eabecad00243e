// The command line, as a value.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "codegen/report/overview_text.h"
#include "driver/all_sizes.h"
#include "driver/recording.h"
#include "synth/program/compile_flags.h"
#include "synth/program/directives.h"

namespace swizzle {

enum class DiagnosticsAs { kText, kJson, kSarif };
enum class CheckFormat { kText, kGithub, kJson, kSarif };
enum class ColorWhen { kAuto, kAlways, kNever };

struct Options {
  std::vector<std::string> arguments;        // of the whole command, response files in place
  std::vector<std::string> sketches, specs;  // as given; sketch and spec are the first of them
  std::vector<std::string> spec_functions;   // of `--spec FILE:FUNCTION`, by spec; empty: none is named
  std::string sketch, spec, spec_function, output, report, kernel, draw, machine, smt_folder, cache, depfile;
  std::string arch = "sm_90";
  CompileFlags flags;
  RunAt run = RunAt::kAuto;
  Proof proof = Proof::kAuto;
  Groups groups = Groups::kAlike;  // that are executed
  DiagnosticsAs diagnostics = DiagnosticsAs::kText;
  ColorWhen color = ColorWhen::kAuto;
  Sizes set;
  bool first = false, verbose = false, widen = false, certify = false, no_suggestions = false;
  bool stamp = false, check_up_to_date = false;
  bool tune = false;  // time the best variants and completions
  std::size_t all = 0;
  double time_limit_seconds = 60;
  bool time_limit_is_set = false;  // by the user
  int jobs = 1;
  bool verifies = false;  // `swizzle-synth verify`: the sketch is a kernel without holes
  int at_once = 1;        // runs that share the memory
};

// Of `swizzle-synth check`.
struct CheckOptions {
  std::vector<std::string> arguments;
  std::vector<std::string> files;  // as given; file is the first of them
  std::string file, kernel, json, sarif, launch, draw, machine, baseline, recorded, cache;
  std::shared_ptr<const Recording> recording;          // read from `recorded`
  std::optional<std::string> file_text;                // in place of what the file holds
  std::string database;                                // compile_commands.json, or its folder
  std::vector<std::string> exclude;                    // globs
  std::set<std::string> rules;                         // that say something
  std::set<std::string> fail_on;                       // those that make it fail
  std::map<std::string, std::string> kernel_launches;  // by kernel; `launch` is that of the others
  CompileFlags flags;
  bool standard_is_set = false;  // by the user
  CheckFormat format = CheckFormat::kText;
  OverviewSort sort = OverviewSort::kLost;
  DiagnosticsAs diagnostics = DiagnosticsAs::kText;
  ColorWhen color = ColorWhen::kAuto;
  Sizes set;
  bool fail_on_conflicts = false, allow_uncounted = false, all_blocks = false;
  bool update_baseline = false, verbose = false, suggest = false, fix = false, no_pads = false, init = false;
  bool is_one_of_several = false;
  bool by_ptx = false, by_text = false;  // of these alone; else as check_either_way() has it
  std::vector<std::string> nvcc_flags;   // for PTX
  int jobs = 0;                          // 0: as many as there are processors
  double time_limit_seconds = 60;
  std::int64_t step_limit = 3'000'000;
};

struct RecordOptions {
  std::vector<std::string> application;  // and its arguments
  std::string output = "launches.json";
  ColorWhen color = ColorWhen::kAuto;
};

// Parses what stands behind the program's name, and the command's. Returns nothing when the program should go on, else
// the exit code (usage errors and --help are printed here).
std::optional<int> parse_options(const std::vector<std::string>& arguments, Options& options);
std::optional<int> parse_verify_options(const std::vector<std::string>& arguments, Options& options);
std::optional<int> parse_check_options(const std::vector<std::string>& arguments, CheckOptions& options);
std::optional<int> parse_record_options(const std::vector<std::string>& arguments, RecordOptions& options);

// The whole command; returns the exit code.
int synthesize(const Options& options);

}  // namespace swizzle
