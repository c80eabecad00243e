// Loops as engineers write them: tiles by a product or a rounded quotient, rows whose results are kept where they go,
// borders that wrap around, and halos in shared memory.
#include "tests/end_to_end/as_it_is.h"

namespace swizzle::test::usual_loops_test {
namespace {

// A product of matrices by tiles of 16, whose loop over them has this head.
AsItIs tiles(const std::string& name, const std::string& head, const std::string& said, int exit_code = 0) {
  const std::string parameters = "(const float* a, const float* b, float* c, int M, int N, int K)";
  return {
      name,
      "__global__ void f" + parameters +
          " {\n  __shared__ float s[16][16], t[16][16];\n"
          "  const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, col = blockIdx.x * 16 + x;\n"
          "  float v = 0;\n  " +
          head +
          " {\n    s[y][x] = row < M && m * 16 + x < K ? a[row * K + m * 16 + x] : 0;\n"
          "    t[y][x] = m * 16 + y < K && col < N ? b[(m * 16 + y) * N + col] : 0;\n    __syncthreads();\n"
          "    for (int k = 0; k < 16; k++) v += s[y][k] * t[k][x];\n    __syncthreads();\n  }\n"
          "  if (row < M && col < N) c[row * N + col] = v;\n}\nvoid run" +
          parameters + " { f<<<dim3((N + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(a, b, c, M, N, K); }\n",
      "void f" + parameters +
          " {\n  for (int i = 0; i < M; i++)\n    for (int j = 0; j < N; j++) {\n      float v = 0;\n"
          "      for (int k = 0; k < K; k++) v += a[i * K + k] * b[k * N + j];\n      c[i * N + j] = v;\n    }\n}\n",
      "--proof=all --time-limit 20",
      exit_code,
      said};
}

// A thread for each row, and in a block each.
AsItIs row(const std::string& name, const std::string& loops, const std::string& said, int exit_code = 0,
           const std::string& after = "y[r * n + c] = x[r * n + c] * x[r * n + c] / s;") {
  const std::string parameters = "(const float* x, float* y, int rows, int n)";
  return {name,
          "__global__ void f" + parameters +
              " {\n  const int r = blockIdx.x * 64 + threadIdx.x;\n  if (r >= rows) return;\n  float s = 1;\n  " +
              loops + "\n}\nvoid run" + parameters + " { f<<<(rows + 63) / 64, 64>>>(x, y, rows, n); }\n",
          "void f" + parameters +
              " {\n  for (int r = 0; r < rows; r++) {\n    float s = 1;\n"
              "    for (int c = 0; c < n; c++) s += x[r * n + c] * x[r * n + c];\n    for (int c = 0; c < n; c++) " +
              after + "\n  }\n}\n",
          "--set rows=70 --set n=40",
          exit_code,
          said};
}
constexpr const char* kEveryRow = "; proved for every size with 1 <= rows <= 2147483584, 1 <= n <= 2147483647";

AsItIs line(const std::string& name, const std::string& kernel, const std::string& spec, const std::string& said,
            int exit_code = 0) {
  const std::string parameters = "(const float* x, float* y, int n)";
  return {name,
          "__global__ void f" + parameters + " {\n  const int t = threadIdx.x, i = blockIdx.x * 64 + t;\n  " + kernel +
              "\n}\nvoid run" + parameters + " { f<<<(n + 63) / 64, 64>>>(x, y, n); }\n",
          "void f" + parameters + " {\n  " + spec + "\n}\n",
          "--set n=130",
          exit_code,
          said};
}

const std::string kHalo =
    "__shared__ float s[66];\n  if (i < n) s[t + 1] = x[i];\n  if (t == 0 && i > 0) s[0] = x[i - 1];\n"
    "  if (t == 63 && i + 1 < n) s[65] = x[i + 1];\n  __syncthreads();\n";
const std::string kInterior = "for (int i = 1; i < n - 1; i++) y[i] = x[i - 1] + x[i] + x[i + 1];";
const std::string kPeriodic =
    "for (int i = 0; i < n; i++) y[i] = x[i == 0 ? n - 1 : i - 1] + x[i == n - 1 ? 0 : i + 1];";

class UsualLoops : public testing::TestWithParam<AsItIs> {};

TEST_P(UsualLoops, AreJudgedAtEverySize) { expect_judged(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Of, UsualLoops,
    testing::Values(
        tiles("TilesByAProduct", "for (int m = 0; m * 16 < K; m++)", "1 <= K <= 2147483632"),
        tiles("TilesByFloats", "for (int m = 0; m < ceil(K / (float)16); ++m)",
              "1 <= K <= 16777215, K * M <= 2147483647, K * N"),
        tiles("TilesByDoubles", "const int end = (int)ceil(K / 16.0); for (int m = 0; m < end; ++m)",
              "1 <= K <= 2147483632"),
        tiles("TilesFromOneLess", "for (int m = 0; m < (K - 1) / 16 + 1; ++m)", "1 <= K <= 2147483632"),
        tiles("TilesRoundedDown", "for (int m = 0; m < floorf(K / 16.0f); m++)", "failed its verification", 3),
        tiles("TilesOfTheWrongSize", "for (int m = 0; m * 32 < K; m++)", "failed its verification", 3),
        row("RowsKeptWhereTheyGo",
            "for (int c = 0; c < n; c++) { y[r * n + c] = x[r * n + c] * x[r * n + c]; s += y[r * n + c]; }\n"
            "  for (int c = 0; c < n; c++) y[r * n + c] /= s;",
            kEveryRow),
        row("RowsByPointersAndNames",
            "const float* from = x + r * n; float* to = y + r * n;\n"
            "  for (int c = 0; c < n; c++) { const float v = from[c], w = v * v; to[c] = w; s += w; }\n"
            "  for (int k = 0; k < n; k++) to[k] = to[k] / s;",
            kEveryRow),
        row("RowsReadThreeTimes",
            "for (int c = 0; c < n; c++) y[r * n + c] = x[r * n + c] * x[r * n + c];\n"
            "  for (int c = 0; c < n; c++) s += y[r * n + c];\n  for (int c = 0; c < n; c++) y[r * n + c] /= s;",
            kEveryRow),
        row("RowsThatAreReadWhereTheyEnd",
            "for (int c = 0; c < n; c++) { y[r * n + c] = x[r * n + c]; }\n"
            "  for (int c = 0; c < n; c++) s += y[r * n + c];",
            kEveryRow, 0, "y[r * n + c] = x[r * n + c];"),
        row("RowsOfWhichTheSumIsMissing",
            "for (int c = 0; c < n; c++) { y[r * n + c] = x[r * n + c] * x[r * n + c]; s += x[r * n + c]; }\n"
            "  for (int c = 0; c < n; c++) y[r * n + c] /= s;",
            "failed its verification", 3),
        row("RowsWhoseSumComesTooEarly",
            "for (int c = 0; c < n; c++) { s += 0; y[r * n + c] = x[r * n + c] * x[r * n + c] / s; s += y[r * n + c]; }\n"
            "  for (int c = 0; c < n; c++) y[r * n + c] *= 1;",
            "failed its verification", 3),
        row("RowsThatMeet",
            "for (int c = 0; c < n; c++) { y[r * n + c / 2] = x[r * n + c] * x[r * n + c]; s += y[r * n + c / 2]; }\n"
            "  for (int c = 0; c < n; c++) y[r * n + c / 2] /= s;",
            "failed its verification", 3),
        row("RowsThatOthersShift",
            "for (int c = 0; c < n; c++) { y[r * n + c] = x[r * n + c] * x[r * n + c]; s += y[r * n + c]; }\n"
            "  for (int c = 0; c < n; c++) y[r * n + c] = y[r * n + (c + 1 < n ? c + 1 : c)] / s;",
            "failed its verification", 3),
        row("RowsThatAreSetAndThenAddedTo",
            "for (int c = 0; c < n; c++) y[r * n + c] = 0;\n  for (int c = 0; c < n; c++)\n"
            "    for (int k = 0; k < 3; k++) y[r * n + c] += x[r * n + c] * k;",
            kEveryRow, 0, "y[r * n + c] = x[r * n + c] * 0 + x[r * n + c] * 1 + x[r * n + c] * 2;"),
        line(
            "SumsInGlobalMemory", "if (i >= n) return;\n  y[i] = 0;\n  for (int k = 0; k < n; k++) y[i] += x[k] * i;",
            "for (int i = 0; i < n; i++) {\n    float s = 0;\n    for (int k = 0; k < n; k++) s += x[k] * i;\n    y[i] = s;\n  }",
            "proved for every n from 1 to 2147483584"),
        line("SumsOverWhatIsThere", "if (i < n)\n    for (int k = 0; k < n; k++) y[i] += x[k] * i;",
             "for (int i = 0; i < n; i++)\n    for (int k = 0; k < n; k++) y[i] += x[k] * i;",
             "proved for every n from 1 to 2147483584"),
        line("SumsOfSeveralThreads",
             "const int j = min(i, n - 1);\n  y[j] = 0;\n  for (int k = 0; k < n; k++) y[j] += x[k] * j;",
             "for (int i = 0; i < n; i++) {\n    y[i] = 0;\n    for (int k = 0; k < n; k++) y[i] += x[k] * i;\n  }",
             "a race", 3),
        line(
            "ASpecThatSetsAndThenAdds",
            "if (i >= n) return;\n  float s = 0;\n  for (int k = 0; k < n; k++) s += x[k] * i;\n  y[i] = s;",
            "for (int i = 0; i < n; i++) y[i] = 0;\n  for (int i = 0; i < n; i++)\n    for (int k = 0; k < n; k++) y[i] += x[k] * i;",
            "proved for every n from 1 to 2147483584"),
        line(
            "ASpecThatSetsOtherElements",
            "if (i >= n) return;\n  float s = 0;\n  for (int k = 0; k < n; k++) s += x[k];\n  y[i] = s;",
            "for (int i = 0; i < n; i++) y[i] = 0;\n  for (int i = 1; i < n; i++)\n    for (int k = 0; k < n; k++) y[i] += x[k];",
            "y[0] is", 3),
        line("AHaloInSharedMemory", kHalo + "  if (i > 0 && i < n - 1) y[i] = s[t] + s[t + 1] + s[t + 2];", kInterior,
             "proved for every size with 1 <= n <= 2147483584, x has n elements"),
        line("AHaloWithoutItsEnd", kHalo + "  if (i > 0 && i < n) y[i] = s[t] + s[t + 1] + s[t + 2];", kInterior,
             "failed its verification", 3),
        line("BordersThatWrapAround", "if (i < n) y[i] = x[(i + n - 1) % n] + x[(i + 1) % n];", kPeriodic,
             "proved for every n from 1 to"),
        line("BordersThatWrapTooEarly", "if (i < n) y[i] = x[(i + n - 1) % n] + x[(i + 1) % (n - 1)];", kPeriodic,
             "y[128] is", 3)),
    name_of);

}  // namespace
}  // namespace swizzle::test::usual_loops_test
