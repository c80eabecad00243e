#include "driver/shared_array.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/unit/driver/arrays_in_file.h"

namespace swizzle::shared_array_test {
namespace {

struct Read {
  CheckedKernel kernel;
  std::optional<SharedArray> array;

  // "i, 0; 0, i": the indices of each use.
  std::string uses() const {
    std::string text;
    for (const auto& indices : array->uses) {
      std::string use;
      for (const SourceRange index : indices)
        use += (use.empty() ? "" : ", ") + std::string(kernel.program.source.slice(index));
      text += (text.empty() ? "" : "; ") + use;
    }
    return text;
  }
};

Read read(const std::string& body, const std::string& before = "") {
  Read out{test::parsed_kernel(before + "__global__ void k(float* y, int* z, int n) {\n  int i = threadIdx.x;\n  " +
                               body + "\n}\n"),
           {}};
  out.array = shared_array(out.kernel.program, test::variable_named(out.kernel.program, "s"));
  return out;
}

TEST(SharedArrays, AreReadWithAllOfTheirUses) {
  const Read r = read("__shared__ float s[8][4]; s[i][0] = 1; y[0] = s[0][i];");
  ASSERT_TRUE(r.array);
  EXPECT_EQ(r.array->extents, (std::vector<std::int64_t>{8, 4}));
  EXPECT_EQ(r.array->pitch, 4);
  EXPECT_EQ(r.array->element_bytes, 4);
  EXPECT_EQ(r.uses(), "i, 0; 0, i");
  EXPECT_TRUE(r.array->can_repeat);
  EXPECT_EQ(r.array->together, 1);
  EXPECT_EQ(r.kernel.program.source.text()[r.array->declaration_end - 1], ';');
}

TEST(SharedArrays, OfAFlatOneTheRowIsWhatAllUsesMultiply) {
  EXPECT_EQ(read("__shared__ float s[32]; s[i * 8 + 1] = 1; y[0] = s[n + 8 * i];").array->pitch, 8);
  EXPECT_EQ(read("__shared__ float s[32]; s[i * 8 + 1] = 1; y[0] = s[i * 4];").array->pitch, 0);
  EXPECT_EQ(read("__shared__ float s[32]; s[i] = 1;").array->pitch, 0);
}

TEST(SharedArrays, WhatIsAccessedThroughAnElementsAddressStaysTogether) {
  EXPECT_EQ(read("__shared__ float s[8][4]; *(float4*)&s[i][0] = {}; y[0] = s[0][i];").array->together, 4);
  EXPECT_EQ(read("__shared__ float4 s[8][4]; y[0] = s[i][0].x;").array->together, 1);
  for (const char* use : {"float* p = &s[0][0]; y[0] = p[i];", "y[0] = elsewhere(s);", "y[0] = sizeof(s);",
                          "y[0] = *(s[0] + i);", "y[0] = s[0][i]; y[1] = elsewhere(s[0]);"})
    EXPECT_FALSE(read(std::string("__shared__ float s[8][4]; s[i][0] = 1; ") + use).array) << use;
  EXPECT_FALSE(read("__shared__ float4 s[8][4]; float* p = &s[i][0].x; y[0] = p[5];").array);
}

TEST(SharedArrays, IndicesThatDoMoreThanComputeAreNotWrittenTwice) {
  const auto can_repeat = [](const std::string& use) {
    const auto array = read("__shared__ float s[8][4]; " + use, "#define AT(r, c) [r][c]\n").array;
    return array && array->can_repeat;
  };
  EXPECT_TRUE(can_repeat("y[0] = s[(i + n) % 8][z[i]];"));
  EXPECT_TRUE(can_repeat("y[0] = s[i /* ] */][1];"));
  for (const char* use : {"y[0] = s[i++][0];", "y[0] = s[z[i]][0];", "y[0] = s[i][int(s[0][1])];", "y[0] = (s)[i][1];",
                          "y[0] = s AT(i, 0);", "y[0] = s[i // rows\n][0];", "y[0] = s[i][n = 1];"})
    EXPECT_FALSE(can_repeat(use)) << use;
}

TEST(SharedArrays, InAMacroOrByAnotherNameThereIsNone) {
  EXPECT_FALSE(read("__shared__ float s[8][4]; AT(i, 0) = 1;", "#define AT(r, c) s[r][c]\n").array);
  EXPECT_FALSE(read("extern __shared__ float s[]; s[i] = 1;").array);
}

}  // namespace
}  // namespace swizzle::shared_array_test
