#include "driver/suggestions.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "codegen/emit/hole_text.h"
#include "driver/sources.h"
#include "frontend/parse.h"
#include "synth/base/source_edits.h"
#include "synth/base/text.h"

namespace swizzle {
namespace {

// Other text for a hole, or for a number beside it.
struct Change {
  SourceRange range;
  std::string text;
  std::string told_as = {};              // if in other words
  std::optional<HoleKind> kind = {};     // if that is all that changes
  std::optional<std::size_t> hole = {};  // of which
  bool is_expression = false;            // any, so that the note says which was found
};

// Changes to be made together.
struct Attempt {
  std::vector<Change> changes;
  bool only_adds = false;  // every completion that some of the changes allow is one of all of them
};

class Attempts {
 public:
  explicit Attempts(const Program& sketch) : sketch_(sketch) {
    for (std::size_t h = 0; h < sketch.holes.size(); ++h)
      if (is_plain(sketch.holes[h])) holes_.push_back(h);
  }

  std::vector<Attempt> all() && {
    of_each(!kAdds, [&](const Hole& hole) { return wider(hole); });  // one often does, and is tried sooner
    of_each(!kAdds, [&](const Hole& hole) { return with_xor(hole); });
    add_transformations();
    for (const std::string& name : variables())
      of_each(kAdds, [&](const Hole& hole) { return with_argument(hole, name); });
    add_expressions();
    for (const int factor : {2, 3, 4, 8})
      for (std::size_t place = 0; place < 3; ++place)
        of_each(!kAdds, [&](const Hole& hole) { return with_multiple(hole, place, factor); });
    add_register();
    return std::move(all_);
  }

  std::vector<Attempt> transformations() && {
    add_transformations();
    return std::move(all_);
  }

  std::vector<Attempt> expressions() && {
    add_expressions();
    return std::move(all_);
  }

 private:
  using Texts = std::vector<std::string>;
  static constexpr bool kAdds = true;

  // It stands in the file as it was parsed, and not in a macro.
  bool is_plain(const Hole& hole) const {
    return hole.traits().has_tables() &&
           sketch_.source.slice(hole.range).starts_with(fmt::format("?{}", name_of(hole)));
  }

  static std::string written(const char* kind, const Texts& arguments) {
    return fmt::format("?{}({})", kind, fmt::join(arguments, ", "));
  }

  // Of each that may change so, and of all together: these first, where that tells of each.
  template <typename Changed>
  void of_each(bool only_adds, Changed&& changed) {
    Attempt together{{}, only_adds};
    for (const std::size_t h : holes_) {
      std::optional<Change> change = changed(sketch_.holes[h]);
      if (!change) continue;
      change->hole = h;
      together.changes.push_back(std::move(*change));
    }
    if (together.changes.size() > 1 && only_adds) all_.push_back(together);
    for (const Change& change : together.changes) all_.push_back({{change}, only_adds});
    if (together.changes.size() > 1 && !only_adds) all_.push_back(std::move(together));
  }

  // Partitions of all holes first: where a row is rotated on the way there, another one is on the way back.
  void add_transformations() {
    for (std::size_t place = 0; place < 2; ++place) {
      const std::size_t before = all_.size();
      of_each(!kAdds, [&](const Hole& hole) { return as_transformation(hole, place); });
      if (all_.size() > before)
        std::rotate(all_.begin() + static_cast<std::ptrdiff_t>(before), all_.end() - 1, all_.end());
    }
  }

  void add_expressions() {
    of_each(kAdds, [&](const Hole& hole) { return with_expression(hole); });
  }

  static std::optional<Change> wider(const Hole& hole) {
    if (!hole.traits().wider) return std::nullopt;
    const HoleTraits& kind = traits_of(*hole.traits().wider);
    return Change{hole.range, written(kind.name, hole.argument_texts), kind.usage(), kind.kind};
  }

  static std::optional<Change> with_xor(const Hole& hole) {
    if (hole.traits().grammar != HoleGrammar::kTransformation) return std::nullopt;
    return Change{hole.range, written(traits_of(HoleKind::kXor).name, hole.argument_texts), {}, HoleKind::kXor};
  }

  // The position of the argument at `place` among those that a partition is asked with; nothing: there is none.
  static std::optional<std::size_t> chosen_argument(const Hole& hole, std::size_t place) {
    const std::size_t at = hole.traits().first_key + place;
    const bool has_it = hole.traits().grammar == HoleGrammar::kPartition && at < hole.argument_texts.size();
    return has_it ? std::optional(at) : std::nullopt;
  }

  // What a partition chooses among, by one of its arguments turned by the others.
  static std::optional<Change> as_transformation(const Hole& hole, std::size_t place) {
    const auto at = chosen_argument(hole, place);
    if (!at) return std::nullopt;
    Texts arguments = hole.argument_texts;
    std::rotate(arguments.begin(), arguments.begin() + static_cast<std::ptrdiff_t>(*at),
                arguments.begin() + static_cast<std::ptrdiff_t>(*at) + 1);
    return Change{hole.range, written(traits_of(HoleKind::kXform).name, arguments)};
  }

  // Whatever its grammar, any expression of the same arguments.
  static std::optional<Change> with_expression(const Hole& hole) {
    const HoleTraits& kind = hole.traits();
    if (kind.is_expression()) return std::nullopt;
    Texts arguments = hole.argument_texts;
    if (kind.is_truth())
      return Change{hole.range, written(traits_of(HoleKind::kPred).name, arguments), {}, HoleKind::kPred, {}, true};
    const std::string count = arguments[*kind.modulus] == "warpSize" ? "32" : arguments[*kind.modulus];
    arguments.erase(arguments.begin() + static_cast<std::ptrdiff_t>(*kind.modulus));
    arguments.insert(arguments.begin(), {"0", count});
    return Change{hole.range, written(traits_of(HoleKind::kExpr).name, arguments), {}, {}, {}, true};
  }

  static std::optional<Change> with_argument(const Hole& hole, const std::string& name) {
    Texts arguments = hole.argument_texts;
    if (std::find(arguments.begin(), arguments.end(), name) != arguments.end()) return std::nullopt;
    arguments.push_back(name);
    return Change{hole.range, written(name_of(hole), arguments)};
  }

  std::optional<Change> with_multiple(const Hole& hole, std::size_t place, int factor) const {
    const auto at = chosen_argument(hole, place);
    if (!at) return std::nullopt;
    Texts arguments = hole.argument_texts;
    std::string& argument = arguments[*at];
    const bool is_name = std::ranges::all_of(argument, is_of_word);
    argument = fmt::format(fmt::runtime(is_name ? "{} * {}" : "{} * ({})"), factor, argument);
    return Change{hole.range, written(name_of(hole), arguments)};
  }

  // Integers of the kernel and its functions; whether one can be seen from a hole, the parser knows.
  std::set<std::string> variables() const {
    std::set<std::string> names;
    const std::vector<VariableId>& parameters = sketch_.function(sketch_.entry).parameters;
    for (std::size_t v = 0; v < sketch_.variables.size(); ++v) {
      const Variable& variable = sketch_.variables[v];
      const Type& type = sketch_.type(variable.type);
      const bool is_integer = type.form == Type::Form::kScalar && !is_real(type.scalar) && type.scalar != Scalar::kBool;
      if (is_integer && !variable.name.empty() &&
          std::find(parameters.begin(), parameters.end(), VariableId(v)) == parameters.end())
        names.insert(variable.name);
    }
    return names;
  }

  // The last number of load(…, n), and every ?sw_part(n, …) that picks one of what it loads.
  void add_register() {
    const std::string& text = sketch_.source.text();
    for (std::size_t at = 0; (at = text.find("load(", at)) != std::string::npos; ++at) {
      const std::size_t close = text.find(')', at);
      if (close == std::string::npos) return;
      std::size_t end = close, begin = close;
      while (end > at && std::isspace(static_cast<unsigned char>(text[end - 1])) != 0) --end;
      for (begin = end; std::isdigit(static_cast<unsigned char>(text[begin - 1])) != 0;) --begin;
      if (begin == end || end - begin > 4) continue;
      const std::string count = text.substr(begin, end - begin), more = std::to_string(std::stoi(count) + 1);
      Attempt attempt;
      attempt.changes.push_back({{static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)}, more});
      for (const std::size_t h : holes_) {
        Texts arguments = sketch_.holes[h].argument_texts;
        if (sketch_.holes[h].traits().grammar != HoleGrammar::kPartition || arguments[0] != count) continue;
        arguments[0] = more;
        attempt.changes.push_back({sketch_.holes[h].range, written(name_of(sketch_.holes[h]), arguments)});
      }
      all_.push_back(std::move(attempt));
    }
  }

  const Program& sketch_;
  std::vector<std::size_t> holes_;
  std::vector<Attempt> all_;
};

Solution first_solution(const SynthesisTask& task) {
  auto assignments = pose_assignments(task);
  if (!assignments.ok()) return {};
  SolveOptions how;
  how.first_only = true;
  how.deadline = task.deadline;
  how.issue_costs = task.issue_costs;
  return solve_assignments(task, *assignments, how).solution;
}

// What only asks for other tables need not be parsed again.
Result<Program> changed_sketch(const std::vector<Change>& changes, const Program& sketch, const Program& spec) {
  if (std::ranges::all_of(changes, [](const Change& change) { return change.kind && change.hole; })) {
    Program changed = sketch;
    for (const Change& change : changes) changed.holes[*change.hole].kind = *change.kind;
    return changed;
  }
  std::vector<SourceEdit> edits;
  for (const Change& change : changes) edits.push_back({change.range, change.text});
  const std::string folder = std::filesystem::path(sketch.source.path()).parent_path().string();
  auto changed = parse_kernel(SourceText(sketch.source.path(), edited(sketch.source, edits)),
                              sketch.function(sketch.entry).name, folder.empty() ? "." : folder, sketch.flags);
  if (changed.ok()) fit_to_spec(*changed, spec);
  return changed;
}

struct Success {
  std::vector<Change> changes;
  Program sketch;
  Completion completion;
};

// Tries what may help, each for a slice of the time.
class Trials {
 public:
  Trials(const SynthesisTask& task, double slice) : task_(task), slice_(slice) {}

  std::optional<Success> first_of(const std::vector<Attempt>& attempts) {
    std::set<std::size_t> hopeless;  // holes that the last attempt changed in vain, together
    for (const Attempt& attempt : attempts) {
      if (task_.deadline.passed()) return std::nullopt;
      const bool is_part = attempt.changes.size() == 1 && attempt.changes[0].hole && attempt.only_adds &&
                           hopeless.contains(*attempt.changes[0].hole);
      if (is_part && hopeless.erase(*attempt.changes[0].hole) > 0) continue;
      hopeless.clear();
      Outcome outcome = Outcome::kUnknown;
      if (auto success = tried(attempt.changes, outcome)) return needed_of(std::move(*success));
      if (outcome != Outcome::kInfeasible || !attempt.only_adds || attempt.changes.size() < 2) continue;
      for (const Change& change : attempt.changes) hopeless.insert(*change.hole);
    }
    return std::nullopt;
  }

 private:
  std::optional<Success> tried(const std::vector<Change>& changes, Outcome& outcome) const {
    auto changed = changed_sketch(changes, task_.sketch, task_.spec);
    if (!changed.ok()) return std::nullopt;
    changed->directives.machine = task_.sketch.directives.machine;
    const Deadline deadline = task_.deadline.within(slice_);
    Solution solution =
        first_solution({*changed, task_.spec, task_.instances, deadline, task_.issue_costs, task_.jobs});
    outcome = solution.outcome;
    if (outcome != Outcome::kFound) return std::nullopt;
    return Success{changes, std::move(*changed), std::move(solution.completions[0])};
  }

  // Without the changes that it does not take; the first holes change rather than the last.
  std::optional<Success> needed_of(Success success) const {
    if (!success.changes[0].hole) return success;
    for (std::size_t i = success.changes.size(); i-- > 0 && success.changes.size() > 1;) {
      std::vector<Change> fewer = success.changes;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      Outcome outcome = Outcome::kUnknown;
      if (auto simpler = tried(fewer, outcome)) success = std::move(*simpler);
    }
    return success;
  }

  const SynthesisTask& task_;
  double slice_;
};

Diagnostics told(const Success& success, const Program& sketch) {
  Diagnostics notes;
  const char* const beside = success.changes.size() > 1 ? ", together with what the other notes say" : "";
  for (const Change& change : success.changes) {
    const bool is_named = !change.told_as.empty();
    std::string text =
        fmt::format("with {} here there is a completion{}", is_named ? change.told_as : change.text, beside);
    if (is_named) text += ": see docs/language.md";
    if (change.is_expression)
      text += fmt::format(": {}", printed(success.sketch, success.completion, HoleId(*change.hole)));
    notes.push_back(make_note(sketch.source, change.range, std::move(text)));
  }
  return notes;
}

Diagnostics first_that_helps(const SynthesisTask& task, double seconds, double slice,
                             const std::vector<Attempt>& attempts) {
  SynthesisTask limited = task;
  limited.deadline = task.deadline.within(seconds);
  const auto success = Trials(limited, slice).first_of(attempts);
  return success ? told(*success, task.sketch) : Diagnostics{};
}

}  // namespace

Diagnostics suggestions(const SynthesisTask& task, double seconds) {
  return first_that_helps(task, seconds, seconds / 2, Attempts(task.sketch).all());
}

Diagnostics suggested_transformations(const SynthesisTask& task, double seconds) {
  return first_that_helps(task, seconds, seconds, Attempts(task.sketch).transformations());
}

std::optional<Program> widened(const SynthesisTask& task) {
  constexpr double kSlice = 5;  // seconds
  auto success = Trials(task, kSlice).first_of(Attempts(task.sketch).expressions());
  if (!success) return std::nullopt;
  return std::move(success->sketch);
}

}  // namespace swizzle
