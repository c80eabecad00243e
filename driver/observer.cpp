#include "driver/observer.h"

#include <fmt/format.h>

namespace swizzle {

const char* name_of(Phase phase) {
  switch (phase) {
    case Phase::kParse: return "parsing";
    case Phase::kPose: return "posing";
    case Phase::kSearch: return "searching";
    case Phase::kEmit: return "emitting";
    case Phase::kReread: return "re-reading";
    case Phase::kProve: return "proving";
    case Phase::kCertify: return "certifying";
    case Phase::kRun: return "running";
  }
  return "";
}

Observer& nobody() {
  static Observer listens_to_nothing;  // has no state
  return listens_to_nothing;
}

double PhaseTimer::end(const std::string& what) {
  const double seconds = watch_.seconds();
  observer_.end(phase_, seconds, what);
  return seconds;
}

std::string counted(std::size_t count, const std::string& what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace swizzle
