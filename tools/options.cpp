#include "tools/options.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "driver/versions.h"
#include "tools/command_line.h"
#include "tools/command_list.h"

namespace swizzle {
namespace {

constexpr std::size_t kAllUnlessNumbered = 1000;

// To standard output goes the kernel already, unless -o names a file.
void keep_standard_output(const std::string& option, const std::string& value, const Options& options) {
  if (value == "-" && (options.output.empty() || options.output == "-"))
    throw CLI::ValidationError(option, "- needs -o: the kernel goes to standard output already");
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
    for (const auto* sources : {&options.sketches, &options.specs})
      for (const std::string& source : *sources)
        if (same(path, source)) throw CLI::ValidationError(option, "would overwrite '" + source + "'");
    for (std::size_t j = 0; j < i; ++j)
      if (same(path, outputs[j].second))
        throw CLI::ValidationError(option, "is the file of " + outputs[j].first + " as well");
  }
}

// Of `kernels.cu:gelu_cpu` the function, if `kernels.cu` is a file: the path keeps the rest.
std::string take_function(std::string& spec) {
  std::error_code ignored;
  const std::size_t colon = spec.rfind(':');
  if (std::filesystem::exists(spec, ignored) || colon == std::string::npos) return "";
  const std::string function = spec.substr(colon + 1);
  const bool is_name = !function.empty() && std::ranges::all_of(function, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  });
  if (!is_name || !std::filesystem::is_regular_file(spec.substr(0, colon), ignored)) return "";
  spec.resize(colon);
  return function;
}

// Several sketches are completed one by one: what each brings goes into a folder.
void keep_several(const Options& options) {
  if (options.sketches.size() == 1) {
    if (options.specs.size() > 1) throw CLI::ValidationError("--spec", "there are more specs than sketches");
    if (options.sketch == "-" && options.spec == "-")
      throw CLI::ValidationError("--spec", "standard input is the sketch already");
    return;
  }
  if (!options.draw.empty()) throw CLI::ValidationError("--draw", "draws one sketch");
  if (options.check_up_to_date || !options.depfile.empty())
    throw CLI::ValidationError("SKETCH", "--check-up-to-date and --depfile are about one sketch");
  if (options.output == "-" || std::filesystem::is_regular_file(options.output))
    throw CLI::ValidationError("-o", "names a folder where there are several sketches");
  if (options.specs.size() > 1 && options.specs.size() != options.sketches.size())
    throw CLI::ValidationError("--spec", "is given once for all sketches, as a folder or a file, or once for each");
  for (const auto* sources : {&options.sketches, &options.specs})
    for (const std::string& source : *sources)
      if (source == "-") throw CLI::ValidationError("SKETCH", "- stands alone");
}

}  // namespace

SynthesisCommand::SynthesisCommand(Options& options)
    : app_(options.verifies
               ? "Decides whether a CUDA kernel without holes equals a sequential spec; if not, tells where."
               : "Completes a CUDA sketch so that it equals a sequential spec, at the least cost, and proves it."),
      options_(options) {
  app_.name(options.verifies ? "swizzle-synth verify" : "swizzle-synth");
  app_.footer(
      "Of kernels as they are, 'swizzle-synth verify KERNEL.cu --spec SPEC' decides whether they equal a spec, and "
      "'swizzle-synth check KERNEL.cu' counts bank conflicts: see 'swizzle-synth check --help'.");
  app_.set_version_flag("--version", version_text());
  add_files();
  if (!options.verifies) add_outputs();
  add_sizes();
  compile_flags_.add(app_, options_.flags);
  add_choices();
  if (!options.verifies) add_search();
  add_output_style(app_, options.diagnostics, options.color);
}

// What is read, and where what comes of it goes.
void SynthesisCommand::add_files() {
  auto* sources =
      options_.verifies
          ? app_.add_option("KERNEL", options_.sketches, "CUDA file without holes; - for standard input")->expected(1)
          : app_.add_option("SKETCH", options_.sketches, "CUDA file with holes, or several; - for standard input");
  sources->required();
  app_.add_option(
          "--spec", options_.specs,
          "C++ file with the sequential program, or FILE:FUNCTION; of several sketches, a folder with a file of each one's name")
      ->required()
      ->allow_extra_args(false);
  app_.add_option("--report", options_.report, "where a JSON report goes; - for standard output");
}

void SynthesisCommand::add_outputs() {
  app_.add_option("-o", options_.output,
                  "where the kernel goes, a folder of several; otherwise, and with -, to standard output");
  app_.add_option(
      "--draw", options_.draw,
      "an SVG of tiles in shared memory, before and after, and of moves between registers; - for text on standard output");
  app_.add_option("--cache", options_.cache, "a folder of known answers; otherwise $SWIZZLE_CACHE, or none");
  app_.add_option("--depfile", options_.depfile, "where the files that were read go, as make and ninja read them");
  app_.add_flag("--stamp", options_.stamp, "end the kernel in a comment with its inputs' hashes");
  app_.add_flag("--check-up-to-date", options_.check_up_to_date,
                "complete nothing; exit code 6 if the kernel of -o was not made, with --stamp, from these inputs");
}

void SynthesisCommand::add_sizes() {
  app_.add_option("--set", set_, "name=value: a size to pose, in place of what the sketch's instances say")
      ->allow_extra_args(false);
  app_.add_option("--kernel", options_.kernel, "which __global__ function, if there are several");
  app_.add_option("--arch", options_.arch, "target architecture")->capture_default_str();
  app_.add_option("--machine", options_.machine,
                  "whose shared memory counts, as the directive says it: sm_90 (or h200), toy8")
      ->check(known_machine());
}

// How to search, and what to do with what is found.
void SynthesisCommand::add_choices() {
  add_choice(app_, "--run", options_.run, {"auto", "cpu", "gpu", "none"}, "where the completed kernel is run");
  add_choice(app_, "--proof", options_.proof, {"auto", "all", "posed"},
             "of sizes that were not given: auto (two seconds), all, or posed (none)");
  app_.add_option("--time-limit", options_.time_limit_seconds,
                  "seconds until the search ends with what it has found, 60 by default; inf for none")
      ->transform(positive<double>("a positive number of seconds, or inf for no limit"))
      ->type_name("TEXT");
  app_.add_flag("-v", options_.verbose, "say what each phase did");
}

void SynthesisCommand::add_search() {
  add_choice(app_, "--execute", options_.groups, {"each", "alike"},
             "alike: of blocks or warps that behave alike, one; each: all of them, to compare");
  auto* certify =
      app_.add_flag("--certify", options_.certify, "ask Z3, by an encoding of its own, whether the answer is right");
  app_.add_option("--dump-smt", options_.smt_folder, "a folder for the questions of --certify, as SMT-LIB")
      ->needs(certify);
  auto* first = app_.add_flag("--first", options_.first, "stop at the first completion");
  app_.add_flag("--widen", options_.widen, "where no completion exists, let a hole be any expression of its arguments");
  app_.add_flag("--no-suggestions", options_.no_suggestions,
                "where no completion exists, do not spend a second on what the sketch could have instead");
  app_.add_flag(
      "--tune", options_.tune,
      "time the best variants of ?sw_tune, and further completions of the best, on the GPU that is here, and keep the fastest");
  app_.add_option("--all", options_.all, "list up to N distinct completions, cheapest first")
      ->expected(0, 1)
      ->excludes(first)
      ->transform(positive<std::size_t>("a positive number of completions"))
      ->type_name("TEXT");
  app_.add_option("--jobs", options_.jobs, "threads; of several sketches, how many at once")
      ->transform(positive<int>("a positive number of threads"))
      ->type_name("TEXT");
}

std::optional<int> SynthesisCommand::parse(const std::vector<std::string>& arguments) {
  return parse_command(app_, arguments, [&] {
    Options& o = options_;
    o.arguments = arguments;
    for (std::string& spec : o.specs) o.spec_functions.push_back(take_function(spec));
    o.sketch = o.sketches[0];
    o.spec = o.specs[0];
    o.spec_function = o.spec_functions[0];
    compile_flags_.finish(app_, o.flags);
    o.time_limit_is_set = app_.count("--time-limit") > 0;
    if (!o.verifies && app_.count("--all") > 0 && o.all == 0) o.all = kAllUnlessNumbered;
    keep_sources(o);
    keep_several(o);
    if ((o.check_up_to_date || !o.depfile.empty()) && (o.output.empty() || o.output == "-"))
      throw CLI::ValidationError("-o", "--check-up-to-date and --depfile need a file");
    keep_to_svg(o.draw);
    if (o.sketches.size() == 1 && !o.verifies) keep_standard_output("--report", o.report, o);
    keep_standard_output("--draw", o.draw, o);
    for (const std::string& s : set_) set_size(o.set, s);
  });
}

std::optional<int> parse_verify_options(const std::vector<std::string>& arguments, Options& options) {
  options.verifies = true;
  return SynthesisCommand(options).parse(arguments);
}

std::optional<int> parse_options(const std::vector<std::string>& arguments, Options& options) {
  return SynthesisCommand(options).parse(arguments);
}

}  // namespace swizzle
