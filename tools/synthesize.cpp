// The pipeline under the command line's limits, and what becomes of its values: the terminal, files, an exit code.
#include <unistd.h>

#include <atomic>
#include <functional>
#include <new>
#include <optional>

#include <fmt/format.h>

#include "codegen/run/files.h"
#include "codegen/run/toolchain.h"
#include "driver/pictures.h"
#include "driver/synthesis_report.h"
#include "synth/machine/cost_rows.h"
#include "tools/exit_codes.h"
#include "tools/limits.h"
#include "tools/options.h"
#include "tools/progress.h"
#include "tools/terminal_observer.h"

namespace swizzle {
namespace {

SynthesisRequest synthesis_of(const Options& options, const IssueCosts& machine) {
  SynthesisRequest request;
  request.set = options.set;
  request.machine = machine;
  if (options.time_limit_seconds) request.deadline = Deadline(*options.time_limit_seconds);
  request.jobs = static_cast<std::size_t>(options.jobs);
  request.first_only = options.first;
  request.all = options.all;
  request.counts_space = !options.report.empty();
  return request;
}

CompletionRequest completion_of(const Options& options) {
  CompletionRequest request;
  request.sketch_path = options.sketch;
  request.spec_path = options.spec;
  if (names_file(options.output)) request.shown_as = options.output;
  request.tool = "swizzle-synth " SWIZZLE_VERSION;
  request.arch = options.arch;
  request.set = options.set;
  request.run = options.run;
  return request;
}

// What a run that ends so does not write, an earlier one may have left.
void remove_stale_outputs(const Options& options, const Ending& ending) {
  if (ending.kind == Ending::Kind::kFound) return;
  remove_output(options.output);
  remove_output(options.draw);
  if (!is_reported(ending)) remove_output(options.report);
}

// Ends the process while a phase works on; `report` is what the phases before it said.
[[noreturn]] void give_up(const std::string& why, Report report, const Options& options, Progress& progress,
                          double seconds) {
  const Ending ending{Ending::Kind::kUnknown, why, {}};
  report_ending(ending, report);
  report.seconds.total = seconds;
  progress.say(text_of(ending, options.sketch));
  remove_stale_outputs(options, ending);
  if (!options.report.empty()) static_cast<void>(write_output(options.report, to_json(report)));
  _exit(exit_code(ending.kind));
}

struct Found {
  PosedPair posed;
  Searched searched;
};

using GiveUp = std::function<void(const std::string& why, const Report& so_far)>;

// Poses and searches within memory and time.
OrEnding<Found> search_within_limits(const Pair& pair, const SynthesisRequest& request, const GiveUp& give_up,
                                     TerminalObserver& observer, Report& report) {
  std::optional<MemoryLimit> memory(half_of_memory());
  std::string while_searching;
  // The watchdog barks on a thread of its own: it reads what is written no more.
  const Report parsed = report;
  Report posed_report;
  std::atomic<bool> is_posed = false;
  std::optional<Watchdog> watchdog(std::in_place, request.deadline, [&] {
    if (is_posed) give_up(while_searching, posed_report);
    else give_up(unknown_text(UnknownReason::kTimeOfPosing), parsed);
  });
  auto posed = pose_pair(pair, request, observer);
  if (const auto* ending = std::get_if<Ending>(&posed)) return *ending;
  Found found{std::move(std::get<PosedPair>(posed)), {}};
  report_posing(found.posed, report);
  while_searching = search_timeout_text(found.posed);
  posed_report = report;
  is_posed = true;
  found.searched = search(found.posed, request, observer);
  watchdog.reset();
  memory.reset();
  const Ending ending = conclude(found.posed, request, found.searched);
  report_search(found.searched, report);
  if (ending.kind != Ending::Kind::kFound) return ending;
  return found;
}

Ending draw(Found& found, const RereadKernel& reread, const std::string& file) {
  const auto pictures = pictures_of(found.searched, reread);
  if (!pictures.ok()) return bad_input(pictures.errors());
  const auto written = write_output(file, file == "-" ? banks_text(*pictures) : to_svg(*pictures));
  return written.ok() ? Ending{} : bad_input(written.errors());
}

// Emits, verifies and writes the kernel.
Ending complete(Found& found, const Options& options, TerminalObserver& observer, Report& report,
                const Stopwatch& watch) {
  const CompletionRequest request = completion_of(options);
  report_completion(found.searched, options.sketch, report);
  const auto emitted = emit_kernel(found.posed, found.searched, request, observer);
  if (!emitted.ok()) return bad_input(emitted.errors());
  report.seconds.emit = emitted->seconds;
  const RereadKernel reread = reread_kernel(*emitted, found.posed, *found.searched.best, request, observer);
  report_reread(reread, report);
  if (reread.ending) return *reread.ending;
  if (options.proof != Proof::kPosed) {
    const AllSizes all = judge_all_sizes(reread, found.posed.task.spec, options.proof, observer);
    report_all_sizes(all, report);
    if (all.ending) return *all.ending;
  }
  const KernelRun run = run_kernel(*emitted, reread, found.posed.task.spec, request, observer);
  report_run(run, report);
  if (run.ending) return *run.ending;
  observer.progress().finish();
  if (const auto written = write_output(options.output, emitted->text); !written.ok())
    return bad_input(written.errors());
  if (!options.draw.empty())
    if (Ending drawn = draw(found, reread, options.draw); drawn.kind != Ending::Kind::kFound) return drawn;
  observer.say(found_text(found.searched, options.sketch, run, watch.seconds()));
  return {};
}

Ending phases(const Options& options, TerminalObserver& observer, Report& report, const Stopwatch& watch) {
  observer.begin(Phase::kParse);
  const auto machine = target_machine(options.arch);
  if (!machine.ok()) return bad_input(machine.errors());
  report.arch = options.arch;
  report.costs_of = cost_row(options.arch);
  if (const std::string stand_in = stand_in_text(options.arch); options.verbose && !stand_in.empty())
    observer.say(fmt::format("costs are counted {}\n", stand_in));
  const auto pair =
      load_pair({options.sketch, options.spec, options.kernel, options.machine, !options.draw.empty()}, observer);
  if (!pair.ok()) return bad_input(pair.errors());
  report.seconds.parse = pair->parse_seconds;
  const auto give_up_now = [&](const std::string& why, const Report& so_far) {
    give_up(why, so_far, options, observer.progress(), watch.seconds());
  };
  auto found = search_within_limits(*pair, synthesis_of(options, *machine), give_up_now, observer, report);
  if (const auto* ending = std::get_if<Ending>(&found)) return *ending;
  auto& [posed, searched] = std::get<Found>(found);
  if (options.all > 0) {
    report.completions = listed_completions(posed, searched);
    observer.say(listing_text(report.completions));
  }
  if (!searched.solution.reason.empty())
    observer.say(fmt::format("{}: note: there may be more completions, and cheaper ones: {}\n", options.sketch,
                             searched.solution.reason));
  return complete(std::get<Found>(found), options, observer, report, watch);
}

// Told at once, and not after the search.
int without_gpu(const Options& options) {
  fmt::print(stderr, "error: --run=gpu: there is no {}; --run=cpu runs under an emulation\n",
             gpu_present() ? "nvcc to build for the GPU" : "GPU that this process may use");
  for (const std::string& stale : {options.output, options.draw, options.report}) remove_output(stale);
  return kExitNoGpu;
}

Ending phases_within_memory(const Options& options, TerminalObserver& observer, Report& report,
                            const Stopwatch& watch) {
  try {
    return phases(options, observer, report, watch);
  } catch (const std::bad_alloc&) {
    return unknown(UnknownReason::kOutOfMemory);
  }
}

}  // namespace

int synthesize(const Options& options) {
  if (options.run == RunAt::kGpu && !(gpu_present() && find_nvcc())) return without_gpu(options);
  const Stopwatch watch;
  Progress progress(stderr);
  TerminalObserver observer(progress, options.verbose);
  Report report;
  const Ending ending = phases_within_memory(options, observer, report, watch);
  observer.say(text_of(ending, options.sketch));
  progress.finish();
  remove_stale_outputs(options, ending);
  report_ending(ending, report);
  report.seconds.total = watch.seconds();
  if (options.report.empty() || !is_reported(ending)) return exit_code(ending.kind);
  if (const auto written = write_output(options.report, to_json(report)); !written.ok()) {
    for (const Diagnostic& d : written.errors()) observer.say(render(d));
    return kExitBadInput;
  }
  return exit_code(ending.kind);
}

}  // namespace swizzle
