// From equations to sums: private to synth/.
#pragma once

#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "synth/base/deadline.h"
#include "synth/network/constraint_network.h"
#include "synth/network/default_edges.h"
#include "synth/provenance/reducible.h"

namespace swizzle {

// A part of an equation: both sides in one algebra.
struct RingEquation {
  std::size_t equation;
  Ring ring;
  Scalar scalar;
  Value actual, expected;
};

// Opaque functions are equal only where their operands are: an equation of two splits into one for each operand.
std::optional<Conflict> split_equation(Problem& problem, std::size_t equation, std::vector<RingEquation>& parts);

class SumCompiler {
 public:
  // Past the deadline, no more is listed than where there is too much to list.
  SumCompiler(Problem& problem, std::vector<SumConstraint>& sums, const Deadline& deadline = {})
      : problem_(problem),
        provenance_(problem.provenance),
        ways_(problem),
        sums_(sums),
        deadline_(deadline),
        reducible_(problem.provenance) {
    assignment_.assign(problem.points.size(), -1);
  }
  std::optional<Conflict> add(const RingEquation& part);
  const DefaultEdges& ways() const { return ways_; }

 private:
  bool may_cancel(Value v);
  bool brings_several(Value leaf) const;
  bool subtract_fixed(SumConstraint& sum, const Term& term);
  bool is_open(const Term& term) const;  // holes decide some factor
  bool is_cancel_free(const SumConstraint& sum, const RingEquation& part, const std::vector<Term>& expected,
                      const std::vector<Term>& actual);
  void list_options(SumConstraint& sum, const Term& term);
  bool keep_exact(SumConstraint& sum) const;
  void expand(SumConstraint& sum, const Term& term, std::size_t factor, Value product, Summand& out);
  void reach(SumConstraint& sum, const Term& term, std::size_t factor, Value v, Value product, Summand& out);
  void walk(SumConstraint& sum, const Term& term, std::size_t factor, Value v, Value product, Summand& out);
  void branch(SumConstraint& sum, const Term& term, std::size_t factor, const Path& steps, Value to, Value product,
              Summand& out);
  void finish(SumConstraint& sum, Value product, Summand& out);
  void add_options(const Option& option, Summand& out) const;
  bool may_help(Value leaf) const;
  std::uint32_t monomial(SumConstraint& sum, const Factors& factors, bool& known);

  Problem& problem_;
  Provenance& provenance_;
  DefaultEdges ways_;
  std::vector<SumConstraint>& sums_;
  const Deadline deadline_;
  Reducible reducible_;
  Assignment assignment_;
  Path path_;
  std::vector<Path> around_;  // the branches that default edges on the way went around
  Ring ring_ = Ring::kSum;
  Scalar scalar_ = Scalar::kI32;
  std::map<Factors, std::uint32_t> monomials_;
  std::unordered_map<std::uint32_t, std::uint32_t> single_;  // node → monomial of that one factor
  std::unordered_set<std::uint32_t> useful_;                 // factors of needed monomials
  std::unordered_set<std::uint32_t> scanned_;                // nodes that may_cancel() has seen
  bool strict_ = true;                                       // only what is needed may be brought
  std::size_t vanishing_ = 0;  // so many factors of the term at hand, the first ones, may be 0
  std::size_t visits_ = 0;
};

}  // namespace swizzle
