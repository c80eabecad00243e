// A sketch with ?sw_tune: every choice is a sketch like any other, and the best of them is what is found. With --tune
// there are further completions of the best besides, and the fastest is.
#include <algorithm>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "codegen/run/toolchain.h"
#include "driver/tuning.h"
#include "synth/machine/machine.h"
#include "tools/pair_setup.h"
#include "tools/synthesis_steps.h"

namespace swizzle {
namespace {

// The number, and where it stands.
void add_tuned_holes(const Pair& pair, const Options& options, Report& report) {
  for (std::size_t i = 0; i < pair.tunes.size(); ++i) {
    const LineColumn at = pair.sketch_text.locate(pair.tunes[i].range.begin);
    report.holes.push_back({static_cast<int>(report.holes.size()), "sw_tune",
                            fmt::format("{}:{}:{}", shown_path(options.sketch), at.line, at.column),
                            std::to_string(pair.tuned[i])});
  }
}

// A variant that was found, with all that finish_kernel() needs.
struct Candidate {
  std::unique_ptr<Pair> pair;
  std::optional<Pair> wider;
  std::optional<Found> found;
  Made made;
  Report report;
  Report::Variant variant;
  std::size_t listed = 0;  // the place of its completion in a list of such, from 1; 0: the cheapest, without a list
  std::optional<double> least = {};  // of a listed one: what the cheapest is proved to cost
};

constexpr std::size_t kMostListed = 4;
constexpr double kSecondsOfListing = 4;

// Makes the completion at its place of the list the one that is found. False: fewer are listed.
bool take_listed(const Candidate& candidate, Solution& solution) {
  if (solution.completions.size() < candidate.listed) return false;
  solution.completions = {solution.completions[candidate.listed - 1]};
  solution.reason = "";  // of the list
  const double cost = solution.completions[0].cost.total;
  if (candidate.least && cost <= *candidate.least + kCostTolerance) solution.optimality = Optimality::kProved;
  return true;
}

// An ending: there is none of this choice, or none at this place of the list.
std::optional<Ending> complete_variant(const Pair& first, double seconds, const SynthesisRun& of,
                                       Candidate& candidate) {
  const Stopwatch watch;
  Options own = of.options;
  if (candidate.listed > 0) own.all = kMostListed;
  own.time_limit_seconds = seconds;  // by the watch of this one
  const SynthesisRun run{own, watch, of.last_word, of.observer, candidate.report, of.answer};
  PairRequest request = pair_request(of.options);
  request.tuned = candidate.variant.choice;
  request.sketch_text = first.sketch_text;
  request.spec_text = SourceText(first.spec.source.path(), first.spec.source.text());
  auto pair = load_pair(request, run.observer);
  if (!pair.ok()) return bad_input(pair.errors());
  candidate.pair = std::make_unique<Pair>(std::move(*pair));
  const SynthesisRequest synthesis = synthesis_of(own, *target_machine(own.arch), Deadline(seconds));
  auto found = search_and_widen(*candidate.pair, candidate.wider, synthesis, run);
  if (const auto* ending = std::get_if<Ending>(&found)) return *ending;
  candidate.found.emplace(std::move(std::get<Found>(found)));
  if (candidate.listed > 0 && !take_listed(candidate, candidate.found->searched.solution))
    return Ending{Ending::Kind::kInfeasible, "there are no more", {}};
  candidate.report.optimality = candidate.found->searched.solution.optimality;
  auto made = make_kernel(*candidate.found, tuned_lines(*candidate.pair), run);
  if (const auto* ending = std::get_if<Ending>(&made)) return *ending;
  candidate.made = std::move(std::get<Made>(made));
  Report::Variant& variant = candidate.variant;
  variant.outcome = "found";
  variant.cost = candidate.report.cost->total;
  variant.optimality = candidate.report.optimality;
  if (const auto& predicted = candidate.report.predicted; predicted && predicted->time)
    variant.cycles_per_kilobyte = predicted->time->cycles_per_kilobyte;
  return std::nullopt;
}

// Of variants none of which is found: unknown as soon as one is, bad input only if all are.
Ending joint_ending(const std::vector<Ending>& endings) {
  for (const auto kind : {Ending::Kind::kUnknown, Ending::Kind::kInfeasible, Ending::Kind::kBadInput})
    for (const Ending& ending : endings) {
      if (ending.kind != kind) continue;
      Ending joint = ending;
      if (kind != Ending::Kind::kBadInput && endings.size() > 1)
        joint.reason = fmt::format("of {} variants none is found; {}", endings.size(), ending.reason);
      return joint;
    }
  return {};
}

using Candidates = std::vector<std::unique_ptr<Candidate>>;

void best_first(Candidates& candidates) {
  std::ranges::stable_sort(candidates, [](const auto& a, const auto& b) { return is_better(a->variant, b->variant); });
}

// Times the candidates on the GPU that is here.
void time_candidates(Candidates& candidates, const Options& options, TerminalObserver& observer) {
  if (!gpu_present() || !find_nvcc()) {
    observer.tell(remark(options, "--tune: there is no GPU with an nvcc here; the model's order stands"));
    return;
  }
  const CompletionRequest request = completion_request(options);
  std::optional<SizesToTime> at;
  for (const auto& candidate : candidates) {
    const auto& predicted = candidate->report.predicted;
    if (!at && predicted && predicted->time) at = sizes_to_time(candidate->made.reread, *predicted->time);
    if (!at) continue;
    const auto measured = time_variant(candidate->made.emitted, candidate->made.reread, *at, request);
    if (measured.ok()) candidate->variant.microseconds = *measured;
    else
      observer.tell(remark(options, fmt::format("variant {} is not timed: {}", choice_text(candidate->variant.choice),
                                                measured.errors()[0].message)));
  }
  if (at) observer.say(fmt::format("timed at {}\n", sizes_text(at->sizes)));
}

// Every choice; the best candidates are kept, what came of the others is listed.
struct Tried {
  Candidates candidates;
  std::vector<Report::Variant> others;
  std::vector<Ending> endings;  // of those that are no candidates
};

void note_ending(Ending ending, Report::Variant variant, Tried& tried) {
  const bool is_bad = ending.kind == Ending::Kind::kBadInput && !ending.diagnostics.empty();
  variant.outcome = is_bad ? "error" : ending.kind == Ending::Kind::kInfeasible ? "infeasible" : "unknown";
  variant.reason = is_bad ? ending.diagnostics[0].message : ending.reason;
  tried.endings.push_back(std::move(ending));
  tried.others.push_back(std::move(variant));
}

OrEnding<Tried> try_choices(const Pair& first, const std::vector<TuneChoice>& choices,
                            const std::function<void()>& when_found, const SynthesisRun& run) {
  constexpr std::size_t kMostTimed = 8;
  Tried tried;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const double left = std::max(0.0, run.options.time_limit_seconds - run.watch.seconds());
    auto candidate = std::make_unique<Candidate>();
    candidate->report = run.report;
    candidate->variant.choice = choices[i];
    auto ending = complete_variant(first, left / static_cast<double>(choices.size() - i), run, *candidate);
    if (ending && ending->kind == Ending::Kind::kFailedVerification) return std::move(*ending);
    if (ending) {
      note_ending(std::move(*ending), std::move(candidate->variant), tried);
      continue;
    }
    when_found();
    tried.candidates.push_back(std::move(candidate));
    best_first(tried.candidates);
    if (tried.candidates.size() <= (run.options.tune ? kMostTimed : 1)) continue;
    tried.others.push_back(std::move(tried.candidates.back()->variant));
    tried.candidates.pop_back();
  }
  return tried;
}

std::vector<std::string> expressions_of(const Candidate& candidate) {
  std::vector<std::string> expressions;
  for (const auto& hole : candidate.report.holes) expressions.push_back(hole.expression);
  return expressions;
}

// Further completions of the best variant, as far as half of the time that is left allows: they cost as much or more,
// and may take less time, which is not what the search minimizes. `before`: the report before the search.
void add_completions(const Pair& first, const Report& before, Tried& tried, const SynthesisRun& run) {
  const Report::Variant best = tried.candidates.front()->variant;
  const Deadline deadline((run.options.time_limit_seconds - run.watch.seconds()) / 2);
  std::set<std::vector<std::string>> known = {expressions_of(*tried.candidates.front())};
  for (std::size_t listed = 1; listed <= kMostListed && !deadline.passed(); ++listed) {
    auto candidate = std::make_unique<Candidate>();
    candidate->report = before;
    candidate->variant.choice = best.choice;
    candidate->variant.completion = known.size() + 1;
    candidate->listed = listed;
    if (best.optimality == Optimality::kProved) candidate->least = best.cost;
    const double left = run.options.time_limit_seconds - run.watch.seconds();
    const auto ending = complete_variant(first, std::min(left / 2, kSecondsOfListing), run, *candidate);
    if (ending && ending->kind != Ending::Kind::kFailedVerification) return;  // the list ends here
    if (!ending && known.insert(expressions_of(*candidate)).second) tried.candidates.push_back(std::move(candidate));
  }
}

std::vector<Report::Variant> listed_variants(const Tried& tried) {
  std::vector<Report::Variant> variants = tried.others;
  for (const auto& candidate : tried.candidates) variants.push_back(candidate->variant);
  std::ranges::stable_sort(variants, [](const auto& a, const auto& b) {
    return a.is_chosen != b.is_chosen ? a.is_chosen : is_better(a, b);
  });
  return variants;
}

}  // namespace

Ending complete_variants(const Pair& first, const std::function<void()>& when_found, const SynthesisRun& run) {
  const auto choices = choices_of(first.sketch_text, first.tunes);
  if (!choices.ok()) return bad_input(choices.errors());
  auto all = try_choices(first, *choices, when_found, run);
  if (const auto* ending = std::get_if<Ending>(&all)) return *ending;
  Tried& tried = std::get<Tried>(all);
  if (tried.candidates.empty()) {
    run.report.variants = std::move(tried.others);
    return joint_ending(tried.endings);
  }
  if (run.options.tune) {
    add_completions(first, run.report, tried, run);
    time_candidates(tried.candidates, run.options, run.observer);
  }
  best_first(tried.candidates);
  Candidate& best = *tried.candidates.front();
  best.variant.is_chosen = true;
  run.report = std::move(best.report);
  run.report.variants = listed_variants(tried);
  add_tuned_holes(*best.pair, run.options, run.report);
  for (const Report::Variant& variant : run.report.variants) run.observer.say(variant_text(variant) + "\n");
  tell_search(*best.found, run);
  if (auto refuted = prove_kernel(*best.found, best.made, run)) return std::move(*refuted);
  return finish_kernel(*best.found, best.made, key_of(first, run.options), run);
}

}  // namespace swizzle
