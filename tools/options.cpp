#include "tools/options.h"

#include <charconv>
#include <filesystem>
#include <map>

#include <CLI/CLI.hpp>

#include "synth/base/nearest.h"
#include "synth/machine/wavefronts.h"
#include "tools/exit_codes.h"

namespace swizzle {
namespace {

// The whole of `text` as a number.
template <typename Number>
std::optional<Number> parse_number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

template <typename Number>
Number positive(const std::string& option, const std::string& text, const std::string& what) {
  const auto value = parse_number<Number>(text);
  if (!value || !(*value > 0)) throw CLI::ValidationError(option, "expected " + what + ", got '" + text + "'");
  return *value;
}

template <typename Choice>
Choice one_of(const std::string& option, const std::map<std::string, Choice>& choices, const std::string& text,
              const std::string& names) {
  const auto known = choices.find(text);
  if (known == choices.end()) throw CLI::ValidationError(option, "expected " + names + ", got '" + text + "'");
  return known->second;
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

}  // namespace

std::optional<int> parse_options(int argc, char** argv, Options& options) {
  CLI::App app{"Completes a CUDA sketch so that it equals a sequential spec, at the least cost, and proves it."};
  app.footer(
      "Of kernels as they are, 'swizzle-synth check KERNEL.cu' counts bank conflicts: see 'swizzle-synth check --help'.");
  app.set_version_flag("--version", "swizzle-synth " SWIZZLE_VERSION);
  std::vector<std::string> set;
  std::string all, run, proof, time_limit, jobs;
  const std::map<std::string, RunAt> runs{
      {"auto", RunAt::kAuto}, {"cpu", RunAt::kCpu}, {"gpu", RunAt::kGpu}, {"none", RunAt::kNone}};
  const std::map<std::string, Proof> proofs{{"auto", Proof::kAuto}, {"all", Proof::kAll}, {"posed", Proof::kPosed}};
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
  auto* run_option = app.add_option("--run", run, "auto, cpu, gpu or none");
  auto* proof_option =
      app.add_option("--proof", proof, "of sizes that were not given: auto (two seconds), all, or posed (none)");
  auto* first_option = app.add_flag("--first", options.first, "stop at the first completion");
  auto* all_option = app.add_option("--all", all, "list up to N distinct completions, cheapest first")
                         ->expected(0, 1)
                         ->excludes(first_option);
  auto* limit_option = app.add_option(
      "--time-limit", time_limit, "seconds until the search ends with what it has found, 60 by default; inf for none");
  auto* jobs_option = app.add_option("--jobs", jobs, "threads");
  app.add_flag("-v", options.verbose, "say what each phase did");
  try {
    app.parse(argc, argv);
    if (limit_option->count() > 0)
      options.time_limit_seconds =
          positive<double>("--time-limit", time_limit, "a positive number of seconds, or inf for no limit");
    options.time_limit_is_set = limit_option->count() > 0;
    if (jobs_option->count() > 0) options.jobs = positive<int>("--jobs", jobs, "a positive number of threads");
    if (all_option->count() > 0)
      options.all = all.empty() ? 1000 : positive<std::size_t>("--all", all, "a positive number of completions");
    if (run_option->count() > 0) options.run = one_of("--run", runs, run, "auto, cpu, gpu or none");
    if (proof_option->count() > 0) options.proof = one_of("--proof", proofs, proof, "auto, all or posed");
    keep_sources(options);
    keep_to_svg(options.draw);
    if (options.report == "-" && (options.output.empty() || options.output == "-"))
      throw CLI::ValidationError("--report", "- needs -o: the kernel goes to standard output already");
    if (options.draw == "-" && (options.output.empty() || options.output == "-"))
      throw CLI::ValidationError("--draw", "- needs -o: the kernel goes to standard output already");
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
  std::vector<std::string> set;
  app.add_option("KERNEL", options.file, "CUDA file")->required();
  app.add_option("--kernel", options.kernel, "one kernel: name, or name<32> for a template; otherwise all");
  app.add_option("--launch", options.launch, "'grid(4, 4) block(32, 8)', or the block alone");
  app.add_option("-I", options.include_folders, "a folder of headers")->allow_extra_args(false);
  app.add_option("--set", set, "name=value: an integer parameter")->allow_extra_args(false);
  app.add_option("--json", options.json, "where a JSON report goes; - for standard output, instead of the table");
  app.add_option("--draw", options.draw, "an SVG of the worst access and its tile; - for text on standard output");
  app.add_option("--machine", options.machine,
                 "sm_90 (or h200), or toy8 of 8 lanes and 8 banks; otherwise as the file says, or sm_90")
      ->check(known_machine());
  app.add_option("--step-limit", options.step_limit, "evaluated statements and expressions, in all kernels together")
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
  } catch (const CLI::ParseError& e) {
    return exit_code(app, e);
  }
  return std::nullopt;
}

}  // namespace swizzle
