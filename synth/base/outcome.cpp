#include "synth/base/outcome.h"

#include <fmt/format.h>

namespace swizzle {

const char* name_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::kFound: return "found";
    case Outcome::kInfeasible: return "infeasible";
    case Outcome::kUnknown: return "unknown";
  }
  return "";
}

const char* name_of(Optimality optimality) {
  switch (optimality) {
    case Optimality::kProved: return "proved";
    case Optimality::kBestFound: return "best_found";
    case Optimality::kNotAsked: return "not_asked";
  }
  return "";
}

std::string unknown_text(UnknownReason reason, std::string_view what) {
  const std::string limit(what.empty() ? "the time limit" : what);
  switch (reason) {
    case UnknownReason::kTimeOfParsing: return limit + " ended the parsing";
    case UnknownReason::kTimeOfPosing: return limit + " ended the posing";
    case UnknownReason::kTimeOfSearch: return limit + " ended the search";
    case UnknownReason::kTooManyTables:
      return fmt::format("too many tables of {} fit to try them all", what.empty() ? "one hole" : what);
    case UnknownReason::kLargerExpressions:
      return fmt::format(
          "every expression of up to three operations was tried{}{} ('/' and '%' by what is no power of two count as "
          "four; constants inside go little further than the arguments), and another one may do",
          what.empty() ? "" : " for ", what);
    case UnknownReason::kOutOfMemory: return "the search needs more than half of the memory";
    case UnknownReason::kOther: break;
  }
  return "";
}

}  // namespace swizzle
