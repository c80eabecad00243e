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

// nvcc's words on a kernel, every warning an error.
inline ToolResult compile(const std::string& nvcc, const std::string& kernel_path, const std::string& to) {
  ToolResult result;
  const std::string command =
      fmt::format("'{}' -std=c++17 -arch=sm_90 --Werror all-warnings {} '{}' 2>&1 < /dev/null", nvcc, to, kernel_path);
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

// `kept`: a folder for what nvcc makes on its way, or none.
inline void expect_clean(const std::string& nvcc, const std::string& kernel_path, const std::string& kept = "") {
  const std::string keeping = kept.empty() ? "" : fmt::format(" --keep --keep-dir '{}'", kept);
  const ToolResult r = compile(nvcc, kernel_path, "-cubin -Xptxas -v -o /dev/null" + keeping);
  EXPECT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(r.output.find("warning"), std::string::npos) << r.output;
  const std::size_t functions = occurrences(r.output, "bytes stack frame");
  EXPECT_GT(functions, 0u) << r.output;
  EXPECT_EQ(functions, occurrences(r.output, " 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads"))
      << r.output;
}

}  // namespace swizzle::test
