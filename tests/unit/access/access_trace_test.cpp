// Accesses of small kernels, against figures derived by hand.
#include "synth/access/access_trace.h"

#include <string>

#include <gtest/gtest.h>

#include "frontend/parse_check.h"

namespace swizzle::access_trace_test {
namespace {

// The trace of `void f(const float* x, const int* k, float* y, int n) { int t = threadIdx.x; BODY }`.
struct Traced {
  explicit Traced(const std::string& body, std::array<int, 3> block = {32, 1, 1}, const std::string& before = "") {
    const auto kernels = parse_for_check(
        SourceText("a.cu",
                   before +
                       "__global__ void f(const float* x, const int* k, float* y, int n) {\n  int t = threadIdx.x;\n" +
                       body + "\n}\n"),
        "");
    EXPECT_TRUE(kernels.ok());
    if (!kernels.ok()) return;
    program = kernels->kernels[0].program;
    TraceOptions options;
    options.sizes = {{"n", 64}};
    options.shape.block = block;
    options.step_limit = 200'000;
    trace = trace_accesses(program, options);
  }
  // "store s: 32 of 1, load y: …" of shared memory: operation, array, worst and ideal wavefronts, requests.
  std::string shared() const { return listed(MemorySpace::kShared); }
  std::string global() const { return listed(MemorySpace::kGlobal); }
  std::string remarks() const {
    std::string text;
    for (const auto* list : {&program.skipped, &trace.remarks})
      for (const Diagnostic& d : *list) text += render(d);
    return text;
  }
  std::string listed(MemorySpace space) const {
    static constexpr const char* kNames[] = {"load", "store", "atomic", "ldmatrix", "stmatrix"};
    std::string text;
    for (const AccessSite& s : trace.sites) {
      if (s.space != space) continue;
      text += (text.empty() ? "" : ", ") + std::string(kNames[static_cast<int>(s.operation)]) + std::to_string(s.bits) +
              " " + s.array + " ";
      text += s.requests == 0
                  ? "unknown"
                  : std::to_string(s.worst) + "/" + std::to_string(s.worst_ideal) + " x" + std::to_string(s.requests);
    }
    return text;
  }
  Program program;
  AccessTrace trace;
};

TEST(AccessTrace, RowsAndColumnsOfATile) {
  EXPECT_EQ(Traced("  __shared__ float s[32][32];\n  s[t][0] = s[0][t];").shared(),
            "store32 s 32/1 x1, load32 s 1/1 x1");
  EXPECT_EQ(Traced("  __shared__ float s[32][33];\n  s[t][0] = s[0][t];").shared(),
            "store32 s 1/1 x1, load32 s 1/1 x1");
}

TEST(AccessTrace, StridesOfTheirGreatestCommonDivisorWith32) {
  for (const auto& [stride, wavefronts] :
       {std::pair(2, 2), {3, 1}, {4, 4}, {6, 2}, {8, 8}, {12, 4}, {16, 16}, {32, 32}, {33, 1}})
    EXPECT_EQ(Traced("  __shared__ int s[2048];\n  s[t * " + std::to_string(stride) + "] = 1;").shared(),
              "store32 s " + std::to_string(wavefronts) + "/1 x1");
}

TEST(AccessTrace, WidthsAndBroadcasts) {
  EXPECT_EQ(Traced("  __shared__ float4 s[64];\n  y[t] = s[t].x + s[0].y;").shared(),
            "load32 s 4/1 x1, load32 s 1/1 x1");
  EXPECT_EQ(Traced("  __shared__ float4 s[64];\n  float4 v = s[t];\n  y[t] = v.x;").shared(), "load128 s 4/4 x1");
  EXPECT_EQ(Traced("  __shared__ double s[64];\n  y[t] = s[t];").shared(), "load64 s 2/2 x1");
  EXPECT_EQ(Traced("  __shared__ char s[64];\n  y[t] = s[t];").shared(), "load8 s 1/1 x1");
}

TEST(AccessTrace, AnItemGoesInPiecesOfItsAlignment) {
  const Traced run("  __shared__ float3 s[64];\n  float3 v = s[t];\n  y[t] = v.x;");
  EXPECT_EQ(run.shared(), "load32 s 1/1 x3");
}

TEST(AccessTrace, CastsOfPointersKeepTheAddress) {
  EXPECT_EQ(
      Traced(
          "  extern __shared__ char raw[];\n  float* a = (float*)raw;\n  float4* b = reinterpret_cast<float4*>(a + 256);\n  b[t] = *reinterpret_cast<const float4*>(&x[4 * t]);")
          .shared(),
      "store128 raw 4/4 x1");
  EXPECT_EQ(
      Traced(
          "  extern __shared__ char raw[];\n  float* a = (float*)raw;\n  float4* b = reinterpret_cast<float4*>(a + 256);\n  b[t] = *reinterpret_cast<const float4*>(&x[4 * t]);")
          .global(),
      "load128 x 16/16 x1");
}

TEST(AccessTrace, SectorsOfARequest) {
  EXPECT_EQ(Traced("  y[t] = x[t];").global(), "store32 y 4/4 x1, load32 x 4/4 x1");
  EXPECT_EQ(Traced("  y[t] = x[t + 1];").global(), "store32 y 4/4 x1, load32 x 5/4 x1");
  EXPECT_EQ(Traced("  y[t] = x[t * 8];").global(), "store32 y 4/4 x1, load32 x 32/4 x1");
  EXPECT_EQ(Traced("  y[t] = x[0];").global(), "store32 y 4/4 x1, load32 x 1/1 x1");
}

TEST(AccessTrace, LoopsAndGuardsAreFollowed) {
  EXPECT_EQ(Traced("  __shared__ int s[64];\n  for (int i = t; i < n; i += 16) s[i] = i;", {16, 1, 1}).shared(),
            "store32 s 1/1 x4");
  EXPECT_EQ(Traced("  __shared__ int s[64];\n  if (t < 8) s[t * 8] = 0;").shared(), "store32 s 2/1 x1");
  EXPECT_EQ(
      Traced(
          "  __shared__ int s[64];\n  for (int i = 0; i < 4; ++i) {\n    if (i == 1) continue;\n    if (i == 3) break;\n    s[t] = 1;\n  }")
          .shared(),
      "store32 s 1/1 x2");
  EXPECT_EQ(Traced("  __shared__ int s[64];\n  if (t >= 32) return;\n  s[t] = 1;", {64, 1, 1}).shared(),
            "store32 s 1/1 x1");
  EXPECT_EQ(
      Traced(
          "  __shared__ int s[64];\n  switch (t & 1) {\n    case 0: s[t] = 1; break;\n    default: s[t * 2] = 2;\n  }")
          .shared(),
      "store32 s 1/1 x1, store32 s 2/1 x1");
}

TEST(AccessTrace, IndicesMayLieInSharedMemory) {
  EXPECT_EQ(
      Traced(
          "  __shared__ int order[32];\n  __shared__ float s[1024];\n  order[t] = t * 32;\n  __syncthreads();\n  y[t] = s[order[31 - t]];")
          .shared(),
      "store32 order 1/1 x1, load32 s 32/1 x1, load32 order 1/1 x1");
}

TEST(AccessTrace, AnAddressOfDataIsNotCounted) {
  const Traced run("  __shared__ int s[64];\n  atomicAdd(&s[k[t]], 1);\n  s[t] = 0;");
  EXPECT_EQ(run.shared(), "atomic32 s unknown, store32 s 1/1 x1");
  EXPECT_NE(run.remarks().find("a.cu:4:16: warning: this depends on data"), std::string::npos) << run.remarks();
}

// Nothing behind them hides accesses to shared memory: of such there are none, or they are said not to be counted.
TEST(AccessTrace, PointersOutOfGlobalMemoryLeadThereAgain) {
  const std::string node = "struct Node { Node* next; float* v; };\n__constant__ Node kHead;\n";
  const auto uncounted = [&](const std::string& body) { return Traced(body, {32, 1, 1}, node).trace.uncounted.size(); };
  EXPECT_EQ(uncounted("Node* l = (Node*)y; y[0] = l->next->next->v[t];"), 0u);
  EXPECT_EQ(uncounted("y[0] = kHead.next->v[t]; float** p = (float**)y; p[t][t] = 1;"), 0u);
  EXPECT_EQ(uncounted("Node l = ((Node*)y)[t]; l.v[k[t]] = 1;"), 0u);
  EXPECT_EQ(uncounted("const float* p = nullptr; if (x[0] > 0) p = x; else p = y; y[t] = p[t];"), 0u);
  EXPECT_EQ(uncounted("y[x[t] > 0 ? k[t] : k[0]] = (x[t] > 0 ? x : y)[t];"), 0u);
}

TEST(AccessTrace, PointersThatTheKernelPutThereMayLeadToSharedMemory) {
  const auto uncounted = [&](const std::string& body) {
    return Traced("__shared__ float s[64]; s[t] = 1; float** p = (float**)y; " + body).trace.uncounted.size();
  };
  EXPECT_EQ(uncounted("y[0] = p[t][t];"), 0u);
  EXPECT_EQ(uncounted("p[t] = y; y[0] = p[t][t];"), 0u);
  EXPECT_EQ(uncounted("p[t] = s; y[0] = p[t][t];"), 1u);
  EXPECT_EQ(uncounted("float* q = x[0] > 0 ? s : y; p[t] = q; y[0] = p[t][t];"), 1u);
  EXPECT_EQ(uncounted("float* q = x[0] > 0 ? s : y; y[0] = q[t];"), 1u);
}

TEST(AccessTrace, BothWaysOfABranchOnDataAreCounted) {
  const Traced run(
      "  __shared__ int s[64];\n  int i = t;\n  if (k[t] > 0) { s[t] = 1; i = 2 * t; }\n  else s[2 * t] = 1;\n  s[i] = 0;");
  EXPECT_EQ(run.shared(), "store32 s 1/1 x1, store32 s 2/1 x1, store32 s unknown");
  EXPECT_NE(run.remarks().find("a.cu:5:7: warning: data decide this condition"), std::string::npos) << run.remarks();
}

// One line for each store: whether it is conditional.
std::string conditions(const Traced& run) {
  std::string text;
  for (const AccessSite& s : run.trace.sites)
    if (s.operation == MemoryOperation::kStore) text += s.is_conditional ? '?' : '.';
  return text;
}

TEST(AccessTrace, WhatIsBehindALeaveThatDataDecideIsConditional) {
  const struct {
    const char *body, *conditions;
  } cases[] = {
      {"for (int i = t; i < n; i += 32) { s[i] = 0; if (i >= k[0]) continue; s[i] = 1; } s[t] = 2;", ".?."},
      {"for (int i = t; i < n; i += 32) { if (k[i] < 0) break; s[i] = 1; } s[t] = 2;", "?."},
      {"s[t] = 0; if (k[0] > 0) return; s[t] = 1; for (int i = t; i < n; i += 32) s[i] = 2;", ".??"},
      {"for (int i = t; i < n; i += 32) { if (k[i] < 0) return; s[i] = 1; } s[t] = 2;", "??"},
      {"for (int j = 0; j < 2; ++j) { if (k[j]) continue; for (int i = t; i < n; i += 32) s[i] = 1; } s[t] = 2;", "?."},
      {"for (int i = t; i < n; i += 32) { switch (i & 1) { case 0: if (k[i]) break; s[i] = 1; } s[i] = 2; }", "?."},
      {"left(k, s, t); s[t] = 2;", "?."},
      {"if (k[t]) return; put(s, t);", "?"},
  };
  for (const auto& c : cases) {
    const Traced run("  __shared__ int s[64];\n  " + std::string(c.body), {32, 1, 1},
                     "__device__ void left(const int* k, int* s, int t) { if (k[t]) return; s[t] = 1; }\n"
                     "__device__ void put(int* s, int t) { s[t] = 1; }\n");
    EXPECT_EQ(conditions(run), c.conditions) << c.body;
    EXPECT_NE(run.remarks().find("data decide this condition"), std::string::npos) << c.body;
  }
}

TEST(AccessTrace, ALeaveThatIsKnownIsExact) {
  for (const char* body :
       {"if (t >= n) return; s[t] = 1;", "for (int i = t; i < 80; i += 32) { if (i >= n) continue; s[i] = 1; }",
        "for (int i = t; i < 80; i += 32) { if (i >= n) break; s[i] = 1; }",
        "for (int i = 0; i < n; ++i) { if (k[i]) continue; } s[t] = 1;"}) {
    const Traced run("  __shared__ int s[64];\n  " + std::string(body));
    EXPECT_EQ(conditions(run), ".") << body;
    EXPECT_EQ(run.remarks(), "") << body;
  }
}

TEST(AccessTrace, TheRoundsBehindABreakOnDataAreCounted) {
  const Traced run("  __shared__ int s[64];\n  for (int i = t; i < n; i += 32) { if (k[i] < 0) break; s[i] = 1; }");
  EXPECT_EQ(run.shared(), "store32 s 1/1 x2");
}

TEST(AccessTrace, ALoopThatDataEndIsWalkedOnce) {
  const Traced run("  __shared__ int s[64];\n  int i = 0;\n  while (k[i] > 0) { s[t + i] = 1; ++i; }");
  EXPECT_EQ(run.shared(), "store32 s 1/1 x1");
  EXPECT_NE(run.remarks().find("a.cu:5:10: warning: data decide how often this loop runs"), std::string::npos)
      << run.remarks();
}

TEST(AccessTrace, ALoopWithoutEndMeetsTheLimit) {
  const Traced run("  __shared__ int s[64];\n  s[t] = 0;\n  for (int i = 0; i >= 0; i = (i + 1) & 7) s[t] = i;");
  EXPECT_FALSE(run.trace.is_complete);
  EXPECT_NE(run.remarks().find("the step limit is reached: "), std::string::npos) << run.remarks();
}

TEST(AccessTrace, InlinePtxIsReadWhereItTouchesMemory) {
  const std::string matrix =
      "  __shared__ __attribute__((aligned(16))) short s[64][64];\n  unsigned a = (unsigned)__cvta_generic_to_shared(&s[t % 16][t / 16 * 8]), r[4];\n"
      "  asm volatile(\"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];\" : \"=r\"(r[0]), \"=r\"(r[1]), \"=r\"(r[2]), \"=r\"(r[3]) : \"r\"(a));";
  EXPECT_EQ(Traced(matrix).shared(), "ldmatrix128 s 32/4 x1");
  EXPECT_EQ(
      Traced(
          "  __shared__ float4 s[64];\n  unsigned a;\n  asm(\"{ .reg .u64 p; cvta.to.shared.u64 p, %1; cvt.u32.u64 %0, p; }\" : \"=r\"(a) : \"l\"(&s[0]));\n"
          "  asm volatile(\"st.shared.v4.b32 [%0 + 16], {%1,%1,%1,%1};\" :: \"r\"(a + 16 * t), \"r\"(t));")
          .shared(),
      "store128 s 4/4 x1");
  const Traced unknown(
      "  asm volatile(\"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0}, %1, %2, 1, 1, 1, 0, 0;\" :: \"r\"(t), \"l\"(1ull), \"l\"(2ull));");
  EXPECT_NE(unknown.remarks().find("the PTX instruction 'wgmma.mma_async"), std::string::npos) << unknown.remarks();
}

TEST(AccessTrace, UnknownCallsAreSaidAndMayChangeWhatTheyGet) {
  const Traced run("  __shared__ int s[64];\n  int i = t;\n  s[i] = 1;\n  elsewhere(i);\n  s[i] = 2;");
  EXPECT_EQ(run.shared(), "store32 s 1/1 x1, store32 s unknown");
  EXPECT_NE(run.remarks().find("a.cu:6:3: warning: use of undeclared identifier 'elsewhere': not followed"),
            std::string::npos)
      << run.remarks();
}

TEST(AccessTrace, LambdasClassesAndReferencesAreFollowed) {
  const char* types =
      "struct Base { int pitch; __device__ int at(int r, int c) const { return r * pitch + c; } };\n"
      "struct Tile : Base { float* data; __device__ Tile(float* d, int p) : data(d) { pitch = p; } __device__ float& operator()(int r, int c) { return data[at(r, c)]; } };\n";
  EXPECT_EQ(Traced("  __shared__ float s[32 * 33];\n  Tile a(s, 32), b(s, 33);\n  a(t, 0) = 1;\n  b(t, 0) = 2;",
                   {32, 1, 1}, types)
                .shared(),
            "store32 s 32/1 x1, store32 s 1/1 x1");
  EXPECT_EQ(Traced("  __shared__ float s[1024];\n  auto put = [&](int i) { s[i * n] = 1; };\n  put(t % 16);").shared(),
            "store32 s 16/1 x1");
}

}  // namespace
}  // namespace swizzle::access_trace_test
