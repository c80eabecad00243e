// The overview as a table: a row for each kernel with conflicts, then what was not counted, once for each reason.
//
//   kernel     worst access                       worst  ideal  lost  share
//   transpose  src/t.cu:16:79 shared load tile       32      1  2976    94%
//   bank conflicts in 1 of 3 kernels of 2 files: 2976 of 4100 wavefronts are lost
#pragma once

#include <string>

#include "codegen/report/overview.h"

namespace swizzle {

enum class OverviewSort { kLost, kShare, kWorst, kKernel, kFile };

struct OverviewStyle {
  OverviewSort sort = OverviewSort::kLost;
  bool all_kernels = false;  // those without conflicts as well
  bool all_gaps = false;     // each, not once for each reason
};

std::string to_text(const Overview& overview, const OverviewStyle& style);

// Gaps whose messages differ only in what they quote and in numbers: the first of them, and how many there are.
struct GapsOfAReason {
  const ReportedGap* first = nullptr;
  std::size_t count = 0, files = 0;
};
std::vector<GapsOfAReason> gaps_by_reason(const std::vector<ReportedGap>& gaps);  // most frequent first

}  // namespace swizzle
