#include "synth/oracle/second_opinion.h"

#include "synth/oracle/encoding.h"

namespace swizzle {

SecondOpinion ask_z3(Problem& problem, const IssueCosts& machine, double time_limit_seconds) {
  Encoding encoding(problem, machine);
  if (!encoding.encode()) return {Outcome::kUnknown, encoding.why(), 0, {}};
  const Z3Answer answer = Z3Session(encoding.formula()).minimize({}, time_limit_seconds);
  if (answer.outcome == Outcome::kInfeasible) return {Outcome::kInfeasible, "", 0, {}};
  if (answer.outcome == Outcome::kUnknown) return {Outcome::kUnknown, answer.reason, 0, {}};
  if (!answer.is_least) return {Outcome::kUnknown, "Z3: the least cost is not proved", 0, {}};
  return {Outcome::kFound, "", encoding.cost_in(answer), encoding.tables_in(answer)};
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
  return {encoding_->choice_of(tables), encoding_->left_of(cost), {}};
}

Query Inquiry::cheaper_than(double cost) const { return {{}, encoding_->left_below(cost), {}}; }

Z3Answer Inquiry::ask(const Query& query, double time_limit_seconds) {
  return session_.decide(query, time_limit_seconds);
}

std::string Inquiry::script(const Query& query) { return session_.to_smt2(query); }

}  // namespace swizzle
