// LastWord: what a run says if a limit ends it while a phase works on.
//
//   LastWord last_word(options, progress, watch);
//   last_word.is_now(unknown(UnknownReason::kTimeOfPosing), report);        kept up to date by the phases
//   const Watchdog watchdog(deadline, [&] { last_word.speak(); });          on a thread of its own
//
// Once a completion is found, nothing is said: the search ends by itself, soon after its deadline, and what it found is
// not lost.
#pragma once

#include <mutex>

#include "driver/ending.h"
#include "driver/observer.h"
#include "tools/options.h"
#include "tools/terminal_observer.h"

namespace swizzle {

class LastWord {
 public:
  LastWord(const Options& options, TerminalObserver& observer, const Stopwatch& watch)
      : options_(options),
        observer_(observer),
        watch_(watch) {}

  void is_now(const Ending& ending, const Report& so_far);
  void leave_it_to_the_search();
  // Ends the process, unless it is left to the search.
  void speak();

 private:
  const Options& options_;
  TerminalObserver& observer_;
  const Stopwatch& watch_;
  std::mutex mutex_;
  Ending ending_;
  Report report_;
  bool is_left_ = false;
};

}  // namespace swizzle
