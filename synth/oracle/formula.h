// Formula: clauses, sums and parities of Booleans, as a solver takes them.
//
//   lane 2 of 4 fetches x[0] … x[3]:  exactly_one({p0, p1, p2, p3})
//   y[2] = x[1] + x[3] of two fetches p, q:  sum({p1, 1}, {q1, 1}) = 1,  sum({p3, 1}, {q3, 1}) = 1,  sum({p0, 1}, …) =
//   0
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace swizzle {

struct Literal {
  std::int32_t code = 0;  // variable, or minus it for its negation; variables count from 1
  Literal operator!() const { return {-code}; }
  friend auto operator<=>(const Literal&, const Literal&) = default;
};

using Literals = std::vector<Literal>;

struct WeightedLiteral {
  Literal literal;
  std::int64_t weight;
};

class Formula {
 public:
  struct Sum {  // Σ weight · literal  = or ≤  bound
    std::vector<WeightedLiteral> terms;
    bool at_most = false;
    std::int64_t bound = 0;
  };
  struct Parity {
    Literals literals;
    bool odd = false;
  };

  Formula() { add({fresh()}); }

  static Literal truth() { return {1}; }
  Literal fresh() { return {++variables_}; }
  Literals fresh(std::size_t count);

  void add(Literals clause) { clauses_.push_back(std::move(clause)); }
  void exactly_one(const Literals& literals);
  void equal(std::vector<WeightedLiteral> terms, std::int64_t bound) {
    sums_.push_back({std::move(terms), false, bound});
  }
  void parity(Literals literals, bool odd) { parities_.push_back({std::move(literals), odd}); }
  void minimize(Literal literal, std::int64_t weight) { objective_.push_back({literal, weight}); }

  // A literal that is equivalent to the conjunction, or the disjunction; the same one for the same literals.
  Literal all_of(Literals literals);
  Literal any_of(Literals literals);

  int variables() const { return variables_; }
  const std::vector<Literals>& clauses() const { return clauses_; }
  const std::vector<Sum>& sums() const { return sums_; }
  const std::vector<Parity>& parities() const { return parities_; }
  const std::vector<WeightedLiteral>& objective() const { return objective_; }

 private:
  std::int32_t variables_ = 0;
  std::vector<Literals> clauses_;
  std::vector<Sum> sums_;
  std::vector<Parity> parities_;
  std::vector<WeightedLiteral> objective_;
  std::map<Literals, Literal> conjunctions_;
};

}  // namespace swizzle
