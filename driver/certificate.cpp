#include "driver/certificate.h"

#include <fmt/format.h>

#include "synth/oracle/second_opinion.h"

namespace swizzle {
namespace {

using Claim = Report::Certified::Claim;

constexpr const char* kOtherConstants = "other values of ?sw_const are problems of their own";

class Certifier {
 public:
  Certifier(Problem& problem, const IssueCosts& machine, const CertificateRequest& request)
      : request_(request),
        inquiry_(problem, machine) {
    certificate_.said.reason = inquiry_.why_not();
  }

  Certificate found(const Completion& best, Optimality optimality, bool is_sole_problem) && {
    if (!asks("this_completion", inquiry_.completed_by(best.tables, best.cost.total), Outcome::kFound,
              "Z3 holds that what was found is no completion of that cost"))
      return std::move(certificate_);
    certificate_.said.claim = Claim::kFeasibility;
    if (optimality != Optimality::kProved) certificate_.said.reason = "the least cost is not claimed";
    else if (!is_sole_problem) certificate_.said.reason = kOtherConstants;
    else if (asks("cheaper", inquiry_.cheaper_than(best.cost.total), Outcome::kInfeasible,
                  "Z3 finds a cheaper completion than what was proved minimal"))
      certificate_.said.claim = Claim::kCost;
    return std::move(certificate_);
  }

  Certificate infeasible() && {
    if (asks("any", inquiry_.any(), Outcome::kInfeasible, "Z3 finds a completion where none was held to exist"))
      certificate_.said.claim = Claim::kFeasibility;
    return std::move(certificate_);
  }

 private:
  // Whether Z3 says what is expected.
  bool asks(const char* name, const Query& query, Outcome expected, const char* disagreement) {
    if (!inquiry_.why_not().empty()) return false;
    if (request_.scripts) certificate_.scripts.push_back({name, inquiry_.script(query)});
    ++certificate_.said.queries;
    const Z3Answer answer = inquiry_.ask(query, request_.seconds - watch_.seconds());
    if (answer.outcome == Outcome::kUnknown) certificate_.said.reason = answer.reason;
    else if (answer.outcome != expected) certificate_.ending = failed_verification(disagreement);
    return answer.outcome == expected;
  }

  const CertificateRequest& request_;
  const Stopwatch watch_;
  Inquiry inquiry_;
  Certificate certificate_;
};

}  // namespace

Certificate certify(const PosedPair& posed, Searched& searched, const IssueCosts& machine,
                    const CertificateRequest& request, Observer& observer) {
  PhaseTimer timer(Phase::kCertify, observer);
  const Solution& solution = searched.solution;
  const bool is_sole_problem = posed.assignments.size() == 1;
  Certificate certificate;
  if (!searched.best || solution.outcome == Outcome::kUnknown) certificate.said.reason = "nothing is claimed";
  else if (!posed.task.sketch.layouts.empty()) certificate.said.reason = "layouts have no encoding";
  else if (solution.outcome == Outcome::kFound)
    certificate = Certifier(searched.best->problem, machine, request)
                      .found(solution.completions[0], solution.optimality, is_sole_problem);
  else if (!is_sole_problem) certificate.said.reason = kOtherConstants;
  else certificate = Certifier(searched.best->problem, machine, request).infeasible();
  const Report::Certified& said = certificate.said;
  certificate.said.seconds = timer.end(
      fmt::format("asked Z3 {}: certified {}", counted(said.queries, "question"), Report::name_of(said.claim)));
  return certificate;
}

std::string certificate_text(const Report::Certified& said, Outcome outcome, const std::string& sketch_path) {
  std::string text = sketch_path + ": ";
  switch (said.claim) {
    case Claim::kNothing: text += "Z3 certifies nothing: " + said.reason; break;
    case Claim::kFeasibility:
      text += outcome == Outcome::kFound
                  ? "Z3 agrees that this is a completion; not whether it is the cheapest: " + said.reason
                  : "Z3 agrees that there is no completion";
      break;
    case Claim::kCost: text += "Z3 agrees that this is a completion, and that none is cheaper"; break;
  }
  return fmt::format("{}; {}, {:.3f} s\n", text, counted(said.queries, "question"), said.seconds);
}

}  // namespace swizzle
