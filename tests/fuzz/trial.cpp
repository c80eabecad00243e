#include "tests/fuzz/trial.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <regex>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tools/check.h"
#include "tools/exit_codes.h"
#include "tools/options.h"

namespace swizzle::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTimeLimit = "0.3";
constexpr rlim_t kMostSeconds = 5;       // of computing, however loaded the machine is
constexpr unsigned kMostPatience = 300;  // seconds by the clock

// `words`: behind the name of the program, or of the command.
int run_tool(const std::vector<std::string>& words, bool checks) {
  if (checks) {
    CheckOptions options;
    const auto code = parse_check_options(words, options);
    return code ? *code : check(options);
  }
  Options options;
  const auto code = parse_options(words, options);
  return code ? *code : synthesize(options);
}

// A signal ends the process so many seconds from now.
void limit_time() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = static_cast<rlim_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec + 1);
  const rlimit computing{seconds + kMostSeconds, RLIM_INFINITY};
  setrlimit(RLIMIT_CPU, &computing);
  alarm(kMostPatience);
}

// That a kernel equals the spec at the sizes it was posed for, and not at another one, is an answer that the docs have.
bool holds_where_posed(const std::string& report) {
  const auto json = nlohmann::json::parse(report, nullptr, false);
  if (json.is_discarded()) return false;
  const auto posed = json["checked"]["posed"], reread = json["checked"]["reread"];
  return !posed.empty() && std::all_of(posed.begin(), posed.end(), [&](const auto& size) {
    return std::find(reread.begin(), reread.end(), size) != reread.end();
  });
}

void write_file(const std::string& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

}  // namespace

std::optional<std::string> finding(const Ended& ended) {
  static const std::regex kPlaced(R"(input\.(cu|cpp):\d+:\d+: error: )");
  if (ended.signal == SIGXCPU || ended.signal == SIGALRM) return fmt::format("longer than {} s", kMostSeconds);
  if (ended.signal != 0) return fmt::format("signal {}", ended.signal);
  if (ended.code == kExitFailedVerification)
    return holds_where_posed(ended.report) ? std::nullopt : std::optional<std::string>("failed its own verification");
  if (ended.code == kExitBadInput && !std::regex_search(ended.output, kPlaced)) return "no location";
  const int known[] = {kExitFound, kExitBadInput, kExitConflicts, kExitInfeasible, kExitUnknown};
  if (std::find(std::begin(known), std::end(known), ended.code) == std::end(known))
    return fmt::format("exit code {}", ended.code);
  return std::nullopt;
}

Trial::Trial(fs::path folder) : folder_(std::move(folder)) { fs::create_directories(folder_); }

void Trial::capture_output() const {
  const int file = open(in("output").c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_APPEND, 0600);
  dup2(file, 1);
  dup2(file, 2);
  close(file);
}

Ended Trial::run(const Input& input) const {
  write_file(in("input.cu"), input.sketch);
  write_file(in("input.cpp"), input.spec);
  fs::resize_file(in("output"), 0);
  std::vector<std::string> words{in("input.cu")};
  // Without what nvcc would make of it: its time is none of the tool's, and a hundred times as long.
  if (input.checks) words.insert(words.end(), {"--json", in("r.json"), "--step-limit", "200000", "--no-ptx"});
  else
    words.insert(words.end(), {"--spec", in("input.cpp"), "--run=none", "--time-limit", kTimeLimit, "-o", in("out.cu"),
                               "--report", in("r.json")});
  limit_time();
  const int code = run_tool(words, input.checks);
  alarm(0);
  std::fflush(nullptr);
  return {code, 0, output(), report()};
}

Ended Trial::ended_by(int wait_status) const {
  if (WIFSIGNALED(wait_status)) return {0, WTERMSIG(wait_status), output(), report()};
  return {WEXITSTATUS(wait_status), 0, output(), report()};
}

void Trial::keep(fs::path to) const {
  fs::create_directories(to.parent_path());
  fs::copy_file(in("input.cu"), to.replace_extension(".cu"), fs::copy_options::overwrite_existing);
  fs::copy_file(in("input.cpp"), to.replace_extension(".cpp"), fs::copy_options::overwrite_existing);
}

std::string Trial::output() const { return read_file(in("output")); }

std::string Trial::report() const { return read_file(in("r.json")); }

}  // namespace swizzle::fuzz
