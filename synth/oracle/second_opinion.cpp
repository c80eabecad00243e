#include "synth/oracle/second_opinion.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "synth/bounds/guarded_issues.h"
#include "synth/oracle/equation_encoder.h"
#include "synth/oracle/hole_encoder.h"
#include "synth/oracle/z3_solver.h"

namespace swizzle {

// Prices are rational numbers with small denominators: whole issue slots, averaged over the warps of a launch.
static constexpr int kLargestDenominator = 10'000;

class Encoding {
 public:
  Encoding(Problem& problem, const IssueCosts& machine) : problem_(problem), machine_(machine) {}

  // False: see why().
  bool encode() {
    values_.resize(problem_.points.size());
    for (const HoleSpace& space : problem_.holes) {
      holes_.emplace_back();
      if (space.points.empty()) continue;
      HoleEncoder encoder(space, formula_);
      auto hole = encoder.encode();
      if (!hole) {
        why_ = encoder.why();
        return false;
      }
      for (std::size_t p = 0; p < space.points.size(); ++p) values_[space.points[p].value] = hole->values[p];
      holes_.back() = std::move(*hole);
    }
    EquationEncoder equations(problem_, values_, formula_);
    why_ = equations.encode() ? "" : equations.why();
    return why_.empty() && price();
  }

  const Formula& formula() const { return formula_; }

  // The literals that give the holes these tables.
  Literals choice_of(const std::vector<HoleTable>& tables) const {
    Literals chosen;
    for (std::size_t h = 0; h < holes_.size(); ++h)
      for (std::size_t p = 0; p < holes_[h].values.size(); ++p)
        chosen.push_back(holes_[h].values[p][static_cast<std::size_t>(tables[h].values[p])]);
    return chosen;
  }

  // What a completion's holes may add, in units of the objective, for a total of at most `cost`.
  std::int64_t left_of(double cost) const {
    return static_cast<std::int64_t>(
        std::floor((cost - cost_of(problem_.counts, machine_) + kCostTolerance) * denominator_));
  }
  // The same, for less than `cost`.
  std::int64_t left_below(double cost) const {
    return static_cast<std::int64_t>(
               std::ceil((cost - cost_of(problem_.counts, machine_) - kCostTolerance) * denominator_)) -
           1;
  }
  const std::string& why() const { return why_; }

  SecondOpinion decode(const Z3Answer& answer) const {
    SecondOpinion opinion;
    opinion.outcome = Outcome::kFound;
    opinion.cost = cost_of(problem_.counts, machine_) + static_cast<double>(answer.objective) / denominator_;
    for (const EncodedHole& hole : holes_) {
      opinion.tables.emplace_back();
      for (const Literals& point : hole.values)
        for (std::size_t v = 0; v < point.size(); ++v)
          if (answer.holds(point[v])) opinion.tables.back().push_back(static_cast<std::int16_t>(v));
    }
    return opinion;
  }

 private:
  // Operations cost what they are executed; what a guard lets through is issued.
  bool price() {
    std::vector<std::pair<Literal, double>> prices;
    for (std::size_t h = 0; h < holes_.size(); ++h)
      for (const auto& [literal, ops] : holes_[h].ops)
        prices.emplace_back(literal, static_cast<double>(ops) * problem_.executions[h] * machine_.integer_op);
    for (const GuardedIssue& issue : problem_.guarded) {
      const double cost = cost_of(issue.counts, machine_);
      if (cost == 0) continue;
      const Literal issued = formula_.fresh();
      for (const Value& guard : issue.guards) issue_where(guard, {issued});
      prices.emplace_back(issued, cost);
    }
    const auto is_whole = [&](double price) {
      return std::abs(price * denominator_ - std::round(price * denominator_)) < 1e-6;
    };
    while (denominator_ < kLargestDenominator &&
           !std::all_of(prices.begin(), prices.end(), [&](const auto& p) { return is_whole(p.second); }))
      ++denominator_;
    if (denominator_ == kLargestDenominator) why_ = "prices without a common denominator";
    for (const auto& [literal, price] : prices)
      if (price > 0) formula_.minimize(literal, std::llround(price * denominator_));
    return why_.empty();
  }

  // A clause for each way to a leaf that is not 0: some point on it is another, or the first literal holds.
  void issue_where(Value guard, const Literals& clause) {
    if (!guard.is_node() || problem_.provenance.node(guard).kind != Node::Kind::kChoice) {
      if (truth(guard) != false) formula_.add(clause);
      return;
    }
    const Node& node = problem_.provenance.node(guard);
    for (std::size_t v = 0; v < node.children().size(); ++v) {
      Literals more = clause;
      more.push_back(!values_[node.tag][v]);
      issue_where(node.children()[v], more);
    }
  }

  Problem& problem_;
  const IssueCosts machine_;
  Formula formula_;
  std::vector<Literals> values_;    // by PointId
  std::vector<EncodedHole> holes_;  // by HoleId
  int denominator_ = 1;
  std::string why_;
};

SecondOpinion ask_z3(Problem& problem, const IssueCosts& machine, double time_limit_seconds) {
  Encoding encoding(problem, machine);
  if (!encoding.encode()) return {Outcome::kUnknown, encoding.why(), 0, {}};
  const Z3Answer answer = Z3Session(encoding.formula()).minimize(time_limit_seconds);
  if (answer.outcome == Outcome::kInfeasible) return {Outcome::kInfeasible, "", 0, {}};
  if (answer.outcome == Outcome::kUnknown) return {Outcome::kUnknown, answer.reason, 0, {}};
  return encoding.decode(answer);
}

std::string problem_to_smt2(Problem& problem, const IssueCosts& machine) {
  Encoding encoding(problem, machine);
  return encoding.encode() ? Z3Session(encoding.formula()).to_smt2({}) : "; " + encoding.why() + "\n";
}

Inquiry::Inquiry(Problem& problem, const IssueCosts& machine)
    : encoding_(std::make_unique<Encoding>(problem, machine)),
      session_(encoding_->formula()) {
  encoding_->encode();
}

Inquiry::~Inquiry() = default;

const std::string& Inquiry::why_not() const { return encoding_->why(); }

Query Inquiry::completed_by(const std::vector<HoleTable>& tables, double cost) const {
  return {encoding_->choice_of(tables), encoding_->left_of(cost)};
}

Query Inquiry::cheaper_than(double cost) const { return {{}, encoding_->left_below(cost)}; }

Z3Answer Inquiry::ask(const Query& query, double time_limit_seconds) {
  return session_.decide(query, time_limit_seconds);
}

std::string Inquiry::script(const Query& query) { return session_.to_smt2(query); }

}  // namespace swizzle
