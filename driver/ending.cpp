#include "driver/ending.h"

#include <fmt/format.h>

namespace swizzle {

void report_ending(const Ending& ending, Report& report) {
  switch (ending.kind) {
    case Ending::Kind::kBadInput: return;
    case Ending::Kind::kFound: report.outcome = Outcome::kFound; break;
    case Ending::Kind::kInfeasible: report.outcome = Outcome::kInfeasible; break;
    case Ending::Kind::kFailedVerification:
    case Ending::Kind::kUnknown: report.outcome = Outcome::kUnknown; break;
  }
  report.reason = ending.reason;
}

std::string text_of(const Ending& ending, const std::string& sketch_path) {
  std::string diagnostics;
  for (const Diagnostic& d : ending.diagnostics) diagnostics += render(d);
  const auto line = [&](const char* what) { return fmt::format("{}: {}: {}\n", sketch_path, what, ending.reason); };
  switch (ending.kind) {
    case Ending::Kind::kFound: return "";
    case Ending::Kind::kBadInput: return diagnostics;
    case Ending::Kind::kFailedVerification: return diagnostics + line("the kernel failed its verification");
    case Ending::Kind::kInfeasible: return line("infeasible") + diagnostics;
    case Ending::Kind::kUnknown: return line("unknown") + diagnostics;
  }
  return "";
}

}  // namespace swizzle
