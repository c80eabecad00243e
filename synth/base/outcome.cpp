#include "synth/base/outcome.h"

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

std::string unknown_text(UnknownReason reason, std::string_view limit) {
  switch (reason) {
    case UnknownReason::kTimeOfParsing: return std::string(limit) + " ended the parsing";
    case UnknownReason::kTimeOfPosing: return std::string(limit) + " ended the posing";
    case UnknownReason::kTimeOfSearch: return std::string(limit) + " ended the search";
    case UnknownReason::kTooManyTables: return "too many tables of one hole fit to try them all";
    case UnknownReason::kLargerExpressions:
      return "every expression of up to three operations was tried ('/' and '%' by what is no power of two count as four; constants inside go little further than the arguments), and another one may do";
    case UnknownReason::kOutOfMemory: return "the search needs more than half of the memory";
    case UnknownReason::kOther: break;
  }
  return "";
}

}  // namespace swizzle
