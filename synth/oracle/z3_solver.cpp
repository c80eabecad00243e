#include "synth/oracle/z3_solver.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <optional>

#include <fmt/format.h>
#include <z3++.h>

namespace swizzle {
namespace {

class Session {
 public:
  explicit Session(const Formula& formula) : formula_(formula), solver_(context_, "QF_FD") {
    variables_.push_back(context_.bool_val(true));
    for (int v = 1; v <= formula.variables(); ++v)
      variables_.push_back(context_.bool_const(fmt::format("b{}", v).c_str()));
    for (const Literals& clause : formula.clauses()) solver_.add(disjunction(clause));
    for (const Formula::Sum& sum : formula.sums()) add(sum);
    for (const Formula::Parity& parity : formula.parities()) {
      z3::expr odd = context_.bool_val(false);
      for (Literal l : parity.literals) odd = odd ^ literal(l);
      solver_.add(parity.odd ? odd : !odd);
    }
  }

  Z3Answer minimize(double seconds) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    Z3Answer best;
    while (true) {
      const std::chrono::duration<double, std::milli> left = deadline - std::chrono::steady_clock::now();
      if (left.count() <= 0) return {Outcome::kUnknown, "Z3: no time is left", {}, 0};
      z3::params limits(context_);
      limits.set("timeout", static_cast<unsigned>(std::clamp(left.count(), 1.0, 4e9)));
      solver_.set(limits);
      const z3::check_result result = solver_.check();
      if (result == z3::unknown) return {Outcome::kUnknown, "Z3: " + solver_.reason_unknown(), {}, 0};
      if (result == z3::unsat) {
        if (best.outcome != Outcome::kFound) best.outcome = Outcome::kInfeasible;
        return best;
      }
      best = decode(solver_.get_model());
      if (formula_.objective().empty()) return best;
      add({formula_.objective(), true, best.objective - 1});
    }
  }

  std::string to_smt2() { return solver_.to_smt2(); }

 private:
  z3::expr literal(Literal l) const {
    const z3::expr& variable = variables_[static_cast<std::size_t>(std::abs(l.code))];
    return l.code > 0 ? variable : !variable;
  }

  z3::expr disjunction(const Literals& literals) {
    z3::expr_vector all(context_);
    for (Literal l : literals) all.push_back(literal(l));
    return z3::mk_or(all);
  }

  void add(const Formula::Sum& sum) {
    z3::expr_vector literals(context_);
    std::vector<int> weights;
    for (const WeightedLiteral& term : sum.terms) {
      literals.push_back(literal(term.literal));
      weights.push_back(narrow(term.weight));
    }
    const int bound = narrow(sum.bound);
    if (weights.empty()) solver_.add(context_.bool_val(sum.at_most ? bound >= 0 : bound == 0));
    else
      solver_.add(sum.at_most ? z3::pble(literals, weights.data(), bound) : z3::pbeq(literals, weights.data(), bound));
  }

  static int narrow(std::int64_t v) {
    if (v > std::numeric_limits<int>::max() || v < -std::numeric_limits<int>::max())
      throw z3::exception("a weight of more than 31 bits");
    return static_cast<int>(v);
  }

  Z3Answer decode(const z3::model& model) const {
    Z3Answer answer{Outcome::kFound, "", {}, 0};
    for (const z3::expr& v : variables_) answer.model.push_back(model.eval(v, true).is_true());
    for (const WeightedLiteral& term : formula_.objective())
      if (answer.holds(term.literal)) answer.objective += term.weight;
    return answer;
  }

  const Formula& formula_;
  z3::context context_;
  z3::solver solver_;
  std::vector<z3::expr> variables_;
};

}  // namespace

Z3Answer minimize(const Formula& formula, double time_limit_seconds) {
  try {
    return Session(formula).minimize(time_limit_seconds);
  } catch (const z3::exception& e) {
    return {Outcome::kUnknown, fmt::format("Z3: {}", e.msg()), {}, 0};
  }
}

std::string to_smt2(const Formula& formula) {
  try {
    return Session(formula).to_smt2();
  } catch (const z3::exception& e) {
    return fmt::format("; Z3: {}\n", e.msg());
  }
}

}  // namespace swizzle
