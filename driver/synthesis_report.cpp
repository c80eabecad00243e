#include "driver/synthesis_report.h"

#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "codegen/emit/hole_text.h"
#include "driver/placement_text.h"
#include "synth/machine/cost_rows.h"
#include "synth/problem/element_ranges.h"
#include "synth/synthesis/mirror_images.h"

namespace swizzle {
namespace {

std::string proof_text(const Solution& solution) {
  if (solution.optimality == Optimality::kProved) return "proved minimal";
  if (solution.optimality == Optimality::kNotAsked) return "minimality not asked";
  const std::string none = solution.at_least > 0 ? fmt::format(" (none costs less than {:g})", solution.at_least) : "";
  return "best found, not proved minimal" + none;
}

std::string file_name(const std::string& path) { return std::filesystem::path(path).filename().string(); }

std::vector<std::string> texts_of(const std::vector<Sizes>& all) {
  std::vector<std::string> texts;
  for (const Sizes& sizes : all) texts.push_back(sizes_text(sizes));
  return texts;
}

}  // namespace

void report_posing(const PosedPair& posed, Report& report) {
  report.checked.posed = texts_of(posed.task.instances);
  report.seconds.pose = posed.seconds;
}

void report_search(const Searched& searched, Report& report) {
  report.search_space = Report::SearchSpace{searched.raw_space, searched.distinct_space};
  report.seconds.search = searched.seconds;
  if (searched.solution.outcome == Outcome::kFound) report.optimality = searched.solution.optimality;
  if (searched.solution.at_least > 0) report.at_least = searched.solution.at_least;
}

void report_completion(const Searched& searched, const std::string& sketch_path, Report& report) {
  const Program& sketch = searched.best->sketch;
  const Completion& best = searched.solution.completions[0];
  report.cost = best.cost;
  for (std::size_t h = 0; h < sketch.holes.size(); ++h) {
    const LineColumn at = sketch.source.locate(sketch.holes[h].range.begin);
    report.holes.push_back({static_cast<int>(h), name_of(sketch.holes[h]),
                            fmt::format("{}:{}:{}", sketch_path, at.line, at.column),
                            printed(sketch, best, HoleId(h))});
  }
  report_placement(sketch, sketch_path, best, report);
}

void report_reread(const RereadKernel& reread, Report& report) {
  report.checked.reread = reread.at;
  report.seconds.reread = reread.seconds;
}

void report_all_sizes(const AllSizes& all, Report& report) {
  report.checked.all_sizes = all.said;
  report.seconds.prove = all.said.seconds;
}

void report_run(const KernelRun& run, Report& report) {
  report.checked.run = run.outcome;
  report.seconds.run = run.seconds;
}

std::vector<Report::Completion> listed_completions(const PosedPair& posed, const Searched& searched) {
  const Program& sketch = posed.task.sketch;
  const std::vector<Completion>& completions = searched.solution.completions;
  std::vector<std::optional<std::size_t>> originals(
      completions.size());  // of different constants, none is another's mirror image
  if (posed.assignments.size() == 1)
    originals = mirror_images(searched.best->problem.holes, loop_variables(sketch), completions);
  std::vector<Report::Completion> listed;
  for (std::size_t i = 0; i < completions.size(); ++i) {
    listed.push_back({completions[i].cost.total, {}, {}});
    if (originals[i]) listed.back().mirror_of = static_cast<int>(*originals[i]) + 1;
    for (std::size_t h = 0; h < sketch.holes.size(); ++h)
      listed.back().expressions.push_back(printed(sketch, completions[i], HoleId(h)));
  }
  return listed;
}

std::string listing_text(const std::vector<Report::Completion>& completions) {
  std::string text;
  for (std::size_t i = 0; i < completions.size(); ++i) {
    const Report::Completion& c = completions[i];
    text += fmt::format("completion {}, cost {:g}{}\n", i + 1, c.cost,
                        c.mirror_of ? fmt::format(", mirror image of #{}", *c.mirror_of) : "");
    for (const std::string& expression : c.expressions) text += fmt::format("  {}\n", expression);
  }
  return text;
}

std::string stand_in_text(const std::string& arch) {
  return has_stand_in(arch) ? fmt::format("by the figures of {}, which stand in for {}", cost_row(arch), arch) : "";
}

std::vector<std::string> hole_lines(const Searched& searched) {
  const Program& sketch = searched.best->sketch;
  std::vector<std::string> lines;
  for (std::size_t h = 0; h < sketch.holes.size(); ++h) {
    if (sketch.holes[h].traits().is_cell()) continue;
    const LineColumn at = sketch.source.locate(sketch.holes[h].range.begin);
    lines.push_back(fmt::format("{} at {}:{} = {}", name_of(sketch.holes[h]), at.line, at.column,
                                printed(sketch, searched.solution.completions[0], HoleId(h))));
  }
  return lines;
}

std::string head_comment(const PosedPair& posed, const Searched& searched, const CompletionRequest& request) {
  const std::string stand_in = stand_in_text(request.arch);
  const Program& sketch = searched.best->sketch;
  const Completion& best = searched.solution.completions[0];
  std::string text = fmt::format("Completed by {} from {}\nspec: {}\n", request.tool, file_name(request.sketch_path),
                                 file_name(request.spec_path));
  text += request.tuned;
  for (const std::string& line : hole_lines(searched)) text += fmt::format("  {}\n", line);
  if (!sketch.layouts.empty()) text += layout_lines(sketch, best);
  text += fmt::format(
      "cost of a warp{}: {:g} (shuffles {:g}, accumulates {:g}, {}shared wavefronts {:g}, loads {:g}, integer operations {:g}), {}\n",
      stand_in.empty() ? "" : ", " + stand_in, best.cost.total, best.cost.shuffles, best.cost.accumulates,
      best.cost.multiplies > 0 ? fmt::format("multiplies {:g}, ", best.cost.multiplies) : "",
      best.cost.shared_wavefronts, best.cost.loads, best.cost.integer_ops, proof_text(searched.solution));
  for (const std::string& range : range_texts(sketch)) text += range + "\n";
  text += fmt::format("equal to the spec for every input at {}", fmt::join(texts_of(posed.task.instances), "; "));
  if (!request.set.empty()) text += fmt::format(" (--set {})", sizes_text(request.set));
  const auto& machine = sketch.directives.machine;
  return machine && machine->range.end == 0 ? text + fmt::format("\nswizzle machine {}", machine->name) : text;
}

std::string found_text(const Searched& searched, const std::string& sketch_path,
                       const std::optional<Report::AllSizes>& other_sizes, const KernelRun& run, double seconds) {
  const Completion& best = searched.solution.completions[0];
  std::vector<std::string> parts = {
      fmt::format("{}: found, cost {:g}, {}", sketch_path, best.cost.total, proof_text(searched.solution))};
  const bool is_open = other_sizes && other_sizes->outcome == Report::AllSizes::Outcome::kNotProved;
  for (const std::string& part : {is_open ? other_sizes_text(*other_sizes) : std::string(),
                                  wavefront_summary(searched.best->sketch, best), run.summary})
    if (!part.empty()) parts.push_back(part);
  return fmt::format("{}; {:.3f} s\n", fmt::join(parts, "; "), seconds);
}

}  // namespace swizzle
