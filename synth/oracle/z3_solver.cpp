#include "synth/oracle/z3_solver.h"

#include <algorithm>
#include <chrono>
#include <limits>

#include <fmt/format.h>
#include <z3++.h>

namespace swizzle {

std::string z3_version() {
  unsigned major = 0, minor = 0, build = 0, revision = 0;
  Z3_get_version(&major, &minor, &build, &revision);
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(build);
}

class Z3Session::Impl {
 public:
  explicit Impl(const Formula& formula) : formula_(formula), assertions_(context_) {
    variables_.push_back(context_.bool_val(true));
    for (int v = 1; v <= formula.variables(); ++v)
      variables_.push_back(context_.bool_const(fmt::format("b{}", v).c_str()));
    for (const Literals& clause : formula.clauses()) assertions_.push_back(disjunction(clause));
    for (const Formula::Sum& sum : formula.sums()) assertions_.push_back(as_term(sum));
    for (const Formula::Parity& parity : formula.parities()) {
      z3::expr odd = context_.bool_val(false);
      for (Literal l : parity.literals) odd = odd ^ literal(l);
      assertions_.push_back(parity.odd ? odd : !odd);
    }
  }

  Z3Answer decide(const Query& query, double seconds) {
    z3::solver solver = solver_of(query);
    return decide(solver, seconds);
  }

  std::string to_smt2(const Query& query) { return solver_of(query).to_smt2(); }

  Z3Answer minimize(const Query& query, double seconds) {
    const auto deadline = Clock::now() + std::chrono::duration<double>(seconds);
    z3::solver solver = solver_of(query);
    Z3Answer best;
    while (true) {
      Z3Answer better = decide(solver, std::chrono::duration<double>(deadline - Clock::now()).count());
      const Outcome outcome = better.outcome;
      if (outcome != Outcome::kFound && best.outcome != Outcome::kFound) return better;
      if (outcome == Outcome::kFound) best = std::move(better);
      best.is_least = outcome == Outcome::kInfeasible || formula_.objective().empty();
      if (outcome != Outcome::kFound || best.is_least) return best;
      solver.add(as_term({formula_.objective(), true, best.objective - 1}));
    }
  }

 private:
  using Clock = std::chrono::steady_clock;

  z3::solver solver_of(const Query& query) {
    z3::solver solver(context_, "QF_FD");
    solver.add(assertions_);
    for (Literal fact : query.facts) solver.add(literal(fact));
    for (const Literals& clause : query.clauses) solver.add(disjunction(clause));
    if (query.objective_at_most) solver.add(as_term({formula_.objective(), true, *query.objective_at_most}));
    return solver;
  }

  Z3Answer decide(z3::solver& solver, double seconds) const {
    if (seconds <= 0) return {Outcome::kUnknown, "Z3: no time is left", {}, 0};
    z3::params limits(solver.ctx());
    limits.set("timeout", static_cast<unsigned>(std::clamp(1000 * seconds, 1.0, 4e9)));
    solver.set(limits);
    switch (solver.check()) {
      case z3::sat: return decode(solver.get_model());
      case z3::unsat: return {Outcome::kInfeasible, "", {}, 0};
      case z3::unknown: break;
    }
    return {Outcome::kUnknown, "Z3: " + solver.reason_unknown(), {}, 0};
  }

  z3::expr literal(Literal l) const {
    const z3::expr& variable = variables_[static_cast<std::size_t>(std::abs(l.code))];
    return l.code > 0 ? variable : !variable;
  }

  z3::expr disjunction(const Literals& literals) {
    z3::expr_vector all(context_);
    for (Literal l : literals) all.push_back(literal(l));
    return z3::mk_or(all);
  }

  z3::expr as_term(const Formula::Sum& sum) {
    z3::expr_vector literals(context_);
    std::vector<int> weights;
    for (const WeightedLiteral& term : sum.terms) {
      literals.push_back(literal(term.literal));
      weights.push_back(narrow(term.weight));
    }
    const int bound = narrow(sum.bound);
    if (weights.empty()) return context_.bool_val(sum.at_most ? bound >= 0 : bound == 0);
    return sum.at_most ? z3::pble(literals, weights.data(), bound) : z3::pbeq(literals, weights.data(), bound);
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
  std::vector<z3::expr> variables_;
  z3::expr_vector assertions_;
};

namespace {

// What `ask` returns; an exception of Z3's is no answer.
template <typename Ask>
Z3Answer answer_of(Ask&& ask) {
  try {
    return ask();
  } catch (const z3::exception& e) {
    return {Outcome::kUnknown, fmt::format("Z3: {}", e.msg()), {}, 0};
  }
}

}  // namespace

Z3Session::Z3Session(const Formula& formula) : formula_(formula) {}
Z3Session::~Z3Session() = default;

Z3Answer Z3Session::decide(const Query& query, double time_limit_seconds) {
  return answer_of([&] { return impl().decide(query, time_limit_seconds); });
}

Z3Answer Z3Session::minimize(const Query& query, double time_limit_seconds) {
  return answer_of([&] { return impl().minimize(query, time_limit_seconds); });
}

std::string Z3Session::to_smt2(const Query& query) {
  try {
    return impl().to_smt2(query);
  } catch (const z3::exception& e) {
    return fmt::format("; Z3: {}\n", e.msg());
  }
}

Z3Session::Impl& Z3Session::impl() {
  if (!impl_) impl_ = std::make_unique<Impl>(formula_);
  return *impl_;
}

}  // namespace swizzle
