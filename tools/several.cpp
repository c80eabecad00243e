#include "tools/several.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "codegen/run/files.h"
#include "tools/exit_codes.h"
#include "tools/self_description.h"
#include "tools/usage_report.h"

namespace swizzle {
namespace {

namespace fs = std::filesystem;

struct SketchRun {
  Options options;
  std::string said_path;  // what it writes to standard error
  int exit_code = kExitUnknown;
  bool was_killed = false;
  nlohmann::ordered_json report;
};

std::string text_in(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

std::vector<SketchRun> runs_of(const Options& options, const ScratchFolder& scratch) {
  std::vector<SketchRun> runs;
  for (std::size_t i = 0; i < options.sketches.size(); ++i) {
    SketchRun run{options, fmt::format("{}/{}.txt", scratch.path(), i), kExitUnknown, false, {}};
    Options& o = run.options;
    o.sketch = options.sketches[i];
    o.spec = spec_of(options, i);
    if (options.specs.size() > 1) o.spec_function = options.spec_functions[i];
    o.report = fmt::format("{}/{}.json", scratch.path(), i);
    o.output =
        options.output.empty() ? "/dev/null" : (fs::path(options.output) / fs::path(o.sketch).stem()).string() + ".cu";
    o.jobs = 1;
    o.at_once = options.jobs;
    runs.push_back(std::move(run));
  }
  return runs;
}

pid_t started(const SketchRun& run) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child != 0) return child;
  const int said = open(run.said_path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  dup2(said, STDERR_FILENO);
  const int code = synthesize(run.options);
  std::fflush(nullptr);
  _exit(code);
}

void ended(SketchRun& run, int status) {
  run.was_killed = !WIFEXITED(status);
  if (WIFEXITED(status)) run.exit_code = WEXITSTATUS(status);
  std::fputs(text_in(run.said_path).c_str(), stderr);
  run.report = nlohmann::ordered_json::parse(text_in(run.options.report), nullptr, /*allow_exceptions=*/false);
}

// As many at once as there are jobs.
void run_all(std::vector<SketchRun>& runs, std::size_t jobs) {
  std::map<pid_t, SketchRun*> under_way;
  std::size_t next = 0;
  while (next < runs.size() || !under_way.empty()) {
    if (next < runs.size() && under_way.size() < jobs) {
      SketchRun& run = runs[next++];
      if (const pid_t child = started(run); child > 0) under_way.emplace(child, &run);
      else run.was_killed = true;
      continue;
    }
    int status = 0;
    const pid_t child = waitpid(-1, &status, 0);
    const auto found = under_way.find(child);
    if (found == under_way.end()) continue;
    ended(*found->second, status);
    under_way.erase(found);
  }
}

std::string table_of(const std::vector<SketchRun>& runs) {
  std::size_t width = std::string("sketch").size();
  for (const SketchRun& run : runs) width = std::max(width, run.options.sketch.size());
  std::string text = fmt::format("{:<{}}  {:<10}  {:>8}  {:<10}  {:>7}\n", "sketch", width, "outcome", "cost",
                                 "optimality", "seconds");
  for (const SketchRun& run : runs) {
    const bool is_told = run.report.is_object();
    const auto word = [&](const char* key) {
      return is_told && run.report[key].is_string() ? run.report[key].get<std::string>() : "-";
    };
    const bool has_cost = is_told && run.report["cost"].is_object();
    text +=
        fmt::format("{:<{}}  {:<10}  {:>8}  {:<10}  {:>7}\n", run.options.sketch, width,
                    run.was_killed ? "killed" : word("outcome"),
                    has_cost ? fmt::format("{:g}", run.report["cost"]["total"].get<double>()) : "-", word("optimality"),
                    is_told ? fmt::format("{:.2f}", run.report["seconds"]["total"].get<double>()) : "-");
  }
  return text;
}

// Two kernels of one name would overwrite each other.
std::string same_output(const std::vector<SketchRun>& runs) {
  std::map<std::string, std::string> sketches;
  for (const SketchRun& run : runs)
    if (const auto [at, is_new] = sketches.emplace(run.options.output, run.options.sketch);
        !is_new && run.options.output != "/dev/null")
      return fmt::format("'{}' and '{}' would both be written to '{}'", at->second, run.options.sketch, at->first);
  return "";
}

}  // namespace

std::string spec_of(const Options& options, std::size_t sketch) {
  if (options.specs.size() > 1) return options.specs[sketch];
  std::error_code ignored;
  if (!fs::is_directory(options.specs[0], ignored)) return options.specs[0];
  const std::string stem = (fs::path(options.specs[0]) / fs::path(options.sketches[sketch]).stem()).string();
  return fs::exists(stem + ".cpp", ignored) || !fs::exists(stem + ".cu", ignored) ? stem + ".cpp" : stem + ".cu";
}

int synthesize_several(const Options& options) {
  const ScratchFolder scratch;
  std::vector<SketchRun> runs = runs_of(options, scratch);
  if (const std::string both = same_output(runs); !both.empty()) {
    fmt::print(stderr, "error: {}\n", both);
    write_usage_report(options.arguments, "--report", both);
    return kExitUsage;
  }
  std::error_code ignored;  // writing says what is wrong
  if (!options.output.empty()) fs::create_directories(options.output, ignored);
  run_all(runs, static_cast<std::size_t>(options.jobs));
  const auto failed =
      std::find_if(runs.begin(), runs.end(), [](const SketchRun& r) { return r.exit_code != kExitFound; });
  int code = failed == runs.end() ? kExitFound : failed->exit_code;
  if (!options.report.empty()) {
    About about = about_run(options.arguments, {});
    about_end(code, about);
    nlohmann::ordered_json all{{"schema", 1}};
    add_about(about, all);
    all["reports"] = nlohmann::ordered_json::array();
    for (const SketchRun& run : runs) all["reports"].push_back(run.report.is_object() ? run.report : nullptr);
    const auto written =
        write_output(options.report, all.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
    if (!written.ok()) std::fputs(render(written.errors()[0]).c_str(), stderr), code = kExitBadInput;
  }
  if (options.report != "-") std::fputs(table_of(runs).c_str(), stdout);
  return code;
}

}  // namespace swizzle
