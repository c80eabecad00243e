#include <algorithm>
#include <set>
#include <sstream>

#include <fmt/ranges.h>

#include "tools/command_line.h"
#include "tools/command_list.h"
#include "tools/options.h"

namespace swizzle {
namespace {

// "block(256)" of --launch, or "copy=block(256)".
void set_launch(CheckOptions& options, const std::string& text) {
  const std::size_t equals = text.find('=');
  const bool has_name = equals != std::string::npos && equals < text.find('(');
  std::string& launch = has_name ? options.kernel_launches[text.substr(0, equals)] : options.launch;
  if (!launch.empty())
    throw CLI::ValidationError("--launch", "'" + text + "' is a second one; NAME=… is for one kernel");
  launch = has_name ? text.substr(equals + 1) : text;
}

constexpr const char* kRuleNames[] = {"bank-conflict", "misaligned",        "out-of-bounds", "race",
                                      "warp-race",     "read-before-write", "barrier",       "uncoalesced"};
constexpr int kRulesByDefault = 3;  // the first of them

// "race,misaligned", "all".
std::set<std::string> rules_named(const std::string& flag, const std::vector<std::string>& given) {
  std::set<std::string> rules;
  for (const std::string& list : given) {
    std::istringstream words(list);
    for (std::string word; std::getline(words, word, ',');) {
      const bool is_known = std::find(std::begin(kRuleNames), std::end(kRuleNames), word) != std::end(kRuleNames);
      if (word == "all") rules.insert(std::begin(kRuleNames), std::end(kRuleNames));
      else if (is_known) rules.insert(word);
      else
        throw CLI::ValidationError(
            flag, fmt::format("there is no rule '{}'; there are {}, or all", word, fmt::join(kRuleNames, ", ")));
    }
  }
  return rules;
}

void set_rules(CheckOptions& options, const std::vector<std::string>& rules, const std::vector<std::string>& fail_on) {
  options.rules = rules_named("--rules", rules);
  if (rules.empty()) options.rules = {std::begin(kRuleNames), std::begin(kRuleNames) + kRulesByDefault};
  options.fail_on = rules_named("--fail-on", fail_on);
  if (options.fail_on_conflicts) options.fail_on.insert("bank-conflict");
  options.rules.insert(options.fail_on.begin(), options.fail_on.end());
  options.fail_on_conflicts = !options.fail_on.empty();
}

}  // namespace

CheckCommand::CheckCommand(CheckOptions& options)
    : app_("Counts the shared-memory wavefronts and global-memory sectors of every access of a CUDA file's kernels."),
      options_(options) {
  app_.name("swizzle-synth check");
  add_files();
  add_launches();
  add_reports();
  add_gate();
  add_output_style(app_, options.diagnostics, options.color);
}

void CheckCommand::add_files() {
  CheckOptions& options = options_;
  app_.add_option("KERNEL", options.files,
                  "CUDA files, PTX files, compiled files, folders, globs, or compile_commands.json")
      ->required();
  app_.add_option("-p", options.database, "a compile_commands.json, or its folder: flags of the files that are named");
  app_.add_option("--exclude", options.exclude, "a glob of files to leave out")->allow_extra_args(false);
  compile_flags_.add(app_, options.flags);
  auto* by_ptx = app_.add_flag("--ptx", options.by_ptx,
                               "count in the PTX that nvcc makes of the file; flags behind -- are for nvcc alone");
  app_.add_flag("--no-ptx", options.by_text, "never, also where not all of a kernel can be read")->excludes(by_ptx);
  app_.add_option("--cache", options.cache,
                  "of several files: a folder where reports are kept for files that have not changed");
  app_.add_option("--jobs", options.jobs, "of several files, how many at once; otherwise one for each processor")
      ->transform(positive<int>("a positive number of processes"))
      ->type_name("TEXT");
  app_.add_option("--time-limit", options.time_limit_seconds, "of several files, seconds for each, 60 by default")
      ->transform(positive<double>("a positive number of seconds"))
      ->type_name("TEXT");
}

// What is counted of a kernel.
void CheckCommand::add_launches() {
  CheckOptions& options = options_;
  app_.add_option("--kernel", options.kernel, "one kernel: name, or name<32> for a template; otherwise all");
  app_.add_option("--launch", launches_, "'grid(4, 4) block(32, 8)', or the block alone; NAME=… for one kernel")
      ->allow_extra_args(false);
  app_.add_option("--set", set_, "name=value: a parameter that is a number")->allow_extra_args(false);
  app_.add_option("--recorded", options.recorded,
                  "a file of `swizzle-synth record`: count the launches that it holds, and no others")
      ->excludes("--launch")
      ->excludes("--set");
  app_.add_option("--machine", options.machine,
                  "sm_90 (or h200), or toy8 of 8 lanes and 8 banks; otherwise as the file says, or sm_90")
      ->check(known_machine());
  app_.add_option("--step-limit", options.step_limit, "evaluated statements and expressions of a kernel")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app_.add_flag("--all-blocks", options.all_blocks,
                "count in every block, not only in the first, the middle and the last one");
}

void CheckCommand::add_reports() {
  CheckOptions& options = options_;
  add_choice(app_, "--format", options.format, {"text", "github", "json", "sarif"},
             "what goes to standard output: tables, annotations of GitHub's, or a report");
  app_.add_option("--json", options.json, "where a JSON report goes; - for standard output, instead of the table");
  app_.add_option("--sarif", options.sarif, "where a SARIF 2.1.0 log goes");
  app_.add_option("--draw", options.draw, "an SVG of the worst access and its tile; - for text on standard output");
  app_.add_flag("--suggest", options.suggest,
                "of each array with conflicts the smallest pad and swizzle that remove them");
  app_.add_flag("--fix", options.fix,
                "write the first of these into the files, where the kernels then compute the same");
  app_.add_flag("--no-pads", options.no_pads, "of these the swizzles alone: no array grows");
  app_.add_flag("--init", options.init,
                "write .swizzle-synth.toml: what is known of each kernel's launch, and what is not");
  add_choice(app_, "--sort", options.sort, {"lost", "share", "worst", "kernel", "file"},
             "of several files' kernels: by lost wavefronts, their share, the worst access, or name");
  app_.add_flag("-v", options.verbose,
                "of several files: kernels without conflicts, and each thing that was not counted");
}

// What fails, and what does not.
void CheckCommand::add_gate() {
  CheckOptions& options = options_;
  app_.add_flag("--fail-on-conflicts", options.fail_on_conflicts,
                "exit code 4 if there are bank conflicts, 20 if something was not counted");
  app_.add_flag("--allow-uncounted", options.allow_uncounted,
                "with --fail-on-conflicts: what was not counted may pass");
  app_.add_option("--rules", rules_,
                  "what to tell of, with commas: bank-conflict, misaligned, out-of-bounds, race, "
                  "warp-race, read-before-write, barrier, uncoalesced; otherwise the first three")
      ->allow_extra_args(false);
  app_.add_option("--fail-on", fail_on_,
                  "likewise: exit code 4 if one of them is found, 20 if something was not counted")
      ->allow_extra_args(false);
  auto* baseline =
      app_.add_option("--baseline", options.baseline, "a file of conflicts that are accepted: only others fail");
  app_.add_flag("--update-baseline", options.update_baseline, "write what is found now into the file of --baseline")
      ->needs(baseline);
}

// Behind --, if --ptx is before it: nvcc's.
std::optional<int> CheckCommand::parse(const std::vector<std::string>& arguments) {
  const auto dashes = std::find(arguments.begin(), arguments.end(), "--");
  const bool has_flags = std::find(arguments.begin(), dashes, "--ptx") != dashes;
  const auto end = has_flags ? dashes : arguments.end();
  if (end != arguments.end()) options_.nvcc_flags.assign(end + 1, arguments.end());
  return parse_command(app_, {arguments.begin(), end}, [&] {
    options_.arguments = arguments;
    options_.file = options_.files[0];
    compile_flags_.finish(app_, options_.flags);
    set_rules(options_, rules_, fail_on_);
    options_.standard_is_set = app_.count("--std") > 0;
    keep_to_svg(options_.draw);
    if (options_.json == "-") options_.format = CheckFormat::kJson;
    for (const std::string& s : set_) set_size(options_.set, s);
    for (const std::string& l : launches_) set_launch(options_, l);
  });
}

std::optional<int> parse_check_options(const std::vector<std::string>& arguments, CheckOptions& options) {
  return CheckCommand(options).parse(arguments);
}

}  // namespace swizzle
