// Halves, ldmatrix and stmatrix, dynamic shared memory, and layouts that functions use.
#include <gtest/gtest.h>

#include "tests/end_to_end/accepting_nvcc.h"
#include "tests/end_to_end/tool.h"

namespace swizzle::test::matrices_test {
namespace {

const char* const kTranspose =
    "void k(const float* x, float* y, int n) {\n  for (int row = 0; row < 32; row++)\n    for (int column = 0; column < 32; column++) y[column * 32 + row] = x[row * 32 + column];\n}\n";
const char* const kHead = "#pragma swizzle launch grid(1) block(256)\n#pragma swizzle instance n = 1024\n";
const char* const kLanes = "  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;\n";

ToolResult complete(const std::string& sketch, const std::string& spec, const std::string& flags = "--run=cpu") {
  const ScratchFolder scratch;
  const std::string pair =
      fmt::format("'{}' --spec '{}' ", scratch.write("k.cu", sketch), scratch.write("k.cpp", spec));
  return flags == "--run=cpu" ? run_on_cpu(pair) : run_tool(pair + flags);
}

class MatrixSketches : public testing::TestWithParam<const char*> {};

TEST_P(MatrixSketches, AreCountedAsTheyWereEmitted) {
  const ToolResult c = run_pair(GetParam(), "--run=none --proof=posed");
  ASSERT_EQ(c.exit_code, 0) << c.output;
  const ScratchFolder scratch;
  const std::string kernel = scratch.write("k.cu", c.kernel), json = (scratch / "check.json").string();
  ASSERT_EQ(std::system(fmt::format("'{}' check '{}' --json '{}' > /dev/null 2>&1 < /dev/null", SWIZZLE_SYNTH_TOOL,
                                    kernel, json)
                            .c_str()),
            0);
  constexpr double kWarps = 4;
  double wavefronts = 0;
  const nlohmann::json checked = nlohmann::json::parse(read_file(json));
  EXPECT_EQ(checked["kernels"][0]["sizes"]["n"], 4096);
  for (const auto& access : checked["accesses"])
    if (access["space"] == "shared") wavefronts += access["wavefronts"]["total"].get<double>();
  EXPECT_EQ(wavefronts / kWarps, c.report["cost"]["shared_wavefronts"]);
}

INSTANTIATE_TEST_SUITE_P(Every, MatrixSketches,
                         testing::Values("tile_half64_ldmatrix", "tile_half128x32_ldmatrix", "tile_half64_stmatrix"),
                         [](const auto& info) { return info.param; });

TEST(Matrices, WithoutALayoutTheyConflict) {
  std::string text = read_file(std::string(SWIZZLE_SOURCE_DIR) + "/sketches/tile_half64_ldmatrix.cu");
  text.replace(text.find("?sw_layout(64, 64)"), 18, "?sw_layout(64, 64, sw_pitch(64))");
  const ToolResult c =
      complete(text, read_file(std::string(SWIZZLE_SOURCE_DIR) + "/specs/tile_half64_ldmatrix.cpp"), "--run=none");
  ASSERT_EQ(c.exit_code, 0) << c.output;
  EXPECT_EQ(c.report["cost"]["shared_wavefronts"], 16 + 2 * 4 * 4 * 8);
  EXPECT_EQ(c.report["accesses"][0]["operation"], "ldmatrix");
  EXPECT_EQ(c.report["accesses"][0]["wavefronts"]["worst"], 32);
}

// A wrong lane's row, a wrong register, a transposition too many: what is stored differs.
TEST(Matrices, AWrongFragmentIsInfeasible) {
  const std::string text = read_file(std::string(SWIZZLE_SOURCE_DIR) + "/sketches/tile_half128x32_ldmatrix.cu"),
                    spec = read_file(std::string(SWIZZLE_SOURCE_DIR) + "/specs/tile_half128x32_ldmatrix.cpp");
  for (const auto& [right, wrong] : {std::pair("lane % 16, c", "lane % 8, c"),
                                     {"make_uint4(a[0], a[1]", "make_uint4(a[1], a[0]"},
                                     {"x4.shared", "x4.trans.shared"}}) {
    std::string changed = text;
    changed.replace(changed.find(right), std::string(right).size(), wrong);
    EXPECT_EQ(complete(changed, spec, "--run=none").exit_code, 10) << right;
  }
}

TEST(Matrices, MayBeAHolesArgument) {
  const ToolResult c = complete(
      "#pragma swizzle launch grid(1) block(32)\n#pragma swizzle instance n = 64\n"
      "#define LDMATRIX_X1(R, address) asm volatile(\"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];\\n\" : \"=r\"(R) : \"r\"(address))\n"
      "__global__ void k(const unsigned short* x, unsigned short* y, int n) {\n  __shared__ __align__(16) unsigned short tile[64];\n  const int t = threadIdx.x;\n"
      "  tile[t] = x[t];\n  tile[t + 32] = x[t + 32];\n  __syncthreads();\n  unsigned r;\n"
      "  LDMATRIX_X1(r, (unsigned)__cvta_generic_to_shared(&tile[?sw_xform(t % 8, 8) * 8]));\n  *reinterpret_cast<unsigned*>(&y[2 * t]) = r;\n}\n",
      "void k(const unsigned short* x, unsigned short* y, int n) {\n  for (int i = 0; i < 64; i++) y[i] = x[(7 - i / 8) * 8 + i % 8];\n}\n");
  ASSERT_EQ(c.exit_code, 0) << c.output;
  EXPECT_EQ(c.report["checked"]["run"]["mismatches"], 0);
  EXPECT_EQ(c.report["cost"]["shared_wavefronts"], 3);
}

TEST(Halves, AreComputedWith) {
  const std::string head = "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n";
  const ToolResult c = complete(
      head +
          "#pragma swizzle launch grid(1) block(32)\n#pragma swizzle instance n = 32\n"
          "__global__ void k(const half* x, const __half2* w, const __nv_bfloat16* v, half* y, half2* z, __nv_bfloat16* u, int n) {\n  const int t = threadIdx.x;\n  const half2 p = w[t];\n"
          "  const half s = __shfl_sync(0xffffffffu, x[t], ?sw_xform(t, 32));\n  y[t] = s * __float2half(2.0f) + p.x;\n"
          "  z[t] = __hfma2(p, p, __half2half2(s)) + p;\n  u[t] = __hmax(v[t], __float2bfloat16(0.5f));\n}\n",
      head +
          "void k(const half* x, const __half2* w, const __nv_bfloat16* v, half* y, half2* z, __nv_bfloat16* u, int n) {\n  for (int t = 0; t < 32; t++) {\n    const half s = x[(t + 5) % 32];\n"
          "    y[t] = s + s + w[t].x;\n    z[t].x = w[t].x * w[t].x + s + w[t].x;\n    z[t].y = w[t].y * w[t].y + s + w[t].y;\n    u[t] = fmaxf(v[t], 0.5f);\n  }\n}\n");
  ASSERT_EQ(c.exit_code, 0) << c.output;
  EXPECT_NE(c.kernel.find("(t + 5) & 31"), std::string::npos) << c.kernel;
  EXPECT_EQ(c.report["checked"]["run"]["mismatches"], 0);
}

TEST(Halves, AreShuffledInPairs) {
  const std::string head = "#include <cuda_fp16.h>\n";
  const ToolResult c = complete(
      head +
          "#pragma swizzle launch grid(1) block(32)\n#pragma swizzle instance n = 32\n"
          "__global__ void k(const half2* x, half2* y, int n) {\n  const int t = threadIdx.x;\n  const half2 mine = x[t];\n  y[t] = __lowhigh2highlow(__shfl_sync(0xffffffffu, mine, ?sw_xform(t, 32)));\n}\n",
      head +
          "void k(const half2* x, half2* y, int n) {\n  for (int t = 0; t < 32; t++) {\n    y[t].x = x[31 - t].y;\n    y[t].y = x[31 - t].x;\n  }\n}\n");
  ASSERT_EQ(c.exit_code, 0) << c.output;
  EXPECT_NE(c.kernel.find("31 - t"), std::string::npos) << c.kernel;
  EXPECT_EQ(c.report["cost"]["shuffles"], 1);
  EXPECT_EQ(c.report["checked"]["run"]["mismatches"], 0);
}

TEST(Halves, ArePutTogetherFromPairs) {
  const std::string head = "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n";
  const ToolResult c = complete(
      head +
          "#pragma swizzle launch grid(1) block(32)\n#pragma swizzle instance n = 32\n"
          "__global__ void k(const half2* x, const __nv_bfloat162* v, half2* y, __nv_bfloat162* z, half2* w, int n) {\n"
          "  const int t = threadIdx.x;\n  const int i = ?sw_xform(t, 32);\n"
          "  y[t] = __lows2half2(x[t], x[i]);\n  z[t] = __highs2bfloat162(v[i], v[t]);\n  w[t] = __high2half2(x[i]);\n}\n",
      head +
          "void k(const half2* x, const __nv_bfloat162* v, half2* y, __nv_bfloat162* z, half2* w, int n) {\n"
          "  for (int t = 0; t < 32; t++) {\n    const int i = (t + 5) % 32;\n    y[t].x = x[t].x;\n    y[t].y = x[i].x;\n"
          "    z[t].x = v[i].y;\n    z[t].y = v[t].y;\n    w[t].x = x[i].y;\n    w[t].y = x[i].y;\n  }\n}\n");
  ASSERT_EQ(c.exit_code, 0) << c.output;
  EXPECT_NE(c.kernel.find("(t + 5) & 31"), std::string::npos) << c.kernel;
  EXPECT_EQ(c.report["checked"]["run"]["mismatches"], 0);
}

TEST(Halves, ConstantsAreRounded) {
  const std::string head = "#include <cuda_fp16.h>\n",
                    launch = "#pragma swizzle launch grid(1) block(32)\n#pragma swizzle instance n = 32\n";
  const auto kernel = [&](const std::string& factor) {
    return head + launch +
           "__global__ void k(const float* x, float* y, int n) { y[threadIdx.x] = x[?sw_xform(threadIdx.x % 32, 32)] * " +
           factor + "; }\n";
  };
  const std::string spec =
      head +
      "void k(const float* x, float* y, int n) { for (int i = 0; i < n; i++) y[i] = x[i] * 0.0999755859375f; }\n";
  EXPECT_EQ(complete(kernel("__half2float(__float2half(0.1f))"), spec).exit_code, 0);
  EXPECT_EQ(complete(kernel("0.1f"), spec).exit_code, 10);
}

TEST(Halves, NeedTheirHeader) {
  const ToolResult c = complete(
      std::string(kHead) +
          "__global__ void k(const half* x, half* y, int n) { y[threadIdx.x] = x[?sw_xform(threadIdx.x % 32, 32)]; }\n",
      kTranspose);
  EXPECT_EQ(c.exit_code, 1);
  EXPECT_NE(c.output.find("unknown type name 'half'"), std::string::npos) << c.output;
}

TEST(DynamicSharedMemory, IsAsLongAsItsLayoutAsks) {
  const ToolResult c = complete(
      kHead +
          std::string(
              "__global__ void k(const float* x, float* y, int n) {\n  auto L = ?sw_layout(32, 32);\n  extern __shared__ float tile[];\n") +
          kLanes +
          "  for (int i = 0; i < 4; i++) tile[L(warp + 8 * i, lane)] = x[(warp + 8 * i) * 32 + lane];\n  __syncthreads();\n"
          "  for (int i = 0; i < 4; i++) y[(warp + 8 * i) * 32 + lane] = tile[L(lane, warp + 8 * i)];\n}\n",
      kTranspose);
  ASSERT_EQ(c.exit_code, 0) << c.output;
  EXPECT_EQ(c.report["cost"]["shared_wavefronts"], 8);
  EXPECT_NE(c.kernel.find("extern __shared__ float tile[];"), std::string::npos) << c.kernel;
  EXPECT_EQ(c.report["checked"]["run"]["mismatches"], 0);
}

TEST(DynamicSharedMemory, IsNotRefusedAsBytesOutsideOfTheKernel) {
  const ToolResult c = complete(
      kHead +
          std::string(
              "extern __shared__ __align__(16) unsigned char memory[];\n__global__ void k(const float* x, float* y, int n) {\n  float* tile = reinterpret_cast<float*>(memory);\n") +
          kLanes +
          "  for (int i = 0; i < 4; i++) tile[(warp + 8 * i) * 33 + lane] = x[(warp + 8 * i) * 32 + lane];\n  __syncthreads();\n"
          "  for (int i = 0; i < 4; i++) y[(warp + 8 * i) * 32 + lane] = tile[?sw_xform(lane, 32) * 33 + warp + 8 * i];\n}\n",
      kTranspose);
  ASSERT_EQ(c.exit_code, 0) << c.output;
  EXPECT_EQ(c.report["checked"]["run"]["mismatches"], 0);
}

TEST(DynamicSharedMemory, IsOneArray) {
  const ToolResult c = complete(
      kHead +
          std::string(
              "__global__ void k(const float* x, float* y, int n) {\n  extern __shared__ float a[];\n  extern __shared__ float b[];\n  a[0] = b[0] = x[?sw_xform(threadIdx.x % 32, 32)];\n}\n"),
      kTranspose);
  EXPECT_EQ(c.exit_code, 1);
  EXPECT_NE(c.output.find("a second `extern __shared__` array"), std::string::npos) << c.output;
}

const char* const kFunctions =
    "template <class Layout>\n__device__ void put(float* tile, Layout L, int r, int c, float v) { tile[L(r, c)] = v; }\n"
    "template <class Layout>\n__device__ float get(const float* tile, const Layout& at, int r, int c) { return tile[at(r, c)]; }\n";

TEST(PassedLayouts, BecomeFunctionObjects) {
  const ToolResult c = complete(
      kHead + std::string(kFunctions) +
          "__global__ void k(const float* x, float* y, int n) {\n  auto L = ?sw_layout(32, 32);\n  __shared__ float tile[L.size()];\n" +
          kLanes +
          "  for (int i = 0; i < 4; i++) put(tile, L, warp + 8 * i, lane, x[(warp + 8 * i) * 32 + lane]);\n  __syncthreads();\n"
          "  for (int i = 0; i < 4; i++) y[(warp + 8 * i) * 32 + lane] = get(tile, L, lane, warp + 8 * i);\n}\n",
      kTranspose);
  ASSERT_EQ(c.exit_code, 0) << c.output;
  EXPECT_NE(c.kernel.find("struct { __device__ int operator()(int r, int c) const { return r * 33 + c; } } L;"),
            std::string::npos)
      << c.kernel;
  EXPECT_NE(c.kernel.find("__shared__ float tile[1056];"), std::string::npos) << c.kernel;
  EXPECT_EQ(c.report["cost"]["shared_wavefronts"], 8);
  EXPECT_EQ(c.report["checked"]["run"]["mismatches"], 0);
}

TEST(PassedLayouts, OfSeveralTilesAreToldApart) {
  const ToolResult c = complete(
      kHead + std::string(kFunctions) +
          "__global__ void k(const float* x, float* y, int n) {\n  auto A = ?sw_layout(32, 32);\n  auto B = ?sw_layout(32, 32);\n  __shared__ float tile[32 * 33], other[32 * 32];\n" +
          kLanes +
          "  for (int i = 0; i < 4; i++) put(tile, A, warp + 8 * i, lane, x[(warp + 8 * i) * 32 + lane]);\n  __syncthreads();\n"
          "  for (int i = 0; i < 4; i++) put(other, B, warp + 8 * i, lane, get(tile, A, lane, warp + 8 * i));\n  __syncthreads();\n"
          "  for (int i = 0; i < 4; i++) y[(warp + 8 * i) * 32 + lane] = get(other, B, warp + 8 * i, lane);\n}\n",
      kTranspose);
  ASSERT_EQ(c.exit_code, 0) << c.output;
  EXPECT_NE(c.kernel.find("return r * 33 + c; } } A;"), std::string::npos) << c.kernel;
  EXPECT_NE(c.kernel.find("return r * 32 + c; } } B;"), std::string::npos) << c.kernel;
  EXPECT_EQ(c.report["checked"]["run"]["mismatches"], 0);
}

TEST(PassedLayouts, IndexATileFromItsStart) {
  const ToolResult c = complete(
      kHead + std::string(kFunctions) +
          "__global__ void k(const float* x, float* y, int n) {\n  auto L = ?sw_layout(32, 32);\n  __shared__ float tile[32 * 33];\n" +
          kLanes + "  put(tile + 1, L, warp, lane, x[lane]);\n  y[lane] = get(tile, L, warp, lane);\n}\n",
      kTranspose);
  EXPECT_EQ(c.exit_code, 1);
  EXPECT_NE(c.output.find("a layout indexes 'tile' from its start"), std::string::npos) << c.output;
}

}  // namespace
}  // namespace swizzle::test::matrices_test
