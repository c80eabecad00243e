// Workers: processes that try one input after the other. One that does not survive an input tells by that how it ended,
// and another takes its place.
//
//   worker 0   input 0, 2, 3 ✗ signal 11        worker 0 again   input 5, …
//   worker 1   input 1, 4, …
//
// Inputs are taken in order and none is left unfinished: those that were tried are the first ones.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/fuzz/inputs.h"
#include "tests/fuzz/trial.h"

namespace swizzle::fuzz {

struct Plan {
  std::uint64_t first = 0, count = 100;
  int jobs = 1;
  double stop_after = 0;  // seconds after which no input is begun; 0: no limit
  std::string keep;       // folder for inputs with findings; empty: they are not kept
};

struct Tried {
  std::uint64_t inputs = 0, findings = 0;
};

inline constexpr int kMostJobs = 256;

class Workers {
 public:
  Workers(const Inputs& inputs, const Plan& plan);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  // Tells of each finding on stdout.
  Tried run();

 private:
  struct Shared;  // by all processes

  void start(int worker);
  [[noreturn]] void work(int worker);
  // Of the process of a worker that is no more. Starts another where there is more to try.
  void bury(int worker, int wait_status);
  bool is_over() const;
  void judge(std::uint64_t number, const Input& input, const Ended& ended, const Trial& trial);
  std::filesystem::path folder_of(int worker) const { return folder_ / std::to_string(worker); }

  const Inputs& inputs_;
  const Plan& plan_;
  std::filesystem::path folder_;
  Shared* shared_;
  int told_;                      // stdout, also where a worker's own is captured
  std::vector<pid_t> processes_;  // by worker; 0: none
};

}  // namespace swizzle::fuzz
