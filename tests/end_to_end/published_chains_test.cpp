// Published chains of steps with other holes than they have.
#include <fstream>

#include <gtest/gtest.h>

#include "tests/end_to_end/tool.h"

namespace swizzle::test::published_chains_test {
namespace {

// Of what passes a chain's first step, few tables go on: so all are gone through.
TEST(PublishedChains, HaveNoTransformationsInPlaceOfExchanges) {
  const std::filesystem::path root = SWIZZLE_SOURCE_DIR;
  std::string sketch = read_file(root / "sketches/fft8.cu");
  const std::string exchange = "?sw_xor(lane, 32, d)";
  const std::size_t at = sketch.find(exchange);
  ASSERT_NE(at, std::string::npos);
  sketch.replace(at, exchange.size(), "?sw_xform(lane, 32, d)");
  const ScratchFolder scratch;
  std::ofstream(scratch / "fft8.cu") << sketch;
  const ToolResult r =
      run_tool(fmt::format("'{}' --spec specs/fft8.cpp --run=none --no-suggestions", (scratch / "fft8.cu").string()));
  EXPECT_EQ(r.exit_code, 10) << r.output;
}

}  // namespace
}  // namespace swizzle::test::published_chains_test
