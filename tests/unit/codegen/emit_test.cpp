// The bytes of emitted kernels, from fixed completions. SWIZZLE_UPDATE_GOLDEN=1 rewrites tests/golden/ instead of
// comparing; read the difference before committing it.
#include "codegen/emit/emit.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "frontend/parse.h"

namespace swizzle::emit_test {
namespace {

using Op = IndexExpr::Op;

IndexExpr constant(std::int64_t v) { return IndexExpr::constant(v); }
IndexExpr argument(std::size_t i) { return IndexExpr::argument(i); }
IndexExpr lane_plus(std::size_t i) { return IndexExpr::mod(IndexExpr::add(argument(0), argument(i)), 32); }
IndexExpr choose(Op op, std::size_t a, IndexExpr b, IndexExpr then, IndexExpr otherwise) {
  return IndexExpr::select(IndexExpr::compare(op, argument(a), std::move(b)), std::move(then), std::move(otherwise));
}

struct Golden {
  const char* name;
  const char* sketch;
  const char* spec;
  std::vector<IndexExpr> holes;  // in the order of Program::holes
};

std::string messages(const Diagnostics& errors) {
  std::string text;
  for (const Diagnostic& d : errors) text += render(d);
  return text;
}

Result<std::string> emitted(const Golden& golden) {
  auto sketch = parse_kernel(SourceText("sketch.cu", golden.sketch), "");
  if (!sketch.ok()) return sketch.errors();
  auto spec = parse_spec(SourceText("spec.cpp", golden.spec), "f");
  if (!spec.ok()) return spec.errors();
  Problem problem;
  std::vector<Posed> all_posed;
  for (const auto* lines : {&sketch->directives.instances, &sketch->directives.checks})
    for (const SizeLine& line : *lines) {
      auto posed = pose(*sketch, *spec, line.sizes, problem);
      if (!posed.ok()) return posed.errors();
      all_posed.push_back(*posed);
    }
  if (sketch->holes.size() != golden.holes.size())
    return make_error("the sketch has " + std::to_string(sketch->holes.size()) + " holes");
  Completion completion;
  for (const IndexExpr& e : golden.holes) completion.tables.push_back({{}, e, e.integer_ops()});
  return emit(
      {*sketch, completion, problem.hole_indexed, problem.points, *spec, all_posed, "first line\n\nthird line"});
}

const Golden kGoldens[] = {
    {"register_selects",
     R"(#pragma swizzle launch grid(1) block(32)
#pragma swizzle instance n = 32
#pragma swizzle extent x(128)
__global__ void f(const float* x, float* y, int n) {
  const int lane = threadIdx.x;
  float rc[4], tile[2][2];
  for (int r = 0; r < 4; r++) rc[r] = tile[r / 2][r % 2] = x[32 * r + lane];
  float out = 0;
  for (int k = 0; k < 2; k++) {
    out += rc[?sw_part(4, lane, k)];          // a constant
    out += rc[?sw_part(4, lane, k)];          // a select of constants
    out += rc[?sw_part(4, k, lane)] * 2;      // an expression
    out += rc[k + ?sw_part(2, lane)];         // an offset and a select
    const int index = ?sw_part(4, lane, k);   // a variable
    out += rc[index];
    out += tile[?sw_part(2, lane, k)][?sw_part(2, lane)];
    out += tile[?sw_part(2, lane, k)][k];
  }
  y[lane] = out;
}
)",
     "void f(const float* x, float* y, int n) { for (int i = 0; i < n; i++) y[i] = x[i]; }\n",
     {constant(2),
      choose(Op::kLt, 1, argument(2), constant(1), choose(Op::kEq, 2, constant(0), constant(3), constant(0))),
      IndexExpr::mask(IndexExpr::add(argument(1), argument(2)), 3),
      choose(Op::kLe, 1, constant(15), constant(0), constant(1)),
      choose(Op::kNe, 1, argument(2), constant(2), constant(0)),
      choose(Op::kLt, 1, argument(2), constant(1), constant(0)), constant(1),
      choose(Op::kLt, 1, argument(2), constant(1), constant(0))}},
    {"holes_in_context",
     R"(#pragma swizzle launch grid(1) block(32)
#pragma swizzle instance n = 32
__global__ void f(const int* x, int* y, int n) {
  const int lane = threadIdx.x;
  const int sum = ?sw_xform(lane, 32) + 32 * ?sw_xform(lane / 8, 4, lane % 8);
  const int even = ?sw_xform(lane, 32, 2 * n), swapped = (?sw_xform(lane & 31, 32, n));
  // ?sw_cond(lane) in a comment stays
  const int row = lane / 8, rest = n;
  const int column = lane % 8;
  int v = __shfl_sync(~0u, x[lane], sum % 32) + __shfl_sync(~0u, x[lane], even) + __shfl_sync(~0u, x[lane], swapped);
  if (?sw_cond(lane, row)) v += 1;
  if (?sw_cond(column) && lane > 3) v += rest;
  y[lane] = ?sw_cond(lane, n) ? v : -v;
}
)",
     "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[i]; }\n",
     {IndexExpr::mod(IndexExpr::sub(constant(31), argument(0)), 32),
      IndexExpr::mod(IndexExpr::add(argument(0), argument(2)), 4),
      IndexExpr::mod(IndexExpr::add(IndexExpr::mul(argument(0), 3), argument(2)), 32),
      IndexExpr::mod(IndexExpr::add(argument(0), constant(-1)), 32), constant(1),
      IndexExpr::compare(Op::kLt, argument(0), constant(7)),
      IndexExpr::compare(Op::kEq, IndexExpr::add(argument(0), argument(1)), constant(40))}},
    {"decided_conditions",
     R"(#pragma swizzle launch grid(1) block(32)
#pragma swizzle instance n = 32
__global__ void f(const int* x, int* y, int n) {
  const int lane = threadIdx.x;
  const int r[4] = {x[lane], 1, 2, 3};
  int v = 0;
  for (int k = 0; k < 2; k++) {

    if (?sw_cond(lane, k)) v += 1;
    if (?sw_cond(lane, k)) { v += 2; }

    if (?sw_cond(lane, k)) v += 3;  // never

    if (?sw_cond(lane, k))
      v += 4;
    if (?sw_cond(lane, k)) v += 5; else v += 6;
    if (k > 0) if (?sw_cond(lane, k)) v += 7;
    v += r[(3 + ?sw_part(2, lane, k)) % 4];

    if (?sw_cond(lane, k)) v += 8;
  }
  y[lane] = v;
}
)",
     "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[i]; }\n",
     {constant(0), constant(1), constant(0), constant(1), constant(0), constant(0),
      choose(Op::kLt, 1, argument(2), constant(1), constant(0)), constant(0)}},
    {"magic_get",
     R"(#pragma swizzle launch grid(n / 32) block(32)
#pragma swizzle instance n = 32
#pragma swizzle check n = 64
__global__ void f(const float* x, float* y, int n) {
  const int base = blockIdx.x * 32;
  auto rc = load(x, base, 1, 3);
  float out = 0;
  for (int k = 0; k < 5; k++) out += magic_get(rc);
  y[base + threadIdx.x] = out;
}
)",
     "void f(const float* x, float* y, int n) { for (int i = 0; i < n; i++) y[i] = x[i] + x[i + 1] + x[i + 2] + x[i + 3] + x[i + 4]; }\n",
     {choose(Op::kLt, 1, argument(2), constant(1), constant(0)),
      IndexExpr::mod(IndexExpr::add(argument(0), argument(2)), 32)}},
    {"load_and_store",
     R"(#pragma swizzle launch grid(n / 128) block(32, 2)
#pragma swizzle instance n = 128
#pragma swizzle check n = 256
#pragma swizzle extent y(n + 0)
__global__ void f(const int* x, const int* table, int* y, int n) {
  const int lane = threadIdx.x;
  const int start = (blockIdx.x * 2 + threadIdx.y) * 64;
  auto a = load(x, start, 2, 1);
  auto b = load(table, 0, 1, 1);
  int r[2];
  for (int j = 0; j < 2; j++) r[j] = a[j] + __shfl_sync(~0u, b[0], ?sw_xform(lane, 32));
  store(y, start, 2, 1, r);
}
)",
     "void f(const int* x, const int* table, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[i] + table[31 - i / 2 % 32]; }\n",
     {IndexExpr::sub(constant(31), argument(0))}},
    {"accumulators",
     R"(#include <cuda_runtime.h>
#pragma swizzle launch grid(1) block(32)
#pragma swizzle instance n = 32
__global__ void f(const unsigned* x, const unsigned* w, unsigned* y, unsigned* z, int n) {
  const int lane = threadIdx.x;
  acc o = create_accumulator(0, identity, ^, &);
  auto s = create_accumulator(7, identity, plus);
  unsigned mine = x[lane], p = w[lane];
  for (int k = 0; k < 2; k++) {
    unsigned a = __shfl_sync(0xffffffffu, mine, ?sw_xform(lane, 32, k));
    accumulate(o, [a, p | 1], ?sw_cond(lane, k));
    accumulate(o, [a], ?sw_cond(lane, k));
    accumulate(o, [p], ?sw_cond(lane));
    if (k > 0) accumulate(s, {a + p}, lane > 3 && ?sw_cond(lane));
    accumulate(s, {p});
  }
  y[lane] = eval(o);
  z[lane] = eval(s);
}
)",
     "void f(const unsigned* x, const unsigned* w, unsigned* y, unsigned* z, int n) { for (int i = 0; i < n; i++) y[i] = z[i] = x[i] & w[i]; }\n",
     {lane_plus(2), IndexExpr::compare(Op::kLe, argument(1), argument(0)), constant(1), constant(0),
      IndexExpr::compare(Op::kNe, argument(0), constant(9))}},
    // What becomes several statements, or an `if`, stays the body of what it was the body of.
    {"bodies_without_braces",
     R"(#  pragma   swizzle launch grid(n / 64) block(32)
#pragma swizzle instance n = 64
#pragma swizzle extent x(n), y(n)
// #pragma swizzle in a comment stays
__global__ void f(const int* x, int* y, int n) {
  const int lane = threadIdx.x;
  auto r = load(x, blockIdx.x << 6, 1, 2);
  auto last = load(x, n > 64 ? 64 : 0, 2, 1);
  auto o = create_accumulator(0, identity, plus);
  for (int k = 0; k < 2; k++)
    if (k == 0) accumulate(o, {r[k]}, ?sw_cond(lane, k));
    else accumulate(o, {last[k]}, ?sw_cond(lane, k));
  int sums[2] = {eval(o), 1};
  if (n > 32) store(y, blockIdx.x << 6, 1, 2, sums);
  else store(y, 0, 1, 2, r) ;
}
)",
     "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[i]; }\n",
     {IndexExpr::compare(Op::kLt, argument(0), constant(16)), IndexExpr::compare(Op::kLe, argument(1), argument(0))}},
    // Barrel shifters where the array and the amount stay the same through a loop, selects elsewhere.
    {"register_rotations",
     R"(#pragma swizzle launch grid(1) block(32)
#pragma swizzle instance n = 32
__global__ void f(const float* x, float* y, int n) {
  const int lane = threadIdx.x;
  float r[6], out[6], four[4], grown[3] = {}, i = 0;
#pragma unroll
  for (int j = 0; j < 6; j++) r[j] = x[32 * j + lane];
  for (int j = 0; j < 6; j++) out[?sw_xform(j, 6, lane)] = r[?sw_xform(j, 6, lane)];  // known; two digits
  if (lane < n)
    for (int j = 0; j < 6; j++)
      y[192 + 32 * j + lane] = r[?sw_xform(j, 6, lane)];
  for (int j = 0; j < 4; j++) four[?sw_xform(j, 4, lane)] = r[j];
#pragma unroll 1
  for (int j = 0; j < 4; j++) i += four[?sw_xform(j, 4, lane)];
  for (int j = 0; j < 3; j++) { grown[j] += j; i += grown[?sw_xform(j, 3, lane)]; }
  for (int k = 0; k < n; k += 32) i += four[?sw_xform(lane % 4, 4)] - four[?sw_xform(lane % 4, 4)];
  for (int j = 0; j < 6; j++) y[32 * j + lane] = out[j] + i;
}
)",
     "void f(const float* x, float* y, int n) { for (int i = 0; i < 384; i++) y[i] = x[i % 192]; }\n",
     {IndexExpr::mod(IndexExpr::mul(argument(0), 5), 6),
      IndexExpr::add(
          IndexExpr::mul(IndexExpr::mod(IndexExpr::add(argument(0), argument(2)), 2), 3),
          IndexExpr::mod(IndexExpr::add(IndexExpr::sub(IndexExpr::div(argument(0), 2), argument(2)), constant(33)), 3)),
      IndexExpr::mod(IndexExpr::add(argument(0), argument(2)), 6),
      IndexExpr::mod(IndexExpr::sub(argument(0), argument(2)), 4),
      IndexExpr::mod(IndexExpr::add(argument(0), argument(2)), 4),
      IndexExpr::mod(IndexExpr::add(argument(0), argument(2)), 3), IndexExpr::mod(argument(0), 4),
      IndexExpr::mod(argument(0), 4)}},
    // A row of an array turns as an array does; once for each time that the loop around it comes by.
    {"register_rows",
     R"(#pragma swizzle launch grid(1) block(32)
#pragma swizzle instance n = 32
__global__ void f(const float* x, float* y, int n) {
  const int lane = threadIdx.x;
  float r[2][4], pair[3][2];
#pragma unroll
  for (int i = 0; i < 8; i++) r[i / 4][i % 4] = x[32 * i + lane];
#pragma unroll
  for (int s = 0; s < 2; s++) {
    for (int j = 0; j < 4; j++) y[128 * s + 32 * j + lane] = r[s][?sw_xform(j, 4, lane)];
    for (int j = 0; j < 2; j++) pair[s][j] = r[s][j];
    for (int j = 0; j < 2; j++) pair[2][j] = pair[s][?sw_xform(j, 2, lane)];
  }
  for (int s = 0; s < 2; s++)
    for (int j = 0; j < 4; j++) y[128 * s + 32 * j + lane] += pair[2][0] * r[?sw_part(2, s, lane)][?sw_xform(j, 4, lane)];
}
)",
     "void f(const float* x, float* y, int n) { for (int i = 0; i < 256; i++) y[i] = x[i]; }\n",
     {IndexExpr::mask(IndexExpr::add(argument(0), argument(2)), 3),
      IndexExpr::mask(IndexExpr::add(argument(0), argument(2)), 1),
      choose(Op::kLt, 2, constant(16), constant(0), constant(1)),
      IndexExpr::mask(IndexExpr::add(argument(0), argument(2)), 3)}},
    // An element that is an array turns with all that it has, where a single hole chooses.
    {"register_columns",
     R"(#pragma swizzle launch grid(1) block(32)
#pragma swizzle instance n = 384
__global__ void f(const float* x, float* y, int n) {
  const int lane = threadIdx.x;
  float r[4][3];
#pragma unroll
  for (int i = 0; i < 12; i++) r[i / 3][i % 3] = x[32 * i + lane];
  for (int j = 0; j < 4; j++)
#pragma unroll
    for (int e = 0; e < 3; e++) y[96 * j + 32 * e + lane] = r[?sw_xform(j, 4, lane)][2 - e];
  for (int j = 0; j < 2; j++) y[lane] += r[?sw_xform(j, 4, lane)][?sw_part(3, lane, j)];
}
)",
     "void f(const float* x, float* y, int n) { for (int i = 0; i < n; i++) y[i] = x[i]; }\n",
     {IndexExpr::mask(IndexExpr::add(argument(0), argument(2)), 3),
      IndexExpr::mask(IndexExpr::add(argument(0), argument(2)), 3),
      choose(Op::kLt, 1, argument(2), constant(2), constant(0))}},
    // Conditions of one value and of opposite ones, past what they commute with; loops that decide what a hole is
    // unrolled.
    {"guard_groups",
     R"(#pragma swizzle launch grid(1) block(32)
#pragma swizzle instance n = 32
__global__ void f(const int* x, int* y, int n) {
  const int lane = threadIdx.x;
  int low = 0, high = 0, both = 0, from = 0;
  float sum = 0;
  acc o = create_accumulator(0, identity, ^, &);
  for (int k = 0; k < 9; k++) {
    const int v = x[lane] + k;
    // Low
    if (?sw_cond(lane, k)) low ^= v;
    high ^= v;
    // High
    if (?sw_cond(lane, k)) high ^= v + 1;  // the rest
    accumulate(o, [v, 3], ?sw_cond(lane, k));
    if (?sw_cond(lane, k)) { both += v; low ^= 2; }

    if (?sw_cond(lane, k)) sum += v;
    sum += 2;
    if (?sw_cond(lane, k)) sum += 3;
    if (?sw_cond(lane, from)) both += 4;
    from += k;
    if (?sw_cond(lane, from)) both += 5;
  }
  const int parity = eval(o);
  y[lane] = low + high + both + from + sum + parity;
}
)",
     "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[i]; }\n",
     {IndexExpr::compare(Op::kLe, argument(1), argument(0)), IndexExpr::compare(Op::kLt, argument(0), argument(1)),
      IndexExpr::compare(Op::kLt, argument(0), argument(1)), IndexExpr::compare(Op::kLe, argument(1), argument(0)),
      IndexExpr::compare(Op::kLt, IndexExpr::add(argument(0), argument(1)), constant(32)),
      IndexExpr::compare(Op::kLt, constant(31), IndexExpr::add(argument(0), argument(1))),
      IndexExpr::compare(Op::kEq, argument(0), argument(1)), IndexExpr::compare(Op::kNe, argument(0), argument(1))}},
    {"register_stores",
     R"(#pragma swizzle launch grid(1) block(32)
#pragma swizzle instance n = 64
__global__ void f(const float* x, float* y, int n) {
  const int lane = threadIdx.x;
  float r[2] = {};
  for (int k = 0; k < 2; k++) r[?sw_part(2, lane, k)] = x[32 * k + lane];
  for (int k = 0; k < 2; k++) r[?sw_part(2, lane, k)] += 1;
  for (int k = 0; k < 2; k++) y[32 * k + lane] = r[k];
}
)",
     "void f(const float* x, float* y, int n) { for (int i = 0; i < n; i++) y[i] = x[i]; }\n",
     {choose(Op::kLt, 2, constant(1), constant(0), constant(1)),
      IndexExpr::mask(IndexExpr::add(argument(1), argument(2)), 1)}},
};

class EmitGolden : public testing::TestWithParam<Golden> {};

TEST_P(EmitGolden, IsWhatItWas) {
  const auto text = emitted(GetParam());
  ASSERT_TRUE(text.ok()) << messages(text.errors());
  const std::filesystem::path path =
      std::filesystem::path(SWIZZLE_SOURCE_DIR) / "tests/golden" / (std::string(GetParam().name) + ".cu");
  if (std::getenv("SWIZZLE_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path) << *text;
    GTEST_SKIP() << "wrote " << path;
  }
  std::ostringstream golden;
  golden << std::ifstream(path).rdbuf();
  EXPECT_EQ(*text, golden.str());
}

INSTANTIATE_TEST_SUITE_P(Kernels, EmitGolden, testing::ValuesIn(kGoldens),
                         [](const auto& info) { return std::string(info.param.name); });

struct Refused {
  const char* name;
  const char* body;
  const char* says;
  const char* spec = "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = 0; }\n";
};

class EmitErrors : public testing::TestWithParam<Refused> {};

TEST_P(EmitErrors, PointAtWhatCannotBeWrittenOut) {
  const std::string sketch = std::string(
                                 "#pragma swizzle launch grid(1) block(32)\n#pragma swizzle instance n = 32\n"
                                 "__global__ void f(const int* x, int* y, int n) {\n  ") +
                             GetParam().body + "\n  y[threadIdx.x] = 0;\n}\n";
  const auto text = emitted({"", sketch.c_str(), GetParam().spec, {}});
  ASSERT_FALSE(text.ok()) << *text;
  EXPECT_NE(messages(text.errors()).find(GetParam().says), std::string::npos) << messages(text.errors());
}

INSTANTIATE_TEST_SUITE_P(
    Helpers, EmitErrors,
    testing::Values(Refused{"ExtentThatIsNoPolynomial", "auto a = load(x, 0, 1, 1);\n#pragma swizzle check n = 64",
                            "sketch.cu:4:12: error: how long 'x' is cannot be told from the sizes",
                            "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[i / 3]; }\n"},
                    Refused{"TwoDeclarationsInOne", "auto a = load(x, 0, 1, 1), b = load(x, 0, 1, 1);",
                            "declare this variable in a statement of its own"},
                    Refused{"NothingAccumulated", "auto o = create_accumulator(0, identity, plus);",
                            "sketch.cu:4:8: error: nothing is accumulated into 'o'"}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace swizzle::emit_test
