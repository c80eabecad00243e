#include "driver/ending.h"

#include <fmt/format.h>

namespace swizzle {

Ending too_long(std::string what, Diagnostics errors) {
  errors.front().severity = Severity::kNote;
  return {Ending::Kind::kUnknown, std::move(what), std::move(errors)};
}

void report_ending(const Ending& ending, Report& report) {
  switch (ending.kind) {
    case Ending::Kind::kBadInput:
      report.is_error = true;
      report.reason = ending.diagnostics.empty() ? ending.reason : ending.diagnostics.front().message;
      return;
    case Ending::Kind::kFound: report.outcome = Outcome::kFound; break;
    case Ending::Kind::kInfeasible: report.outcome = Outcome::kInfeasible; break;
    case Ending::Kind::kFailedVerification:
    case Ending::Kind::kUnknown: report.outcome = Outcome::kUnknown; break;
  }
  report.reason = ending.reason;
  if (report.outcome == Outcome::kFound) return;
  report.cost.reset();  // of a completion that was found, and not verified
  report.optimality.reset();
  report.at_least.reset();
}

std::string text_of(const Ending& ending, const std::string& sketch_path, Colors colors) {
  std::string diagnostics;
  for (const Diagnostic& d : ending.diagnostics) diagnostics += render(d, colors);
  const auto line = [&](const char* what) {
    const char* const color = ending.kind == Ending::Kind::kUnknown ? "1;35" : "1;31";
    return painted(sketch_path + ": ", "1", colors) + painted(fmt::format("{}: ", what), color, colors) +
           ending.reason + "\n";
  };
  switch (ending.kind) {
    case Ending::Kind::kFound: return "";
    case Ending::Kind::kBadInput: return diagnostics;
    case Ending::Kind::kFailedVerification: return diagnostics + line("the kernel failed its verification");
    case Ending::Kind::kInfeasible: return line("infeasible") + diagnostics;
    case Ending::Kind::kUnknown: return line("unknown") + diagnostics;
  }
  return "";
}

std::vector<Finding> findings_of(const Ending& ending, const std::string& sketch_path) {
  const auto one = [&](const char* rule, Finding::Kind kind) {
    Diagnostic said =
        make_error(ending.reason.empty() ? "a completion was found, and the kernel verified" : ending.reason);
    said.path = sketch_path;
    if (kind == Finding::Kind::kPass) said.severity = Severity::kNote;
    if (kind == Finding::Kind::kOpen) said.severity = Severity::kWarning;
    return std::vector<Finding>{{rule, kind, std::move(said), ending.diagnostics}};
  };
  switch (ending.kind) {
    case Ending::Kind::kFound: return one("found", Finding::Kind::kPass);
    case Ending::Kind::kBadInput: return findings_of(ending.diagnostics);
    case Ending::Kind::kFailedVerification: return one("failed-verification", Finding::Kind::kFail);
    case Ending::Kind::kInfeasible: return one("infeasible", Finding::Kind::kFail);
    case Ending::Kind::kUnknown: return one("unknown", Finding::Kind::kOpen);
  }
  return {};
}

}  // namespace swizzle
