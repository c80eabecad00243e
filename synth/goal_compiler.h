// From equations to goals: private to synth/.
#pragma once

#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "synth/goals.h"

namespace swizzle {

class GoalCompiler {
 public:
  GoalCompiler(Problem& problem, std::vector<Goal>& goals) : problem_(problem), provenance_(problem.provenance), goals_(goals) {
    assignment_.assign(problem.points.size(), -1);
  }
  std::optional<Conflict> equation(std::size_t index);
  std::optional<Conflict> requirement(std::size_t index);

 private:
  std::optional<Conflict> equate(Value actual, Value expected, std::size_t index);
  std::optional<Conflict> ring_goal(Ring ring, Scalar s, Value actual, Value expected, std::size_t index);
  bool subtract_fixed(Goal& goal, const Term& term);
  void list_options(Goal& goal, const Term& term);
  void expand(Goal& goal, const Term& term, std::size_t factor, Value product, GoalTerm& out);
  void walk(Goal& goal, const Term& term, std::size_t factor, Value v, Value product, GoalTerm& out);
  void finish(Goal& goal, Value product, GoalTerm& out);
  bool may_help(Value leaf) const;
  std::uint32_t monomial(Goal& goal, const Factors& factors, bool& known);

  Problem& problem_;
  Provenance& provenance_;
  std::vector<Goal>& goals_;
  Assignment assignment_;
  Path path_;
  Ring ring_ = Ring::kSum;
  Scalar scalar_ = Scalar::kI32;
  std::map<Factors, std::uint32_t> monomials_;
  std::unordered_map<std::uint32_t, std::uint32_t> single_;  // node → monomial of that one factor
  std::unordered_set<std::uint32_t> useful_;                 // factors of needed monomials
  bool strict_ = true;  // only what is needed may be brought
  std::size_t visits_ = 0;
};

}  // namespace swizzle
