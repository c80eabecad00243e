// What was said, as a SARIF 2.1.0 log (OASIS): one run, a result for each finding.
//
//   a.cu:3:12: error: unknown hole '?sw_xfrm'
//     {"ruleId": "error", "kind": "fail", "level": "error", "message": {"text": "unknown hole '?sw_xfrm'"},
//      "locations": [{"physicalLocation": {"artifactLocation": {"uri": "a.cu"},
//                                          "region": {"startLine": 3, "startColumn": 12, "endColumn": 20}}}]}
//
// "infeasible" and "failed-verification" fail; "unknown" is open; "found" passes.
#pragma once

#include <string>

#include "codegen/report/about.h"

namespace swizzle {

std::string to_sarif(const About& about);

}  // namespace swizzle
