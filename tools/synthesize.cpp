// The phases in order, and what is said about them.
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <new>
#include <optional>

#include <fmt/format.h>

#include "codegen/emit.h"
#include "codegen/emulated_text.h"
#include "codegen/process.h"
#include "codegen/report.h"
#include "codegen/run_request.h"
#include "frontend/directive_parser.h"
#include "frontend/parse.h"
#include "synth/machine/machine.h"
#include "synth/synthesis/constant_search.h"
#include "synth/synthesis/mirror_images.h"
#include "tools/draw.h"
#include "tools/limits.h"
#include "tools/options.h"
#include "tools/placement_text.h"
#include "tools/progress.h"

namespace swizzle {
namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

std::string sizes_text(const Sizes& sizes) {
  std::string text;
  for (const auto& [name, value] : sizes) text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, value);
  return text.empty() ? "the only size" : text;
}

std::string counted(std::size_t count, const std::string& what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

bool writes_file(const std::string& output) { return !output.empty() && output != "-"; }

Result<std::monostate> write(const std::string& output, const std::string& text) {
  if (writes_file(output)) return write_file_atomically(output, text);
  if (std::fputs(text.c_str(), stdout) < 0 || std::fflush(stdout) != 0)
    return make_error(fmt::format("cannot write to standard output: {}", std::strerror(errno)));
  return std::monostate{};
}

std::string outcome_name(const Solution& solution) {
  switch (solution.outcome) {
    case Outcome::kFound: return "found";
    case Outcome::kInfeasible: return "infeasible";
    case Outcome::kUnknown: break;
  }
  return "unknown";
}

class Command {
 public:
  explicit Command(const Options& options) : options_(options) {
    if (options.time_limit_seconds) deadline_ = Deadline(*options.time_limit_seconds);
  }

  int run() {
    started_ = mark_ = now();
    const int code = phases_within_memory();
    progress_.finish();
    report_.seconds.total = now() - started_;
    if (!options_.report.empty() && (code == kExitFound || code >= kExitFailedVerification))
      if (const auto written = write(options_.report, to_json(report_)); !written.ok()) return bad(written.errors());
    return code;
  }

 private:
  int phases_within_memory() {
    try {
      return phases();
    } catch (const std::bad_alloc&) {
      Solution solution;
      solution.reason = report_.reason = "the search needs more than half of the memory";
      return not_found(solution);
    }
  }

  // Called while a phase works on.
  [[noreturn]] void give_up(const std::string& why) {
    Report report;
    report.outcome = Report::Outcome::kUnknown;
    report.reason = why;
    report.seconds.total = now() - started_;
    progress_.say(fmt::format("{}: unknown: {}\n", options_.sketch, why));
    if (!options_.report.empty()) static_cast<void>(write(options_.report, to_json(report)));
    _exit(kExitUnknown);
  }

  int bad(const Diagnostics& errors) {
    for (const Diagnostic& d : errors) progress_.say(render(d));
    return kExitBadInput;
  }

  void finish(double& seconds, const std::string& what) {
    const double t = now();
    seconds = t - mark_;
    mark_ = t;
    if (options_.verbose) progress_.say(fmt::format("{:8.1f} ms  {}\n", seconds * 1e3, what));
  }

  int phases() {
    progress_.phase("parsing");
    const auto machine = issue_costs_for(options_.arch);
    if (!machine) return bad({make_error(fmt::format("unknown architecture '{}'; try sm_90", options_.arch))});
    auto sketch_text = read_source(options_.sketch);
    if (!sketch_text.ok()) return bad(sketch_text.errors());
    auto spec_text = read_source(options_.spec);
    if (!spec_text.ok()) return bad(spec_text.errors());
    auto sketch = parse_kernel(*sketch_text, options_.kernel);
    if (!sketch.ok()) return bad(sketch.errors());
    if (const auto used = use_machine(options_.issue_costs, sketch->source, sketch->directives); !used.ok())
      return bad(used.errors());
    const std::string name = sketch->function(sketch->entry).name;
    if (!options_.draw.empty() && !has_shared_memory(*sketch))
      return bad({make_error("there is no shared memory to draw in this sketch")});
    auto spec = parse_spec(*spec_text, name);
    if (!spec.ok()) return bad(spec.errors());
    if (const auto matched = match_signatures(*sketch, *spec); !matched.ok()) return bad(matched.errors());
    finish(report_.seconds.parse, fmt::format("parsed {}: {}", name, counted(sketch->holes.size(), "hole")));
    SynthesisTask task{*sketch, *spec, {}, deadline_, *machine, static_cast<std::size_t>(options_.jobs)};
    return search(task);
  }

  int search(SynthesisTask& task) {
    std::optional<MemoryLimit> memory(half_of_memory());
    std::optional<Watchdog> watchdog(std::in_place, deadline_,
                                     [this] { give_up(is_posed_ ? in_search_ : "the time limit ended the search"); });
    if (const int code = pose_all(task)) return code;
    in_search_ = "the time limit ended the search" + heaviest_hole();
    is_posed_ = true;
    progress_.phase("searching");
    SolveOptions how;
    how.first_only = options_.first;
    how.all = options_.all;
    how.deadline = deadline_;
    how.machine = task.issue_costs;
    SynthesisSolution searched = solve_assignments(task, assignments_, how);
    const Solution& solution = searched.solution;
    watchdog.reset();
    memory.reset();
    const double layouts = solution.completions.empty() ? 0 : layouts_log10(solution.completions[0]);
    finish(report_.seconds.search,
           fmt::format("searched {} of 10^{:.1f} parameter settings: {}", counted(solution.nodes, "node"),
                       solution.raw_space + layouts, outcome_name(solution)));
    report_.search_space.raw = solution.raw_space + layouts;
    if (!options_.report.empty()) {
      report_.search_space.distinct = distinct_space_log10(assignments_) + layouts;
      mark_ = now();  // counting is none of the phases
    }
    if (solution.outcome == Outcome::kInfeasible)
      searched.solution.reason = explain_infeasible(task, assignments_, searched);
    if (solution.reason == "the time limit ended the search") searched.solution.reason = in_search_;
    report_.reason = solution.reason;
    if (solution.outcome == Outcome::kInfeasible) return infeasible(task.sketch, solution);
    if (solution.outcome != Outcome::kFound) return not_found(solution);
    report_.outcome = Report::Outcome::kFound;
    report_.optimality = static_cast<Report::Optimality>(solution.optimality);
    if (options_.all > 0) list(task.sketch, searched.best->problem, solution);
    return found(*searched.best, task.spec, solution);
  }

  int pose_all(SynthesisTask& task) {
    const Program& sketch = task.sketch;
    progress_.phase("posing");
    auto instances = sizes_of(sketch, sketch.directives.instances, options_.set);
    if (!instances.ok()) return bad(instances.errors());
    auto checks = sizes_of(sketch, sketch.directives.checks, options_.set);
    if (!checks.ok()) return bad(checks.errors());
    if (instances->empty()) instances->push_back(options_.set);
    checks_ = *checks;
    task.instances = *instances;
    auto posed = pose_assignments(task);
    if (!posed.ok()) return not_posed(posed.errors());
    assignments_ = std::move(*posed);
    for (const Sizes& sizes : *instances) report_.checked.posed.push_back(sizes_text(sizes));
    // Check sizes stay out of the search; their extents guard load().
    for (const Sizes& sizes : checks_) {
      auto expected = expect(sketch, task.spec, sizes, deadline_);
      if (!expected.ok()) return not_posed(expected.errors());
      expected_.push_back(std::move(*expected));
    }
    finish(report_.seconds.pose, posed_text(*instances));
    return 0;
  }

  std::string posed_text(const std::vector<Sizes>& instances) const {
    const std::size_t all = assignments_.size();
    const std::string values =
        all == 1 ? "" : fmt::format(" for {} of {} values of ?sw_const", all - assignments_.rejected.size(), all);
    if (!assignments_.first) return "posed nothing" + values;
    const Problem& problem = assignments_.first->problem;
    return fmt::format("posed {} over {} at {}{}", counted(problem.equations.size(), "equation"),
                       counted(problem.points.size(), "point"), counted(instances.size(), "size"), values);
  }

  // "; the heaviest hole is ?sw_xform at 8:40, with 512 points and 10^7.5 settings"
  std::string heaviest_hole() const {
    if (!assignments_.first) return "";
    const HoleSpace* heaviest = nullptr;
    for (const HoleSpace& space : assignments_.first->problem.holes)
      if (!space.points.empty() && (heaviest == nullptr || raw_space_log10(space) > raw_space_log10(*heaviest)))
        heaviest = &space;
    if (heaviest == nullptr) return "";
    return fmt::format("; the heaviest hole is {}, with {} and 10^{:.1f} settings", heaviest->name,
                       counted(heaviest->points.size(), "point"), raw_space_log10(*heaviest));
  }

  int not_posed(const Diagnostics& errors) {
    if (!deadline_.passed()) return bad(errors);
    Solution solution;
    solution.reason = report_.reason = "the time limit ended the posing";
    return not_found(solution);
  }

  int not_found(const Solution& solution) {
    const bool infeasible = solution.outcome == Outcome::kInfeasible;
    report_.outcome = infeasible ? Report::Outcome::kInfeasible : Report::Outcome::kUnknown;
    progress_.say(fmt::format("{}: {}: {}\n", options_.sketch, infeasible ? "infeasible" : "unknown", solution.reason));
    return infeasible ? kExitInfeasible : kExitUnknown;
  }

  int infeasible(const Program& sketch, const Solution& solution) {
    const int code = not_found(solution);
    const auto narrow = std::find_if(sketch.holes.begin(), sketch.holes.end(),
                                     [](const Hole& h) { return h.kind == HoleKind::kXform && !h.extra && !h.is_xor; });
    if (narrow != sketch.holes.end())
      progress_.say(render(
          make_note(sketch.source, narrow->range, "?sw_xform_extra(i, n, k…) may become more: see docs/language.md")));
    return code;
  }

  void list(const Program& sketch, const Problem& problem, const Solution& solution) {
    std::vector<std::optional<std::size_t>> originals(
        solution.completions.size());  // of different assignments, none is another's mirror image
    if (assignments_.size() == 1)
      originals = mirror_images(problem.holes, loop_variables(sketch), solution.completions);
    for (std::size_t i = 0; i < solution.completions.size(); ++i) {
      Report::Completion listed{solution.completions[i].cost.total, {}, {}};
      if (originals[i]) listed.mirror_of = static_cast<int>(*originals[i]) + 1;
      progress_.say(fmt::format("completion {}, cost {:g}{}\n", i + 1, listed.cost,
                                listed.mirror_of ? fmt::format(", mirror image of #{}", *listed.mirror_of) : ""));
      for (std::size_t h = 0; h < sketch.holes.size(); ++h) {
        listed.expressions.push_back(printed(sketch, solution.completions[i], HoleId(h)));
        progress_.say(fmt::format("  {}\n", listed.expressions.back()));
      }
      report_.completions.push_back(std::move(listed));
    }
  }

  static const char* proof_name(Optimality o) {
    return o == Optimality::kProved      ? "proved minimal"
           : o == Optimality::kBestFound ? "best found, not proved minimal"
                                         : "minimality not asked";
  }

  std::string header(const Program& sketch, const Solution& solution) {
    const Completion& best = solution.completions[0];
    std::string text = fmt::format("Completed by swizzle-synth " SWIZZLE_VERSION " from {}\nspec: {}\n",
                                   std::filesystem::path(options_.sketch).filename().string(),
                                   std::filesystem::path(options_.spec).filename().string());
    for (std::size_t h = 0; h < sketch.holes.size(); ++h) {
      const LineColumn at = sketch.source.locate(sketch.holes[h].range.begin);
      if (sketch.holes[h].kind != HoleKind::kLayout)
        text += fmt::format("  {} at {}:{} = {}\n", name_of(sketch.holes[h]), at.line, at.column,
                            printed(sketch, best, HoleId(h)));
      report_.holes.push_back({static_cast<int>(h), name_of(sketch.holes[h]),
                               fmt::format("{}:{}:{}", options_.sketch, at.line, at.column),
                               printed(sketch, best, HoleId(h))});
    }
    if (!sketch.layouts.empty()) text += layout_lines(sketch, best);
    report_placement(sketch, options_.sketch, best, report_);
    text += fmt::format(
        "cost of a warp: {:g} (shuffles {:g}, accumulates {:g}, shared wavefronts {:g}, loads {:g}, integer operations {:g}), {}\n",
        best.cost.total, best.cost.shuffles, best.cost.accumulates, best.cost.shared_wavefronts, best.cost.loads,
        best.cost.integer_ops, proof_name(solution.optimality));
    std::string sizes;
    for (const std::string& s : report_.checked.posed) sizes += (sizes.empty() ? "" : "; ") + s;
    text += fmt::format("equal to the spec for every input at {}", sizes);
    const auto& machine = sketch.directives.machine;
    return machine && machine->range.end == 0 ? text + fmt::format("\nswizzle machine {}", machine->name) : text;
  }

  int found(PosedAssignment& posed, const Program& spec, const Solution& solution) {
    const Program& sketch = posed.sketch;
    posed_ = posed.posed;
    for (const Expectation& check : expected_) posed_.push_back(check.posed);
    const Completion& best = solution.completions[0];
    report_.cost = {best.cost.shuffles, best.cost.accumulates, best.cost.shared_wavefronts,
                    best.cost.loads,    best.cost.integer_ops, best.cost.total};
    progress_.phase("emitting");
    auto text =
        emit({sketch, best, posed.problem.hole_indexed, posed.problem.points, posed_, header(sketch, solution)});
    if (!text.ok()) return bad(text.errors());
    finish(report_.seconds.emit,
           fmt::format("emitted {}",
                       counted(static_cast<std::size_t>(std::count(text->begin(), text->end(), '\n')), "line")));
    if (const int code = reread(*text, sketch, spec)) return code;
    if (const int code = run_kernel(*text, sketch, spec)) return code;
    progress_.finish();
    if (const auto written = write(options_.output, *text); !written.ok()) return bad(written.errors());
    if (!options_.draw.empty())
      if (const auto drawn = draw(pictures_of(sketch, posed.problem, best, *reread_, posed_[0]), options_.draw);
          !drawn.ok())
        return bad(drawn.errors());
    std::string wavefronts = wavefront_summary(sketch, best);
    if (!wavefronts.empty()) wavefronts += "; ";
    progress_.say(fmt::format("{}: found, cost {:g}, {}; {}{}{:.3f} s\n", options_.sketch, best.cost.total,
                              proof_name(solution.optimality), wavefronts, ran_, now() - started_));
    return kExitFound;
  }

  int failed(const std::string& why) {
    progress_.say(fmt::format("{}: the kernel failed its verification: {}\n", options_.sketch, why));
    report_.outcome = Report::Outcome::kUnknown;
    report_.reason = why;
    return kExitFailedVerification;
  }

  std::string emitted_name() const { return writes_file(options_.output) ? options_.output : "emitted.cu"; }

  // What is wrong with the sketch itself at a check size, and at no instance.
  Diagnostics faults_at(const Sizes& sizes, const Program& sketch, const Program& spec) const {
    Problem problem;
    const auto posed = pose(sketch, spec, sizes, problem, deadline_);
    if (posed.ok() || deadline_.passed()) return {};
    Diagnostics faults = posed.errors();
    faults.push_back(make_error(fmt::format("this happens at {}", sizes_text(sizes))));
    faults.back().severity = Severity::kNote;
    return faults;
  }

  int reread(const std::string& text, const Program& sketch, const Program& spec) {
    progress_.phase("re-reading");
    auto again = parse_kernel(SourceText(emitted_name(), text), sketch.function(sketch.entry).name,
                              parent_folder(options_.sketch));
    if (!again.ok()) {
      bad(again.errors());
      return failed("the emitted text does not parse");
    }
    again->directives = sketch.directives;
    for (Extent& e : again->directives.extents) e.range = {};
    const std::size_t instances = posed_.size() - expected_.size();
    for (std::size_t i = 0; i < posed_.size(); ++i) {
      auto expected = i < instances ? expect(*again, spec, posed_[i].sizes) : std::move(expected_[i - instances]);
      const auto refuted =
          expected.ok() ? refute(*again, std::move(*expected), &posed_[i].dynamic_shared_bytes) : expected.errors();
      if (!refuted.ok()) {
        if (const Diagnostics faults = faults_at(posed_[i].sizes, sketch, spec); !faults.empty()) return bad(faults);
        bad(refuted.errors());
        return failed(fmt::format("the emitted text cannot be executed at {}", sizes_text(posed_[i].sizes)));
      }
      if (!refuted->empty()) return failed(fmt::format("at {}, {}", sizes_text(posed_[i].sizes), *refuted));
      report_.checked.reread.push_back(sizes_text(posed_[i].sizes));
    }
    reread_ = std::move(*again);
    finish(report_.seconds.reread, fmt::format("re-read and executed at {}", counted(posed_.size(), "size")));
    return 0;
  }

  // The kernel is at `path`; under the emulation, what of it and of the spec only nvcc understands is written anew.
  Result<RunRequest> request(const ScratchFolder& scratch, const std::string& path, const Program& sketch,
                             const Program& spec, bool gpu) const {
    RunRequest r = run_request(sketch, posed_);
    r.kernel_path = path;
    std::string spec_text = spec.source.text();
    if (!gpu) {
      const auto kernel = emulated_text(*reread_), emulated_spec = emulated_text(spec);
      if (!kernel.ok()) return kernel.errors();
      if (!emulated_spec.ok()) return emulated_spec.errors();
      const auto written = scratch.write("emulated.cu", *kernel);
      if (!written.ok()) return written.errors();
      r.kernel_path = *written;
      spec_text = *emulated_spec;
    }
    r.sketch_path = options_.sketch;
    r.spec_function = spec.function(spec.entry).qualified_name;
    r.spec_text = desugar(spec_text);
    r.spec_path = options_.spec;
    r.arch = options_.arch;
    return r;
  }

  int run_kernel(const std::string& text, const Program& sketch, const Program& spec) {
    if (options_.run == Options::Run::kNone) return 0;
    progress_.phase("running");
    const bool gpu =
        options_.run == Options::Run::kGpu || (options_.run == Options::Run::kAuto && gpu_present() && !spec.is_kernel);
    const ScratchFolder scratch;
    const auto path = scratch.write("kernel.cu", text);
    if (!path.ok()) return bad(path.errors());
    const auto asked = request(scratch, *path, sketch, spec, gpu);
    if (!asked.ok()) return bad(asked.errors());
    const auto outcome = swizzle::run(*asked, gpu ? Where::kGpu : Where::kCpu);
    if (!outcome.ok()) return bad(outcome.errors());
    report_.checked.run = *outcome;
    if (outcome->mismatches > 0)
      return failed(fmt::format("on {}, {} mismatches, the first {}", outcome->where, outcome->mismatches,
                                outcome->first_mismatch));
    ran_ = fmt::format("ran on {} for {} inputs; ", outcome->where, outcome->inputs);
    if (find_nvcc()) {
      const auto compiled = compile_for_target({*path, options_.arch, emitted_name(), parent_folder(options_.sketch)});
      if (!compiled.ok()) return bad(compiled.errors());
      ran_ += fmt::format("compiled for {}; ", options_.arch);
      if (!compiled->warnings.empty())
        progress_.say(fmt::format("warning: nvcc on the emitted kernel:{}\n", compiled->warnings));
    }
    finish(report_.seconds.run, ran_.substr(0, ran_.size() - 2));
    return 0;
  }

  const Options& options_;
  Progress progress_{stderr};
  Report report_;
  PosedAssignments assignments_;
  std::vector<Posed> posed_;
  std::vector<Expectation> expected_;  // by check
  std::optional<Program> reread_;      // the emitted kernel
  std::vector<Sizes> checks_;
  Deadline deadline_;
  std::string ran_;
  std::string in_search_;  // what to say if the time ends there
  std::atomic<bool> is_posed_ = false;
  double started_ = 0, mark_ = 0;
};

}  // namespace

int synthesize(const Options& options) { return Command(options).run(); }

}  // namespace swizzle
