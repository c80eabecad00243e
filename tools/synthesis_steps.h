// The steps of a synthesis under the command line's limits: of one pair, and of each variant of a sketch with ?sw_tune.
//
//   search_and_widen ─► Found ─► make_kernel ─► Made ─► prove_kernel ─► finish_kernel
//
// Each gives the next one's value, or says how the run ends.
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
  std::optional<Sizes> differs_at = {};  // … beyond the sizes that it is proved for
};

struct Made {
  EmittedKernel emitted;
  RereadKernel reread;
};

// What all steps of a run share. Each fills in its part of the report.
struct SynthesisRun {
  const Options& options;
  const Stopwatch& watch;  // began with the time limit
  LastWord& last_word;
  TerminalObserver& observer;
  Report& report;
  Answer& answer;  // for the cache
};

SynthesisRequest synthesis_of(const Options& options, const IssueCosts& machine, const Deadline& deadline);

// With --widen, `wider` is the pair that has what is found, if it is not `pair`.
OrEnding<Found> search_and_widen(const Pair& pair, std::optional<Pair>& wider, const SynthesisRequest& request,
                                 const SynthesisRun& run);

// Emits and re-reads the kernel. `tuned`: lines for its head.
OrEnding<Made> make_kernel(Found& found, const std::string& tuned, const SynthesisRun& run);

// What is listed and remarked of a search that found something.
void tell_search(const Found& found, const SynthesisRun& run);

// For the sizes that were not posed, too, as far as --proof asks. An ending: it is refuted.
std::optional<Ending> prove_kernel(Found& found, Made& made, const SynthesisRun& run);

// Runs and writes it.
Ending finish_kernel(Found& found, Made& made, const InputsKey& key, const SynthesisRun& run);

// Of the search as a whole.
Diagnostic remark(const Options& options, std::string text);

// tools/synthesis_attempts.cpp: all of the above; sizes at which what is found is not the spec are posed, too.
// `when_searched`: from then on the time limit ends nothing.
Ending complete_pair(const Pair& pair, SynthesisRequest request, const std::function<void()>& when_searched,
                     const SynthesisRun& run);

// tools/variants.cpp: all choices for the sketch's ?sw_tune; the best kernel is proved, run and written. `first` is the
// pair with the first of them.
Ending complete_variants(const Pair& first, const std::function<void()>& when_found, const SynthesisRun& run);

}  // namespace swizzle
