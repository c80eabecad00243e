#include "synth/synthesis/hand_over.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "synth/bits/word_tables.h"
#include "synth/bounds/table_costs.h"
#include "synth/oracle/encoding.h"
#include "synth/problem/stores.h"
#include "synth/synthesis/placed_search.h"
#include "synth/tables/shared_tables.h"

namespace swizzle {
namespace {

constexpr std::size_t kMostHandedTables = 4'000, kMostHandedValues = 500'000;  // of a hole that is told by tables
constexpr int kMostLeftOut = 2;         // models with values that some expression may have, which is not known
constexpr double kListingShare = 0.25;  // of Z3's time
// What Z3 is asked early must be small: its preparations do not heed the time.
constexpr std::size_t kFewClauses = 300'000, kMostClauses = 3'000'000;
constexpr double kSearchSeconds = 2, kZ3Seconds = 3;  // at first
constexpr double kWorthTwoTurns = 3;                  // times as long, that there is at least
constexpr double kShareOfSearch = 0.75;               // of the time, in the end

using HandedValues = std::vector<std::int16_t>;  // by position in HoleSpace::points

class HandOver {
 public:
  HandOver(const Program& sketch, Problem& problem, const Domains* left, const SolveOptions& options)
      : sketch_(sketch),
        problem_(problem),
        options_(options),
        grammars_(grammars_of(problem.holes, options.deadline)),
        left_{left ? *left : Domains(problem.points)},
        encoding_(problem, options.issue_costs) {
    const Deadline soon = options.deadline.share(kListingShare);
    for (const HoleSpace& space : problem.holes) left_.tables.push_back(list(space, soon));
  }

  // Nothing: unknown.
  std::optional<Solution> run(std::size_t most_clauses) {
    if (!encoding_.encode(left_, options_.deadline, most_clauses)) return std::nullopt;
    Z3Session session(encoding_.formula());
    Query query;
    if (options_.below < std::numeric_limits<double>::infinity() && encoding_.is_priced())
      query.objective_at_most = encoding_.left_below(options_.below);
    while (!options_.deadline.passed()) {
      const bool minimizes = encoding_.is_priced() && !options_.first_only && query.clauses.empty();
      const Z3Answer answer = minimizes ? session.minimize(query, options_.deadline.left())
                                        : session.decide(query, options_.deadline.left());
      if (answer.outcome == Outcome::kUnknown) return std::nullopt;
      if (answer.outcome == Outcome::kInfeasible) return left_out_ > 0 ? std::nullopt : std::optional(infeasible());
      const auto values = encoding_.tables_in(answer);
      const std::size_t known = query.clauses.size();
      auto tables = tables_of(values, query.clauses);
      if (tables && holds(*tables)) return found(*std::move(tables), answer.is_least);
      if (tables) query.clauses.push_back(other_than(values));
      if (query.clauses.size() == known || left_out_ > kMostLeftOut) return std::nullopt;
    }
    return std::nullopt;
  }

 private:
  std::vector<HoleTable> list(const HoleSpace& space, const Deadline& deadline) const {
    const TableGrammar& grammar = *grammars_[space.id.value];
    if (space.points.empty() || deadline.passed() || grammar.exhausted_ops()) return {};
    const std::size_t most = std::min(kMostHandedTables, kMostHandedValues / space.points.size());
    Enumeration all = grammar.within(left_.values, kAnyCost, most);
    return all.complete ? std::move(all.tables) : std::vector<HoleTable>();
  }

  // The cheapest tables of these values. Nothing: some hole has none, of which the clauses are told.
  std::optional<std::vector<HoleTable>> tables_of(const std::vector<HandedValues>& values,
                                                  std::vector<Literals>& clauses) {
    std::vector<HoleTable> tables(values.size());
    bool is_whole = true;
    for (const HoleSpace& space : problem_.holes) {
      const std::size_t h = space.id.value;
      if (space.points.empty()) continue;
      const auto known = std::ranges::find(left_.tables[h], values[h], &HoleTable::values);
      if (known != left_.tables[h].end()) {
        tables[h] = *known;
        continue;
      }
      Enumeration of = grammars_[h]->within(fixed(space, values[h], all_of(space)), kAnyCost, 1);
      if (!of.tables.empty()) tables[h] = std::move(of.tables.front());
      else clauses.push_back(refutation(space, values[h]));
      is_whole = is_whole && !of.tables.empty();
    }
    return is_whole ? std::optional(std::move(tables)) : std::nullopt;
  }

  static std::vector<std::size_t> all_of(const HoleSpace& space) {
    std::vector<std::size_t> positions(space.points.size());
    for (std::size_t p = 0; p < positions.size(); ++p) positions[p] = p;
    return positions;
  }

  Domains fixed(const HoleSpace& space, const HandedValues& values, const std::vector<std::size_t>& positions) const {
    Domains domains = left_.values;
    for (const std::size_t p : positions) domains.fix(space.points[p], values[p]);
    return domains;
  }

  // No table has these values at these positions.
  bool is_refuted(const HoleSpace& space, const HandedValues& values, const std::vector<std::size_t>& positions) const {
    const TableGrammar& grammar = *grammars_[space.id.value];
    if (grammar.exhausted_ops()) return false;
    const Enumeration any = grammar.within(fixed(space, values, positions), kAnyCost, 1);
    return any.tables.empty() && any.complete;
  }

  // One of few points has another value: as many are left out, half, a quarter … of them at a time, as do not matter.
  Literals refutation(const HoleSpace& space, const HandedValues& values) {
    std::vector<std::size_t> positions = all_of(space);
    const bool is_known = is_refuted(space, values, positions);
    if (!is_known) ++left_out_;
    for (std::size_t chunk = positions.size() / 2; is_known && chunk > 0; chunk /= 2)
      for (std::size_t from = 0; from < positions.size() && !options_.deadline.passed();) {
        std::vector<std::size_t> fewer = positions;
        const auto first = fewer.begin() + static_cast<std::ptrdiff_t>(from);
        fewer.erase(first, first + static_cast<std::ptrdiff_t>(std::min(chunk, fewer.size() - from)));
        if (is_refuted(space, values, fewer)) positions = std::move(fewer);
        else from += chunk;
      }
    Literals clause;
    for (const std::size_t p : positions) clause.push_back(!encoding_.value(space.points[p], values[p]));
    return clause;
  }

  Literals other_than(const std::vector<HandedValues>& values) const {
    Literals clause;
    for (const HoleSpace& space : problem_.holes)
      for (std::size_t p = 0; p < space.points.size(); ++p)
        clause.push_back(!encoding_.value(space.points[p], values[space.id.value][p]));
    return clause;
  }

  bool holds(const std::vector<HoleTable>& tables) const {
    const Assignment assignment = assignment_of(problem_, tables);
    Provenance& provenance = problem_.provenance;
    PointId blocked;
    return std::ranges::all_of(
               problem_.equations,
               [&](const Equation& e) {
                 return e.holds(provenance.normalize(provenance.resolve(e.actual, assignment, blocked)));
               }) &&
           keeps_requirements(problem_, assignment);
  }

  static Solution infeasible() {
    Solution none;
    none.outcome = Outcome::kInfeasible;
    none.reason = kNoSingleReason;
    return none;
  }

  std::optional<Solution> found(std::vector<HoleTable> tables, bool is_least) const {
    Completion completion;
    completion.cost = TableCosts(problem_, options_.issue_costs).total(tables);
    completion.tables = std::move(tables);
    if (completion.cost.total >= options_.below) return std::nullopt;
    const bool is_open = is_placed(sketch_, problem_);
    if (is_open) {
      auto best = best_placed(sketch_, problem_, {std::move(completion)}, options_);
      if (!best) return std::nullopt;
      completion = *std::move(best);
    }
    Solution solution;
    solution.outcome = Outcome::kFound;
    solution.completions = {std::move(completion)};
    solution.optimality = options_.first_only    ? Optimality::kNotAsked
                          : is_least && !is_open ? Optimality::kProved
                                                 : Optimality::kBestFound;
    return solution;
  }

  const Program& sketch_;
  Problem& problem_;
  const SolveOptions& options_;
  const std::vector<std::unique_ptr<TableGrammar>> grammars_;
  LeftOpen left_;
  Encoding encoding_;
  int left_out_ = 0;  // models with values that some table may have
};

}  // namespace

static bool may_be_handed_over(const Program& sketch, const Problem& problem, const SolveOptions& options) {
  return options.all == 0 && sketch.layouts.empty() && !has_open_words(sketch, problem) &&
         options.deadline.left() < std::numeric_limits<double>::infinity();
}

static Solution handed_over(const Program& sketch, Problem& problem, Solution unknown, const SolveOptions& options,
                            std::size_t most_clauses) {
  if (options.deadline.passed()) return unknown;
  auto solution = HandOver(sketch, problem, unknown.left.get(), options).run(most_clauses);
  if (!solution) return unknown;
  solution->raw_space = unknown.raw_space;
  solution->nodes = unknown.nodes;
  if (solution->optimality == Optimality::kBestFound) {
    solution->unknown = unknown.unknown;
    solution->reason = std::move(unknown.reason);
  }
  return *std::move(solution);
}

// What a search for less than `best` says of it; `best`: what Z3 found.
static Solution joined(Solution best, Solution less) {
  if (less.outcome == Outcome::kFound && less.completions[0].cost.total < best.completions[0].cost.total) return less;
  best.nodes = less.nodes;
  const bool is_least = less.outcome == Outcome::kInfeasible || less.optimality == Optimality::kProved;
  if (is_least) best.reason.clear();
  else if (!less.reason.empty()) best.reason = std::move(less.reason);
  best.unknown = less.unknown;
  best.optimality = is_least ? Optimality::kProved : Optimality::kBestFound;
  return best;
}

Solution search_or_hand_over(const Program& sketch, Problem& problem, const SolveOptions& options,
                             const std::function<Solution(const SolveOptions&)>& search) {
  if (!may_be_handed_over(sketch, problem, options)) return search(options);
  const auto is_enough = [&](const Solution& s) {
    return s.outcome == Outcome::kInfeasible || s.optimality == Optimality::kProved ||
           (s.outcome == Outcome::kFound && options.first_only);
  };
  SolveOptions turn = options;
  const auto has_found = std::make_shared<std::atomic<bool>>(false);
  turn.when_found = [&] {
    *has_found = true;  // and goes on for as long as there is time
    if (options.when_found) options.when_found();
  };
  const bool has_two_turns =
      options.deadline.left() > Deadline::patient(kWorthTwoTurns * (kSearchSeconds + kZ3Seconds));
  turn.deadline = has_two_turns ? options.deadline.within(kSearchSeconds, has_found)
                                : options.deadline.share(kShareOfSearch, has_found);
  Solution solution = search(turn);
  const bool is_cut = turn.deadline.passed();
  const auto goes_on = [&](const Solution& found) {
    turn.deadline = options.deadline;
    turn.below = found.completions[0].cost.total;
    return joined(found, search(turn));
  };
  if (solution.outcome == Outcome::kFound && is_cut && !*has_found && !is_enough(solution)) return goes_on(solution);
  if (solution.outcome != Outcome::kUnknown) return solution;
  if (has_two_turns && is_cut) {
    turn.deadline = options.deadline.within(kZ3Seconds);
    solution = handed_over(sketch, problem, std::move(solution), turn, kFewClauses);
    if (is_enough(solution)) return solution;
    if (solution.outcome == Outcome::kFound) return goes_on(solution);
    turn.deadline = options.deadline.share(kShareOfSearch, has_found);
    solution = search(turn);
  }
  if (solution.outcome != Outcome::kUnknown) return solution;
  return handed_over(sketch, problem, std::move(solution), options, kMostClauses);
}

}  // namespace swizzle
