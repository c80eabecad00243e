// TrialSearch: completions of a sketch whose steps build on each other, tried on numbers. Private to synth/search/.
//
//   v += shuffle(v, ?sw_xor(lane, 32, 0)); … ; v += shuffle(v, ?sw_xor(lane, 32, 4)), every lane the sum of all:
//     a prefix of the steps is computed once for all tables that begin so (TableTrie);
//     it is left where a lane has what its output must not have, or has it twice (TrialGraph);
//     prefixes that leave every lane with the same value go on alike: what led to no candidate is not tried again
//
// Candidates are tried up to a cost, and then up to a higher one that makes more work; where one fulfils the equations,
// by form and not only in numbers, what is cheaper is gone through before it is told. (Iterative deepening: R. Korf,
// Artificial Intelligence 27, 1985; by work: U. Sarkar et al., Artificial Intelligence 50, 1991.) The work is bounded;
// past it, what was found by then is told, and the rest is open.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "synth/base/hashes.h"
#include "synth/bounds/table_costs.h"
#include "synth/propagation/propagator.h"
#include "synth/search/cost_classes.h"
#include "synth/search/joint_issues.h"
#include "synth/search/necessary_issues.h"
#include "synth/search/solve.h"
#include "synth/trials/copied_values.h"
#include "synth/trials/copy_tail.h"
#include "synth/trials/step_test.h"
#include "synth/trials/table_trie.h"
#include "synth/trials/trial_graph.h"

namespace swizzle {

class TrialSearch {
 public:
  // graph: of these equations.
  TrialSearch(Problem& problem, const std::vector<std::size_t>& equations, const SolveOptions& options,
              const TableCosts& costs, CostClasses& classes, const Propagator& propagator, TrialGraph graph);

  struct Result {
    std::vector<Completion> completions;  // cheapest first
    bool exhausted = false;               // nothing is left; else the work was too much, or enough was found
    bool beyond_doubt = false;            // what was left out is refuted by an input
    std::vector<std::size_t> missed;      // equations beyond those given, without which more was left out than may be
  };
  Result run();
  std::size_t nodes() const { return nodes_; }

 private:
  static constexpr double kDearest = 1e12;  // more than any completion costs
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  // The tables of a hole so far, the lowest rank first.
  struct Listed {
    std::vector<std::shared_ptr<const CostClass>> classes;
    double next = 0;              // those that are not listed have this rank at least
    double cheapest = kInfinity;  // of those that are listed
    std::unique_ptr<TableTrie> trie;
    std::vector<std::vector<std::size_t>> steps;  // positions
    std::size_t lossy = 0;                        // tables that were dropped as such
    bool is_stale = true;
    bool is_tested = false;  // those that pass were looked for
    bool is_free = false;    // all that can be are tables, and cost the same: none is listed
  };
  // Of a prefix: what it leaves, and the tables that are left of holes that have more steps.
  struct Key {
    TrialGraph::State state;
    std::size_t step;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const { return mix(key.state[0] ^ key.state[1], key.step); }
  };

  bool tries_all_that_decides() const;
  bool list(std::size_t hole, double budget);
  std::vector<const TableTrie*> list_others(std::size_t hole);
  bool list_passing(std::size_t hole, bool are_to_be_few);
  std::optional<CostClass> passing_at_first(std::size_t hole, StepTest& test) const;
  bool may_be_anything(std::size_t hole) const;
  double price(std::size_t hole, const HoleTable& table) const;
  double least_price(std::size_t hole, double rank) const;
  double least_unlisted(std::size_t hole) const { return least_price(hole, listed_[hole].next); }
  void open_all();
  void decide_all(std::size_t hole, const HoleTable& table);
  void drop_lossy(std::size_t hole, CostClass& from);
  void drop_refuted(std::size_t hole, CostClass& from);
  bool list_all();
  void rebuild(std::size_t hole);
  void list_tail();
  std::optional<std::size_t> best_start() const;
  bool may_meet() const;
  bool meet();
  bool may_be_recognized(std::size_t hole) const;
  bool recognize(std::size_t hole);
  bool try_recognized(std::size_t step);
  bool explore(std::size_t step);
  std::vector<TableTrie::Range> most_elements_first(std::size_t step);
  bool try_within(std::size_t step, TableTrie::Range slice, double others);
  bool try_slice(std::size_t step, TableTrie::Range slice);
  bool go_on_behind(std::size_t step, TableTrie::Range slice);
  int decided(PointId point) const;
  std::optional<Key> key_of(std::size_t step);
  double behind(std::size_t step) const;
  bool complete();
  void keep(Completion completion);
  double next_budget(double most);
  bool holds(const Assignment& assignment, bool tells_misses = true);
  bool holds(std::size_t equation, const Assignment& assignment, DecidedValues& known);
  void miss(const Assignment& assignment, DecidedValues& known);
  bool is_refuted(const std::vector<HoleTable>& tables);
  bool is_over();
  double bound() const;
  double space() const;

  Problem& problem_;
  const std::vector<std::size_t>& equations_;
  const SolveOptions& options_;
  const TableCosts& costs_;
  CostClasses& classes_;
  const Propagator& propagator_;
  TrialGraph graph_;
  std::vector<TrialGraph> witnesses_;  // the same on other numbers
  NecessaryIssues necessary_;
  std::optional<JointIssues> joint_;
  double together_ = 0;  // what the holes make a warp issue together, of which steps have decided, and at least
  CopiedValues copied_;
  std::optional<CopyTail> tail_;           // what is met in the middle
  std::optional<std::size_t> recognized_;  // the hole of the last step, if its tables are not listed
  std::optional<Domains> wanted_;          // of its points
  HoleTable recognized_table_;
  std::vector<Listed> listed_;                       // by hole
  std::vector<TableTrie::Range> ranges_;             // by hole: the tables that are left
  std::vector<double> least_;                        // by hole: what they cost at least
  std::vector<std::size_t> depth_of_;                // by step: how many steps of its hole come before
  std::vector<std::size_t> last_step_;               // by hole
  std::unordered_map<Key, double, KeyHash> failed_;  // with that much to spend
  double budget_ = 0, exceeded_ = kInfinity, tried_ = -1;
  double unlisted_ = kInfinity;  // the least that a table costs at least which no list has
  double left_out_ = -1;         // the least that the last exploration met beyond its budget
  double tail_left_out_ = kInfinity;
  double floor_ = 0, stride_ = 0;  // no completion costs less; from one budget to the next
  std::size_t nodes_ = 0, nodes_before_ = 0, work_before_ = 0, candidates_ = 0;
  std::size_t rejected_ = 0, doubted_ = 0;  // candidates that do not hold by form; those that no input refutes
  bool has_new_ = false, gave_up_ = false, lists_others_ = false, is_tail_too_long_ = false;
  Result result_;
};

}  // namespace swizzle
