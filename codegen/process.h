// Subprocesses and scratch folders: how a compiler or a driver is run.
//
//   ScratchFolder scratch;                                        // removed with all it holds at scope end
//   auto done = run_process({"g++", "-c", scratch.path() + "/a b.cpp"}, std::chrono::seconds(60));
//   if (!done) return done.errors();                              // could not be started
//   if (done->exit_code != 0) … done->standard_error …
//
// Arguments are passed as they are: no shell sees them. Nothing here is global, so threads may call at once.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "synth/base/diagnostic.h"

namespace swizzle {

struct ProcessResult {
  int exit_code = 0;       // meaningful when signal == 0
  int signal = 0;          // the signal that ended it, 0 for none
  bool timed_out = false;  // it ran past the limit and was ended
  std::string standard_output;
  std::string standard_error;
  bool succeeded() const { return exit_code == 0 && signal == 0 && !timed_out; }
};

// Runs arguments[0] (looked up in PATH) to its end. Past `limit` it gets SIGTERM, and SIGKILL 2 s later.
// Error: it cannot be started.
Result<ProcessResult> run_process(const std::vector<std::string>& arguments, std::chrono::milliseconds limit);

// The full path of an executable file in PATH, or `name` itself when it holds a slash and is executable; else "".
std::string find_executable(const std::string& name);

class ScratchFolder {
 public:
  ScratchFolder();  // in $TMPDIR or /tmp; path() is empty when that fails
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::string& path() const { return path_; }
  Result<std::string> write(const std::string& name, const std::string& text) const;        // the file's path
  Result<std::string> link(const std::string& name, const std::string& target_path) const;  // the link's path

 private:
  std::string path_;
};

}  // namespace swizzle
