// `swizzle-synth check --cache`: what has not changed is not checked again.
#include <gtest/gtest.h>

#include "tests/end_to_end/tool.h"

namespace swizzle::test::check_cache_test {
namespace {

namespace fs = std::filesystem;

class CheckCache : public ::testing::Test {
 protected:
  void SetUp() override {
    scratch_.write("stride.h", "#define STRIDE 2\n");
    scratch_.write("a.cu", "#include \"stride.h\"\n" + kernel("a", "STRIDE"));
    scratch_.write("b.cu", kernel("b", "4"));
  }
  static std::string kernel(const std::string& name, const std::string& stride) {
    return "__global__ void __launch_bounds__(32) " + name + "(float* x) { __shared__ float s[1024]; s[threadIdx.x * " +
           stride + "] = x[0]; }\n";
  }
  std::string check(const std::string& arguments = "") const {
    const std::string out = (scratch_ / "out").string();
    const int status = std::system(fmt::format("cd '{}' && '{}' check . --cache kept --no-ptx {} > '{}' 2>&1",
                                               scratch_.path(), SWIZZLE_SYNTH_TOOL, arguments, out)
                                       .c_str());
    EXPECT_EQ(WEXITSTATUS(status), 0) << read_file(out);
    return read_file(out);
  }
  // Every report that is kept is changed, so that it is known again.
  void mark_kept() const {
    for (const auto& entry : fs::directory_iterator(scratch_ / "kept")) {
      std::string text = read_file(entry.path());
      for (const std::string name : {"a", "b"}) {
        const std::string from = "\\\"name\\\": \\\"" + name + "\\\"";
        if (const auto at = text.find(from); at != std::string::npos)
          text.replace(at, from.size(), "\\\"name\\\": \\\"kept_" + name + "\\\"");
      }
      std::ofstream(entry.path()) << text;
    }
  }
  std::size_t kept() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(scratch_ / "kept"), fs::directory_iterator()));
  }

  ScratchFolder scratch_;
};

TEST_F(CheckCache, WhatHasNotChangedIsTakenFromThere) {
  const std::string first = check();
  EXPECT_EQ(check(), first);
  EXPECT_EQ(kept(), 2u);
  mark_kept();
  const std::string again = check();
  EXPECT_NE(again.find("kept_a"), std::string::npos) << again;
  EXPECT_NE(again.find("kept_b"), std::string::npos) << again;
}

TEST_F(CheckCache, WhatHasChangedIsCheckedAgain) {
  check();
  mark_kept();
  scratch_.write("stride.h", "#define STRIDE 8\n");
  const std::string again = check();
  EXPECT_EQ(again.find("kept_a"), std::string::npos) << again;
  EXPECT_NE(again.find("kept_b"), std::string::npos) << again;
  EXPECT_NE(again.find("8      1"), std::string::npos) << again;
}

TEST_F(CheckCache, OtherArgumentsAreAnotherAnswer) {
  check();
  mark_kept();
  EXPECT_EQ(check("--launch 'block(64)'").find("kept_"), std::string::npos);
  EXPECT_EQ(kept(), 4u);
}

TEST_F(CheckCache, WhatIsBrokenThereIsCheckedAgain) {
  const std::string first = check();
  for (const auto& entry : fs::directory_iterator(scratch_ / "kept")) std::ofstream(entry.path()) << "{\"report\": 1";
  EXPECT_EQ(check(), first);
}

}  // namespace
}  // namespace swizzle::test::check_cache_test
