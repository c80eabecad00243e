#include <fcntl.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "codegen/report/github.h"
#include "codegen/run/files.h"
#include "driver/recorded_launches.h"
#include "tools/check.h"
#include "tools/check_cache.h"
#include "tools/check_files.h"
#include "tools/check_gate.h"
#include "tools/progress.h"
#include "tools/project_file.h"
#include "tools/self_description.h"
#include "tools/terminal_observer.h"

namespace swizzle {
namespace {

struct FileRun {
  CheckOptions options;
  std::string said_path;
  FileReport report;
  std::string key = {};  // in the cache; empty: it is not kept
};

std::string contents_of_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return std::string((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
}

std::vector<FileRun> file_runs(const CheckOptions& options, const std::vector<FileToCheck>& files,
                               const ScratchFolder& scratch) {
  std::vector<FileRun> runs;
  std::set<std::string> paths;
  for (const FileToCheck& file : files) {
    FileRun run{options, fmt::format("{}/{}.txt", scratch.path(), runs.size()), {file.path, "", ""}};
    CheckOptions& o = run.options;
    o.file = file.path;
    o.file_text = file.text;
    o.flags = file.flags;
    o.nvcc_flags = file.nvcc_flags;
    o.json = fmt::format("{}/{}.json", scratch.path(), runs.size());
    o.sarif = o.draw = o.baseline = "";
    o.format = CheckFormat::kText;
    o.diagnostics = DiagnosticsAs::kText;
    o.fail_on.clear();
    o.fail_on_conflicts = o.update_baseline = false;
    o.is_one_of_several = true;
    o.fix = options.fix && paths.insert(file.path).second;  // a file is written once
    runs.push_back(std::move(run));
  }
  return runs;
}

void limit_time(double seconds) {
  signal(SIGALRM, SIG_DFL);
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(std::min(seconds, 1e8));
  timer.it_value.tv_usec = static_cast<suseconds_t>((seconds - static_cast<double>(timer.it_value.tv_sec)) * 1e6);
  if (seconds < 1e8) setitimer(ITIMER_REAL, &timer, nullptr);
}

pid_t started_check(const FileRun& run) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child != 0) return child;
  const int said = open(run.said_path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  dup2(said, STDERR_FILENO);
  dup2(nowhere, STDOUT_FILENO);
  limit_time(run.options.time_limit_seconds);
  const int code = check_one(run.options);
  std::fflush(nullptr);
  _exit(code);
}

void take_report(FileRun& run, int status, const CheckCache& cache) {
  if (WIFEXITED(status)) {
    run.report.text = contents_of_file(run.options.json);
    cache.keep(run.key, {run.report.text, contents_of_file(run.said_path)});
  } else if (WTERMSIG(status) == SIGALRM)
    run.report.trouble = fmt::format("this took longer than {:g} seconds", run.options.time_limit_seconds);
  else run.report.trouble = fmt::format("the check of this file ended by signal {}", WTERMSIG(status));
}

// Whether it was checked before; its report is then filled in.
bool is_known(FileRun& run, const CheckCache& cache) {
  if (run.options.cache.empty()) return false;
  if (const auto request = check_request(run.options); request.ok()) run.key = cache.key(run.options, *request);
  const auto kept = cache.find(run.key);
  if (!kept) return false;
  run.report.text = kept->report;
  std::ofstream(run.said_path) << kept->said;
  return true;
}

// A line that stands while work goes on, on a terminal.
class Tally {
 public:
  explicit Tally(std::size_t all) : all_(all), is_shown_(isatty(STDERR_FILENO) != 0) {}
  ~Tally() { erase(); }
  Tally(const Tally&) = delete;
  Tally& operator=(const Tally&) = delete;
  void show(std::size_t done) const {
    if (is_shown_ && watch_.seconds() > 1)
      std::fputs(fmt::format("\r\x1b[Kchecked {} of {}", done, all_).c_str(), stderr);
  }

 private:
  void erase() const {
    if (is_shown_) std::fputs("\r\x1b[K", stderr);
  }
  std::size_t all_;
  bool is_shown_;
  Stopwatch watch_;
};

void run_checks(std::vector<FileRun>& runs, const CheckOptions& options) {
  const std::size_t jobs =
      options.jobs > 0 ? static_cast<std::size_t>(options.jobs) : std::max(1u, std::thread::hardware_concurrency());
  const CheckCache cache(options.cache);
  const Tally tally(runs.size());
  std::map<pid_t, FileRun*> under_way;
  std::size_t next = 0, done = 0;
  while (next < runs.size() || !under_way.empty()) {
    if (next < runs.size() && under_way.size() < jobs) {
      FileRun& run = runs[next++];
      if (is_known(run, cache)) {
        if (options.verbose) std::fputs(contents_of_file(run.said_path).c_str(), stderr);
        tally.show(++done);
      } else if (const pid_t child = started_check(run); child > 0) under_way.emplace(child, &run);
      else run.report.trouble = "no process could be started";
      continue;
    }
    int status = 0;
    const pid_t child = waitpid(-1, &status, 0);
    const auto found = under_way.find(child);
    if (found == under_way.end()) continue;
    take_report(*found->second, status, cache);
    if (options.verbose) std::fputs(contents_of_file(found->second->said_path).c_str(), stderr);
    under_way.erase(found);
    tally.show(++done);
  }
}

// Names on the command line that no file knows.
Diagnostics names_of_nothing(const CheckOptions& options, const std::vector<FileRun>& runs) {
  std::set<std::string> sizes, kernels;
  for (const FileRun& run : runs) {
    const nlohmann::json report = nlohmann::json::parse(run.report.text, nullptr, false);
    if (!report.is_object()) continue;
    for (const nlohmann::json& kernel : report["kernels"]) {
      const std::string name = kernel["name"];
      kernels.insert({name, name.substr(0, name.find('<'))});
      for (const auto& [size, value] : kernel["sizes"].items()) sizes.insert(size);
    }
    for (const nlohmann::json& gap : report["uncounted"]) kernels.insert(gap["kernel"].get<std::string>());
  }
  Diagnostics wrong;
  for (const auto& [name, value] : options.set)
    if (!sizes.contains(name))
      wrong.push_back(make_error(fmt::format(
          "--set {}={}: no kernel that was counted has a parameter of this name that is a number", name, value)));
  for (const auto& [name, launch] : options.kernel_launches)
    if (!kernels.contains(name))
      wrong.push_back(make_error(fmt::format("--launch {}={}: there is no kernel of this name", name, launch)));
  return wrong;
}

std::string all_reports(const CheckOptions& options, const About& about, const Overview& overview,
                        const std::vector<FileRun>& runs) {
  using Json = nlohmann::ordered_json;
  Json all{{"schema", 1}};
  add_about(about, all);
  const bool has_conflicts = !overview.conflicts.empty();
  Json conflicts = has_conflicts;
  const bool is_asked = options.rules.contains("bank-conflict");
  if (!has_conflicts && (!is_asked || !overview.not_counted.empty() || overview.kernels.empty())) conflicts = nullptr;
  std::int64_t lost = 0, wavefronts = 0;
  for (const ReportedKernel& k : overview.kernels) lost += k.lost, wavefronts += k.wavefronts;
  all["conflicts"] = std::move(conflicts);
  all["summary"] = {{"files", overview.files},
                    {"files_without_kernel", overview.files_without_kernel},
                    {"kernel_launches", overview.kernels.size()},
                    {"wavefronts", wavefronts},
                    {"lost", lost},
                    {"conflicts", overview.conflicts.size()},
                    {"open_conflicts", std::count_if(overview.conflicts.begin(), overview.conflicts.end(),
                                                     [](const auto& c) { return !c.is_accepted(); })},
                    {"not_counted", overview.not_counted.size()},
                    {"open_not_counted", open_gaps(overview)},
                    {"violations", overview.violations.size()}};
  all["reports"] = Json::array();
  for (const FileRun& run : runs) {
    Json report = Json::parse(run.report.text, nullptr, /*allow_exceptions=*/false);
    all["reports"].push_back(report.is_object() ? std::move(report) : Json(nullptr));
  }
  return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

// Of what was not counted, the first of each reason: hosts show some ten annotations a job.
std::vector<Finding> annotated(const Overview& overview) {
  Overview shown = overview;
  std::vector<ReportedGap> open = overview.not_counted;
  std::erase_if(open, [](const ReportedGap& g) { return g.is_accepted(); });
  shown.not_counted.clear();
  std::erase_if(shown.said, [](const Finding& f) { return f.rule != "error"; });
  for (const GapsOfAReason& r : gaps_by_reason(open)) {
    shown.not_counted.push_back(*r.first);
    if (r.count > 1)
      shown.not_counted.back().why += fmt::format(" (and {} more, in {})", r.count - 1, counted(r.files, "file"));
  }
  return findings_of(shown);
}

struct SeveralChecks {
  Overview overview;
  About about;
  std::string json;
  ExitCode code = kExitFound;
};

std::string overview_output(const CheckOptions& options, const SeveralChecks& all) {
  switch (options.format) {
    case CheckFormat::kText: return to_text(all.overview, {options.sort, options.verbose, options.verbose});
    case CheckFormat::kGithub: return to_github(annotated(all.overview), options.fail_on_conflicts);
    case CheckFormat::kJson: return all.json;
    case CheckFormat::kSarif: return findings_document(all.about, true);
  }
  return "";
}

std::vector<FileRun> ran_checks(const CheckOptions& options, const ScratchFolder& scratch, Diagnostics& wrong) {
  const auto files = files_to_check(options);
  if (!files.ok()) wrong = files.errors();
  if (!options.draw.empty()) wrong = {make_error("--draw draws one file")};
  if (!wrong.empty()) return {};
  std::vector<FileRun> runs = file_runs(options, *files, scratch);
  run_checks(runs, options);
  return runs;
}

// Beside the first of the arguments. One that is there stays.
Diagnostics write_project_file(const CheckOptions& options, const Overview& overview, Observer& observer) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path first(options.files[0]);
  fs::path folder = fs::is_directory(first, ignored) ? first
                    : fs::is_regular_file(first, ignored) && first.filename() != "compile_commands.json"
                        ? first.parent_path()
                        : fs::path(".");
  const std::string path = (folder / ".swizzle-synth.toml").lexically_normal().string();
  Diagnostic d = make_error("is there already, and stays as it is");
  d.path = path;
  if (fs::exists(path, ignored)) return {d};
  if (const auto written = write_file_atomically(path, project_text(overview)); !written.ok()) return written.errors();
  observer.say(fmt::format("{}: written; what it says of launches counts from now on\n", path));
  return {};
}

// Launches of a recording that no file has the kernel of.
void add_launches_elsewhere(const CheckOptions& options, Overview& overview) {
  if (options.recording == nullptr || !options.kernel.empty()) return;
  std::vector<std::string> names = overview.recorded;
  for (const ReportedGap& gap : overview.not_counted) names.push_back(gap.kernel);
  for (const Uncounted& gap : launches_elsewhere(names, *options.recording)) {
    ReportedGap reported{gap.kernel, {}, gap.why.message, {}};
    reported.at.path = gap.why.path;
    overview.not_counted.push_back(std::move(reported));
  }
}

// Errors: of the baseline, or names that no file knows.
Diagnostics judge_all(const CheckOptions& options, const std::vector<FileRun>& runs, SeveralChecks& all,
                      Observer& observer) {
  std::vector<FileReport> reports;
  for (const FileRun& run : runs) reports.push_back(run.report);
  all.overview = overview_of(reports);
  add_launches_elsewhere(options, all.overview);
  keep_rules(options.rules, all.overview);
  if (options.init) return write_project_file(options, all.overview, observer);
  if (Diagnostics names = names_of_nothing(options, runs); !names.empty()) return names;
  if (const auto marked = apply_baseline(options, all.overview, observer); !marked.ok()) return marked.errors();
  all.code = gate(all.overview, options, "check", observer);
  return {};
}

int write_all(const CheckOptions& options, const SeveralChecks& all, TerminalObserver& observer) {
  int code = all.code;
  const auto keep = [&](const Result<std::monostate>& written) {
    if (written.ok()) return;
    for (const Diagnostic& d : written.errors()) observer.tell(d);
    code = kExitBadInput;
  };
  if (names_file(options.json)) keep(write_file_atomically(options.json, all.json));
  if (names_file(options.sarif)) keep(write_file_atomically(options.sarif, findings_document(all.about, true)));
  keep(write_standard_output(overview_output(options, all)));
  if (observer.as() != DiagnosticsAs::kText)
    std::fputs(findings_document(all.about, observer.as() == DiagnosticsAs::kSarif).c_str(), stderr);
  return code;
}

}  // namespace

int check_several(const CheckOptions& options) {
  const ScratchFolder scratch;
  SeveralChecks all;
  Diagnostics wrong;
  const std::vector<FileRun> runs = ran_checks(options, scratch, wrong);
  Progress progress(stderr);
  TerminalObserver observer(progress, false, options.diagnostics, colors_of(options.color));
  if (wrong.empty()) wrong = judge_all(options, runs, all, observer);
  for (const Diagnostic& d : wrong) observer.tell(d);
  const std::vector<Finding> errors = findings_of(wrong);
  all.overview.said.insert(all.overview.said.begin(), errors.begin(), errors.end());
  if (!wrong.empty()) all.code = kExitBadInput;
  NamedFiles read;
  for (const FileRun& run : runs) read.emplace_back("kernel", run.report.path);
  all.about = about_run(options.arguments, read);
  all.about.findings = findings_of(all.overview);
  about_end(all.code, all.about);
  all.json = all_reports(options, all.about, all.overview, runs);
  return write_all(options, all, observer);
}

}  // namespace swizzle
