// Subprocesses: how a compiler or a test program is run.
//
//   ScratchFolder scratch;                                        // see files.h
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

}  // namespace swizzle
