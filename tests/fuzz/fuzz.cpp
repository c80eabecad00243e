// fuzz --count N [--seed S] [--first I] [--keep FOLDER] ROOT: mutated sketches, specs and `check` inputs, each in a
// process of its own. Findings are a signal, exit code 3, a run beyond its limit, and exit code 1 without a location.
//
//   fuzz --count 1000 --seed 7 .
//   input 412: no location: sketches/reverse.cu mutated        …/412.cu and 412.cpp are kept
//   1000 inputs, 1 finding
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <regex>
#include <sstream>
#include <thread>

#include <fmt/format.h>

#include "tests/fuzz/mutator.h"
#include "tools/check.h"
#include "tools/options.h"

namespace swizzle::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTimeLimit = "0.3";
constexpr rlim_t kMostSeconds = 5;     // of computing, however loaded the machine is
constexpr double kMostPatience = 300;  // seconds by the clock

struct Arguments {
  std::uint64_t count = 100, seed = 1, first = 0;
  std::string root = ".", keep;
};

struct Seed {
  std::string name, text, spec;  // without a spec: an input of `check`
};

std::string read(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return std::move(text).str();
}

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  if (fs::is_directory(folder))
    for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<Seed> seeds_in(const fs::path& root) {
  std::vector<Seed> seeds;
  const auto add = [&](const fs::path& sketch, const fs::path& spec) {
    seeds.push_back({fs::relative(sketch, root).string(), read(sketch), fs::exists(spec) ? read(spec) : ""});
  };
  for (const fs::path& sketch : files_in(root / "sketches"))
    if (sketch.extension() == ".cu") add(sketch, root / "specs" / sketch.filename().replace_extension(".cpp"));
  for (const fs::path& kernel : files_in(root / "tests" / "kernels")) add(kernel, "");
  for (const fs::path& found : files_in(root / "tests" / "fuzz" / "corpus"))
    if (found.extension() == ".cu") add(found, fs::path(found).replace_extension(".cpp"));
  return seeds;
}

// One run of the tool, as `main` would do it, in a child.
int run_tool(std::vector<std::string> words, bool checks) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  if (checks) {
    CheckOptions options;
    const auto code = parse_check_options(static_cast<int>(argv.size()), argv.data(), options);
    return code ? *code : check(options);
  }
  Options options;
  const auto code = parse_options(static_cast<int>(argv.size()), argv.data(), options);
  return code ? *code : synthesize(options);
}

struct Ended {
  int status = 0;
  bool is_late = false;
  std::string output;
};

Ended run_in_child(const std::vector<std::string>& words, bool checks, const fs::path& output) {
  const pid_t child = fork();
  if (child == 0) {
    const int file = open(output.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
    dup2(file, 1);
    dup2(file, 2);
    const rlimit core{0, 0}, computing{kMostSeconds, kMostSeconds + 1};
    setrlimit(RLIMIT_CORE, &core);
    setrlimit(RLIMIT_CPU, &computing);
    const int code = run_tool(words, checks);
    std::fflush(nullptr);
    _exit(code);
  }
  Ended ended;
  const auto started = std::chrono::steady_clock::now();
  while (waitpid(child, &ended.status, WNOHANG) == 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - started;
    if (seconds.count() < kMostPatience) continue;
    ended.is_late = true;
    kill(child, SIGKILL);
    waitpid(child, &ended.status, 0);
    break;
  }
  ended.is_late = ended.is_late || (WIFSIGNALED(ended.status) && WTERMSIG(ended.status) == SIGXCPU);
  ended.output = read(output);
  return ended;
}

// What is wrong with how it ended; nothing, if nothing is.
std::optional<std::string> finding(const Ended& ended) {
  static const std::regex kPlaced(R"(input\.(cu|cpp):\d+:\d+: error: )");
  if (ended.is_late) return fmt::format("longer than {} s", kMostSeconds);
  if (WIFSIGNALED(ended.status)) return fmt::format("signal {}", WTERMSIG(ended.status));
  const int code = WEXITSTATUS(ended.status);
  if (code == 3) return "failed its own verification";
  if (code == 1 && !std::regex_search(ended.output, kPlaced)) return "no location";
  const int known[] = {0, 1, 4, 10, 20};
  if (std::find(std::begin(known), std::end(known), code) == std::end(known)) return fmt::format("exit code {}", code);
  return std::nullopt;
}

class Fuzzer {
 public:
  explicit Fuzzer(const Arguments& arguments)
      : arguments_(arguments),
        seeds_(seeds_in(arguments.root)),
        mutator_(texts()),
        folder_(fs::temp_directory_path() / fmt::format("swizzle-fuzz-{}", getpid())) {
    fs::create_directories(folder_);
  }
  ~Fuzzer() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  int run() {
    if (seeds_.empty()) return fmt::print("no sketches in '{}'\n", arguments_.root), 2;
    std::uint64_t findings = 0;
    for (std::uint64_t i = arguments_.first; i < arguments_.first + arguments_.count; ++i) findings += try_input(i);
    fmt::print("{} inputs, {} findings\n", arguments_.count, findings);
    return findings == 0 ? 0 : 1;
  }

 private:
  std::vector<std::string> texts() const {
    std::vector<std::string> all;
    for (const Seed& seed : seeds_) all.insert(all.end(), {seed.text, seed.spec});
    return all;
  }

  std::uint64_t try_input(std::uint64_t number) {
    std::seed_seq both{arguments_.seed, number};
    std::mt19937_64 random(both);
    const Seed& seed = seeds_[random() % seeds_.size()];
    const bool checks = seed.spec.empty() || random() % 4 == 0, spoils_spec = !checks && random() % 4 == 0;
    const fs::path sketch = folder_ / "input.cu", spec = folder_ / "input.cpp";
    std::ofstream(sketch, std::ios::binary) << (spoils_spec ? seed.text : mutator_.mutated(seed.text, random));
    std::ofstream(spec, std::ios::binary) << (spoils_spec ? mutator_.mutated(seed.spec, random) : seed.spec);
    std::vector<std::string> words{"swizzle-synth", sketch.string()};
    if (checks) words.insert(words.end(), {"--json", (folder_ / "r.json").string(), "--step-limit", "200000"});
    else
      words.insert(words.end(), {"--spec", spec.string(), "--run=none", "--time-limit", kTimeLimit, "-o",
                                 (folder_ / "out.cu").string(), "--report", (folder_ / "r.json").string()});
    const Ended ended = run_in_child(words, checks, folder_ / "output");
    const auto wrong = finding(ended);
    if (!wrong) return 0;
    fmt::print("input {}: {}: {}{} mutated\n{}", number, *wrong, checks ? "check " : "", seed.name,
               ended.output.substr(0, 400));
    std::fflush(stdout);
    if (!arguments_.keep.empty()) keep(sketch, spec, fs::path(arguments_.keep) / std::to_string(number));
    return 1;
  }

  static void keep(const fs::path& sketch, const fs::path& spec, fs::path to) {
    fs::create_directories(to.parent_path());
    fs::copy_file(sketch, to.replace_extension(".cu"), fs::copy_options::overwrite_existing);
    fs::copy_file(spec, to.replace_extension(".cpp"), fs::copy_options::overwrite_existing);
  }

  const Arguments& arguments_;
  std::vector<Seed> seeds_;
  Mutator mutator_;
  fs::path folder_;
};

}  // namespace
}  // namespace swizzle::fuzz

int main(int argc, char** argv) {
  swizzle::fuzz::Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool has_value = i + 1 < argc;
    if (word == "--count" && has_value) arguments.count = std::stoull(argv[++i]);
    else if (word == "--seed" && has_value) arguments.seed = std::stoull(argv[++i]);
    else if (word == "--first" && has_value) arguments.first = std::stoull(argv[++i]);
    else if (word == "--keep" && has_value) arguments.keep = argv[++i];
    else arguments.root = word;
  }
  return swizzle::fuzz::Fuzzer(arguments).run();
}
