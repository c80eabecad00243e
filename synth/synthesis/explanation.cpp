#include "synth/synthesis/explanation.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "synth/base/text.h"
#include "synth/propagation/propagator.h"
#include "synth/provenance/concrete.h"
#include "synth/provenance/laws.h"
#include "synth/search/dependent_steps.h"
#include "synth/search/solve.h"
#include "synth/synthesis/clashing_outputs.h"

namespace swizzle {
namespace {

constexpr std::size_t kMostTables = 20'000;  // of a hole that are tried one by one
constexpr std::size_t kMostPoints = 6;       // that are told
constexpr int kMostValues = 4;
constexpr double kReasonSeconds = 0.75;

struct Input {
  std::pair<std::uint32_t, std::int64_t> element;  // buffer and slot
  Value value;
};

bool precedes(const Input& a, const Input& b) { return a.element < b.element; }

// Finds the input elements below values.
class InputWalk {
 public:
  explicit InputWalk(const Provenance& provenance) : provenance_(provenance), seen_(provenance.size(), 0) {}

  // Sorted; an element stands there once.
  std::vector<Input> inputs_of(Value v) {
    inputs_.clear();
    ++walks_;
    collect(v);
    std::sort(inputs_.begin(), inputs_.end(), precedes);
    inputs_.erase(std::unique(inputs_.begin(), inputs_.end(),
                              [](const Input& a, const Input& b) { return a.element == b.element; }),
                  inputs_.end());
    return inputs_;
  }

 private:
  void collect(Value v) {
    if (!v.is_node() || std::exchange(seen_[v.aux], walks_) == walks_) return;
    const Node& node = provenance_.node(v);
    if (node.kind == Node::Kind::kInput) inputs_.push_back({{node.tag, node.index()}, v});
    node.for_each_part([&](Value part) { collect(part); });
  }

  const Provenance& provenance_;
  std::vector<std::uint32_t> seen_;  // by node: the walk that saw it last
  std::uint32_t walks_ = 0;
  std::vector<Input> inputs_;
};

std::string tuple_text(const std::vector<std::string>& parts) {
  return parts.size() == 1 ? parts[0] : "(" + listed(parts, ", ") + ")";
}

class Explainer {
 public:
  Explainer(Problem& problem, const Program& sketch, const Deadline& deadline)
      : problem_(problem),
        sketch_(sketch),
        deadline_(deadline),
        domains_(problem.points) {}

  std::optional<std::string> run() {
    if (const Lack lack = lack_of(problem_); lack.inputs > 0) return explain(lack.first, problem_);
    const std::vector<std::size_t> equations = covering_equations(problem_);
    if (has_dependent_steps(problem_, equations)) return std::nullopt;  // too many alternatives to write down
    if (add_equations(problem_, equations, network_, deadline_)) return std::nullopt;
    for (std::size_t r = 0; r < problem_.requirements.size(); ++r)
      if (!truth(problem_.requirements[r].violation) && (out_of_time() || add_requirement(problem_, r, network_)))
        return std::nullopt;
    propagator_.emplace(network_, problem_, domains_);
    propagator_->set_interrupt([this] { return out_of_time(); });
    if (propagator_->propagate()) return std::nullopt;
    grammars_ = grammars_of(problem_.holes, deadline_);
    if (const auto hole = without_table()) return told(*hole);
    return by_example();
  }

 private:
  bool out_of_time() const { return deadline_.passed(); }

  bool has_table(const HoleSpace& space, const Domains& domains) const {
    const Enumeration any = grammars_[space.id.value]->within(domains, kAnyCost, 1);
    return !any.complete || !any.tables.empty();
  }

  std::optional<HoleId> without_table() const {
    for (const HoleSpace& space : problem_.holes)
      if (!space.points.empty() && !out_of_time() && !has_table(space, domains_)) return space.id;
    return std::nullopt;
  }

  // If every hole has a table that stands by itself, some are chosen until one has none.
  std::optional<std::string> by_example() {
    std::string chosen;
    for (std::size_t depth = 0; depth < problem_.holes.size(); ++depth) {
      survivor_.reset();
      if (const auto text = by_each_table())
        return chosen.empty() ? *text
                              : fmt::format("no choice serves all outputs; for instance, with {}, {}", chosen, *text);
      if (!survivor_) return std::nullopt;
      const auto& [hole, table] = *survivor_;
      chosen += fmt::format("{}{} = {}", chosen.empty() ? "" : " and ", name(hole), printed(hole, table));
      if (!fix(hole, table) || propagator_->propagate()) return std::nullopt;
    }
    return std::nullopt;
  }

  // A hole each of whose tables fails by itself, told by the one that propagation took longest to refute. If there is
  // none: the cheapest table that does not fail, of the hole that has the fewest.
  std::optional<std::string> by_each_table() {
    std::vector<std::pair<HoleId, Enumeration>> few;
    for (const HoleSpace& space : problem_.holes) {
      if (std::all_of(space.points.begin(), space.points.end(), [&](PointId p) { return domains_.count(p) == 1; }))
        continue;
      few.emplace_back(space.id, grammars_[space.id.value]->within(domains_, kAnyCost, kMostTables));
    }
    std::stable_sort(few.begin(), few.end(),
                     [](const auto& a, const auto& b) { return a.second.tables.size() < b.second.tables.size(); });
    for (const auto& [hole, all] : few) {
      const HoleTable* closest = nullptr;
      std::size_t most_work = 0;
      bool fails = all.complete;
      for (const HoleTable& table : all.tables) {
        const std::size_t before = propagator_->visits();
        const bool stands = !failure_of(hole, table, false);
        if (out_of_time()) return std::nullopt;
        if (stands) {
          if (!survivor_) survivor_.emplace(hole, table);
          fails = false;
          break;
        }
        if (const std::size_t work = propagator_->visits() - before; closest == nullptr || work > most_work) {
          closest = &table;
          most_work = work;
        }
      }
      if (fails && closest != nullptr) return told_by_tables(hole, all.tables.size(), *closest);
    }
    return std::nullopt;
  }

  std::string told_by_tables(HoleId hole, std::size_t count, const HoleTable& closest) {
    const std::string why = failure_of(hole, closest, true).value_or("");
    const std::string expression = printed(hole, closest);
    if (count == 1) return fmt::format("{} can only be {}, and then {}", name(hole), expression, why);
    return fmt::format("{} fails with each of the {} tables that it may have; with {}, which comes closest, {}",
                       name(hole), count, expression, why);
  }

  std::string printed(HoleId hole, const HoleTable& table) const {
    const IndexExpr& e = table.expression;
    if (sketch_.hole(hole).traits().is_truth() && e.is_constant()) return e.value != 0 ? "true" : "false";
    return e.print(sketch_.hole(hole).argument_texts);
  }

  bool fix(HoleId hole, const HoleTable& table) {
    const HoleSpace& space = problem_.holes[hole.value];
    for (std::size_t i = 0; i < space.points.size(); ++i)
      if (!domains_.fix(space.points[i], table.values[i])) return false;
    return true;
  }

  // Why the table leaves nothing to choose; nothing if it does leave something.
  std::optional<std::string> failure_of(HoleId hole, const HoleTable& table, bool in_words) {
    const Propagator::Mark mark = propagator_->mark();
    std::optional<std::string> why;
    const bool fits = fix(hole, table);
    auto conflict = fits ? propagator_->propagate() : std::nullopt;
    if (conflict && !conflict->interrupted) {
      propagator_->name_missing(*conflict);
      why = explain(*conflict, problem_);
    } else if (fits && !conflict) {
      if (const auto other = without_table()) why = in_words ? told(*other) : "";
    }
    propagator_->undo(mark);
    return why;
  }

  // The fewest points of a hole, as found by leaving out halves, quarters, …, whose values no table has.
  std::vector<std::size_t> contradiction(const HoleSpace& space) const {
    std::vector<std::size_t> points;
    for (std::size_t i = 0; i < space.points.size(); ++i)
      if (domains_.count(space.points[i]) < space.domain) points.push_back(i);
    for (std::size_t chunk = std::max<std::size_t>(1, points.size() / 2);; chunk /= 2) {
      for (std::size_t at = 0; at < points.size() && !out_of_time();) {
        std::vector<std::size_t> fewer = points;
        const auto begin = fewer.begin() + static_cast<std::ptrdiff_t>(at);
        fewer.erase(begin, begin + static_cast<std::ptrdiff_t>(std::min(chunk, fewer.size() - at)));
        if (has_table(space, only(space, fewer))) at += chunk;
        else points = std::move(fewer);
      }
      if (chunk == 1) return points;
    }
  }

  Domains only(const HoleSpace& space, const std::vector<std::size_t>& positions) const {
    Domains domains(problem_.points);
    for (std::size_t i : positions) domains.keep(space.points[i], domains_.values(space.points[i]));
    return domains;
  }

  const std::string& name(HoleId hole) const { return problem_.holes[hole.value].name; }

  std::string told(HoleId hole) const {
    const HoleSpace& space = problem_.holes[hole.value];
    const std::vector<std::size_t> points = contradiction(space);
    std::vector<std::string> demands;
    for (std::size_t i : points) {
      std::vector<std::string> arguments;
      for (std::int64_t a : space.arguments[i]) arguments.push_back(std::to_string(a));
      const std::string names = demands.empty() ? tuple_text(argument_names(space)) + " = " : "";
      if (demands.size() < kMostPoints)
        demands.push_back(fmt::format("{} for {}{}", values_text(space.points[i]), names, tuple_text(arguments)));
    }
    if (points.size() > kMostPoints) demands.push_back(fmt::format("more for {} others", points.size() - kMostPoints));
    return fmt::format("{} must be {}, and no {} is{}; {}", name(hole), listed(demands, " and "),
                       space.traits().family_of, points.size() == 1 ? "" : " all of that", output_text(space, points));
  }

  std::vector<std::string> argument_names(const HoleSpace& space) const {
    const std::vector<std::string>& texts = sketch_.hole(space.id).argument_texts;
    std::vector<std::string> names(texts.begin() + static_cast<std::ptrdiff_t>(space.first_argument), texts.end());
    if (const auto index = space.traits().index) names.insert(names.begin(), texts[*index]);
    return names;
  }

  std::string values_text(PointId point) const {
    std::vector<std::string> values;
    for (int v = 0; v < problem_.points[point].domain; ++v)
      if (domains_.allows(point, v)) values.push_back(std::to_string(v));
    if (values.size() <= kMostValues) return listed(values, " or ");
    const std::string count = std::to_string(values.size());
    values.resize(kMostValues - 1);
    return fmt::format("one of {} values ({}, …)", count, listed(values, ", "));
  }

  // An output that these points decide.
  std::string output_text(const HoleSpace& space, const std::vector<std::size_t>& positions) const {
    for (const Equation& e : problem_.equations) {
      std::unordered_set<std::uint32_t> points;
      collect_points(e.actual, points);
      if (std::none_of(positions.begin(), positions.end(),
                       [&](std::size_t i) { return points.contains(space.points[i].value); }))
        continue;
      return fmt::format("{}[{}], written by thread {}, comes through it", problem_.buffer_names[e.buffer.value],
                         e.slot, e.thread);
    }
    return "no output comes through it";
  }

  // Through what is left of the choices.
  void collect_points(Value root, std::unordered_set<std::uint32_t>& points) const {
    std::unordered_set<std::uint32_t> seen;
    std::vector<Value> pending{root};
    while (!pending.empty()) {
      const Value v = pending.back();
      pending.pop_back();
      if (!problem_.provenance.has_choice(v) || !seen.insert(v.aux).second) continue;
      const Node& node = problem_.provenance.node(v);
      if (node.kind != Node::Kind::kChoice) {
        node.for_each_part([&](Value part) { pending.push_back(part); });
        continue;
      }
      points.insert(node.tag);
      for (std::size_t v = 0; v < node.children().size(); ++v)
        if (domains_.allows(PointId(node.tag), static_cast<int>(v))) pending.push_back(node.children()[v]);
    }
  }

  Problem& problem_;
  const Program& sketch_;
  const Deadline deadline_;
  ConstraintNetwork network_;
  Domains domains_;
  std::optional<Propagator> propagator_;
  std::vector<std::unique_ptr<TableGrammar>> grammars_;
  std::optional<std::pair<HoleId, HoleTable>> survivor_;  // of by_each_table()
};

}  // namespace

namespace {

// What the spec mentions in one equation, and no choice brings there.
struct Missing {
  std::size_t equation;
  std::vector<Input> inputs;
};

std::vector<Missing> missing_inputs(const Problem& problem) {
  std::vector<Missing> missing;
  InputWalk walk(problem.provenance);
  for (std::size_t e = 0; e < problem.equations.size(); ++e) {
    const std::vector<Input> needed = walk.inputs_of(problem.equations[e].expected),
                             offered = walk.inputs_of(problem.equations[e].actual);
    Missing here{e, {}};
    std::ranges::set_difference(needed, offered, std::back_inserter(here.inputs), precedes);
    if (!here.inputs.empty()) missing.push_back(std::move(here));
  }
  return missing;
}

// Where laws are not known, what the spec mentions may not matter: x | (x & z) is x. What was seen to matter stays, of
// the first equations that are so: to see it takes long.
void keep_what_is_surely_needed(const Problem& problem, std::vector<Missing>& missing) {
  constexpr std::size_t kMostAsked = 32;
  const auto is_lawless = [&](const Missing& m) {
    const Equation& equation = problem.equations[m.equation];
    return !lawless(problem.provenance, std::array{equation.actual, equation.expected}).empty();
  };
  std::vector<Missing*> asked;
  std::vector<std::pair<Scalar, Value>> values;
  for (Missing& m : missing) {
    if (!is_lawless(m)) continue;
    if (asked.size() < kMostAsked) {
      asked.push_back(&m);
      values.emplace_back(problem.equations[m.equation].scalar, problem.equations[m.equation].expected);
    } else {
      m.inputs.clear();
    }
  }
  if (asked.empty()) return;
  const std::vector<std::vector<NodeId>> needed = Concrete(problem.provenance).needed(values);
  for (std::size_t i = 0; i < asked.size(); ++i)
    std::erase_if(asked[i]->inputs,
                  [&](const Input& input) { return !std::ranges::binary_search(needed[i], input.value.as_node()); });
}

}  // namespace

Lack lack_of(const Problem& problem) {
  std::vector<Missing> missing = missing_inputs(problem);
  keep_what_is_surely_needed(problem, missing);
  Lack lack;
  for (const Missing& m : missing) {
    if (m.inputs.empty()) continue;
    if (lack.inputs == 0) {
      lack.first.equation = m.equation;
      lack.first.missing = m.inputs.front().value;
    }
    lack.inputs += m.inputs.size();
  }
  return lack;
}

std::string explain_infeasible(Problem& problem, const Program& sketch, const std::string& found,
                               const Deadline& deadline) {
  if (auto reason = Explainer(problem, sketch, deadline.within(kReasonSeconds)).run()) return *std::move(reason);
  return found == kNoSingleReason ? clashing_outputs(problem, deadline).value_or(found) : found;
}

}  // namespace swizzle
