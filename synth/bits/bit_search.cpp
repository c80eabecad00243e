#include "synth/bits/bit_search.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "synth/bits/alike_equations.h"
#include "synth/bits/bit_completions.h"
#include "synth/bits/disjoint_words.h"
#include "synth/bits/reach.h"
#include "synth/bits/selection_network.h"
#include "synth/bits/separate_bits.h"
#include "synth/bits/word_capacity.h"
#include "synth/bits/word_tables.h"
#include "synth/bounds/guarded_issues.h"
#include "synth/bounds/table_costs.h"
#include "synth/problem/bit_equations.h"
#include "synth/problem/stores.h"
#include "synth/provenance/words.h"

namespace swizzle {
namespace {

constexpr std::size_t kMostTables = 1 << 16;  // of one hole, at one node
constexpr int kMostLimited = 2, kUnlimited = 1 << 20;
constexpr std::size_t kFewEquations = 4;    // that are demanded first
constexpr std::size_t kGrowth = 3;          // times as many are added where these leave too much open
constexpr std::size_t kNodesWithin = 1024;  // of a search within another
constexpr std::size_t kNodesBeforeSettling = 2000;
constexpr std::size_t kNodesOfFew = 12;      // that are searched before more are demanded,
constexpr std::size_t kSizeOfFew = 200'000;  // and how many more of a small network: nodes of both together

class BitSearch {
 public:
  BitSearch(const Program& sketch, Problem& problem, const SolveOptions& options)
      : sketch_(sketch),
        problem_(problem),
        options_(options),
        equations_(unlike_equations(problem)),
        domains_(problem.points),
        with_tables_(problem.holes),
        chosen_(problem.holes.size()) {
    for (const Equation& e : problem.equations) actuals_.push_back(e.actual);
    for (HoleSpace& space : with_tables_)
      if (!space.traits().has_tables()) space.points.clear();
    grammars_ = grammars_of(with_tables_, options.deadline);
  }

  // A search within another: of these outputs, and with these constants decided.
  BitSearch(BitSearch& outer, std::vector<Value> actuals, const Assignment& constants, Sums sums)
      : sketch_(outer.sketch_),
        problem_(outer.problem_),
        options_(outer.options_),
        equations_(outer.equations_),
        actuals_(std::move(actuals)),
        domains_(outer.problem_.points),
        grammars_(outer.problem_.holes.size()),
        sums_(sums),
        is_inner_(true),
        decides_words_alone_(!constants.empty()) {
    for (std::size_t p = 0; p < constants.size(); ++p)
      if (constants[p] >= 0) domains_.fix(PointId(p), constants[p]);
  }

  Solution run() {
    if (auto found = with_disjoint_words()) {
      found_.push_back(*std::move(found));
      return conclude();
    }
    missed_ = first_equations();
    do {
      demanded_.insert(demanded_.end(), missed_.begin(), missed_.end());
      if (std::string why = impossible(); !why.empty()) return infeasible(std::move(why));
      if (auto found = without_sums()) {
        found_.push_back(*std::move(found));
        return conclude();
      }
      search();
    } while (!missed_.empty() && !timed_out_);
    if (!found_.empty()) return conclude();
    if (!is_open_) return infeasible(reason_);
    solution_.outcome = Outcome::kUnknown;
    solution_.unknown = timed_out_ ? UnknownReason::kTimeOfSearch : UnknownReason::kTooManyTables;
    solution_.reason = unknown_text(solution_.unknown);
    return std::move(solution_);
  }

 private:
  // What tells that the demanded equations cannot hold, before anything is decided; empty: nothing does.
  std::string impossible() {
    network_ = selection_network(problem_, demanded_, actuals_, sums_);
    reach_.emplace(network_, domains_);
    if (const auto lost = reach_->propagate())
      return told(*lost, may_be_reached(network_, *lost, problem_.points) ? Missing::kBesideOthers : Missing::kAnyway);
    if (is_inner_) return "";
    std::string why = capacity_.overfull(missed_);
    return why.empty() ? capacity_.too_deep(missed_) : why;
  }

  // A completion with these constants, if it is soon found.
  std::optional<Assignment> with_constants(Assignment assignment) {
    for (std::size_t p = 0; p < assignment.size(); ++p)
      if (is_word(PointId(p))) assignment[p] = -1;
    if (!tried_.insert(assignment).second) return std::nullopt;
    DecidedValues known;
    std::vector<Value> actuals;
    actuals.resize(actuals_.size());
    for (const std::size_t e : equations_)
      actuals[e] = problem_.provenance.resolve_known(actuals_[e], assignment, known);
    return BitSearch(*this, std::move(actuals), assignment, sums_).soon();
  }

  // A completion where of what is combined by xor one bit is 0, as of words that do not overlap.
  std::optional<Assignment> with_disjoint_words() {
    if (!may_look_first()) return std::nullopt;
    auto disjoint = as_disjoint(problem_.provenance, actuals_);
    return disjoint ? BitSearch(*this, *std::move(disjoint), {}, sums_).soon() : std::nullopt;
  }

  // A completion where no output needs a sum of bits that holes decide.
  std::optional<Assignment> without_sums() {
    if (!may_look_first() || !network_.has_sums || std::exchange(looked_without_sums_, true)) return std::nullopt;
    return BitSearch(*this, actuals_, {}, Sums::kLeftOut).soon();
  }

  bool may_look_first() const {
    return options_.all == 0 && std::ranges::none_of(grammars_, [](const auto& grammar) { return grammar != nullptr; });
  }

  std::optional<Assignment> soon() {
    missed_ = first_equations();
    do {
      demanded_.insert(demanded_.end(), missed_.begin(), missed_.end());
      if (!impossible().empty()) return std::nullopt;
      search();
    } while (!missed_.empty() && !timed_out_);
    return found_.empty() ? std::nullopt : std::optional(found_[0]);
  }

  void search() {
    missed_.clear();
    found_.clear();
    deepest_ = 0;
    nodes_left_ = kNodesOfFew + kSizeOfFew / (network_.nodes.size() + 1);
    for (int limit = options_.all > 0 ? kUnlimited : 0; !is_stopped();
         limit = limit < kMostLimited ? limit + 1 : kUnlimited) {
      is_cut_ = false;
      unlikely_left_ = limit;
      dive(0);
      if (!is_cut_) break;
    }
  }

  // The first, and some more, far apart: others are as these, mostly.
  std::vector<std::size_t> first_equations() const { return some_of(equations_, kFewEquations); }

  bool is_stopped() {
    if (options_.deadline.passed() || (is_inner_ && solution_.nodes > kNodesWithin)) timed_out_ = is_open_ = true;
    return timed_out_ || !missed_.empty() || found_.size() >= std::max<std::size_t>(options_.all, 1);
  }

  // Domains are propagated.
  void dive(std::size_t depth) {
    ++solution_.nodes;
    if (is_stopped()) return;
    if (nodes_left_-- == 0 && ends_early()) return;
    if (const auto hole = open_table()) return try_tables(*hole, depth);
    const auto point = next_point();
    if (!point) return complete();
    const bool is_long = solution_.nodes > kNodesBeforeSettling;
    if (is_word(*point) && (reach_->asked().empty() || is_long) && settle(depth)) return;
    const auto [values, likely] = likely_values(sketch_, problem_, domains_, *point);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (is_stopped()) return;
      const int price = i < likely ? 0 : 1;
      if (unlikely_left_ < price) {
        is_cut_ = true;
        return;
      }
      unlikely_left_ -= price;
      const Reach::Mark mark = reach_->mark();
      reach_->fix(*point, values[i]);
      descend(depth);
      reach_->undo(mark);
      unlikely_left_ += price;
    }
  }

  // Where masks alone are open, and gates wait for them: whether that decides about all of them.
  bool settle(std::size_t depth) {
    const bool stands_alone =
        problem_.stores.empty() && std::ranges::none_of(problem_.requirements, [&](const auto& r) {
          return problem_.provenance.has_choice(r.violation);
        });
    if (settlings_left_ == 0 || options_.all > 0 || is_inner_ || !stands_alone) return false;
    const auto [known, is_new] = waits_.insert(decided());
    if (!is_new) return false;
    const SeparateBits bits = settle_separately(problem_, equations_, actuals_, *known, options_.deadline);
    if (bits.outcome == SeparateBits::Outcome::kSolved) found_.push_back(bits.solution);
    if (bits.outcome == SeparateBits::Outcome::kImpossible && depth >= deepest_) {
      deepest_ = depth + 1;
      reason_ = "no choice of the holes serves all bits together: " +
                missing_bit(problem_.equations[bits.equation], bits.bit, Missing::kBesideOthers, problem_.provenance,
                            problem_.buffer_names);
    }
    if (bits.outcome == SeparateBits::Outcome::kOpen) --settlings_left_;
    return bits.outcome != SeparateBits::Outcome::kOpen;
  }

  // By point: its value, or -1.
  Assignment decided() const {
    Assignment assignment(problem_.points.size());
    for (std::size_t p = 0; p < assignment.size(); ++p)
      assignment[p] = domains_.count(PointId(p)) == 1 ? domains_.first(PointId(p)) : -1;
    return assignment;
  }

  // Few equations leave too much open: more are demanded, if there are more.
  bool ends_early() {
    missed_ = not_demanded(equations_);
    missed_.resize(std::min(missed_.size(), kGrowth * demanded_.size()));
    return !missed_.empty();
  }

  void descend(std::size_t depth) {
    const auto conflict = reach_->propagate();
    if (!conflict) return dive(depth + 1);
    if (depth < deepest_) return;
    deepest_ = depth + 1;
    reason_ = "no choice of the holes serves all bits together: " + told(*conflict, Missing::kBesideOthers);
  }

  std::optional<std::size_t> open_table() const {
    for (std::size_t h = 0; h < grammars_.size(); ++h)
      if (grammars_[h] && !chosen_[h]) return h;
    return std::nullopt;
  }

  void try_tables(std::size_t hole, std::size_t depth) {
    const Enumeration tables = grammars_[hole]->within(domains_, kAnyCost, kMostTables);
    is_open_ = is_open_ || !tables.complete;
    for (const HoleTable& table : tables.tables) {
      if (is_stopped()) return;
      const Reach::Mark mark = reach_->mark();
      for (std::size_t i = 0; i < table.values.size(); ++i)
        reach_->fix(problem_.holes[hole].points[i], table.values[i]);
      chosen_[hole] = table;
      descend(depth);
      chosen_[hole].reset();
      reach_->undo(mark);
    }
  }

  bool is_word(PointId point) const { return problem_.holes[problem_.points[point].hole.value].traits().is_word(); }

  // Of the undecided, one with the fewest values; constants first.
  std::optional<PointId> next_point() const {
    std::optional<PointId> best;
    const auto consider = [&](PointId p) {
      const int count = domains_.count(p);
      if (count > 1 && (!best || count <= domains_.count(*best))) best = p;
    };
    for (std::size_t p = 0; p < problem_.points.size(); ++p)
      if (!is_word(PointId(p)) && !network_.nodes_at[p].empty()) consider(PointId(p));
    if (best) return best;
    for (const PointId p : reach_->asked()) consider(p);
    if (best || !reach_->waits_for_gates()) return best;
    for (std::size_t p = 0; p < problem_.points.size(); ++p)
      if (may_matter(PointId(p))) consider(PointId(p));
    return best;
  }

  // Where holes decide stores, more than the demands depends on them.
  bool may_matter(PointId point) const { return !problem_.stores.empty() || reach_->matters(point); }

  // Of the equations, those that are not demanded yet.
  std::vector<std::size_t> not_demanded(const std::vector<std::size_t>& equations) const {
    const std::set<std::size_t> demanded(demanded_.begin(), demanded_.end());
    std::vector<std::size_t> others = equations;
    std::erase_if(others, [&](std::size_t e) { return demanded.contains(e); });
    return others;
  }

  // All that demands ask for is decided. If others fail, some are demanded as well; and all before anything is listed,
  // if these may ask for more.
  void complete() {
    Assignment assignment(problem_.points.size());
    bool is_decided = true;
    for (std::size_t p = 0; p < assignment.size(); ++p) {
      assignment[p] = domains_.first(PointId(p));
      is_decided = is_decided && (domains_.count(PointId(p)) == 1 || !may_matter(PointId(p)));
    }
    const auto [wrong, is_known] = wrong_equations(problem_, equations_, assignment);
    is_open_ = is_open_ || !is_known;
    const std::vector<std::size_t> others = not_demanded(wrong);
    if (!others.empty() && !decides_words_alone_ && options_.all == 0)
      if (auto found = with_constants(assignment)) return found_.push_back(*std::move(found));
    if (!others.empty()) missed_ = some_of(others, demanded_.size());
    else if (options_.all > 0 && std::ranges::count(decided(), -1) > 0) missed_ = not_demanded(equations_);
    if (!missed_.empty()) return;
    if (wrong.empty() && keeps_requirements(problem_, assignment)) found_.push_back(std::move(assignment));
    else if (!is_decided) is_open_ = true;
  }

  std::string told(std::size_t demand, Missing missing) const {
    const SelectionNetwork::Demand& d = network_.demands[demand];
    if (d.requirement != SIZE_MAX) return problem_.requirements[d.requirement].message;
    return missing_bit(problem_.equations[d.equation], d.bit, missing, problem_.provenance, problem_.buffer_names);
  }

  Solution infeasible(std::string reason) {
    solution_.outcome = Outcome::kInfeasible;
    solution_.reason = std::move(reason);
    return std::move(solution_);
  }

  Completion completion_of(const Assignment& assignment) const {
    Completion completion;
    completion.tables.resize(problem_.holes.size());
    for (std::size_t h = 0; h < completion.tables.size(); ++h) {
      const HoleSpace& space = problem_.holes[h];
      if (grammars_[h]) completion.tables[h] = table_of(h, assignment);
      else if (!space.points.empty()) completion.tables[h] = word_table(sketch_.hole(HoleId(h)), space, assignment);
    }
    completion.cost = TableCosts(problem_, options_.issue_costs).total(completion.tables);
    return completion;
  }

  Solution conclude() {
    for (const Assignment& assignment : found_)
      if (Completion c = completion_of(assignment); c.cost.total < options_.below - kCostTolerance)
        solution_.completions.push_back(std::move(c));
    std::ranges::stable_sort(solution_.completions, {}, [](const Completion& c) { return c.cost.total; });
    const double least = cost_of(problem_.counts, options_.issue_costs);
    if (solution_.completions.empty()) {
      solution_.outcome = least >= options_.below - 2 * kCostTolerance ? Outcome::kInfeasible : Outcome::kUnknown;
      solution_.reason = "what was found costs no less than another choice";
      return std::move(solution_);
    }
    const bool is_least = solution_.completions[0].cost.total <= least + kCostTolerance;
    solution_.outcome = Outcome::kFound;
    solution_.optimality = options_.first_only || options_.all > 0 ? Optimality::kNotAsked
                           : is_least                              ? Optimality::kProved
                                                                   : Optimality::kBestFound;
    if (solution_.optimality == Optimality::kBestFound) solution_.reason = "others with other words may cost less";
    solution_.exhausted = options_.all > found_.size() && !is_open_;
    return std::move(solution_);
  }

  // The table that was tried, with its expression.
  HoleTable table_of(std::size_t hole, const Assignment& assignment) const {
    Domains decided = domains_;
    const std::vector<PointId>& points = problem_.holes[hole].points;
    for (const PointId p : points) decided.fix(p, assignment[p.value]);
    const Enumeration tables = grammars_[hole]->within(decided, kAnyCost, kMostTables);
    return tables.tables.empty() ? HoleTable{} : tables.tables[0];
  }

  const Program& sketch_;
  Problem& problem_;
  const SolveOptions& options_;
  const std::vector<std::size_t> equations_;  // of which none is like another
  SelectionNetwork network_;
  std::vector<Value> actuals_;  // by equation
  Domains domains_;
  std::optional<Reach> reach_;
  WordCapacity capacity_{problem_};
  std::set<Assignment> tried_;                  // constants, with all masks open
  std::size_t settlings_left_ = 4;              // that may come to nothing
  std::set<Assignment> waits_;                  // with which masks were settled, or could not be
  std::vector<std::size_t> demanded_, missed_;  // equations: in the network; that failed, and are demanded next
  std::vector<HoleSpace> with_tables_;          // by HoleId; others have no points here
  std::vector<std::unique_ptr<TableGrammar>> grammars_;  // by HoleId; of holes with tables, which they refer to
  std::vector<std::optional<HoleTable>> chosen_;         // likewise
  std::vector<Assignment> found_;
  Solution solution_;
  std::string reason_;
  std::size_t deepest_ = 0;
  bool is_open_ = false, timed_out_ = false;  // something was left untried; for want of time
  int unlikely_left_ = 0;                     // limited discrepancy search (Harvey, Ginsberg 1995): such values to try
  std::size_t nodes_left_ = 0;                // before more equations are demanded
  Sums sums_ = Sums::kFollowed;
  bool is_inner_ = false;  // for a completion that is soon found
  bool looked_without_sums_ = false;
  bool decides_words_alone_ = false;
  bool is_cut_ = false;  // some were left for the next limit
};

}  // namespace

Solution solve_bits(const Program& sketch, Problem& problem, const SolveOptions& options) {
  return BitSearch(sketch, problem, options).run();
}

}  // namespace swizzle
