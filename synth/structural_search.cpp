#include "synth/structural_search.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <unordered_set>

#include <fmt/format.h>

#include "synth/cost_bound.h"

namespace swizzle {
namespace {

constexpr double kTolerance = 1e-6;

Result<Structured> pose_structure(const StructuralTask& task, const Structure& structure) {
  auto sketch = specialize(task.sketch, structure);
  if (!sketch.ok()) return sketch.errors();
  Structured result{structure, std::move(*sketch), {}, {}};
  for (const Sizes& sizes : task.instances) {
    auto posed = pose(result.sketch, task.spec, sizes, result.problem, task.deadline);
    if (!posed.ok()) return posed.errors();
    result.posed.push_back(std::move(*posed));
  }
  collect_holes(result.sketch, result.problem);
  return result;
}

bool alike(const std::vector<HoleSpace>& a, const std::vector<HoleSpace>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const HoleSpace& x, const HoleSpace& y) { return x.domain == y.domain && x.arguments == y.arguments; });
}

void count_space(const std::vector<HoleSpace>& holes, Structures& structures) {
  for (auto& [known, count] : structures.spaces)
    if (alike(known, holes)) {
      ++count;
      return;
    }
  structures.spaces.emplace_back(holes, 1);
}

bool is_same_reason(const Diagnostics& a, const Diagnostics& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Diagnostic& x, const Diagnostic& y) { return render(x) == render(y); });
}

// log10 Σ n · 10^of(space), over the different spaces and those that were rejected.
double sum_of_spaces(const Structures& structures, const std::function<double(const std::vector<HoleSpace>&)>& of) {
  std::vector<double> logs;
  if (!structures.rejected.empty()) logs.push_back(std::log10(static_cast<double>(structures.rejected.size())));
  for (const auto& [holes, count] : structures.spaces) logs.push_back(of(holes) + std::log10(static_cast<double>(count)));
  const double largest = logs.empty() ? 0 : *std::max_element(logs.begin(), logs.end());
  double sum = 0;
  for (double l : logs) sum += std::pow(10, l - largest);
  return largest + std::log10(std::max(1.0, sum));
}

double raw_space(const std::vector<HoleSpace>& holes) {
  double sum = 0;
  for (const HoleSpace& space : holes)
    if (!space.points.empty()) sum += raw_space_log10(space);
  return sum;
}

void collect_inputs(const Provenance& provenance, Value v, std::unordered_set<std::uint32_t>& seen, std::set<std::pair<std::uint32_t, std::int64_t>>& inputs) {
  if (!v.is_node() || !seen.insert(v.aux).second) return;
  const Node& node = provenance.node(v);
  if (node.kind == Node::Kind::kInput) inputs.emplace(node.tag, node.index);
  for (const Value& child : node.children) collect_inputs(provenance, child, seen, inputs);
  for (const Term& term : node.terms)
    for (NodeId factor : term.factors) collect_inputs(provenance, Value::node(factor), seen, inputs);
}

// Σ over outputs of the inputs that the spec uses and no choice of the holes brings: how far a structure is from serving them.
std::size_t missing_inputs(const Problem& problem) {
  std::size_t missing = 0;
  for (const Equation& e : problem.equations) {
    std::unordered_set<std::uint32_t> seen;
    std::set<std::pair<std::uint32_t, std::int64_t>> needed, offered;
    collect_inputs(problem.provenance, e.expected, seen, needed);
    seen.clear();
    collect_inputs(problem.provenance, e.actual, seen, offered);
    for (const auto& input : needed) missing += !offered.contains(input);
  }
  return missing;
}

class StructuralSearch {
 public:
  StructuralSearch(const StructuralTask& task, Structures& structures, const SolveOptions& options) : task_(task), structures_(structures), options_(options) {}

  StructuralSolution run() {
    for (const Structures::Bounded& next : structures_.posed) {
      if (options_.all == 0 && found() && (options_.first_only || next.bound > cost() - kTolerance)) break;
      if (options_.deadline.passed()) {
        leave_open("the time limit ended the search");
        break;
      }
      auto structured = take(next.structure);
      if (structured.ok()) try_structure(std::move(*structured));
      else leave_open("the time limit ended the posing");
    }
    conclude();
    return {std::move(solution_), std::move(best_)};
  }

 private:
  bool found() const { return !solution_.completions.empty(); }
  double cost() const { return solution_.completions[0].cost.total; }

  void leave_open(const std::string& why) {
    is_open_ = true;
    if (solution_.reason.empty()) solution_.reason = why;
  }

  Result<Structured> take(const Structure& structure) {
    if (!structures_.first || structures_.first->structure != structure) return pose_structure(task_, structure);
    Structured first = std::move(*structures_.first);
    structures_.first.reset();
    return first;
  }

  void try_structure(Structured structured) {
    SolveOptions options = options_;
    if (options_.all == 0 && found()) options.below = cost();
    Solution one = solve(structured.problem, options);
    solution_.nodes += one.nodes;
    if (one.outcome == Outcome::kUnknown) return leave_open(one.reason);
    if (one.outcome == Outcome::kInfeasible) {
      if (!found()) explain(structured, std::move(one.reason));
      return;
    }
    if (one.optimality == Optimality::kBestFound) leave_open("");
    for (Completion& c : one.completions) fill_in(structured, c);
    const bool is_best = !found() || one.completions[0].cost.total < cost();
    if (is_best) best_ = std::move(structured);
    keep(std::move(one.completions));
  }

  static void fill_in(const Structured& structured, Completion& completion) {
    for (std::size_t h = 0; h < completion.tables.size(); ++h)
      if (structured.sketch.holes[h].kind == HoleKind::kConst) completion.tables[h].expression = IndexExpr::constant(structured.structure[h]);
  }

  void keep(std::vector<Completion> more) {
    auto& all = solution_.completions;
    all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    std::stable_sort(all.begin(), all.end(), [](const Completion& a, const Completion& b) { return a.cost.total < b.cost.total; });
    all.resize(std::min(all.size(), std::max<std::size_t>(1, options_.all)));
  }

  // Of the structures without a completion, the one that lacks the fewest inputs explains why.
  void explain(const Structured& structured, std::string reason) {
    const bool is_only = structures_.posed.size() + structures_.rejected.size() == 1;
    const std::size_t missing = is_only ? 0 : missing_inputs(structured.problem);
    if (!closest_.empty() && missing >= least_missing_) return;
    least_missing_ = missing;
    closest_ = is_only ? std::move(reason) : told(structured.structure, reason);
  }

  std::string told(const Structure& structure, const std::string& reason) const {
    return fmt::format("none of the {} values of ?sw_const has a completion; with {}, which comes closest, {}", structures_.posed.size() + structures_.rejected.size(),
                       describe(structure, task_.sketch), reason);
  }

  void conclude() {
    solution_.raw_space = sum_of_spaces(structures_, raw_space);
    if (found()) {
      solution_.outcome = Outcome::kFound;
      solution_.reason.clear();
      solution_.optimality = options_.first_only || options_.all > 0 ? Optimality::kNotAsked : is_open_ ? Optimality::kBestFound : Optimality::kProved;
      return;
    }
    solution_.outcome = is_open_ ? Outcome::kUnknown : Outcome::kInfeasible;
    if (is_open_) return;
    if (closest_.empty()) {
      const auto& [structure, errors] = structures_.rejected.front();
      const Diagnostic& first = errors.front();
      closest_ = told(structure, fmt::format("{} at {}:{}", first.message, first.where.line, first.where.column));
    }
    solution_.reason = std::move(closest_);
  }

  const StructuralTask& task_;
  Structures& structures_;
  const SolveOptions& options_;
  Solution solution_;
  std::optional<Structured> best_;
  std::string closest_;
  std::size_t least_missing_ = 0;
  bool is_open_ = false;  // some structure was not solved to its end
};

}  // namespace

Result<Structures> pose_structures(const StructuralTask& task) {
  const auto all = structures_of(task.sketch);
  if (!all.ok()) return all.errors();
  Structures result;
  double least = 0;
  for (const Structure& structure : *all) {
    auto structured = pose_structure(task, structure);
    if (!structured.ok()) {
      if (task.deadline.passed()) return structured.errors();
      result.rejected.emplace_back(structure, structured.errors());
      continue;
    }
    count_space(structured->problem.holes, result);
    const double bound = cost_of(structured->problem.counts, task.machine);
    result.posed.push_back({structure, bound});
    if (result.first && bound >= least) continue;
    least = bound;
    result.first = std::move(*structured);
  }
  std::stable_sort(result.posed.begin(), result.posed.end(), [](const auto& a, const auto& b) { return a.bound < b.bound; });
  if (!result.posed.empty()) return result;
  const Diagnostics& first = result.rejected.front().second;
  if (std::all_of(result.rejected.begin(), result.rejected.end(), [&](const auto& r) { return is_same_reason(r.second, first); })) return first;
  return result;
}

StructuralSolution solve_structures(const StructuralTask& task, Structures& structures, const SolveOptions& options) {
  return StructuralSearch(task, structures, options).run();
}

double distinct_space_log10(const Structures& structures) {
  return sum_of_spaces(structures, [](const std::vector<HoleSpace>& holes) { return distinct_space_log10(holes); });
}

}  // namespace swizzle
