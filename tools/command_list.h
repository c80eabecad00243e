// The commands of the program, each with its flags: what parses them, completes them in a shell and documents them is
// one and the same list.
//
//   Options options;
//   SynthesisCommand(options).parse({"a.cu", "--spec", "a.cpp"});       nothing: the program goes on
//   described(SynthesisCommand(options).app()).flags[0].names           {"--help", "-h"}
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "tools/compile_options.h"
#include "tools/options.h"

namespace swizzle {

class SynthesisCommand {
 public:
  // Also of `verify`, which has fewer flags: options.verifies says which.
  explicit SynthesisCommand(Options& options);
  std::optional<int> parse(const std::vector<std::string>& arguments);  // see parse_options()
  const CLI::App& app() const { return app_; }

 private:
  void add_files();
  void add_outputs();
  void add_sizes();
  void add_choices();
  void add_search();

  CLI::App app_;
  Options& options_;
  std::vector<std::string> set_;  // as given
  CompileOptions compile_flags_;
};

class CheckCommand {
 public:
  explicit CheckCommand(CheckOptions& options);
  std::optional<int> parse(const std::vector<std::string>& arguments);
  const CLI::App& app() const { return app_; }

 private:
  void add_files();
  void add_launches();
  void add_reports();
  void add_gate();

  CLI::App app_;
  CheckOptions& options_;
  std::vector<std::string> set_, launches_, rules_, fail_on_;  // as given
  CompileOptions compile_flags_;
};

class RecordCommand {
 public:
  explicit RecordCommand(RecordOptions& options);
  std::optional<int> parse(const std::vector<std::string>& arguments);
  const CLI::App& app() const { return app_; }

 private:
  CLI::App app_;
  RecordOptions& options_;
};

// --diagnostics and --color.
void add_output_style(CLI::App& app, DiagnosticsAs& diagnostics, ColorWhen& color);

struct FlagDescription {
  std::vector<std::string> names;    // "--run"; with one dash, too: "-o", "-include"
  std::string help, value;           // value: "TEXT", "auto|cpu|gpu|none"; empty: it takes none
  std::vector<std::string> choices;  // "auto", "cpu", …
};

struct CommandDescription {
  std::string name, purpose, operand;  // "check", …, "KERNEL"; the first command has no name
  std::vector<FlagDescription> flags;
};

CommandDescription described(const CLI::App& app);
std::vector<CommandDescription> all_commands();

}  // namespace swizzle
