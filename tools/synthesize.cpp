// The pipeline under the command line's limits, and what becomes of its values: the terminal, files, an exit code.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <new>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "codegen/run/files.h"
#include "driver/certificate.h"
#include "driver/pictures.h"
#include "driver/suggestions.h"
#include "driver/synthesis_report.h"
#include "synth/machine/cost_rows.h"
#include "tools/answer_cache.h"
#include "tools/exit_codes.h"
#include "tools/last_word.h"
#include "tools/limits.h"
#include "tools/options.h"
#include "tools/pair_setup.h"
#include "tools/progress.h"
#include "tools/run_end.h"
#include "tools/self_description.h"
#include "tools/synthesis_steps.h"
#include "tools/terminal_observer.h"

namespace swizzle {
namespace {

constexpr double kShortReread = 0.25, kSecondsOfSuggestions = 2;  // at most
constexpr double kShareOfSuggestions = 0.05;                      // of the time

}  // namespace

SynthesisRequest synthesis_of(const Options& options, const IssueCosts& machine, const Deadline& deadline) {
  SynthesisRequest request;
  request.set = options.set;
  request.machine = machine;
  request.deadline = deadline;
  request.limit = limit_text(options);
  request.jobs = static_cast<std::size_t>(options.jobs);
  request.groups = options.groups;
  request.first_only = options.first;
  request.all = options.all;
  request.suggests = !options.no_suggestions;
  request.counts_space = !options.report.empty();
  return request;
}

namespace {

// Asks Z3, and writes the questions down. An ending: Z3 does not agree, or the folder cannot be written.
std::optional<Ending> certify_answer(const PosedPair& posed, Searched& searched, const SynthesisRun& run) {
  const Options& options = run.options;
  const CertificateRequest request{options.time_limit_seconds - run.watch.seconds(), !options.smt_folder.empty()};
  Certificate certificate = certify(posed, searched, posed.task.issue_costs, request, run.observer);
  std::error_code ignored;  // writing says what is wrong
  if (!options.smt_folder.empty()) std::filesystem::create_directories(options.smt_folder, ignored);
  for (const auto& [name, text] : certificate.scripts)
    if (const auto written = write_output(fmt::format("{}/{}.smt2", options.smt_folder, name), text); !written.ok())
      return bad_input(written.errors());
  run.report.certified = certificate.said;
  run.observer.say(certificate_text(certificate.said, searched.solution.outcome, shown_path(options.sketch)));
  return std::move(certificate.ending);
}

// To execute what is emitted takes about as long as to pose it did: so much is kept of the time, or half of what is
// left; and some, for what else the sketch could have.
Deadline deadline_of_search(const Options& options, const PosedPair& posed, const Stopwatch& watch) {
  const double left = std::max(0.0, options.time_limit_seconds - watch.seconds());
  const double kept = std::min(kShareOfSuggestions * left, kSecondsOfSuggestions);
  return Deadline(left - std::clamp(posed.seconds - kShortReread, kept, left / 2));
}

// What is said if the explanation takes too long.
void say_without_explanation(const Searched& searched, const SynthesisRun& run) {
  const Solution& solution = searched.solution;
  if (solution.outcome == Outcome::kFound) return run.last_word.leave_it_to_the_search();
  const auto kind = solution.outcome == Outcome::kInfeasible ? Ending::Kind::kInfeasible : Ending::Kind::kUnknown;
  run.last_word.is_now({kind, solution.reason, {}}, run.report);
}

// Poses and searches within memory and time.
OrEnding<Found> search_within_limits(const Pair& pair, SynthesisRequest request, const SynthesisRun& run) {
  std::optional<MemoryLimit> memory(half_of_memory() / static_cast<std::uint64_t>(run.options.at_once));
  run.last_word.is_now(unknown(UnknownReason::kTimeOfPosing, request.limit), run.report);
  auto posed = pose_pair(pair, request, run.observer);
  if (const auto* ending = std::get_if<Ending>(&posed)) return *ending;
  Found found{std::move(std::get<PosedPair>(posed)), {}};
  report_posing(found.posed, run.report);
  run.last_word.is_now({Ending::Kind::kUnknown, search_timeout_text(found.posed, request), {}}, run.report);
  request.when_found = [&] { run.last_word.leave_it_to_the_search(); };
  SynthesisRequest of_search = request;
  of_search.deadline = deadline_of_search(run.options, found.posed, run.watch).within(request.search_seconds);
  found.searched = search(found.posed, of_search, run.observer);
  memory.reset();
  say_without_explanation(found.searched, run);
  const Ending ending = conclude(found.posed, request, found.searched);
  report_search(found.searched, run.report);
  if (run.options.certify)
    if (auto disagreement = certify_answer(found.posed, found.searched, run)) return std::move(*disagreement);
  if (ending.kind != Ending::Kind::kFound) return ending;
  return found;
}

Ending draw(Found& found, const RereadKernel& reread, const std::string& file) {
  const auto drawing = drawing_of(found.searched, reread);
  if (!drawing.ok()) return bad_input(drawing.errors());
  const auto written = write_output(file, file == "-" ? to_text(*drawing) : to_svg(*drawing));
  return written.ok() ? Ending{} : bad_input(written.errors());
}

Result<std::monostate> write_kernel(std::string kernel, const InputsKey& key, const Options& options) {
  if (options.stamp) kernel = stamped(std::move(kernel), key);
  return write_output(options.output, kernel);
}

std::optional<Answer> known_answer(const Options& options, const InputsKey& key) {
  const std::string folder = cache_folder(options);
  return folder.empty() ? std::nullopt : AnswerCache(folder).find(key.answer);
}

// What is known already, as if it were found now.
Ending reuse(const Answer& known, const InputsKey& key, const SynthesisRun& run) {
  const auto written = write_kernel(known.kernel, key, run.options);
  if (!written.ok()) return bad_input(written.errors());
  run.report.cached = known.report;
  run.observer.say(
      fmt::format("{}: found in the cache; {:.3f} s\n", shown_path(run.options.sketch), run.watch.seconds()));
  return {};
}

bool had_enough_time(const Report& report) {
  return report.optimality != Optimality::kBestFound &&
         std::ranges::none_of(report.variants, [](const Report::Variant& variant) {
           return variant.outcome == "unknown" || variant.optimality == Optimality::kBestFound;
         });
}

// Keeps what no limit had a say in.
void keep(Answer answer, const Ending& ending, Report report, const Options& options, TerminalObserver& observer) {
  const std::string folder = cache_folder(options);
  if (folder.empty() || answer.kernel.empty() || ending.kind != Ending::Kind::kFound || !had_enough_time(report))
    return;
  report_ending(ending, report);
  answer.report = to_json(report);
  if (const auto kept = AnswerCache(folder).keep(answer); !kept.ok())
    for (Diagnostic d : kept.errors()) {
      d.severity = Severity::kWarning;
      observer.tell(d);
    }
}

}  // namespace

// Emits and re-reads the kernel.
OrEnding<Made> make_kernel(Found& found, const std::string& tuned, const SynthesisRun& run) {
  CompletionRequest request = completion_request(run.options);
  request.tuned = tuned;
  const double limit = run.options.time_limit_seconds;
  request.reread_seconds = std::max(limit - run.watch.seconds(), limit / 2);
  report_completion(found.searched, request.sketch_path, run.report);
  auto emitted = emit_kernel(found.posed, found.searched, request, run.observer);
  if (!emitted.ok()) return bad_input(emitted.errors());
  run.report.seconds.emit = emitted->seconds;
  Made made{std::move(*emitted), {}};
  made.reread = reread_kernel(made.emitted, found.posed, *found.searched.best, request, run.observer);
  report_reread(made.reread, run.report);
  found.refuted_at = made.reread.refuted_at;
  if (made.reread.ending) return *made.reread.ending;
  tell_prediction(made.reread, run.options, run.observer, run.report);
  return made;
}

std::optional<Ending> prove_kernel(Found& found, Made& made, const SynthesisRun& run) {
  if (run.options.proof == Proof::kPosed) return std::nullopt;
  const SynthesisTask& task = found.posed.task;
  const AllSizes all = judge_all_sizes(made.reread, task.spec, run.options.proof, task.deadline, run.observer);
  report_all_sizes(all, run.report);
  if (all.said.counterexample) (all.ending ? found.refuted_at : found.differs_at) = all.said.counterexample->sizes;
  if (!all.ending) made.emitted.text = with_proof(std::move(made.emitted.text), all);
  return all.ending;
}

Ending finish_kernel(Found& found, Made& made, const InputsKey& key, const SynthesisRun& run) {
  const CompletionRequest request = completion_request(run.options);
  if (const auto& all = run.report.checked.all_sizes; all && found.differs_at)
    run.observer.tell(remark(run.options, beyond_text(*all)));
  const KernelRun ran = run_kernel(made.emitted, made.reread, found.posed.task.spec, request, run.observer);
  report_run(ran, run.report);
  if (ran.ending) return *ran.ending;
  run.observer.progress().finish();
  run.answer.kernel = std::move(made.emitted.text);
  const auto written = write_kernel(run.answer.kernel, key, run.options);
  if (!written.ok()) return bad_input(written.errors());
  if (!run.options.draw.empty())
    if (Ending drawn = draw(found, made.reread, run.options.draw); drawn.kind != Ending::Kind::kFound) return drawn;
  run.observer.say(
      found_text(found.searched, request.sketch_path, run.report.checked.all_sizes, ran, run.watch.seconds()));
  return {};
}

namespace {

// The pair with wider holes, where they have a completion: see widened().
std::optional<Pair> widened_pair(const Pair& pair, const SynthesisRequest& request) {
  auto sizes = sizes_of(pair, request.set);
  if (!sizes.ok()) return std::nullopt;
  pose_also(request.also, *sizes);
  auto sketch = widened({pair.sketch, pair.spec, sizes->instances, request.deadline, request.machine, request.jobs});
  if (!sketch) return std::nullopt;
  return Pair{std::move(*sketch), pair.spec, pair.parse_seconds};
}

}  // namespace

// Of the search as a whole.
Diagnostic remark(const Options& options, std::string text) {
  Diagnostic d = make_error(std::move(text));
  d.path = shown_path(options.sketch);
  d.severity = Severity::kNote;
  return d;
}

namespace {

// Where operations on words are told apart by their bits alone: with those of all arrays followed. Nothing: no more is
// known then.
std::optional<OrEnding<Found>> search_by_bits(const Pair& pair, std::optional<Pair>& followed,
                                              const SynthesisRequest& request, const SynthesisRun& run) {
  if (request.deadline.passed()) return std::nullopt;
  followed = with_bits_followed(pair);
  if (!followed) return std::nullopt;
  const Report before = run.report;
  auto found = search_within_limits(*followed, request, run);
  const auto* ending = std::get_if<Ending>(&found);
  if (ending == nullptr || ending->kind == Ending::Kind::kInfeasible) {
    std::vector<std::string> names;
    for (const BitsName& name : followed->sketch.directives.bits) names.push_back(name.buffer);
    run.observer.tell(remark(
        run.options,
        fmt::format("words were followed bit by bit, as by '#pragma swizzle bits({})'", fmt::join(names, ", "))));
    return found;
  }
  run.report = before;
  followed.reset();
  return std::nullopt;
}

}  // namespace

// `wider`: the pair that has what is found, if it is not `pair`: with --widen, or with the bits of words followed.
OrEnding<Found> search_and_widen(const Pair& pair, std::optional<Pair>& wider, const SynthesisRequest& request,
                                 const SynthesisRun& run) {
  auto found = search_within_limits(pair, request, run);
  const auto* ending = std::get_if<Ending>(&found);
  if (ending != nullptr && ending->kind == Ending::Kind::kUnknown)
    if (auto by_bits = search_by_bits(pair, wider, request, run)) return *std::move(by_bits);
  if (!run.options.widen || ending == nullptr || ending->kind != Ending::Kind::kInfeasible) return found;
  wider = widened_pair(pair, request);
  if (!wider) return found;
  return search_within_limits(*wider, request, run);
}

namespace {

void report_target(const Options& options, TerminalObserver& observer, Report& report) {
  report.arch = options.arch;
  report.costs_of = cost_row(options.arch);
  if (const std::string stand_in = stand_in_text(options.arch); options.verbose && !stand_in.empty())
    observer.say(fmt::format("costs are counted {}\n", stand_in));
}

}  // namespace

// What is listed and remarked of a search that found something.
void tell_search(const Found& found, const SynthesisRun& run) {
  if (run.options.all > 0) {
    run.report.completions = listed_completions(found.posed, found.searched);
    run.observer.say(listing_text(run.report.completions));
  }
  if (!found.searched.solution.reason.empty())
    run.observer.tell(
        remark(run.options, "there may be more completions, and cheaper ones: " + found.searched.solution.reason));
}

namespace {

Ending phases(const Options& options, TerminalObserver& observer, Report& report, const Stopwatch& watch,
              Answer& answer) {
  observer.begin(Phase::kParse);
  const auto machine = target_machine(options.arch);
  if (!machine.ok()) return bad_input(machine.errors());
  report_target(options, observer, report);
  const SynthesisRequest request = synthesis_of(options, *machine, Deadline(options.time_limit_seconds));
  LastWord last_word(options, observer, watch);
  last_word.is_now(unknown(UnknownReason::kTimeOfParsing, request.limit), report);
  std::optional<Watchdog> watchdog(std::in_place, request.deadline, [&] { last_word.speak(); });
  const auto pair = load_pair(pair_request(options), observer);
  if (!pair.ok()) return bad_input(pair.errors());
  report_pair(*pair, report);
  report.seconds.parse = pair->parse_seconds;
  const InputsKey key = key_of(*pair, options);
  answer.key = key.answer;
  const SynthesisRun run{options, watch, last_word, observer, report, answer};
  if (const auto known = known_answer(options, key)) return reuse(*known, key, run);
  if (pair->tunes.empty() && !options.tune) return complete_pair(*pair, request, [&] { watchdog.reset(); }, run);
  const auto when_found = [&] {
    last_word.leave_it_to_the_search();
    watchdog.reset();
  };
  return complete_variants(*pair, when_found, run);
}

Ending phases_within_memory(const Options& options, TerminalObserver& observer, Report& report, const Stopwatch& watch,
                            Answer& answer) {
  try {
    return phases(options, observer, report, watch, answer);
  } catch (const std::bad_alloc&) {
    return unknown(UnknownReason::kOutOfMemory);
  }
}

}  // namespace

int synthesize(const Options& options) {
  const Stopwatch watch;
  Progress progress(stderr);
  TerminalObserver observer(progress, options.verbose, options.diagnostics, colors_of(options.color));
  Report report;
  report.about = about_run(options.arguments, {{"sketch", options.sketch}, {"spec", options.spec}});
  if (const auto missing = missing_gpu(options)) return end_run(options, *missing, report, watch, observer, kExitNoGpu);
  Answer answer;
  const Ending ending = phases_within_memory(options, observer, report, watch, answer);
  keep(std::move(answer), ending, report, options, observer);
  return end_run(options, ending, report, watch, observer, exit_code(ending.kind));
}

}  // namespace swizzle
