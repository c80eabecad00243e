// Runs of `swizzle-synth check`.
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/end_to_end/tool.h"

namespace swizzle::test {

using Lines = std::vector<std::string>;

struct CheckResult {
  int exit_code = -1;
  std::string output, errors;
  nlohmann::json report;

  // "load s 32/1 of 36 = 141" by kernel, space and line: operation, array, worst and ideal, requests, total.
  std::vector<std::string> accesses(const std::string& kernel, const std::string& space) const {
    std::vector<std::string> found;
    for (const auto& a : report["accesses"]) {
      if (a["kernel"] != kernel || a["space"] != space) continue;
      std::string text = fmt::format("{} {}", a["operation"].get<std::string>(), a["array"].get<std::string>());
      const char* unit = space == "shared" ? "wavefronts" : "sectors";
      if (a.contains(unit))
        text += fmt::format(" {}/{} of {} = {}", a[unit]["worst"].get<int>(), a["ideal"].get<int>(),
                            a["requests"].get<int>(), a[unit]["total"].get<int>());
      else text += fmt::format(" unknown of {}", a["depends_on_data"].get<int>());
      found.push_back(text);
    }
    return found;
  }
};

inline CheckResult run_check(const std::string& arguments) {
  const ScratchFolder scratch;
  const std::string command =
      fmt::format("cd '{}' && timeout 60 '{}' check {} --json '{}' > '{}' 2> '{}' < /dev/null", SWIZZLE_SOURCE_DIR,
                  SWIZZLE_SYNTH_TOOL, arguments, (scratch / "r.json").string(), (scratch / "out").string(),
                  (scratch / "err").string());
  CheckResult result;
  const int status = std::system(command.c_str());
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  result.output = read_file(scratch / "out");
  result.errors = read_file(scratch / "err");
  const std::string report = read_file(scratch / "r.json");
  if (!report.empty()) result.report = valid_report(report, "docs/check.schema.json");
  return result;
}

inline CheckResult check_text(const std::string& text, const std::string& arguments = "") {
  const ScratchFolder scratch;
  return run_check(fmt::format("'{}' {}", scratch.write("k.cu", text), arguments));
}

}  // namespace swizzle::test
