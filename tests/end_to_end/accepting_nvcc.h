// Where a test asks nvcc about a kernel, with others, the tool need not ask it before, at a third of a second. That the
// tool does ask it after a run: Nvcc.IsAskedAboutAKernelThatRan.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/end_to_end/nvcc_batch.h"
#include "tests/end_to_end/tool.h"

namespace swizzle::test {

// For its lifetime, the tool finds an nvcc that accepts all kernels, or does what a shell script says.
class AcceptingNvcc {
 public:
  explicit AcceptingNvcc(const std::string& script = "") {
    std::filesystem::create_directory(folder_ / "bin");
    std::filesystem::permissions(folder_.write("bin/nvcc", "#!/bin/sh\n" + script), std::filesystem::perms::owner_all);
    setenv("CUDA_HOME", folder_.path().c_str(), 1);
  }
  ~AcceptingNvcc() { had_home_ ? setenv("CUDA_HOME", home_.c_str(), 1) : unsetenv("CUDA_HOME"); }
  AcceptingNvcc(const AcceptingNvcc&) = delete;
  AcceptingNvcc& operator=(const AcceptingNvcc&) = delete;

 private:
  const ScratchFolder folder_;
  const bool had_home_ = std::getenv("CUDA_HOME") != nullptr;
  const std::string home_ = had_home_ ? std::getenv("CUDA_HOME") : "";
};

// Completed, run on the CPU, and accepted by nvcc. `arguments`: none that nvcc is passed.
inline ToolResult run_on_cpu(const std::string& arguments, Words words = Words::kAny) {
  const ToolResult r = [&] {
    const AcceptingNvcc asked_later;
    return run_tool(arguments + " --run=cpu");
  }();
  if (r.exit_code == 0) ask_nvcc_later(r.kernel, words);
  return r;
}

}  // namespace swizzle::test
