#include "codegen/report/check_findings.h"

#include <fmt/format.h>

namespace swizzle {

std::vector<Finding> conflict_findings(const CheckReport& report) {
  std::vector<Finding> found;
  for (const KernelCheck& kernel : report.kernels)
    for (const AccessSite& site : kernel.trace.sites)
      if (site.space == MemorySpace::kShared && site.excess() > 0)
        found.push_back(
            {"bank-conflict", Finding::Kind::kFail,
             make_diagnostic(Severity::kWarning, report.source, site.range,
                             fmt::format("bank conflicts in {}: {} wavefronts at worst where {} would do, "
                                         "{} in all where {} would",
                                         kernel.name, site.worst, site.worst_ideal, site.total, site.total_ideal))});
  return found;
}

}  // namespace swizzle
