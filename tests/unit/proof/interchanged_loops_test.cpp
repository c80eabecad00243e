#include "synth/proof/interchanged_loops.h"

#include <gtest/gtest.h>

#include "frontend/parse.h"

namespace swizzle::interchanged_loops_test {
namespace {

bool interchanges(const std::string& body) {
  const auto spec = parse_spec(
      SourceText("s.cpp", "void f(float* y, const float* x, float* z, int n, int m) { " + body + " }\n"), "f");
  EXPECT_TRUE(spec.ok()) << body;
  return spec.ok() && with_interchanged_loops(*spec).has_value();
}

TEST(InterchangedLoops, AreThoseOfSumsOfElements) {
  EXPECT_TRUE(interchanges("for (int k = 0; k < m; k++) for (int j = 0; j < n; j++) y[j] += x[k * n + j];"));
  EXPECT_TRUE(
      interchanges("for (int k = 0; k < m; k++) { const float a = x[k]; const float* w = x + k * n;\n"
                   "  for (int j = 0; j < n; j++) { float v = a * w[j]; y[3 + j] = y[3 + j] + v; } }"));
  EXPECT_TRUE(
      interchanges("for (int t = 0; t < m; t++) for (int k = 0; k <= t; k++)\n"
                   "  for (int j = 0; j < n; j++) y[t * n + j] += x[k * n + j];"))
      << "as long as a loop around both says";
  EXPECT_TRUE(interchanges("for (int k = 0; k < m; k++) for (int j = 0; j < n; j++) if (x[k] > 0) y[j] -= x[k];"));
  EXPECT_TRUE(interchanges("for (int k = 0; k < m; k++) for (int j = 0; j < n; j++) { y[j] += x[k]; z[j] -= x[k]; }"));
}

TEST(InterchangedLoops, OfKernelsReadWhatTheyReadWithoutTheOtherOne) {
  const auto loops_of = [](const std::string& value, const std::string& first = "threadIdx.x") {
    const auto kernel =
        parse_kernel(SourceText("k.cu",
                                "#pragma swizzle launch grid(1) block(32)\n"
                                "__global__ void f(float* y, const float* x, int n, int m) {\n"
                                "  for (int k = 0; k < m; k++) { const float a = " +
                                    value + "; for (int j = " + first + "; j < n; j += 32) y[j] += a; } }\n"),
                     "f");
    const auto other = with_interchanged_loops(*kernel);
    EXPECT_TRUE(other.has_value());
    return other->stmt(other->function(other->entry).body).body.size();
  };
  EXPECT_EQ(loops_of("x[k]"), 2u);
  EXPECT_EQ(loops_of("k"), 1u);
  EXPECT_EQ(loops_of("x[k]", "0"), 1u) << "it has one, at least";
}

TEST(InterchangedLoops, AreNotThoseThatHandOnMore) {
  EXPECT_FALSE(interchanges("for (int k = 0; k < m; k++) for (int j = 0; j < n; j++) y[j + k] += x[k];")) << "of k";
  EXPECT_FALSE(interchanges("for (int k = 0; k < m; k++) for (int j = 0; j < n; j++) y[j / 2] += x[k * n + j];"));
  EXPECT_FALSE(interchanges("for (int k = 0; k < m; k++) for (int j = 0; j < n; j++) y[j % m] += x[k * n + j];"));
  EXPECT_FALSE(interchanges("for (int k = 0; k < m; k++) for (int j = 1; j < n; j++) y[j] += y[j - 1];"));
  EXPECT_FALSE(interchanges("for (int k = 0; k < m; k++) for (int j = 0; j < n; j++) { y[j] += z[k]; z[j] = x[k]; }"));
  EXPECT_FALSE(
      interchanges("for (int k = 0; k < m; k++) { const float a = y[k];\n"
                   "  for (int j = 0; j < n; j++) y[j] += a; }"));
  EXPECT_FALSE(
      interchanges("float s = 0; for (int k = 0; k < m; k++)\n"
                   "  for (int j = 0; j < n; j++) { s += x[j]; y[j] += s; }"));
  EXPECT_FALSE(
      interchanges("for (int k = 0; k < m; k++) { float s = 0;\n"
                   "  for (int j = 0; j < n; j++) { s += x[j]; y[j] += s; } }"));
  EXPECT_FALSE(interchanges("int k = 0; for (k = 0; k < m; k++) for (int j = 0; j < n; j++) y[j] += x[k]; y[0] = k;"));
}

TEST(InterchangedLoops, AreNotOfHeadsOrEndsOfTheOther) {
  EXPECT_FALSE(interchanges("for (int k = 0; k < m; k++) for (int j = k; j < n; j++) y[j] += x[k];"));
  EXPECT_FALSE(
      interchanges("for (int k = 0; k < m; k++) for (int j = 0; j < n; j++) { y[j] += x[k]; if (y[j] > 9) break; }"));
  EXPECT_FALSE(interchanges("for (int k = 0; k < m; k++) { for (int j = 0; j < n; j++) y[j] += x[k]; y[0] = 1; }"));
  EXPECT_FALSE(
      interchanges("for (int k = 0; k < m; k++) { if (x[k] > 0) break;\n"
                   "  for (int j = 0; j < n; j++) y[j] += x[k]; }"));
}

}  // namespace
}  // namespace swizzle::interchanged_loops_test
