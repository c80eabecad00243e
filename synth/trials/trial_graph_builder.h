// Values of a Problem become nodes of a TrialGraph. Private to synth/trials/.
#pragma once

#include <algorithm>
#include <compare>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "synth/problem/decided_equations.h"
#include "synth/trials/claims.h"
#include "synth/trials/trial_graph.h"

namespace swizzle {

class TrialGraphBuilder {
 public:
  TrialGraphBuilder(Problem& problem, const std::vector<std::size_t>& equations, std::uint64_t seed,
                    TrialArithmetic arithmetic)
      : problem_(problem),
        provenance_(problem.provenance),
        equations_(equations),
        seed_(seed) {
    graph_.on_doubles_ = arithmetic == TrialArithmetic::kDoubles;
  }

  std::optional<TrialGraph> run();  // once

 private:
  using Index = TrialGraph::Index;
  using Kind = TrialGraph::Kind;
  using Number = TrialGraph::Number;

  // How large a node's coefficients may grow, and how many digits they may have behind the point.
  struct Growth {
    double most = 1;
    int behind_point = 0;
    bool is_plain = true;          // one of the elements or constants, as it is
    bool may_be_constant = false;  // for some choices below
    bool may_be_extreme = false;   // likewise: -infinity, no number to reckon with
    bool is_monotone = true;       // nothing takes away what another brings
    bool has_signs = true;         // a sum of elements with coefficients of a known sign, that do not wrap around
    double weight = 0;             // the most that such a coefficient comes to

    // One of several values; what it takes away is told by what is below it.
    void include(const Growth& other) {
      most = std::max(most, other.most);
      behind_point = std::max(behind_point, other.behind_point);
      is_plain = is_plain && other.is_plain;
      may_be_constant = may_be_constant || other.may_be_constant;
      may_be_extreme = may_be_extreme || other.may_be_extreme;
      weight = std::max(weight, other.weight);
    }
  };

  // Points by how deep in the graph they are first asked: what is below them is decided before.
  bool order_points();
  bool is_constant(PointId point) const;  // of a hole that is a constant for each of its points
  struct Depth {
    std::uint32_t steps = 0;
    bool has_condition = false;  // the last of them is one
    friend auto operator<=>(const Depth&, const Depth&) = default;
  };
  Depth depth_of(Value v);
  std::vector<std::uint32_t> chains_of_holes() const;  // by hole: see hole_chains.h
  void order_constants(const std::vector<std::uint32_t>& chains);
  void make_steps();
  // By point: of a hole each of whose points one output asks alone, 1 + that output's number, if it is small; else 0.
  std::vector<std::uint32_t> parts_of_points() const;

  std::optional<Index> add(Value v);
  std::optional<Index> add_node(NodeId id);
  std::optional<Index> constant(Value v, bool is_real);
  static bool divides(const Node& n);  // real numbers
  void note_functions();
  static std::optional<std::int64_t> bound_of(const Node& n);
  void note_bounds(const Node& n);
  std::int64_t near_bound(std::uint64_t random) const;
  bool is_atom(const Node& n) const;
  Index atom(NodeId id);
  Index element(NodeId id, Scalar s);
  void number_element(Number& number);
  Index any_number(NodeId id, Scalar s);
  std::optional<Index> choice(const Node& n);
  std::optional<Index> ring(const Node& n);
  std::optional<Index> term(const Node& ring, const Term& term);
  std::optional<Index> function(const Node& n);
  std::optional<Index> function_on_doubles(const Node& n);
  static bool compares_reals(const Node& n);
  bool are_in_order(const Node& comparison, std::vector<Index>& operands);
  std::optional<Index> selection(const Node& n);
  Index push(TrialNode node, const std::vector<Index>& operands, Growth growth);
  Index summed_in_order(Index sum);
  bool is_exact(const TrialNode& node, Growth& growth);
  bool is_of_one_kind(const TrialNode& node, Index operand) const;
  // An operand, as a real number where it is a constant that stands among such.
  std::optional<Index> as_real(Value v, Index index);

  bool add_claim(const Claim& claim);
  void add_decided_claims();
  void add_goal(Index actual, TrialGraph::Goal goal);
  void add_checks(std::size_t claim);
  void add_bounds(std::size_t claim);
  bool add_looking_ahead();
  bool add_signs();
  void add_inputs();
  void compute_what_is_known();
  bool is_polynomial(Value v) const;
  bool is_of_sets_of_inputs(const Claim& claim) const;
  void collect_terms(Value v, Ring ring, Scalar s, std::vector<Index>& terms);
  void note_frontiers();

  Problem& problem_;
  const Provenance& provenance_;
  const std::vector<std::size_t>& equations_;
  const std::uint64_t seed_;
  TrialGraph graph_;
  std::vector<Claim> claims_;
  std::unordered_map<std::uint32_t, Index> index_of_;  // by node
  std::unordered_map<std::uint32_t, Depth> depths_;
  std::map<std::pair<std::int64_t, bool>, Index> constants_;
  std::vector<std::uint32_t> asked_at_;     // by point: the least depth
  std::vector<std::uint32_t> asked_until_;  // by point: the greatest
  std::set<Index> summed_in_order_;         // sums which for the equations are made of sums
  std::vector<std::uint16_t> step_of_;      // by point: 1 + its step
  std::vector<Growth> growths_;             // by node of the graph
  std::vector<bool> holds_indicator_;       // by node of the graph
  std::vector<int> widths_;                 // by node of the graph: bits of an integer, 0 of a constant
  std::map<std::uint64_t, Value> outputs_;  // by number
  std::unordered_map<std::uint32_t, std::optional<std::int64_t>>
      bounds_;                              // by element, if it is only compared with one
  NodeSet deciding_;                        // elements that do nothing else
  std::set<std::uint32_t> open_functions_;  // codes of those that choices reach
  std::size_t elements_ = 0;
};

}  // namespace swizzle
