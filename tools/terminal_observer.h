// The pipeline's observer on a terminal: the phase that works in the progress line; with -v a line for each that ended.
//
//       12.3 ms  posed 64 equations over 192 points at 1 size
//
// Where standard error is one document, only diagnostics count, and nothing is said before the end.
#pragma once

#include <mutex>
#include <string>
#include <unordered_set>

#include "driver/observer.h"
#include "tools/options.h"
#include "tools/progress.h"

namespace swizzle {

class TerminalObserver : public Observer {
 public:
  TerminalObserver(Progress& progress, bool verbose, DiagnosticsAs as = DiagnosticsAs::kText,
                   Colors colors = Colors::kNone)
      : progress_(progress),
        verbose_(verbose),
        as_(as),
        colors_(colors) {}

  void begin(Phase phase) override;
  void end(Phase phase, double seconds, const std::string& what) override;
  void say(const std::string& text) override;
  void tell(const Diagnostic& diagnostic) override;

  Diagnostics told() const;  // from any thread
  Progress& progress() { return progress_; }
  DiagnosticsAs as() const { return as_; }
  Colors colors() const { return colors_; }

 private:
  Progress& progress_;
  bool verbose_;
  DiagnosticsAs as_;
  Colors colors_;
  mutable std::mutex mutex_;
  Diagnostics told_;
  std::unordered_set<std::string> texts_;  // of these: what is told of one kernel is often told of the next
};

// Of lines on standard error: what --color, NO_COLOR, TERM and the terminal say.
Colors colors_of(ColorWhen when);

}  // namespace swizzle
