// Asks nvcc about the kernels that the tests of a process emit, when these are done: of what nvcc takes for a kernel,
// nine tenths go to CUDA's own headers, which kernels of one file share.
//
// Kernels share a file if they include the same headers, so that none lives on another's; each has a namespace of its
// own, and its macros end with it. If nvcc has anything to say of the file, it is asked about each kernel alone, and
// this is what counts.
#pragma once

#include <map>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/end_to_end/nvcc.h"

namespace swizzle::test {

struct EmittedKernel {
  std::string test;  // that emitted it
  std::string text;
};

// `<a>` and `B` of a text's `#include <a>` and `#define B(x) 1`.
inline std::set<std::string> behind_directive(const char* directive, const std::string& text) {
  const std::regex line(fmt::format(R"(^[ \t]*#[ \t]*{}[ \t]*([^\s(]+))", directive),
                        std::regex::ECMAScript | std::regex::multiline);
  std::set<std::string> found;
  for (auto it = std::sregex_iterator(text.begin(), text.end(), line); it != std::sregex_iterator(); ++it)
    found.insert(it->str(1));
  return found;
}

inline std::string of_one_file(const std::vector<EmittedKernel>& kernels) {
  std::string text;
  for (const std::string& header : behind_directive("include", kernels.front().text))
    text += fmt::format("#include {}\n", header);
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    // What is included again, in the namespace, are headers that have been read.
    text += fmt::format("namespace emitted_{} {{\n#line 1 \"{}\"\n{}\n}}\n", i, kernels[i].test, kernels[i].text);
    for (const std::string& macro : behind_directive("define", kernels[i].text)) text += "#undef " + macro + "\n";
  }
  return text;
}

class NvccBatch : public testing::Environment {
 public:
  void add(const std::string& kernel, Words words) {
    const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
    kernels_[{words, behind_directive("include", kernel)}].push_back(
        {fmt::format("{}.{}", test.test_suite_name(), test.name()), kernel});
  }

  void TearDown() override {
    for (const auto& [alike, kernels] : kernels_)
      if (const Words words = alike.first; kernels.size() == 1 || !is_accepted(ask(of_one_file(kernels), words), words))
        for (const EmittedKernel& kernel : kernels) expect_accepted(kernel, words);
    kernels_.clear();
  }

 private:
  static ToolResult ask(const std::string& text, Words words) {
    const ScratchFolder scratch;
    return compile(find_nvcc(), scratch.write("kernel.cu", text), flags_for(words));
  }
  static void expect_accepted(const EmittedKernel& kernel, Words words) {
    const ToolResult said = ask(kernel.text, words);
    EXPECT_TRUE(is_accepted(said, words)) << "of the kernel of " << kernel.test << " says nvcc:\n" << said.output;
  }

  std::map<std::pair<Words, std::set<std::string>>, std::vector<EmittedKernel>> kernels_;
};

inline NvccBatch& nvcc_batch() {
  static auto* const batch = static_cast<NvccBatch*>(testing::AddGlobalTestEnvironment(new NvccBatch));
  return *batch;
}

// At the end of the process; never where there is no nvcc.
inline void ask_nvcc_later(const std::string& kernel, Words words) {
  if (!find_nvcc().empty()) nvcc_batch().add(kernel, words);
}

}  // namespace swizzle::test
