// What is expected of a pair of sketches/ and specs/.
#pragma once

#include <cstddef>

#include <gtest/gtest.h>

#include "tests/end_to_end/accepting_nvcc.h"
#include "tests/end_to_end/tool.h"

namespace swizzle::test {

struct Published {
  const char* name;
  double shuffles, integer_ops;  // a warp
};

// Found, proved, and equal when it is re-read at `sizes` sizes and run on the CPU.
inline ToolResult expect_published(const Published& pair, std::size_t sizes) {
  ToolResult r = run_pair_on_cpu(pair.name);
  EXPECT_EQ(r.exit_code, 0) << r.output;
  if (r.exit_code != 0) return r;
  EXPECT_EQ(r.report["outcome"], "found");
  EXPECT_EQ(r.report["optimality"], "proved");
  EXPECT_EQ(r.report["cost"]["shuffles"], pair.shuffles);
  EXPECT_EQ(r.report["cost"]["integer_ops"], pair.integer_ops);
  EXPECT_EQ(r.report["checked"]["reread"].size(), sizes);
  EXPECT_EQ(r.report["checked"]["run"]["mismatches"], 0);
  EXPECT_GT(r.report["checked"]["run"]["inputs"], 0);
  return r;
}

}  // namespace swizzle::test
