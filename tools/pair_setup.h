// What the commands on a sketch and a spec, or a kernel and a spec, ask of the pipeline.
#pragma once

#include <optional>
#include <string>

#include "driver/completion.h"
#include "tools/options.h"

namespace swizzle {

PairRequest pair_request(const Options& options);
CompletionRequest completion_request(const Options& options);

// "the time limit of 60 s (--time-limit sets another)"
std::string limit_text(const Options& options);

// Machine and headers, once they are known.
void report_pair(const Pair& pair, Report& report);

// How long the kernel should take, into the report; with -v, it is said.
void tell_prediction(const RereadKernel& kernel, const Options& options, Observer& observer, Report& report);

// --run=gpu where there is none; told at once, and not after the search.
std::optional<Ending> missing_gpu(const Options& options);

}  // namespace swizzle
