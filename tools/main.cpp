#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "synth/base/deadline.h"
#include "synth/base/nearest.h"
#include "tools/answer_cache.h"
#include "tools/arguments.h"
#include "tools/check.h"
#include "tools/completions.h"
#include "tools/exit_codes.h"
#include "tools/huge_pages.h"
#include "tools/options.h"
#include "tools/record.h"
#include "tools/several.h"
#include "tools/sweep.h"
#include "tools/usage_report.h"
#include "tools/verify.h"

namespace {

// Of a first word that names no file and is nearly a command.
void hint_at_command(const std::vector<std::string>& arguments) {
  std::error_code ignored;
  if (arguments.empty() || std::filesystem::exists(arguments[0], ignored)) return;
  const std::string meant =
      swizzle::did_you_mean(arguments[0], {"check", "record", "verify", "sweep", "completions", "manual"});
  if (!meant.empty()) std::fprintf(stderr, "unknown command '%s'%s\n", arguments[0].c_str(), meant.c_str());
}

int run_command(std::vector<std::string> arguments) {
  if (!arguments.empty() && arguments[0] == "check") {
    arguments.erase(arguments.begin());
    swizzle::CheckOptions options;
    if (const auto code = swizzle::parse_check_options(arguments, options)) return *code;
    return swizzle::check(options);
  }
  if (!arguments.empty() && arguments[0] == "record") {
    arguments.erase(arguments.begin());
    swizzle::RecordOptions options;
    if (const auto code = swizzle::parse_record_options(arguments, options)) return *code;
    return swizzle::record(options);
  }
  swizzle::Options options;
  if (!arguments.empty() && arguments[0] == "verify") {
    arguments.erase(arguments.begin());
    if (const auto code = swizzle::parse_verify_options(arguments, options)) return *code;
    return swizzle::verify(options);
  }
  if (!arguments.empty() && arguments[0] == "sweep") return swizzle::sweep({arguments.begin() + 1, arguments.end()});
  if (!arguments.empty() && arguments[0] == "completions")
    return swizzle::print_completions({arguments.begin() + 1, arguments.end()});
  if (!arguments.empty() && arguments[0] == "manual") return swizzle::print_manual();
  hint_at_command(arguments);
  if (const auto code = swizzle::parse_options(arguments, options)) return *code;
  if (options.check_up_to_date) return swizzle::check_up_to_date(options);
  return options.sketches.size() > 1 ? swizzle::synthesize_several(options) : swizzle::synthesize(options);
}

// Arguments that a response file was to give.
void report_unreadable(const std::vector<std::string>& given, const std::string& message) {
  const std::string command = given.empty() ? "" : given[0];
  if (command == "check")
    for (const char* flag : {"--json", "--sarif"}) swizzle::write_usage_report(given, flag, message);
  else if (command != "record" && command != "sweep") swizzle::write_usage_report(given, "--report", message);
}

// SWIZZLE_PATIENCE=3 on a machine that takes three times as long as others. False: it is no such number.
bool take_patience() {
  const char* const set = std::getenv("SWIZZLE_PATIENCE");
  if (set == nullptr || *set == '\0') return true;
  char* end = nullptr;
  const double factor = std::strtod(set, &end);
  if (*end != '\0' || !(factor > 0) || !std::isfinite(factor)) return false;
  swizzle::Deadline::set_patience(factor);
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  swizzle::use_huge_pages();
  if (!take_patience()) {
    std::fputs("SWIZZLE_PATIENCE is a factor above 0, such as 3\n", stderr);
    return swizzle::kExitUsage;
  }
  const std::vector<std::string> given(argv + std::min(argc, 1), argv + argc);
  const auto arguments = swizzle::expanded_arguments(given);
  if (arguments.ok()) return run_command(*arguments);
  for (const swizzle::Diagnostic& d : arguments.errors()) std::fputs(render(d).c_str(), stderr);
  report_unreadable(given, arguments.errors()[0].message);
  return swizzle::kExitUsage;
}
