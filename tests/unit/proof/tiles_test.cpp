// Specs that go by tiles: a sum of each, running sums that begin anew, rows of a length that assumptions bound.
#include <gtest/gtest.h>

#include "synth/proof/all_sizes_proof.h"
#include "tests/unit/proof/equal_at.h"
#include "tests/unit/proof/flat_pair.h"

namespace swizzle::tiles_test {
namespace {

struct Pair {
  std::string launch, kernel, spec;
};

AllSizesProof proof_of(const Pair& pair) {
  const auto kernel = test::flat_kernel(pair.launch, pair.kernel), spec = test::flat_spec(pair.spec);
  EXPECT_TRUE(kernel.ok() && spec.ok()) << pair.kernel << pair.spec;
  return prove_all_sizes(*kernel, *spec, {{{"n", 64}}, {{"n", 77}}}, Deadline(10));
}

void expect_proved(const Pair& pair) {
  const AllSizesProof proof = proof_of(pair);
  EXPECT_TRUE(proof.is_proved) << pair.kernel << pair.spec << ": " << proof.reason;
  for (const std::int64_t n : {1, 31, 32, 77})
    EXPECT_EQ(test::is_equal_at(*test::flat_kernel(pair.launch, pair.kernel), *test::flat_spec(pair.spec), n), true)
        << pair.kernel << n;
}

void expect_not_proved(const Pair& pair) {
  const AllSizesProof proof = proof_of(pair);
  EXPECT_FALSE(proof.is_proved) << pair.kernel << pair.spec;
  EXPECT_FALSE(proof.reason.empty()) << pair.kernel;
}

const std::string kRagged = "grid((n + 31) / 32) block(32)";
const std::string kAdd =
    "for (int d = 1; d < 32; d *= 2) v += __shfl_xor_sync(~0u, v, d); if (t == 0) y[blockIdx.x] = v;";
const std::string kOwn = "int v = i < n ? x[i] : 0; ";

TEST(Tiles, AreAddedUp) {
  for (
      const std::string spec :
      {"for (int i = 0; i < n; i += 32) { int s = 0; for (int k = i; k < i + 32 && k < n; k++) s += x[k]; y[i / 32] = s; }",
       "for (int b = 0; b < (n + 31) / 32; b++) { int s = 0; for (int k = 0; k < 32; k++) if (32 * b + k < n) s += x[32 * "
       "b + k]; y[b] = s; }",
       "for (int b = 0; b < (n + 31) / 32; b++) { int s = 0, k = 32 * b; while (k < 32 * b + 32 && k < n) { s += x[k]; "
       "k++; } y[b] = s; }"})
    expect_proved({kRagged, kOwn + kAdd, spec});
  const std::string counts =
      "for (int i = 0; i < n; i += 32) { int s = 0; for (int k = i; k < i + 32 && k < n; k++) s += x[k] == 3 ? 1 : 0; "
      "y[i / 32] = s; }";
  expect_proved({kRagged, "const int own = i < n ? x[i] : 4; int v = own == 3 ? 1 : 0; " + kAdd, counts});
  expect_not_proved({kRagged, "const int own = i < n ? x[i] : 3; int v = own == 3 ? 1 : 0; " + kAdd, counts});
}

// Four elements at once where all are there, one by one at the end.
TEST(Tiles, AreReadByFourWhereAllAreThere) {
  const std::string spec =
      "for (int i = 0; i < n; i += 128) { int s = 0; for (int k = i; k < i + 128 && k < n; k++) s += x[k]; y[i / 128] = s; }";
  const std::string launch = "grid((n + 127) / 128) block(32)";
  const auto kernel = [](const std::string& condition) {
    return "int own[4]; if (" + condition +
           ") { for (int e = 0; e < 4; e++) own[e] = x[4 * i + e]; } else { for (int e = 0; e "
           "< 4; e++) own[e] = 4 * i + e < n ? x[4 * i + e] : 0; } int v = own[0] + own[1] + own[2] + own[3]; " +
           kAdd;
  };
  expect_proved({launch, kernel("4 * i + 3 < n"), spec});
  expect_proved({launch, kernel("128 * blockIdx.x + 128 <= n"), spec});
  expect_not_proved({launch, kernel("4 * i < n"), spec});
  expect_not_proved({launch, kernel("128 * blockIdx.x + 127 <= n"), spec});
}

TEST(Tiles, MayHandOnWhatTheirElementsLeave) {
  const std::string scan =
      "for (int d = 1; d < 32; d *= 2) { const int other = __shfl_up_sync(~0u, v, d); if (t >= d) v += other; } "
      "if (i < n) y[i] = v;";
  const auto spec = [](const std::string& begins) {
    return "int s = 0; for (int i = 0; i < n; i++) { if (" + begins + ") s = 0; s += x[i]; y[i] = s; }";
  };
  expect_proved({kRagged, kOwn + scan, spec("i % 32 == 0")});
  expect_proved({kRagged, kOwn + scan, spec("(i & 31) == 0")});
  expect_not_proved({kRagged, kOwn + scan, spec("i % 64 == 0")});
  expect_not_proved({kRagged, kOwn + scan, spec("i == 0")});
  expect_not_proved({kRagged, kOwn + scan, spec("i % 32 == 1")});
  const std::string last = "int p = 0; for (int i = 0; i < n; i++) { y[i] = i % 32 == 0 ? 7 : p; p = x[i]; }";
  expect_proved({kRagged, kOwn + "v = __shfl_up_sync(~0u, v, 1); if (i < n) y[i] = t == 0 ? 7 : v;", last});
  expect_not_proved({kRagged, kOwn + "v = __shfl_up_sync(~0u, v, 1); if (i < n) y[i] = t == 0 ? 0 : v;", last});
}

// However a spec says where a tile ends.
TEST(Tiles, EndWhereTheirElementsDo) {
  const std::string scan =
      "for (int d = 1; d < 32; d *= 2) { const int other = __shfl_up_sync(~0u, v, d); if (t >= d) v += other; } "
      "if (i < n) y[i] = v;";
  const auto tiles = [](const std::string& loop) {
    return "for (int b = 0; b < n; b += 32) { int s = 0; " + loop + " }";
  };
  for (const std::string loop :
       {"for (int k = b; k < n && k < b + 32; k++) { s += x[k]; y[k] = s; }",
        "for (int k = b; k < std::min(b + 32, n); k++) { s += x[k]; y[k] = s; }",
        "const int end = n < b + 32 ? n : b + 32; for (int k = b; k < end; k++) { s += x[k]; y[k] = s; }",
        "for (int k = 0; n > b + k && k <= 31; ++k) { s += x[b + k]; y[b + k] = s; }",
        "for (int k = 0; k < 32; k++) { const int e = b + k; if (!(e < n)) break; s += x[e]; y[e] = s; }",
        "int k = b; while (k < n && k < b + 32) { s += x[k]; y[k] = s; k++; }"})
    expect_proved({kRagged, kOwn + scan, tiles(loop)});
  for (const std::string loop : {"for (int k = b; k < n && k < b + 16; k++) { s += x[k]; y[k] = s; }",
                                 "for (int k = b; k < std::min(b + 32, n - 1); k++) { s += x[k]; y[k] = s; }",
                                 "for (int k = b; k < std::max(b + 32, n); k++) { s += x[k]; y[k] = s; }"})
    expect_not_proved({kRagged, kOwn + scan, tiles(loop)});
}

// The counter is asked for behind the loop, where it is that of a whole tile or of the ragged one.
TEST(Tiles, TellWhereTheyEndedOnlyIfThatIsKnown) {
  const std::string sums =
      "for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(~0u, v, d); if (t == 0) y[blockIdx.x] = v";
  const auto kernel = test::flat_kernel(kRagged, kOwn + sums + " * 32;");
  for (const std::string loop : {"for (k = 0; k < 32 && b + k < n; k++) s += x[b + k];",
                                 "for (k = 0; k < 32; k++) { if (b + k >= n) break; s += x[b + k]; }"}) {
    const auto spec =
        test::flat_spec("for (int b = 0; b < n; b += 32) { int s = 0, k; " + loop + " y[b / 32] = s * k; }");
    EXPECT_FALSE(prove_all_sizes(*kernel, *spec, {{{"n", 64}}}, Deadline(10)).is_proved) << loop;
  }
}

// What the first loop hands on, the second one sees.
TEST(Tiles, LeaveBehindWhatIsNotKnown) {
  const std::string sums = "int s = 0; for (int i = 0; i < n; i++) { if (i % 32 == 0) s = 0; s += x[i]; y[i] = s; } ";
  const auto proof = [&](const std::string& kernel, const std::string& spec) {
    const auto sketch = parse_kernel(
        SourceText(
            "k.cu",
            "#pragma swizzle launch " + kRagged +
                "\n__global__ void f(const int* x, int* y, int* z, int n) {\n  const int t = threadIdx.x, i = "
                "blockIdx.x * 32 + t; " +
                kOwn +
                "for (int d = 1; d < 32; d *= 2) { const int other = __shfl_up_sync(~0u, v, d); if (t >= d) v += "
                "other; } if (i >= n) return; y[i] = v; " +
                kernel + "\n}\n"),
        "f");
    const auto plain =
        parse_spec(SourceText("s.cpp", "void f(const int* x, int* y, int* z, int n) { " + sums + spec + " }"), "f");
    EXPECT_TRUE(sketch.ok() && plain.ok());
    return prove_all_sizes(*sketch, *plain, {{{"n", 64}}, {{"n", 77}}}, Deadline(10));
  };
  EXPECT_TRUE(proof("z[i] = 7;", "for (int i = 0; i < n; i++) z[i] = 7;").is_proved);
  EXPECT_FALSE(proof("z[i] = 0;", "for (int i = 0; i < n; i++) z[i] = s;").is_proved);
}

// Behind 255 elements, the spec begins again.
TEST(Tiles, AreNotCountedByANarrowInteger) {
  expect_not_proved({kRagged, "if (i < n) y[i] = x[i];", "for (unsigned char i = 0; i < n; i++) y[i] = x[i];"});
  expect_proved({kRagged, "if (i < n) y[i] = x[i];", "for (unsigned i = 0; i < n; i++) y[i] = x[i];"});
}

TEST(Tiles, OfWhichARestDecidesAnAddressAreNotProved) {
  expect_not_proved({kRagged, "if (i < n) y[i] = x[i];",
                     "for (int i = 0; i < n; i++) y[i + (i & 3) - (i / 2 & 1)] = x[i + (i & 3) - (i / 2 & 1)];"});
}

}  // namespace
}  // namespace swizzle::tiles_test
