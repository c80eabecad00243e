// Observer: who is told how the pipeline gets on. Phases take one and do not know whether it is a terminal, a log or
// nobody.
//
//   struct Log : Observer {
//     void end(Phase phase, double seconds, const std::string& what) override { fmt::print("{}: {} ({} s)\n",
//     name_of(phase), what, seconds); }
//   };
//   Log log;
//   load_pair(request, log);            // "parsing: parsed reverse: 1 hole (0.04 s)"
//
// A phase that fails begins and does not end. Calls come from the thread that called the phase.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "synth/base/diagnostic.h"

namespace swizzle {

enum class Phase { kParse, kPose, kSearch, kEmit, kReread, kProve, kCertify, kRun };

const char* name_of(Phase phase);  // "parsing", "posing", …

class Observer {
 public:
  virtual ~Observer() = default;
  virtual void begin(Phase) {}
  virtual void end(Phase, double /*seconds*/,
                   const std::string& /*what it did: "posed 64 equations over 192 points at 1 size"*/) {}
  virtual void say(const std::string& /*lines for the user, each with its newline*/) {}
  virtual void tell(const Diagnostic& diagnostic) { say(render(diagnostic)); }
};

Observer& nobody();  // listens to nothing

// Seconds since it was made.
class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - started_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point started_ = Clock::now();
};

// Tells the observer that a phase begins, and when it ended.
class PhaseTimer {
 public:
  PhaseTimer(Phase phase, Observer& observer) : phase_(phase), observer_(observer) { observer.begin(phase); }
  // The seconds that it took.
  double end(const std::string& what);

 private:
  Phase phase_;
  Observer& observer_;
  Stopwatch watch_;
};

// "1 hole", "2 holes"
std::string counted(std::size_t count, const std::string& what);

}  // namespace swizzle
