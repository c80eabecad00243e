#include "tools/usage_report.h"

#include <algorithm>
#include <filesystem>

#include "codegen/report/check_report.h"
#include "codegen/report/report.h"
#include "codegen/run/files.h"
#include "tools/exit_codes.h"
#include "tools/self_description.h"

namespace swizzle {
namespace {

// Empty: there is none, or writing it could hurt another file.
std::string report_path(const std::vector<std::string>& arguments, const std::string& flag) {
  std::vector<std::string> paths, others;
  bool are_ours = true;  // behind -- are files, and flags of other programs
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    are_ours = are_ours && arguments[i] != "--";
    if (are_ours && arguments[i] == flag && i + 1 < arguments.size()) paths.push_back(arguments[++i]);
    else if (are_ours && arguments[i].starts_with(flag + "=")) paths.push_back(arguments[i].substr(flag.size() + 1));
    else others.push_back(arguments[i]);
  }
  if (paths.size() != 1 || !names_file(paths[0]) || paths[0].starts_with("-")) return "";
  std::error_code ignored;
  for (const std::string& other : others) {
    const std::string value = other.substr(other.find('=') + 1);                      // of --spec=a.cpp
    const std::string joined = other.substr(std::min<std::size_t>(2, other.size()));  // of -oa.cu
    for (const std::string& named : {other, value, joined})
      if (named == paths[0] || std::filesystem::equivalent(named, paths[0], ignored)) return "";
  }
  return paths[0];
}

}  // namespace

void write_usage_report(const std::vector<std::string>& arguments, const std::string& flag,
                        const std::string& message) {
  const std::string path = report_path(arguments, flag);
  if (path.empty()) return;
  About about = about_run(arguments, {});
  about.findings = findings_of({make_error(message)});
  about_end(kExitUsage, about);
  std::string text;
  if (flag == "--sarif") {
    text = findings_document(about, true);
  } else if (flag == "--json") {
    CheckReport report;
    report.about = std::move(about);
    report.is_error = true;
    text = to_json(report);
  } else {
    Report report;
    report.about = std::move(about);
    report.is_error = true;
    report.reason = message;
    text = to_json(report);
  }
  static_cast<void>(write_file_atomically(path, text));
}

}  // namespace swizzle
