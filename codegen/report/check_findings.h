// The bank conflicts of a checked file, as findings beside what was told while it was checked.
//
//   t.cu:12:22: warning: bank conflicts: 32 wavefronts at worst where 1 would do, 768 in all where 24 would
#pragma once

#include <vector>

#include "codegen/report/check_report.h"

namespace swizzle {

std::vector<Finding> conflict_findings(const CheckReport& report);

}  // namespace swizzle
