// What nvcc says about an emitted kernel: no warning, no stack frame, no spill.
#pragma once

#include <cstdlib>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/end_to_end/tool.h"

namespace swizzle::test {

// Empty where there is none.
inline std::string find_nvcc() {
  std::vector<std::string> candidates = {"/usr/local/cuda/bin/nvcc"};
  if (const char* home = std::getenv("CUDA_HOME"))
    candidates.insert(candidates.begin(), std::string(home) + "/bin/nvcc");
  std::istringstream folders(std::getenv("PATH") != nullptr ? std::getenv("PATH") : "");
  for (std::string folder; std::getline(folders, folder, ':');) candidates.push_back(folder + "/nvcc");
  for (const std::string& path : candidates)
    if (access(path.c_str(), X_OK) == 0) return path;
  return "";
}

// nvcc's words on a file, compiled with `flags`.
inline ToolResult compile(const std::string& nvcc, const std::string& path, const std::string& flags) {
  ToolResult result;
  const std::string command = fmt::format(
      "'{}' -std=c++17 -arch=sm_90 -cubin -Xptxas -v -o /dev/null {} '{}' 2>&1 < /dev/null", nvcc, flags, path);
  std::FILE* pipe = popen(command.c_str(), "r");
  char buffer[4096];
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, pipe)) result.output.append(buffer, n);
  const int status = pclose(pipe);
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return result;
}

inline std::size_t occurrences(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

// How much nvcc may say about a kernel that it accepts.
enum class Words { kAny, kNoneOfWarningsStacksAndSpills };

inline bool is_accepted(const ToolResult& nvcc_says, Words words) {
  const std::string& text = nvcc_says.output;
  const std::size_t functions = occurrences(text, "bytes stack frame");
  if (nvcc_says.exit_code != 0 || functions == 0) return false;
  return words == Words::kAny ||
         (text.find("warning") == std::string::npos &&
          functions == occurrences(text, " 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads"));
}

inline std::string flags_for(Words words) { return words == Words::kAny ? "" : "--Werror all-warnings"; }

}  // namespace swizzle::test
