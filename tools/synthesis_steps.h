// The steps of a synthesis under the command line's limits: of one pair, and of each variant of a sketch with ?sw_tune.
//
//   search_and_widen ─► Found ─► make_kernel ─► Made ─► finish_kernel
//
// Each fills in its part of the report, or says how the run ends.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "driver/completion.h"
#include "driver/synthesis.h"
#include "tools/answer_cache.h"
#include "tools/last_word.h"
#include "tools/options.h"

namespace swizzle {

struct Found {
  PosedPair posed;
  Searched searched;
  std::optional<Sizes> refuted_at = {};  // where what was found is not the spec
};

struct Made {
  EmittedKernel emitted;
  RereadKernel reread;
};

SynthesisRequest synthesis_of(const Options& options, const IssueCosts& machine, const Deadline& deadline);

// With --widen, `wider` is the pair that has what is found, if it is not `pair`. `watch` began with the time limit.
OrEnding<Found> search_and_widen(const Pair& pair, std::optional<Pair>& wider, const SynthesisRequest& request,
                                 const Options& options, const Stopwatch& watch, LastWord& last_word,
                                 TerminalObserver& observer, Report& report);

// Emits and re-reads the kernel. `tuned`: lines for its head.
OrEnding<Made> make_kernel(Found& found, const Options& options, const std::string& tuned, TerminalObserver& observer,
                           Report& report);

// What is listed and remarked of a search that found something.
void tell_search(const Found& found, const Options& options, TerminalObserver& observer, Report& report);

// Proves, runs and writes it.
Ending finish_kernel(Found& found, Made& made, const Options& options, TerminalObserver& observer, Report& report,
                     const Stopwatch& watch, const InputsKey& key, Answer& answer);

// Of the search as a whole.
Diagnostic remark(const Options& options, std::string text);

// tools/variants.cpp: all choices for the sketch's ?sw_tune; the best kernel is proved, run and written. `first` is the
// pair with the first of them.
Ending complete_variants(const Pair& first, const Options& options, LastWord& last_word,
                         const std::function<void()>& when_found, TerminalObserver& observer, Report& report,
                         const Stopwatch& watch, Answer& answer);

}  // namespace swizzle
