// `verify` of launches and loops in the forms that host code and kernels give them: what is said of all sizes.
#include "tests/end_to_end/as_it_is.h"

namespace swizzle::test::launch_forms_test {
namespace {

class LaunchForms : public testing::TestWithParam<AsItIs> {};

TEST_P(LaunchForms, AreJudgedAtAllSizes) { expect_judged(GetParam()); }

const std::string kSpec =
    "void square(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) y[i] = x[i] * x[i]; }\n";

// By blocks of 128 threads.
AsItIs guarded(const std::string& name, const std::string& grid, const std::string& said, int exit_code = 0,
               const std::string& before = "") {
  return {name,
          "#include <algorithm>\n#include <cmath>\n" + before + R"(
__global__ void f(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * x[i];
}
void run(const float* x, float* y, int n) { f<<<)" +
              grid + ", 128>>>(x, y, n); }\n",
          kSpec,
          "",
          exit_code,
          said};
}

const std::string kEvery = "proved for every n from 1 to 2147483520";

INSTANTIATE_TEST_SUITE_P(
    Grids, LaunchForms,
    testing::Values(guarded("ByAFunction", "blocks(n, 128)", "proved for every n from 1 to 2147483519", 0,
                            "template <class T> T blocks(T n, T t) { return (n + t - 1) / t; }"),
                    guarded("Shifted", "(n + 127) >> 7", kEvery), guarded("ByACeiling", "std::ceil(n / 128.0)", kEvery),
                    guarded("ByACeilingOfFloats", "ceil((float)n / 128)", "proved for every n from 1 to 16777215"),
                    guarded("OneMore", "(n - 1) / 128 + 1", kEvery),
                    guarded("OneAnyway", "n / 128 + 1", "proved for every n from 0 to 2147483519"),
                    guarded("AtLeastOne", "std::max(1, (n + 127) / 128)", kEvery),
                    guarded("AtMostTwo", "std::min((n + 127) / 128, 2)", "none of the sizes given", 3),
                    guarded("RoundedDown", "std::max(1, n >> 7)", "proved for every n that is a multiple of 128")),
    name_of);

// By all blocks in turn.
AsItIs in_turns(const std::string& name, const std::string& loop, const std::string& said, int exit_code = 0,
                const std::string& grid = "std::min((n + 127) / 128, 64)") {
  return {
      name,
      "#include <algorithm>\n__global__ void f(const float* x, float* y, int n) {\n  int i = blockIdx.x * blockDim.x + "
      "threadIdx.x;\n  " +
          loop + "\n}\nvoid run(const float* x, float* y, int n) { f<<<" + grid + ", 128>>>(x, y, n); }\n",
      kSpec,
      "",
      exit_code,
      said};
}

INSTANTIATE_TEST_SUITE_P(
    Loops, LaunchForms,
    testing::Values(
        in_turns("OverAGridWithABound", "for (; i < n; i += blockDim.x * gridDim.x) y[i] = x[i] * x[i];",
                 "proved for every n from 1 to 1073741760"),
        in_turns("While", "while (i < n) { y[i] = x[i] * x[i]; i += blockDim.x * gridDim.x; }",
                 "proved for every n from 1 to 2147475456", 0, "64"),
        in_turns("WhileOneIsLeft", "while (i < n - 1) { y[i] = x[i] * x[i]; i += blockDim.x * gridDim.x; }",
                 "the kernel failed its verification", 3, "64"),
        in_turns(
            "OverTiles",
            "for (int t = blockIdx.x; t < (n + 127) / 128; t += gridDim.x) { i = t * 128 + threadIdx.x; if (i < n) y[i] = "
            "x[i] * x[i]; }",
            "proved for every n from 1", 0, "64"),
        in_turns(
            "OverTilesThatAreCounted",
            "const int tiles = (n + 127) / 128; for (int t = blockIdx.x; t < tiles; t += gridDim.x) { i = t * 128 + "
            "threadIdx.x; if (i < n) y[i] = x[i] * x[i]; }",
            "proved for every n from 1", 0, "64")),
    name_of);

const std::string kRows = R"(__global__ void f(const float* x, float* y, int rows, int cols) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (row >= rows) return;
  const float* in = x + row * cols;
  float s = 0;
  int c = threadIdx.x % 32;
  for (; c < cols; c += 32) s += in[c];
  for (int o = 16; o > 0; o /= 2) s += __shfl_down_sync(~0u, s, o);
  if (threadIdx.x % 32 == 0) y[row] = s;
}
void run(const float* x, float* y, int rows, int cols) {
  const int warps = 256 / 32;
  f<<<(rows + warps - 1) / warps, 256>>>(x, y, rows, cols);
}
)",
                  kRowsSpec = R"(void f(const float* x, float* y, int rows, int cols) {
  for (int r = 0; r < rows; ++r) {
    float s = 0;
    int c = 0;
    while (c < cols) { s += x[r * cols + c]; c++; }
    y[r] = s;
  }
}
)";

// As in NVIDIA's samples: a loop over tiles by two counters.
const std::string kTiles = R"(template <int B> __global__ void f(float* C, float* A, float* E, int wA, int wB) {
  const int tx = threadIdx.x, ty = threadIdx.y, first = wA * B * blockIdx.y;
  const int last = first + wA - 1;
  float sum = 0;
  for (int a = first, b = B * blockIdx.x; a <= last; a += B, b += B * wB) {
    __shared__ float As[B][B], Es[B][B];
    As[ty][tx] = A[a + wA * ty + tx];
    Es[ty][tx] = E[b + wB * ty + tx];
    __syncthreads();
    for (int k = 0; k < B; ++k) sum += As[ty][k] * Es[k][tx];
    __syncthreads();
  }
  C[wB * B * blockIdx.y + B * blockIdx.x + wB * ty + tx] = sum;
}
#pragma swizzle assume wA % 16 == 0
void run(float* C, float* A, float* E, int hA, int wA, int wB) {
  dim3 threads(16, 16), grid(wB / threads.x, hA / threads.y);
  f<16><<<grid, threads>>>(C, A, E, wA, wB);
}
)",
                  kProduct = R"(void f(float* C, float* A, float* E, int hA, int wA, int wB) {
  for (int i = 0; i < hA; ++i)
    for (int j = 0; j < wB; ++j) {
      float s = 0;
      for (int k = 0; k < wA; ++k) s += A[i * wA + k] * E[k * wB + j];
      C[i * wB + j] = s;
    }
}
)",
                  kRagged = R"(__global__ void f(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float As[16][16], Bs[16][16];
  const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  float sum = 0;
  const int tiles = (K + 15) / 16;
  for (int t = 0; t < tiles; ++t) {
    const int a = t * 16 + tx, b = t * 16 + ty;
    As[ty][tx] = row < M && a < K ? A[row * K + a] : 0.0f;
    Bs[ty][tx] = b < K && col < N ? B[b * N + col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  if (row < M && col < N) C[row * N + col] = sum;
}
void run(const float* A, const float* B, float* C, int M, int N, int K) {
  f<<<dim3((N + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(A, B, C, M, N, K);
}
)",
                  kRaggedProduct = R"(void f(const float* A, const float* B, float* C, int M, int N, int K) {
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j) {
      float s = 0;
      for (int k = 0; k < K; ++k) s += A[i * K + k] * B[k * N + j];
      C[i * N + j] = s;
    }
}
)";

INSTANTIATE_TEST_SUITE_P(
    Sums, LaunchForms,
    testing::Values(AsItIs{"OfRows", kRows, kRowsSpec, "", 0, "proved for every size with 1 <= rows"},
                    AsItIs{"OfRowsFromOneOn",
                           changed(kRows, "int c = threadIdx.x % 32", "int c = threadIdx.x % 32 + 1"), kRowsSpec, "", 3,
                           "the kernel failed its verification"},
                    AsItIs{"OfTilesByTwoCounters", kTiles, kProduct, "", 0,
                           "proved for every size with wB % 16 == 0, hA % 16 == 0"},
                    AsItIs{"OfTiles", kRagged, kRaggedProduct, "", 0, "proved for every size with 1 <= N",
                           "--run=none --proof=all"},
                    AsItIs{"OfSquaresWithoutARest",
                           "__global__ void f(const float* x, float* y, int n) {\n"
                           "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n * n) y[i] = x[i];\n}\n"
                           "void run(const float* x, float* y, int n) { f<<<n * n / 256, 256>>>(x, y, n); }\n",
                           "void f(const float* x, float* y, int n) { for (int i = 0; i < n * n; i++) y[i] = x[i]; }\n",
                           "", 0, "proved for every size with (n * n) % 256 == 0, 256 <= n * n, 1 <= n <= 46340"},
                    AsItIs{"OfTilesButTheLast", changed(kRagged, "(K + 15) / 16", "(K + 14) / 16"), kRaggedProduct, "",
                           3, "the kernel failed its verification"}),
    name_of);

// Of a spec, whose loop goes on by what it changes.
AsItIs specified(const std::string& name, const std::string& spec) {
  return {name,
          guarded("", "(n + 127) / 128", "").program,
          "void f(const float* x, float* y, int n) { " + spec + " }\n",
          "",
          0,
          "not proved for other sizes"};
}

INSTANTIATE_TEST_SUITE_P(
    Steps, LaunchForms,
    testing::Values(
        specified("ThatGrow", "int s = 1; for (int i = 0; i < n; i += s) { y[i] = x[i] * x[i]; if (i > 600) s = 2; }"),
        specified("ThatAreChosen",
                  "int s = 1; for (int i = 0; i < n; i += s) { y[i] = x[i] * x[i]; s = i > 20000 ? 2 : 1; }"),
        specified("OfTheHead", "for (int i = 0, s = 1; i < n; i += s) { y[i] = x[i] * x[i]; if (i > 20000) s += 1; }"),
        specified("OfAnEndThatMoves",
                  "int m = n; for (int i = 0; i < m; ++i) { y[i] = x[i] * x[i]; if (i > 20000) m = n - 1; }")),
    name_of);

// At indices that data decide.
const std::string kRowsOfATable = R"(#pragma swizzle range id(0, rows)
__global__ void f(const int* id, const float* table, float* y, int n, int rows, int d) {
  const int i = blockIdx.x;
  const int first = id[i] * d;
  for (int j = threadIdx.x; j < d; j += 128) y[i * d + j] = table[first + j];
}
void run(const int* id, const float* table, float* y, int n, int rows, int d) { f<<<n, 128>>>(id, table, y, n, rows, d); }
)",
                  kRowsOfATableSpec = R"(void f(const int* id, const float* table, float* y, int n, int rows, int d) {
  for (int i = 0; i < n; ++i) for (int j = 0; j < d; ++j) y[i * d + j] = table[id[i] * d + j];
}
)",
                  kBytes = R"(__global__ void f(const unsigned char* x, const float* table, float* y, int n) {
  const int i = blockIdx.x * 128 + threadIdx.x;
  if (i < n) y[i] = table[x[i] & 15] + table[16 + (x[i] >> 4)];
}
void run(const unsigned char* x, const float* table, float* y, int n) { f<<<(n + 127) / 128, 128>>>(x, table, y, n); }
)",
                  kBytesSpec = R"(void f(const unsigned char* x, const float* table, float* y, int n) {
  const float* high = table + 16;
  for (int i = 0; i < n; ++i) y[i] = table[x[i] & 15] + high[x[i] >> 4];
}
)";

const std::string
    kNeighbours = R"(#pragma swizzle range id(0, m)
__global__ void f(const int* id, const float* x, float* y, int n, int m) {
  const int i = blockIdx.x * 128 + threadIdx.x;
  const int own = i < n ? id[i] : 0, other = __shfl_xor_sync(~0u, own, 1);
  const float v = __shfl_xor_sync(~0u, x[3 * other + 2], 1);
  if (i < n) y[i] = v;
}
void run(const int* id, const float* x, float* y, int n, int m) { f<<<(n + 127) / 128, 128>>>(id, x, y, n, m); }
)",
    kNeighboursSpec =
        "void f(const int* id, const float* x, float* y, int n, int m) { for (int i = 0; i < n; ++i) y[i] = x[3 * "
        "id[i] + 2]; }\n";

INSTANTIATE_TEST_SUITE_P(
    Gathers, LaunchForms,
    testing::Values(
        AsItIs{"RowsOfATable", kRowsOfATable, kRowsOfATableSpec, "", 0, "proved for every size with 1 <= n"},
        AsItIs{"RowsOfATableByPointers",
               changed(changed(kRowsOfATable, "const int first = id[i] * d",
                               "const float* first = table + (size_t)id[i] * d"),
                       "table[first + j]", "first[j]"),
               kRowsOfATableSpec, "", 0, "proved for every size with 1 <= n"},
        AsItIs{"RowsOneBehind", changed(kRowsOfATable, "id[i] * d", "(id[i] + 1) * d"), kRowsOfATableSpec, "", 3,
               "failed its verification"},
        AsItIs{"OfOtherRowsFromTheHundredthOn", changed(kRowsOfATable, "id[i] * d", "id[i < 100 ? i : 0] * d"),
               kRowsOfATableSpec, "", 0, "not proved for other sizes"},
        AsItIs{"ThroughNeighbours", kNeighbours, kNeighboursSpec, "", 0, "proved for every size with 1 <= n"},
        AsItIs{"ThroughOtherNeighbours", changed(kNeighbours, "3 * other + 2], 1", "3 * other + 2], 2"),
               kNeighboursSpec, "", 3, "failed its verification"},
        AsItIs{"Bytes", kBytes, kBytesSpec, "", 0, "proved for every n from 1"}),
    name_of);

// By blocks of rows and columns, where the spec counts elements.
const std::string kImages = R"(__global__ void f(const float* x, const float* bias, float* y, int n, int c, int s) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, channel = blockIdx.y;
  if (i >= s) return;
  const size_t at = ((size_t)blockIdx.z * c + channel) * s + i;
  y[at] = x[at] + bias[channel];
}
void run(const float* x, const float* bias, float* y, int n, int c, int s) {
  f<<<dim3((s + 127) / 128, c, n), 128>>>(x, bias, y, n, c, s);
}
)",
                  kFlatImages = R"(void f(const float* x, const float* bias, float* y, int n, int c, int s) {
  for (size_t i = 0; i < (size_t)n * c * s; ++i) {
    const size_t plane = i / s;
    y[i] = x[i] + bias[plane % c];
  }
}
)",
                  kTurned = R"(__global__ void f(const float* x, float* y, int h, int w) {
  const int i = blockIdx.x * 32 + threadIdx.x, j = blockIdx.y * 8 + threadIdx.y;
  if (i < h && j < w) y[j * h + i] = x[i * w + j];
}
void run(const float* x, float* y, int h, int w) { f<<<dim3((h + 31) / 32, (w + 7) / 8), dim3(32, 8)>>>(x, y, h, w); }
)",
                  kFlatTurned = R"(void f(const float* x, float* y, int h, int w) {
  for (int i = 0; i < w * h; ++i) { const int r = i / h, c = i % h; y[i] = x[c * w + r]; }
}
)";

INSTANTIATE_TEST_SUITE_P(
    Flat, LaunchForms,
    testing::Values(
        AsItIs{
            "Images", kImages, kFlatImages, "", 0,
            "proved for every size with 1 <= s <= 2147483520, 1 <= c <= 65535, 1 <= n <= 65535, s * c * n <= 2147483647"},
        AsItIs{"ImagesOfOtherBiases", kImages, changed(kFlatImages, "plane % c", "plane % n"), "", 3,
               "failed its verification"},
        AsItIs{"Turned", kTurned, kFlatTurned, "", 0,
               "proved for every size with 1 <= h <= 2147483616, 1 <= w <= 524280"},
        AsItIs{"TurnedTheOtherWay", kTurned, changed(kFlatTurned, "c * w + r", "r * h + c"), "", 3,
               "failed its verification"}),
    name_of);

// What a launch hands over is computed from sizes that the spec has.
const std::string kHanded = R"(__global__ void f(float* y, const float* x, int N, int C) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= N) return;
  float s = 0;
  for (int c = 0; c < C; c++) s += x[i * C + c];
  y[i] = s;
}
void run(float* y, const float* x, int B, int T, int C) {
  const int N = B * T;
  f<<<(N + 127) / 128, 128>>>(y, x, N, C);
}
)",
                  kHandedSpec = R"(void f(float* y, const float* x, int B, int T, int C) {
  for (int b = 0; b < B; b++)
    for (int t = 0; t < T; t++) {
      float s = 0;
      for (int c = 0; c < C; c++) s += x[b * T * C + t * C + c];
      y[b * T + t] = s;
    }
}
)",
                  kRowsOfWarps = R"(__global__ void f(float* y, const float* x, int N, int C) {
  if (blockIdx.x >= N) return;
  float s = 0;
  for (int c = threadIdx.x; c < C; c += 32) s += x[blockIdx.x * C + c];
  for (int o = 16; o > 0; o >>= 1) s += __shfl_xor_sync(~0u, s, o);
  if (threadIdx.x == 0) y[blockIdx.x] = s;
}
void run(float* y, const float* x, int B, int T, int C) { f<<<B * T, 32>>>(y, x, B * T, C); }
)";

INSTANTIATE_TEST_SUITE_P(
    Handed, LaunchForms,
    testing::Values(AsItIs{"AProduct", kHanded, kHandedSpec, "", 0, "B * T <= 2147483520", ""},
                    AsItIs{"OneLessThanAProduct", changed(kHanded, "N = B * T", "N = B * T - 1"), kHandedSpec, "", 3,
                           "failed its verification"},
                    AsItIs{"AsManyBlocks", kRowsOfWarps, kHandedSpec, "", 0, "C * B * T <= 2147483647"},
                    AsItIs{"AsManyBlocksOfOtherRows",
                           changed(kRowsOfWarps, "x[blockIdx.x * C", "x[(blockIdx.x ^ 1) * C"), kHandedSpec, "", 3,
                           "failed its verification"},
                    AsItIs{"TwoThatDiffer",
                           kHanded + "void other(float* y, const float* x, int v, int w) { f<<<(v * w + 127) / "
                                     "128, 128>>>(y, x, v * w, 3); }\n",
                           kHandedSpec, "", 1, "the spec takes 5 parameters, and the kernel 4"}),
    name_of);

// More elements are tried than there are threads.
const std::string kOnce = R"(__global__ void f(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * x[i];
}
void run(const float* x, float* y, int n) { f<<<8, 128>>>(x, y, n); }
)",
                  kTail = R"(__global__ void f(const float* x, float* y, int n) {
  const int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  for (int k = 0; k < 4; k++) if (i + k < n) y[i + k] = x[i + k] * x[i + k];
}
void run(const float* x, float* y, int n) { f<<<(n / 4 + 127) / 128, 128>>>(x, y, n); }
)";

INSTANTIATE_TEST_SUITE_P(Counts, LaunchForms,
                         testing::Values(AsItIs{"AGridThatIsTooSmall", kOnce, kSpec, "", 3, "failed its verification"},
                                         AsItIs{"ATailThatHasNoThread", kTail, kSpec, "", 3,
                                                "failed its verification"}),
                         name_of);

const std::string kConstants = R"(__constant__ float w[3];
__global__ void f(const float* x, float* y, int n) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n) y[i] = w[0] * x[i] + w[1] * x[i + 1] + w[2] * x[i + 2];
}
void run(const float* x, float* y, int n) { f<<<(n + 63) / 64, 64>>>(x, y, n); }
)";

INSTANTIATE_TEST_SUITE_P(
    Specs, LaunchForms,
    testing::Values(
        AsItIs{"OfAnyName", guarded("", "(n + 127) / 128", "").program, kSpec, "", 0, kEvery},
        AsItIs{"WithHelpers", guarded("", "(n + 127) / 128", "").program,
               "float twice(float a) { return a * a; }\nvoid all(const float* x, float* y, int n) { for (int i = 0; i "
               "< n; ++i) y[i] = twice(x[i]); }\n",
               "", 0, kEvery},
        AsItIs{"OfTwoNames", guarded("", "(n + 127) / 128", "").program, kSpec + changed(kSpec, "square", "cube"), "",
               1, "there are square, cube"},
        AsItIs{"OfConstantsElsewhere", kConstants,
               "extern const float w[3];\nvoid f(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) y[i] = "
               "w[0] * x[i] + w[1] * x[i + 1] + w[2] * x[i + 2]; }\n",
               "", 0, "proved for every n from 1"}),
    name_of);

}  // namespace
}  // namespace swizzle::test::launch_forms_test
