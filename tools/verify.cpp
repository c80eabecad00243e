// `swizzle-synth verify KERNEL.cu --spec SPEC`: a kernel without holes against its spec.
#include "tools/verify.h"

#include <algorithm>
#include <new>
#include <optional>
#include <set>
#include <string>

#include <fmt/format.h>

#include "driver/synthesis_report.h"
#include "driver/verification.h"
#include "synth/machine/cost_rows.h"
#include "synth/program/size_tree.h"
#include "tools/exit_codes.h"
#include "tools/last_word.h"
#include "tools/limits.h"
#include "tools/pair_setup.h"
#include "tools/run_end.h"
#include "tools/self_description.h"
#include "tools/synthesis_steps.h"

namespace swizzle {
namespace {

// Concrete inputs for what the symbols refuted.
void run_refuted(const Pair& pair, RereadKernel kernel, const CompletionRequest& request, TerminalObserver& observer,
                 Report& report) {
  kernel.kernel = pair.sketch;
  kernel.posed = {kernel.posed.back()};
  report_run(run_kernel(as_it_is(pair, kernel), kernel, pair.spec, request, observer), report);
}

Ending judge(const Pair& pair, ExecutedKernel executed, const Options& options, const Deadline& deadline,
             TerminalObserver& observer, Report& report, const Stopwatch& watch) {
  const RereadKernel& kernel = executed.kernel;
  std::optional<AllSizes> all;
  if (options.proof != Proof::kPosed) {
    all = judge_all_sizes(kernel, pair.spec, options.proof, deadline, observer);
    report_all_sizes(*all, report);
    if (all->ending) report.counterexample = all->said.counterexample;
    if (all->ending) return *all->ending;
  }
  tell_prediction(kernel, options, observer, report);
  const CompletionRequest request = completion_request(options);
  const KernelRun run = run_kernel(as_it_is(pair, kernel), kernel, pair.spec, request, observer);
  report_run(run, report);
  if (run.ending) return *run.ending;
  observer.progress().finish();
  if (all && !beyond_text(all->said).empty()) observer.tell(remark(options, beyond_text(all->said)));
  observer.say(equal_text(request.sketch_path, kernel, all ? &*all : nullptr, run, watch.seconds()));
  return {};
}

constexpr double kSecondsOfUsualSizes = 8;

// Of sizes that are chosen, one that no launch names: it may have to be a multiple, or no less than another one.
bool may_be_for_others(const Program& kernel, const std::set<std::string>& chosen) {
  std::set<std::string> launched;
  for (const auto* extents : {&kernel.directives.launch->grid, &kernel.directives.launch->block})
    for (const SizeExpr& extent : *extents)
      if (const auto tree = parse_size(extent, kernel.source); tree.ok()) launched.merge(names_in(*tree));
  return !std::ranges::includes(launched, chosen);
}

bool took_too_long(const Ending& ending) {
  return !ending.diagnostics.empty() && ending.diagnostics.front().is_too_long;
}

// At the sizes that are given or chosen; at fewer elements, where nobody asked for so many and they take too long.
Result<ExecutedKernel> execute(Pair& pair, const Options& options, const Deadline& deadline,
                               TerminalObserver& observer) {
  ExecutedKernel executed;
  for (const OpenSizes open : {OpenSizes::kChosen, OpenSizes::kFewChosen}) {
    const auto sizes = sizes_of(pair, options.set, open);
    if (!sizes.ok()) return sizes.errors();
    pair.sketch.directives.chosen = sizes->chosen;
    const bool may_be_fewer = open == OpenSizes::kChosen && !sizes->chosen.empty();
    const Deadline until = may_be_fewer ? deadline.within(kSecondsOfUsualSizes) : deadline;
    do executed = execute_at_sizes(pair, *sizes, until, observer);
    while (take_longer_buffer(pair, executed));
    auto& ending = executed.kernel.ending;
    if (ending && ending->kind == Ending::Kind::kFailedVerification && may_be_for_others(pair.sketch, sizes->chosen))
      ending->diagnostics.push_back(note_of_assumptions());
    const bool is_open = ending && ending->kind == Ending::Kind::kUnknown;
    if (!may_be_fewer || !is_open || !(until.passed() || took_too_long(*ending)) || deadline.passed()) break;
  }
  return executed;
}

Ending phases(const Options& options, TerminalObserver& observer, Report& report, const Stopwatch& watch) {
  observer.begin(Phase::kParse);
  report.arch = options.arch;
  report.costs_of = cost_row(options.arch);
  const Deadline deadline(options.time_limit_seconds);
  LastWord last_word(options, observer, watch);
  last_word.is_now(unknown(UnknownReason::kTimeOfParsing, limit_text(options)), report);
  std::optional<Watchdog> watchdog(std::in_place, deadline, [&] { last_word.speak(); });
  auto pair = load_pair(pair_request(options), observer);
  if (!pair.ok()) return bad_input(pair.errors());
  report_pair(*pair, report);
  std::optional<MemoryLimit> memory(half_of_memory());
  last_word.is_now(unknown(UnknownReason::kTimeOfPosing, limit_text(options)), report);
  auto found = execute(*pair, options, deadline, observer);
  if (!found.ok()) return bad_input(found.errors());
  ExecutedKernel executed = *std::move(found);
  memory.reset();
  watchdog.reset();
  report.checked.posed = executed.kernel.at;
  for (const Extent& extent : pair->sketch.directives.extents)
    if (extent.is_assumed)
      report.checked.assumed_extents.push_back(fmt::format("{}({})", extent.buffer, extent.elements.text));
  report.seconds.pose = executed.kernel.seconds;
  report.counterexample = executed.counterexample;
  if (!executed.kernel.ending) return judge(*pair, std::move(executed), options, deadline, observer, report, watch);
  if (executed.counterexample) run_refuted(*pair, executed.kernel, completion_request(options), observer, report);
  return *executed.kernel.ending;
}

}  // namespace

int verify(const Options& options) {
  const Stopwatch watch;
  Progress progress(stderr);
  TerminalObserver observer(progress, options.verbose, options.diagnostics, colors_of(options.color));
  Report report;
  report.is_verification = true;
  report.about = about_run(options.arguments, {{"kernel", options.sketch}, {"spec", options.spec}});
  Ending ending;
  if (const auto missing = missing_gpu(options)) {
    return end_run(options, *missing, report, watch, observer, kExitNoGpu);
  }
  try {
    ending = phases(options, observer, report, watch);
  } catch (const std::bad_alloc&) {
    ending = {Ending::Kind::kUnknown,
              "to follow kernel and spec at these sizes takes more than half of the memory: '--set' with smaller ones "
              "takes less"};
  }
  return end_run(options, ending, report, watch, observer, exit_code(ending.kind));
}

}  // namespace swizzle
