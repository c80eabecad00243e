// Runs the tool as a user does, and reads its report.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/end_to_end/json_schema.h"

namespace swizzle::test {

// A sixth of nvcc's time on a kernel goes to libstdc++'s special functions, which CUDA's own headers include and no
// kernel can call: a guard that is defined leaves them out of each compilation, the tool's as well.
inline const int kNoSpecialFunctions = setenv("NVCC_PREPEND_FLAGS", "-D_GLIBCXX_BITS_SPECFUN_H=1", 0);

// What is found and proved is not to depend on how fast the machine is at the moment.
inline const int kPatience = setenv("SWIZZLE_PATIENCE", "4", 0);

struct ToolResult {
  int exit_code = -1;
  std::string output;  // stdout and stderr
  nlohmann::json report;
  std::string kernel;
};

inline std::string read_file(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return std::move(text).str();
}

class ScratchFolder {
 public:
  ScratchFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "swizzle-test-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name) << text;
    return (path_ / name).string();
  }
  std::string path() const { return path_.string(); }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

// A report, which must be as its schema says.
inline nlohmann::json valid_report(const std::string& text, const std::string& schema) {
  nlohmann::json report = nlohmann::json::parse(text);
  JsonSchema rules(nlohmann::json::parse(read_file(std::filesystem::path(SWIZZLE_SOURCE_DIR) / schema)));
  for (const std::string& violation : rules.violations(report)) ADD_FAILURE() << schema << ": " << violation;
  return report;
}

// `arguments` and `environment` as for a shell. A search that a change makes endless fails its test instead of stopping
// the suite.
inline ToolResult run_tool(const std::string& arguments, const std::string& environment = "") {
  const ScratchFolder scratch;
  const char* limit = arguments.find("--time-limit") == std::string::npos ? "--time-limit 240" : "";
  const std::string kernel =
      arguments.starts_with("verify ") ? "" : fmt::format("-o '{}'", (scratch / "out.cu").string());
  const std::string command =
      fmt::format("cd '{}' && {} '{}' {} {} {} --report '{}' 2>&1 < /dev/null", SWIZZLE_SOURCE_DIR, environment,
                  SWIZZLE_SYNTH_TOOL, arguments, limit, kernel, (scratch / "report.json").string());
  ToolResult result;
  std::FILE* pipe = popen(command.c_str(), "r");
  char buffer[4096];
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, pipe)) result.output.append(buffer, n);
  const int status = pclose(pipe);
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  const std::string report = read_file(scratch / "report.json");
  if (!report.empty()) result.report = valid_report(report, "docs/report.schema.json");
  result.kernel = read_file(scratch / "out.cu");
  return result;
}

inline ToolResult run_pair(const std::string& name, const std::string& more) {
  return run_tool(fmt::format("sketches/{0}.cu --spec specs/{0}.cpp {1}", name, more));
}

}  // namespace swizzle::test
