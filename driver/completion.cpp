#include "driver/completion.h"

#include <algorithm>

#include <fmt/format.h>

#include "codegen/emit/emit.h"
#include "codegen/run/emulated_text.h"
#include "codegen/run/files.h"
#include "codegen/run/toolchain.h"
#include "driver/synthesis_report.h"
#include "frontend/parse.h"
#include "synth/problem/opaque_words.h"

namespace swizzle {
namespace {

// Whose fault it is that a kernel cannot be executed is told after the deadline, too.
constexpr double kSecondsForFaults = 2;

// What is wrong with the sketch itself at a check size, and at no instance.
Diagnostics faults_at(const Sizes& sizes, const Program& sketch, const Program& spec) {
  Problem problem;
  const Deadline deadline(Deadline::patient(kSecondsForFaults));
  const auto posed = pose(sketch, spec, sizes, problem, deadline);
  if (posed.ok() || deadline.passed()) return {};
  Diagnostics faults = posed.errors();
  faults.push_back(make_error(fmt::format("this happens at {}", sizes_text(sizes))));
  faults.back().severity = Severity::kNote;
  return faults;
}

// Of the emitted text, which has the rest itself.
CompileFlags without_preamble(CompileFlags flags) {
  if (!flags.forced_headers.empty()) flags.include_folders.push_back(".");
  flags.macros.clear();
  flags.forced_headers.clear();
  return flags;
}

// Executes a kernel at one size: why it is not the spec there, if it is not.
std::optional<Ending> compared(const Program& kernel, Posed& at, Result<Expectation> expected, const Program& sketch,
                               const SynthesisTask& task, const Deadline& deadline) {
  const Result<Refutation> refuted =
      expected.ok() ? refute(kernel, std::move(*expected), deadline, &at.dynamic_shared_bytes) : expected.errors();
  if (refuted.ok() && refuted->text.empty()) return std::nullopt;
  if (refuted.ok() && refuted->doubt)
    return Ending{Ending::Kind::kUnknown,
                  fmt::format("at {}, {}, and nothing tells whether they differ: {}", sizes_text(at.sizes),
                              refuted->text, told(*refuted->doubt, sketch, task.spec)),
                  {}};
  if (refuted.ok()) return failed_verification(fmt::format("at {}, {}", sizes_text(at.sizes), refuted->text));
  if (refuted.errors().front().is_too_long || deadline.passed())
    return too_long(fmt::format("a completion was found, and executing it at {} takes too long", sizes_text(at.sizes)),
                    refuted.errors());
  if (Diagnostics faults = faults_at(at.sizes, sketch, task.spec); !faults.empty()) return bad_input(std::move(faults));
  return failed_verification(fmt::format("the emitted text cannot be executed at {}", sizes_text(at.sizes)),
                             refuted.errors());
}

// The kernel is at `path`; under the emulation, what of it and of the spec only nvcc understands is written anew.
Result<RunRequest> request_of(const ScratchFolder& scratch, const std::string& path, const RereadKernel& reread,
                              const Program& spec, const CompletionRequest& request, Where where) {
  RunRequest r = run_request(*reread.kernel, reread.posed);
  r.kernel_path = path;
  std::string spec_text = spec.source.text();
  if (where == Where::kCpu) {
    const auto kernel = emulated_text(*reread.kernel), emulated_spec = emulated_text(spec);
    if (!kernel.ok()) return kernel.errors();
    if (!emulated_spec.ok()) return emulated_spec.errors();
    const auto written = scratch.write("emulated.cu", preamble(reread.kernel->flags) + *kernel);
    if (!written.ok()) return written.errors();
    r.kernel_path = *written;
    spec_text = *emulated_spec;
  } else if (!reread.kernel->host_code.empty()) {
    const auto written = scratch.write("without_host_code.cu", text_without_host_code(*reread.kernel));
    if (!written.ok()) return written.errors();
    r.kernel_path = *written;
  }
  r.sketch_path = request.sketch_path;
  r.spec_function = spec.function(spec.entry).qualified_name;
  name_symbols(spec, r);
  name_shared_functions(*reread.kernel, spec, r);
  r.spec_text = desugar(spec_text);
  r.spec_path = request.spec_path;
  r.flags = spec.flags;
  r.arch = request.arch;
  return r;
}

Where place_of(RunAt run, const Program& kernel, const Program& spec) {
  const bool gpu_serves = !spec.is_kernel && memory_of(kernel).lanes == SharedMemoryModel{}.lanes;
  const bool gpu = run == RunAt::kGpu || (run == RunAt::kAuto && gpu_serves && gpu_present());
  return gpu ? Where::kGpu : Where::kCpu;
}

// The run without its timing; `path` is the kernel's.
KernelRun run_at(const ScratchFolder& scratch, const std::string& path, const RereadKernel& reread, const Program& spec,
                 const CompletionRequest& request, Observer& observer) {
  KernelRun run;
  const Where where = place_of(request.run, *reread.kernel, spec);
  const auto ended = [&](Ending ending) { return run.ending = std::move(ending), run; };
  const auto asked = request_of(scratch, path, reread, spec, request, where);
  if (!asked.ok()) return ended(bad_input(asked.errors()));
  const auto outcome = swizzle::run(*asked, where);
  if (!outcome.ok()) return ended(bad_input(outcome.errors()));
  run.outcome = *outcome;
  if (outcome->mismatches > 0)
    return ended(failed_verification(fmt::format("on {}, {} mismatches, the first {}", outcome->where,
                                                 outcome->mismatches, outcome->first_mismatch)));
  run.summary = fmt::format("ran on {} for {} inputs", outcome->where, outcome->inputs);
  if (!find_nvcc()) return run;
  const auto compiled =
      compile_for_target({path, request.arch, request.shown_as, parent_folder(request.sketch_path), spec.flags});
  if (!compiled.ok()) return ended(bad_input(compiled.errors()));
  run.summary += fmt::format("; compiled for {}", request.arch);
  if (!compiled->warnings.empty())
    observer.say(fmt::format("warning: nvcc on the emitted kernel:{}\n", compiled->warnings));
  return run;
}

}  // namespace

Result<EmittedKernel> emit_kernel(const PosedPair& posed, const Searched& searched, const CompletionRequest& request,
                                  Observer& observer) {
  PhaseTimer timer(Phase::kEmit, observer);
  const PosedAssignment& best = *searched.best;
  EmittedKernel emitted{{}, best.posed, 0};
  for (const Expectation& check : posed.at_checks) emitted.posed.push_back(check.posed);
  const std::string head = head_comment(posed, searched, request);
  auto text = emit({best.sketch, searched.solution.completions[0], best.problem.hole_indexed, best.problem.points,
                    posed.task.spec, emitted.posed, head});
  if (!text.ok()) return text.errors();
  emitted.text = without_filling(std::move(*text));
  emitted.seconds = timer.end(fmt::format(
      "emitted {}",
      counted(static_cast<std::size_t>(std::count(emitted.text.begin(), emitted.text.end(), '\n')), "line")));
  return emitted;
}

RereadKernel reread_kernel(const EmittedKernel& emitted, PosedPair& posed, const PosedAssignment& best,
                           const CompletionRequest& request, Observer& observer) {
  PhaseTimer timer(Phase::kReread, observer);
  const Program& sketch = best.sketch;
  RereadKernel reread{std::nullopt, emitted.posed, {}};
  auto again = parse_kernel(SourceText(request.shown_as, emitted.text), sketch.function(sketch.entry).name,
                            parent_folder(request.sketch_path), without_preamble(sketch.flags));
  if (!again.ok()) {
    reread.ending = failed_verification("the emitted text does not parse", again.errors());
    return reread;
  }
  again->directives = sketch.directives;
  fit_to_spec(*again, posed.task.spec);
  for (Extent& e : again->directives.extents) e.range = e.named = {};
  for (ElementRange& r : again->directives.ranges) r.range = {};
  const Deadline deadline(request.reread_seconds);
  const std::size_t instances = emitted.posed.size() - posed.at_checks.size();
  for (std::size_t i = 0; i < reread.posed.size(); ++i) {
    Posed& at = reread.posed[i];
    auto expected = i < instances ? expect(*again, posed.task.spec, at.sizes, deadline, posed.task.groups)
                                  : std::move(posed.at_checks[i - instances]);
    reread.ending = compared(*again, at, std::move(expected), sketch, posed.task, deadline);
    if (reread.ending) {
      if (reread.ending->kind == Ending::Kind::kFailedVerification) reread.refuted_at = at.sizes;
      return reread;
    }
    reread.at.push_back(sizes_text(at.sizes));
  }
  reread.kernel = std::move(*again);
  reread.seconds = timer.end(fmt::format("re-read and executed at {}", counted(reread.posed.size(), "size")));
  return reread;
}

KernelRun run_kernel(const EmittedKernel& emitted, const RereadKernel& reread, const Program& spec,
                     const CompletionRequest& request, Observer& observer) {
  if (request.run == RunAt::kNone) return {};
  PhaseTimer timer(Phase::kRun, observer);
  const ScratchFolder scratch;
  const auto path = scratch.write("kernel.cu", emitted.text);
  if (!path.ok()) return {std::nullopt, {}, bad_input(path.errors())};
  KernelRun run = run_at(scratch, *path, reread, spec, request, observer);
  if (!run.ending) run.seconds = timer.end(run.summary);
  return run;
}

}  // namespace swizzle
