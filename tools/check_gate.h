// What --baseline and --fail-on-conflicts make of an overview.
#pragma once

#include "codegen/report/overview.h"
#include "driver/observer.h"
#include "tools/exit_codes.h"
#include "tools/options.h"

namespace swizzle {

// Reads or writes the baseline, and marks what is known. Errors: it cannot be read or written, or is none.
Result<std::monostate> apply_baseline(const CheckOptions& options, Overview& overview, Observer& observer);

// What is not accepted decides; `name` is that of the file, or of all.
ExitCode gate(const Overview& overview, const CheckOptions& options, const std::string& name, Observer& observer);

}  // namespace swizzle
