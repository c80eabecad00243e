// TrialGraph: the equations of a Problem on numbers, step by step, as candidates are decided.
//
// Two steps on 4 lanes, v += shuffle(v, P), then v += shuffle(v, Q), each with points P(0) … P(3) and Q(0) … Q(3):
//   steps      0: the points of P     1: those of Q, for what they choose among asks P
//   decided    P(l) = l ^ 1:  v of lane 0 is 17 + 5 for x[0] = 17, x[1] = 5, whatever Q is
//   rejected   P(0) = 0: with x[0] + x[0], lane 0 has more of x[0] than y[0] may have, whatever Q is
//
// A node is computed when it is asked for, and again only where a step that it depends on was decided anew. Integers
// are words, real numbers are residues modulo a prime, and what has no evaluation is a hash of its operands. What is
// equal in the algebra of provenance.h is then equal here: a candidate that fails here fails. Others are to be checked.
// Or real numbers are doubles (doubles.h): what fails then fails on an input, in whatever form it is.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "synth/problem/problem.h"
#include "synth/tables/domains.h"
#include "synth/trials/look_ahead.h"
#include "synth/trials/trial_node.h"
#include "synth/trials/trial_number.h"
#include "synth/trials/trial_step.h"

namespace swizzle {

class TrialGraph {
 public:
  // Of some of the equations, and all requirements. Nothing, if some operation on the way may turn into what is not
  // known here, or the graph is too large. seed: of the numbers that inputs are. On doubles it is faithful.
  static std::optional<TrialGraph> of(Problem& problem, const std::vector<std::size_t>& equations,
                                      std::uint64_t seed = 0, TrialArithmetic = TrialArithmetic::kResidues);

  const std::vector<TrialStep>& steps() const { return steps_; }
  bool is_asked_by(std::size_t step, std::size_t by) const { return asked_from_[step] <= by + 1; }  // or before
  // Decides a step by a table of its hole, which stays where it is until then; or leaves it open again.
  void decide(std::size_t step, const HoleTable& table);
  void open(std::size_t step);
  // False: whatever the steps are that are open, some equation or requirement fails that this one has a say in, and no
  // later one; looking ahead, by LookAhead, too, which pays where much comes behind.
  bool stands(std::size_t step, bool looks_ahead = false);
  using State = std::array<std::uint64_t, 2>;  // what later steps go by: equal ones have the same continuations
  State state(std::size_t step);
  int elements(std::size_t step);  // that these have, all together, and have once
  // What fails here fails on some input: nothing is a hash or compared by the elements in it.
  bool is_faithful() const { return is_faithful_; }
  TrialArithmetic arithmetic() const { return on_doubles_ ? TrialArithmetic::kDoubles : TrialArithmetic::kResidues; }

  // Outputs are compared as numbers of one type, and different ones are different numbers.
  bool has_plain_goals() const;
  std::size_t copies_from() const;  // likewise, from this step on values are only chosen among, and nothing is required
  std::size_t selects_from() const;  // the same, where minima, maxima and selections choose, too
  // Of copies_from() or later: what the steps from this one on decide asks no step before which value it is.
  bool may_part_at(std::size_t step) const;
  // Of has_plain_goals: the different values that outputs want.
  std::vector<TrialWanted> wanted() const;
  // Calls each(value, how many are left) for what later steps may choose, until it says false.
  template <typename Each>
  void each_left(std::size_t step, Each&& each) {
    std::size_t behind = frontier_[step].size();
    for (Index node : frontier_[step]) {
      const Number& n = number(node);
      --behind;
      if (n.is_known && n.is_defined && !each(compared(n.bits), behind)) return;
    }
  }
  // As far as steps are decided: no value that others decide is to be two outputs at once, which want different ones.
  bool keeps_outputs_apart() const;
  // What the steps from this one on decide is which of the values that those before leave an output is, and nothing
  // else.
  bool only_chooses_from(std::size_t step) const;
  // Then, those before being decided: narrows their points to what brings each output its value. False: none does.
  bool keep_wanted(std::size_t first_step, Domains& domains);
  std::size_t computed() const { return computed_; }  // nodes so far: a measure of work that is the same everywhere

 private:
  friend class TrialGraphBuilder;
  friend class CopyTail;
  friend class CopiedValues;
  friend class ElementBounds;
  friend class InputBounds;
  friend class BitBounds;
  friend class OrderBounds;
  friend class SignedBounds;
  friend class KnownValues;
  using Index = std::uint32_t;
  using Node = TrialNode;
  using Kind = TrialNode::Kind;
  using Number = TrialNumber;
  using Check = TrialCheck;
  using Goal = TrialGoal;
  static Number unknown() { return {.is_known = false}; }
  static Number undefined() { return {.is_defined = false}; }
  const Number& number(Index node);
  Number compute(const Node& node);
  Number sum(const Node& node);
  Number product(const Node& node);
  Number set(const Node& node);
  Number function(const Node& node);
  Number selection(const Node& node);
  bool is_of_doubles(const Node& node) const;
  Number on_doubles(const Node& node);
  static bool are_apart(const Number& a, const Number& b);
  bool meets(const Goal& goal);
  bool is_within(const Check& check);
  bool may_fit(const Check& check, Index term, const Number& others);
  bool may_be_completed(const Check& check, const Number& others);
  std::optional<Index> open_choice(Index term, std::size_t level) const;
  bool fits(const Check& check, const Number& number) const;
  Scalar compared_as() const;  // of has_plain_goals
  bool is_one_of_its_operands(const Node& node) const;
  Index source_of(Index node) const;
  template <typename Chooses>
  std::size_t only_from(Chooses&& chooses) const;
  std::uint64_t compared(std::uint64_t bits) const { return compared(compared_as(), bits); }
  static std::uint64_t compared(Scalar s, std::uint64_t bits);
  static void join(Number& all, const Number& number);
  void add_elements(Number& total, const Number& number) const;
  void changed(std::size_t step);
  static bool is_less(const Node& node, std::uint64_t a, std::uint64_t b);
  std::uint64_t as(const Node& node, Index operand, std::uint64_t bits) const;
  std::vector<TrialStep> steps_;
  std::vector<Node> nodes_;
  std::vector<Index> operands_;
  std::vector<Number> numbers_;              // by node
  std::vector<std::uint64_t> made_;          // by node: when
  std::vector<std::uint64_t> since_;         // by level: when the last of the steps was decided
  std::vector<const std::int16_t*> tables_;  // by step; none: it is open
  struct Place {
    std::uint32_t step = 0, position = 0;
  };
  std::vector<Place> places_;                                  // by point
  std::vector<std::vector<Goal>> goals_;                       // by step
  std::vector<std::vector<Check>> checks_;                     // by step
  std::vector<std::vector<Index>> frontier_;                   // by step: nodes that later ones ask for
  std::vector<std::vector<std::uint32_t>> asked_later_;        // by step: points that later ones ask once more
  std::vector<std::uint16_t> asked_from_;                      // by step: the first level that asks for its points
  std::vector<Number> needs_;                                  // by claim
  std::unordered_map<std::uint64_t, std::size_t> element_of_;  // of values of functions without laws
  LookAhead look_ahead_;
  std::uint64_t now_ = 1;
  std::size_t computed_ = 0;
  bool is_faithful_ = true, tells_outputs_apart_ = true, on_doubles_ = false;
  bool is_linear_ = true;                          // elements that are there twice are known
  bool has_signs_ = false, tells_inputs_ = false;  // numbers have these in place of elements: see TrialNumber
};

}  // namespace swizzle
