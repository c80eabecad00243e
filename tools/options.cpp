#include "tools/options.h"

#include <charconv>
#include <filesystem>
#include <map>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "synth/base/nearest.h"
#include "synth/machine/wavefronts.h"
#include "tools/exit_codes.h"

namespace swizzle {
namespace {

constexpr std::size_t kAllUnlessNumbered = 1000;

// The whole of `text` as a number.
template <typename Number>
std::optional<Number> parse_number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

// Of an option: a number above 0, `what` in words.
template <typename Number>
CLI::Validator positive(const std::string& what) {
  const auto rewrite = [what](std::string& text) -> std::string {
    const auto value = parse_number<Number>(text);
    if (!value || !(*value > 0)) return "expected " + what + ", got '" + text + "'";
    text = fmt::format("{}", *value);  // CLI11 takes 010 for eight
    return "";
  };
  return {rewrite, "", ""};
}

// One of some words, as the enumerator that it stands for.
template <typename Choice>
CLI::Validator one_of(const std::map<std::string, Choice>& choices, const std::string& words) {
  const auto rewrite = [choices, words](std::string& text) -> std::string {
    const auto known = choices.find(text);
    if (known == choices.end()) return "expected " + words + ", got '" + text + "'";
    text = std::to_string(static_cast<int>(known->second));
    return "";
  };
  return {rewrite, "", ""};
}

// To standard output goes the kernel already, unless -o names a file.
void keep_standard_output(const std::string& option, const std::string& value, const Options& options) {
  if (value == "-" && (options.output.empty() || options.output == "-"))
    throw CLI::ValidationError(option, "- needs -o: the kernel goes to standard output already");
}

// "name=value" of --set.
void set_size(Sizes& sizes, const std::string& text) {
  const std::size_t equals = text.find('=');
  const auto value = equals == std::string::npos
                         ? std::nullopt
                         : parse_number<std::int64_t>(std::string_view(text).substr(equals + 1));
  if (!value || equals == 0) throw CLI::ValidationError("--set", "expected name=number, got '" + text + "'");
  const std::string name = text.substr(0, equals);
  if (!sizes.emplace(name, *value).second)
    throw CLI::ValidationError("--set",
                               "'" + name + "' has a value already; several sizes stand on lines of the sketch");
}

// "block(256)" of --launch, or "copy=block(256)".
void set_launch(CheckOptions& options, const std::string& text) {
  const std::size_t equals = text.find('=');
  const bool has_name = equals != std::string::npos && equals < text.find('(');
  std::string& launch = has_name ? options.kernel_launches[text.substr(0, equals)] : options.launch;
  if (!launch.empty())
    throw CLI::ValidationError("--launch", "'" + text + "' is a second one; NAME=… is for one kernel");
  launch = has_name ? text.substr(equals + 1) : text;
}

CLI::IsMember known_machine() {
  return CLI::IsMember(std::vector<std::string>(kMachineNames.begin(), kMachineNames.end()));
}

// Prints the help or the error that ended the parsing, and which flag was perhaps meant.
int exit_code(const CLI::App& app, const CLI::ParseError& ending) {
  std::vector<std::string> flags;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
  if (ending.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError))
    for (const std::string& extra : app.remaining())
      if (const std::string meant = did_you_mean(extra.substr(0, extra.find('=')), flags); !meant.empty())
        std::fprintf(stderr, "unknown flag '%s'%s\n", extra.c_str(), meant.c_str());
  return app.exit(ending) == 0 ? 0 : static_cast<int>(kExitUsage);
}

void keep_to_svg(const std::string& drawing) {
  const std::string extension = std::filesystem::path(drawing).extension().string();
  if (!extension.empty() && extension != ".svg" && extension != ".SVG")
    throw CLI::ValidationError("--draw", "writes SVG, and '" + drawing + "' has another name; try '" +
                                             std::filesystem::path(drawing).replace_extension(".svg").string() + "'");
}

// An output is a file of its own.
void keep_sources(const Options& options) {
  std::error_code ignored;
  const auto same = [&](const std::string& a, const std::string& b) {
    return a == b || std::filesystem::equivalent(a, b, ignored);
  };
  const std::vector<std::pair<std::string, std::string>> outputs{
      {"-o", options.output}, {"--report", options.report}, {"--draw", options.draw}};
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto& [option, path] = outputs[i];
    if (path.empty() || path == "-") continue;
    for (const std::string& source : {options.sketch, options.spec})
      if (same(path, source)) throw CLI::ValidationError(option, "would overwrite '" + source + "'");
    for (std::size_t j = 0; j < i; ++j)
      if (same(path, outputs[j].second))
        throw CLI::ValidationError(option, "is the file of " + outputs[j].first + " as well");
  }
}

// What is read, and where what comes of it goes.
void add_files(CLI::App& app, Options& options, std::vector<std::string>& set) {
  app.add_option("SKETCH", options.sketch, "CUDA file with holes")->required();
  app.add_option("--spec", options.spec, "C++ file with the sequential program")->required();
  app.add_option("-o", options.output, "where the kernel goes; otherwise, and with -, to standard output");
  app.add_option("--report", options.report, "where a JSON report goes; - for standard output");
  app.add_option("--draw", options.draw,
                 "an SVG of the tiles in shared memory, before and after; - for text on standard output");
  app.add_option("--set", set, "name=value: a size to pose, in place of what the sketch's instances say")
      ->allow_extra_args(false);
  app.add_option("--kernel", options.kernel, "which __global__ function, if there are several");
  app.add_option("--arch", options.arch, "target architecture")->capture_default_str();
  app.add_option("--machine", options.machine,
                 "whose shared memory counts, as the directive says it: sm_90 (or h200), toy8")
      ->check(known_machine());
}

// How to search, and what to do with what is found.
void add_choices(CLI::App& app, Options& options) {
  const std::map<std::string, RunAt> runs{
      {"auto", RunAt::kAuto}, {"cpu", RunAt::kCpu}, {"gpu", RunAt::kGpu}, {"none", RunAt::kNone}};
  const std::map<std::string, Proof> proofs{{"auto", Proof::kAuto}, {"all", Proof::kAll}, {"posed", Proof::kPosed}};
  app.add_option("--run", options.run, "auto, cpu, gpu or none")
      ->transform(one_of(runs, "auto, cpu, gpu or none"))
      ->type_name("TEXT");
  app.add_option("--proof", options.proof, "of sizes that were not given: auto (two seconds), all, or posed (none)")
      ->transform(one_of(proofs, "auto, all or posed"))
      ->type_name("TEXT");
  auto* certify =
      app.add_flag("--certify", options.certify, "ask Z3, by an encoding of its own, whether the answer is right");
  app.add_option("--dump-smt", options.smt_folder, "a folder for the questions of --certify, as SMT-LIB")
      ->needs(certify);
  auto* first = app.add_flag("--first", options.first, "stop at the first completion");
  app.add_flag("--widen", options.widen, "where no completion exists, let a hole be any expression of its arguments");
  app.add_option("--all", options.all, "list up to N distinct completions, cheapest first")
      ->expected(0, 1)
      ->excludes(first)
      ->transform(positive<std::size_t>("a positive number of completions"))
      ->type_name("TEXT");
  app.add_option("--time-limit", options.time_limit_seconds,
                 "seconds until the search ends with what it has found, 60 by default; inf for none")
      ->transform(positive<double>("a positive number of seconds, or inf for no limit"))
      ->type_name("TEXT");
  app.add_option("--jobs", options.jobs, "threads")
      ->transform(positive<int>("a positive number of threads"))
      ->type_name("TEXT");
  app.add_flag("-v", options.verbose, "say what each phase did");
}

}  // namespace

std::optional<int> parse_options(int argc, char** argv, Options& options) {
  CLI::App app{"Completes a CUDA sketch so that it equals a sequential spec, at the least cost, and proves it."};
  app.footer(
      "Of kernels as they are, 'swizzle-synth check KERNEL.cu' counts bank conflicts: see 'swizzle-synth check --help'.");
  app.set_version_flag("--version", "swizzle-synth " SWIZZLE_VERSION);
  std::vector<std::string> set;
  add_files(app, options, set);
  add_choices(app, options);
  try {
    app.parse(argc, argv);
    options.time_limit_is_set = app.count("--time-limit") > 0;
    if (app.count("--all") > 0 && options.all == 0) options.all = kAllUnlessNumbered;
    keep_sources(options);
    keep_to_svg(options.draw);
    keep_standard_output("--report", options.report, options);
    keep_standard_output("--draw", options.draw, options);
    for (const std::string& s : set) set_size(options.set, s);
  } catch (const CLI::ParseError& e) {
    return exit_code(app, e);
  }
  return std::nullopt;
}

std::optional<int> parse_check_options(int argc, char** argv, CheckOptions& options) {
  CLI::App app{
      "Counts the shared-memory wavefronts and global-memory sectors of every access of a CUDA file's kernels."};
  app.name("swizzle-synth check");
  std::vector<std::string> set, launches;
  app.add_option("KERNEL", options.file, "CUDA file")->required();
  app.add_option("--kernel", options.kernel, "one kernel: name, or name<32> for a template; otherwise all");
  app.add_option("--launch", launches, "'grid(4, 4) block(32, 8)', or the block alone; NAME=… for one kernel")
      ->allow_extra_args(false);
  app.add_option("-I", options.include_folders, "a folder of headers")->allow_extra_args(false);
  app.add_option("--set", set, "name=value: an integer parameter")->allow_extra_args(false);
  app.add_option("--json", options.json, "where a JSON report goes; - for standard output, instead of the table");
  app.add_option("--draw", options.draw, "an SVG of the worst access and its tile; - for text on standard output");
  app.add_option("--machine", options.machine,
                 "sm_90 (or h200), or toy8 of 8 lanes and 8 banks; otherwise as the file says, or sm_90")
      ->check(known_machine());
  app.add_option("--step-limit", options.step_limit, "evaluated statements and expressions of a kernel")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_flag("--all-blocks", options.all_blocks,
               "count in every block, not only in the first, the middle and the last one");
  app.add_flag("--fail-on-conflicts", options.fail_on_conflicts,
               "exit code 4 if there are bank conflicts, 20 if something was not counted");
  app.add_flag("--allow-uncounted", options.allow_uncounted, "with --fail-on-conflicts: what was not counted may pass");
  try {
    app.parse(argc, argv);
    keep_to_svg(options.draw);
    for (const std::string& s : set) set_size(options.set, s);
    for (const std::string& l : launches) set_launch(options, l);
  } catch (const CLI::ParseError& e) {
    return exit_code(app, e);
  }
  return std::nullopt;
}

}  // namespace swizzle
