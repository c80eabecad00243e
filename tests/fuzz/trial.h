// A trial: the tool, run on one input in this process as `main` would run it, and what is wrong with how it ended.
//
//   Trial trial(folder);
//   Ended ended = trial.run(input);         or, if the process has not survived that, what another one makes of it:
//   Ended ended = trial.ended_by(status);
//   finding(ended)                          "signal 11", "no location", …, or nothing
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "tests/fuzz/inputs.h"

namespace swizzle::fuzz {

struct Ended {
  int code = 0, signal = 0;
  std::string output, report;
};

std::optional<std::string> finding(const Ended& ended);

// Files of an input, and what the tool writes, in a folder that no other trial has.
class Trial {
 public:
  explicit Trial(std::filesystem::path folder);

  // Output and diagnostics of this process go to a file from here on.
  void capture_output() const;
  // Limits itself to some seconds. May end the process, or be ended.
  Ended run(const Input& input) const;
  Ended ended_by(int wait_status) const;
  // Copies the input to `to`.cu and `to`.cpp.
  void keep(std::filesystem::path to) const;

 private:
  std::string in(const char* name) const { return (folder_ / name).string(); }
  std::string output() const;
  std::string report() const;

  std::filesystem::path folder_;
};

}  // namespace swizzle::fuzz
