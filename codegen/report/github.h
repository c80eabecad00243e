// Findings as GitHub's runners read them from a job's output, and show them at their lines of a pull request.
//
//   ::error file=src/t.cu,line=12,col=22,endColumn=44,title=bank-conflict::bank conflicts in transpose: …
//
// An error fails the check, a notice does not. What is accepted is not said.
#pragma once

#include <string>
#include <vector>

#include "codegen/report/about.h"

namespace swizzle {

// `fails`: conflicts are errors, and what was not counted is a warning; else a warning and a notice.
std::string to_github(const std::vector<Finding>& findings, bool fails);

}  // namespace swizzle
