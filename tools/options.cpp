#include "tools/options.h"

#include <map>

#include <CLI/CLI.hpp>

namespace swizzle {

std::optional<int> parse_options(int argc, char** argv, Options& options) {
  CLI::App app{"Completes a CUDA sketch so that it equals a sequential spec, at the least cost, and proves it."};
  app.set_version_flag("--version", "swizzle-synth " SWIZZLE_VERSION);
  std::vector<std::string> set;
  std::string all;
  double time_limit = 0;
  const std::map<std::string, Options::Run> runs{
      {"auto", Options::Run::kAuto}, {"cpu", Options::Run::kCpu}, {"gpu", Options::Run::kGpu}, {"none", Options::Run::kNone}};
  app.add_option("SKETCH", options.sketch, "CUDA file with holes")->required();
  app.add_option("--spec", options.spec, "C++ file with the sequential program")->required();
  app.add_option("-o", options.output, "where the kernel goes; otherwise to standard output");
  app.add_option("--report", options.report, "where a JSON report goes");
  app.add_option("--set", set, "name=value: a size that overrides the sketch's")->allow_extra_args(false);
  app.add_option("--kernel", options.kernel, "which __global__ function, if there are several");
  app.add_option("--arch", options.arch, "target architecture")->capture_default_str();
  app.add_option("--run", options.run, "auto, cpu, gpu or none")->transform(CLI::CheckedTransformer(runs, CLI::ignore_case));
  app.add_flag("--first", options.first, "stop at the first completion");
  auto* all_option = app.add_option("--all", all, "list up to N distinct completions, cheapest first")->expected(0, 1);
  auto* limit_option = app.add_option("--time-limit", time_limit, "seconds")->check(CLI::PositiveNumber);
  app.add_option("--jobs", options.jobs, "threads")->check(CLI::PositiveNumber);
  app.add_flag("-v", options.verbose, "say what each phase did");
  try {
    app.parse(argc, argv);
    if (limit_option->count() > 0) options.time_limit_seconds = time_limit;
    if (all_option->count() > 0) options.all = all.empty() ? 1000 : std::stoul(all);
    for (const std::string& s : set) {
      const std::size_t equals = s.find('=');
      if (equals == std::string::npos || equals == 0) throw CLI::ValidationError("--set", "expected name=value, got '" + s + "'");
      std::size_t used = 0;
      options.set[s.substr(0, equals)] = std::stoll(s.substr(equals + 1), &used);
      if (used != s.size() - equals - 1) throw CLI::ValidationError("--set", "expected name=value, got '" + s + "'");
    }
  } catch (const CLI::ParseError& e) {
    const int code = app.exit(e);
    return code == 0 ? 0 : static_cast<int>(kExitUsage);
  } catch (const std::exception&) {
    std::fputs("a number was expected after --set name= and --all\n", stderr);
    return kExitUsage;
  }
  return std::nullopt;
}

}  // namespace swizzle
