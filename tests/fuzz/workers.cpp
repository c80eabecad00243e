#include "tests/fuzz/workers.h"

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <new>

#include <fmt/format.h>

namespace swizzle::fuzz {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// A process ends after so many inputs or with so much memory, whatever they left behind.
constexpr int kInputsOfProcess = 500;
constexpr long kMostKilobytes = 1 << 20;
constexpr std::size_t kShownOfOutput = 400;

bool is_large() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return used.ru_maxrss > kMostKilobytes;
}

}  // namespace

struct Workers::Shared {
  struct Trying {
    std::atomic<std::uint64_t> number{0};
    std::atomic<bool> is_on{false};  // from when it is taken to when it is judged
  };

  std::atomic<std::uint64_t> next{0}, tried{0}, findings{0};
  Clock::time_point end = Clock::time_point::max();
  std::array<Trying, kMostJobs> trying;  // by worker
};

Workers::Workers(const Inputs& inputs, const Plan& plan)
    : inputs_(inputs),
      plan_(plan),
      folder_(fs::temp_directory_path() / fmt::format("swizzle-fuzz-{}", getpid())),
      told_(dup(1)),
      processes_(static_cast<std::size_t>(std::clamp(plan.jobs, 1, kMostJobs))) {
  void* memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  shared_ = new (memory) Shared;
  shared_->next = plan.first;
  if (plan.stop_after > 0)
    shared_->end =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(plan.stop_after));
}

Workers::~Workers() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
  munmap(shared_, sizeof(Shared));
  close(told_);
}

Tried Workers::run() {
  for (int worker = 0; worker < static_cast<int>(processes_.size()); ++worker) start(worker);
  int status = 0;
  for (pid_t ended; (ended = waitpid(-1, &status, 0)) > 0;) {
    const auto process = std::find(processes_.begin(), processes_.end(), ended);
    if (process != processes_.end()) bury(static_cast<int>(process - processes_.begin()), status);
  }
  return {shared_->tried, shared_->findings};
}

bool Workers::is_over() const { return shared_->next >= plan_.first + plan_.count || Clock::now() >= shared_->end; }

void Workers::start(int worker) {
  std::fflush(nullptr);
  const pid_t process = fork();
  if (process == 0) work(worker);
  processes_[static_cast<std::size_t>(worker)] = process;
}

void Workers::work(int worker) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const rlimit core{0, 0};
  setrlimit(RLIMIT_CORE, &core);
  const Trial trial(folder_of(worker));
  trial.capture_output();
  auto& trying = shared_->trying[static_cast<std::size_t>(worker)];
  for (int left = kInputsOfProcess; left > 0 && !is_over() && !is_large(); --left) {
    const std::uint64_t number = shared_->next++;
    if (number >= plan_.first + plan_.count) break;
    const Input input = inputs_.at(number);
    trying.number = number;
    trying.is_on = true;
    judge(number, input, trial.run(input), trial);
    trying.is_on = false;
  }
  _exit(0);
}

void Workers::bury(int worker, int wait_status) {
  auto& trying = shared_->trying[static_cast<std::size_t>(worker)];
  if (trying.is_on) {
    const Trial trial(folder_of(worker));
    judge(trying.number, inputs_.at(trying.number), trial.ended_by(wait_status), trial);
    trying.is_on = false;
  }
  processes_[static_cast<std::size_t>(worker)] = 0;
  if (!is_over()) start(worker);
}

void Workers::judge(std::uint64_t number, const Input& input, const Ended& ended, const Trial& trial) {
  ++shared_->tried;
  const auto wrong = finding(ended);
  if (!wrong) return;
  ++shared_->findings;
  const std::string told = fmt::format("input {}: {}: {}{} mutated\n{}\n", number, *wrong, input.checks ? "check " : "",
                                       input.name, ended.output.substr(0, kShownOfOutput));
  if (write(told_, told.data(), told.size()) < 0) _exit(2);
  if (!plan_.keep.empty()) trial.keep(fs::path(plan_.keep) / std::to_string(number));
}

}  // namespace swizzle::fuzz
