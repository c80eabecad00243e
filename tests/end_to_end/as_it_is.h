// A kernel and its launch as repositories have them, a spec, and what `verify` says of both.
#pragma once

#include <gtest/gtest.h>

#include "tests/end_to_end/tool.h"

namespace swizzle::test {

struct AsItIs {
  std::string name;
  std::string program, spec;  // a kernel `f` and its launch; `void f(…)`
  std::string sizes;          // "--set n=300"
  int exit_code;
  std::string said;
  std::string flags = "--run=none";
};

inline std::string name_of(const testing::TestParamInfo<AsItIs>& info) { return info.param.name; }

inline ToolResult verified(const AsItIs& k) {
  const ScratchFolder scratch;
  const std::string kernel = scratch.write("kernel.cu", k.program), spec = scratch.write("spec.cpp", k.spec);
  const bool ends_by_time = k.said.find("not proved") != std::string::npos;  // which none of the patience changes
  return run_tool(fmt::format("verify '{}' --spec '{}' {} {}", kernel, spec, k.sizes, k.flags),
                  ends_by_time ? "SWIZZLE_PATIENCE=1" : "");
}

inline void expect_judged(const AsItIs& k) {
  const ToolResult r = verified(k);
  EXPECT_EQ(r.exit_code, k.exit_code) << r.output;
  EXPECT_NE(r.output.find(k.said), std::string::npos) << r.output;
}

// `text` with the first `from` in it replaced.
inline std::string changed(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

}  // namespace swizzle::test
