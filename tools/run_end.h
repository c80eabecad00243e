// How a run ends for its user: what is said, which files stay, the report, the exit code.
#pragma once

#include "driver/ending.h"
#include "tools/options.h"
#include "tools/terminal_observer.h"

namespace swizzle {

// Writes what there is to write, but for the kernel; returns the exit code. `report` is filled in but for its ending.
int end_run(const Options& options, const Ending& ending, Report report, const Stopwatch& watch,
            TerminalObserver& observer, int exit_code);

// What a run that ends so does not write, an earlier one may have left.
void remove_stale_outputs(const Options& options, const Ending& ending);

}  // namespace swizzle
