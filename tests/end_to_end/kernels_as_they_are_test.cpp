// `verify` of kernels and launches as repositories have them, with one size given: what is said of all others.
#include "tests/end_to_end/as_it_is.h"

namespace swizzle::test::kernels_as_they_are_test {
namespace {

class KernelsAsTheyAre : public testing::TestWithParam<AsItIs> {};

TEST_P(KernelsAsTheyAre, AreJudgedAtAllSizes) { expect_judged(GetParam()); }

// Rows of any length, one a block: how many there are, the launch alone knows.
const std::string kNorm = R"(__global__ void f(const float* x, const float* w, float* y, int cols) {
  __shared__ float part[8];
  const float* in = x + (size_t)blockIdx.x * cols;
  float s = 0;
  for (int c = threadIdx.x; c < cols; c += 256) s += in[c] * in[c];
  for (int o = 16; o > 0; o >>= 1) s += __shfl_xor_sync(0xffffffff, s, o);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = s;
  __syncthreads();
  float total = 0;
  for (int i = 0; i < 8; ++i) total += part[i];
  const float r = rsqrtf(total / cols + 1e-5f);
  for (int c = threadIdx.x; c < cols; c += 256) y[(size_t)blockIdx.x * cols + c] = in[c] * r * w[c];
}
void launch(const float* x, const float* w, float* y, int rows, int cols) { f<<<rows, 256>>>(x, w, y, cols); }
)",
                  kNormSpec = R"(void f(const float* x, const float* w, float* y, int rows, int cols) {
  for (int r = 0; r < rows; ++r) {
    float s = 0;
    for (int c = 0; c < cols; ++c) s += x[r * cols + c] * x[r * cols + c];
    const float q = rsqrtf(s / cols + 1e-5f);
    for (int c = 0; c < cols; ++c) y[r * cols + c] = x[r * cols + c] * q * w[c];
  }
}
)",
                  kNormSizes = "--set rows=2 --set cols=300";

INSTANTIATE_TEST_SUITE_P(
    Rows, KernelsAsTheyAre,
    testing::Values(
        AsItIs{
            "Normed", kNorm, kNormSpec, kNormSizes, 0,
            "proved for every size with 1 <= rows <= 2147483647, 1 <= cols <= 2147483392, rows * cols <= 2147483647"},
        AsItIs{"NormedAndRun", kNorm, kNormSpec, "--set rows=2 --set cols=40", 0, "ran on cpu", "--run=cpu"},
        AsItIs{"OfSixtyFourOrMore", changed(kNorm, "total / cols", "total / max(cols, 64)"), kNormSpec, kNormSizes, 0,
               "proved for every size with cols == 300"},
        AsItIs{"OfLinesThatTheSpecDoesNotName",
               changed(kNorm, "int rows, int cols) { f<<<rows", "int lines, int cols) { f<<<lines"), kNormSpec,
               kNormSizes, 1, "the spec takes 5 parameters, and the kernel 4"}),
    name_of);

const std::string
    kPairs = R"(__global__ void f(const float* x, const float* a, const float* b, float* y, int n) {
  const int row = blockIdx.x;
  for (int i = threadIdx.x; i < n / 2; i += blockDim.x) {
    const float u = x[row * n + 2 * i], v = x[row * n + 2 * i + 1];
    y[row * n + 2 * i] = u * a[i] - v * b[i];
    y[row * n + 2 * i + 1] = u * b[i] + v * a[i];
  }
}
void launch(const float* x, const float* a, const float* b, float* y, int rows, int n) {
  f<<<rows, 128>>>(x, a, b, y, n);
}
)",
    kPairsSpec = R"(void f(const float* x, const float* a, const float* b, float* y, int rows, int n) {
  for (int r = 0; r < rows; ++r) for (int i = 0; i < n / 2; ++i) {
    y[r * n + 2 * i] = x[r * n + 2 * i] * a[i] - x[r * n + 2 * i + 1] * b[i];
    y[r * n + 2 * i + 1] = x[r * n + 2 * i] * b[i] + x[r * n + 2 * i + 1] * a[i];
  }
}
)",
    kReverse = R"(__global__ void f(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 2) { const float a = x[i]; x[i] = x[n - 1 - i]; x[n - 1 - i] = a; }
}
void launch(float* x, int n) { f<<<(n / 2 + 255) / 256, 256>>>(x, n); }
)",
    kReverseSpec =
        "void f(float* x, int n) { for (int i = 0; i < n / 2; ++i) { const float a = x[i]; x[i] = x[n - 1 "
        "- i]; x[n - 1 - i] = a; } }\n";

INSTANTIATE_TEST_SUITE_P(
    Halves, KernelsAsTheyAre,
    testing::Values(AsItIs{"Pairs", kPairs, kPairsSpec, "--set rows=3 --set n=300", 0,
                           "proved for every size with 1 <= rows <= 2147483647, 1 <= n <= 2147483521"},
                    AsItIs{"PairsRoundedUp", changed(kPairs, "n / 2", "(n + 1) / 2"), kPairsSpec,
                           "--set rows=3 --set n=300", 0, "n % 2 == 0"},
                    AsItIs{"Reversed", kReverse, kReverseSpec, "--set n=301", 0, "proved for every size with 2 <= n"},
                    AsItIs{"ReversedByOneLess", changed(kReverse, "i < n / 2", "i < (n - 1) / 2"), kReverseSpec,
                           "--set n=301", 3, "none of the sizes given"}),
    name_of);

// What a launch hands over is known by the form that it has there.
const std::string kQuarters = R"(__global__ void f(const float4* x, float4* y, float a, int m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m) { float4 v = x[i]; v.x *= a; v.y *= a; v.z *= a; v.w *= a; y[i] = v; }
}
void launch(const float* x, float* y, float a, int n) {
  f<<<(n / 4 + 255) / 256, 256>>>((const float4*)x, (float4*)y, a, n / 4);
}
)",
                  kQuartersSpec = R"(void f(const float4* x, float4* y, float a, int m) {
  for (int i = 0; i < m; ++i) { y[i].x = x[i].x * a; y[i].y = x[i].y * a; y[i].z = x[i].z * a; y[i].w = x[i].w * a; }
}
)",
                  kProduct = R"(__global__ void f(const float* a, const float* b, float* c, int m, int n, int k) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || column >= n) return;
  float s = 0;
  for (int i = 0; i < k; ++i) s += a[row * k + i] * b[i * n + column];
  c[row * n + column] = s;
}
void launch(const float* a, const float* b, float* c, int m, int n, int k) {
  f<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(a, b, c, m, n, k);
}
)",
                  kProductSpec = R"(void f(const float* a, const float* b, float* c, int m, int n, int k) {
  for (int i = 0; i < m; ++i) for (int j = 0; j < n; ++j) {
    float s = 0;
    for (int l = 0; l < k; ++l) s += a[i * k + l] * b[l * n + j];
    c[i * n + j] = s;
  }
}
)";

// Eight terms at a time.
const std::string kEights = R"(__global__ void f(const float* a, float* y, int m, int k) {
  const int row = blockIdx.x * 32 + threadIdx.x;
  if (row >= m) return;
  float s = 0;
  for (int o = 0; o < k / 8; ++o) for (int i = 8 * o; i < 8 * o + 8; ++i) s += a[row * k + i];
  y[row] = s;
}
void launch(const float* a, float* y, int m, int k) { f<<<(m + 31) / 32, 32>>>(a, y, m, k); }
)",
                  kSums = R"(void f(const float* a, float* y, int m, int k) {
  for (int r = 0; r < m; ++r) { float s = 0; for (int i = 0; i < k; ++i) s += a[r * k + i]; y[r] = s; }
}
)";

INSTANTIATE_TEST_SUITE_P(
    OneSizeOfEach, KernelsAsTheyAre,
    testing::Values(AsItIs{"Quarters", kQuarters, kQuartersSpec, "--set m=300", 0, "proved for every m from 1 to"},
                    AsItIs{"Product", kProduct, kProductSpec, "--set m=20 --set n=24 --set k=10", 0,
                           "1 <= k <= 2147483647, k * m <= 2147483647"},
                    AsItIs{"SumsOfEights", kEights, kSums, "--set m=40 --set k=48", 0, "k % 8 == 0"},
                    AsItIs{"SumsOfEightsOfAnyNumber", kEights, kSums, "", 3, "none of the sizes given"},
                    AsItIs{"ProductOfTenTerms", changed(kProduct, "i < k", "i < 10"), kProductSpec,
                           "--set m=20 --set n=24 --set k=10", 0, "proved for every size with k == 10"},
                    AsItIs{"ProductOfAConstant", changed(kProduct, "a, b, c, m, n, k);", "a, b, c, m, n, 16);"),
                           kProductSpec, "--set m=20 --set n=24 --set k=16", 0, "1 <= k <= 2147483647"}),
    name_of);

// At n = 1029 four elements are read where one is left.
const std::string kFours = R"(__global__ void f(float* y, const float* x, int n) {
  const int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  if (i >= n) return;
  const float4 v = *reinterpret_cast<const float4*>(&x[i]);
  *reinterpret_cast<float4*>(&y[i]) = make_float4(2 * v.x, 2 * v.y, 2 * v.z, 2 * v.w);
}
void launch(float* y, const float* x, int n) { f<<<(n / 4 + 255) / 256, 256>>>(y, x, n); }
)",
                  kFoursSpec =
                      "void f(float* y, const float* x, int n) { for (int i = 0; i < n; ++i) y[i] = x[i] + x[i]; }\n";

INSTANTIATE_TEST_SUITE_P(
    WithoutSizes, KernelsAsTheyAre,
    testing::Values(
        AsItIs{"Rows", kNorm, kNormSpec, "", 0, "at cols=768, rows=3; proved for every size with 1 <= rows"},
        AsItIs{"Pairs", kPairs, kPairsSpec, "", 0, "at n=256, rows=3; proved for every size"},
        AsItIs{"Reversed", kReverse, kReverseSpec, "", 0, "at n=514; proved for every size"},
        AsItIs{"SomeGiven", kProduct, kProductSpec, "--set k=5", 0, "at k=5, m=17, n=18; proved"},
        AsItIs{"Assumed", "#pragma swizzle assume n % 12 == 0\n" + kReverse, kReverseSpec, "", 0, "at n=516; proved"},
        AsItIs{"AssumedInVain", "#pragma swizzle assume n < 2\n" + kReverse, kReverseSpec, "", 1,
               "is no integer parameter with a value here"},
        AsItIs{"Fours", kFours, kFoursSpec, "", 3, "at n=1027, which is none of the sizes given"},
        AsItIs{"FoursAtASizeThatFits", kFours, kFoursSpec, "--set n=1028", 3,
               "at n=1027, which is none of the sizes given, y[1024] is never stored"},
        AsItIs{"FoursThatFit", "#pragma swizzle assume n % 4 == 0\n" + kFours, kFoursSpec, "", 0,
               "proved for every size with 4 <= n <= 2147482631, n % 4 == 0"}),
    name_of);

// Threads that are numbered through a product of sizes, which they take apart.
std::string numbered(const std::string& body, const std::string& grid = "(n * c + 255) / 256") {
  return fmt::format(
      "__global__ void f(const float* x, float* y, int n, int c) {{\n"
      "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n  {}\n}}\n"
      "void launch(const float* x, float* y, int n, int c) {{ f<<<{}, 256>>>(x, y, n, c); }}\n",
      body, grid);
}
std::string rows(const std::string& body) {
  return fmt::format(
      "void f(const float* x, float* y, int n, int c) {{\n"
      "  for (int r = 0; r < n; ++r) for (int k = 0; k < c; ++k) {{ {} }}\n}}\n",
      body);
}
const std::string kTurned = rows("y[r * c + k] = x[k * n + r];"), kProved = "proved for every size with 1 <= ";

INSTANTIATE_TEST_SUITE_P(
    Numbers, KernelsAsTheyAre,
    testing::Values(
        AsItIs{"Turned", numbered("if (i < n * c) { const int r = i / c, k = i % c; y[i] = x[k * n + r]; }"), kTurned,
               "", 0, kProved + "n <= 2147483647, 1 <= c <= 2147483647, n * c <= 2147483392"},
        AsItIs{"TurnedBack", numbered("if (i >= n * c) return; y[i % n * c + i / n] = x[i];"), kTurned, "", 0, kProved},
        AsItIs{"Above", numbered("if (i < n * c) y[i] = x[i] + (i >= c ? x[i - c] : 0);"),
               rows("y[r * c + k] = x[r * c + k]; if (r > 0) y[r * c + k] += x[(r - 1) * c + k];"), "", 0, kProved},
        AsItIs{"OfOneLoop", numbered("if (i < n * c) y[i] = x[i] + x[i % c];"),
               "void f(const float* x, float* y, int n, int c) { for (int i = 0; i < n * c; i++) y[i] = x[i] + x[i % "
               "c]; }\n",
               "", 0, kProved},
        AsItIs{"Exactly", numbered("const int r = i / c, k = i % c; y[i] = x[k * n + r];", "n * c / 256"), kTurned, "",
               0, "proved for every size with (n * c) % 256 == 0"},
        AsItIs{"ByRows",
               numbered("if (i < n * c) { const int k = i % c; y[i] = x[i] - (k > 0 ? x[i - 1] : 0); }",
                        "(c * n + 255) / 256"),
               rows("y[r * c + k] = x[r * c + k] - (k > 0 ? x[r * c + k - 1] : 0);"), "", 0, kProved},
        AsItIs{"ByMasks",
               numbered("if (i < n * c) { const int k = i & (c - 1), r = (i - k) / c; y[i] = x[k * n + r]; }"), kTurned,
               "--set n=70 --set c=8", 3, "none of the sizes given"},
        AsItIs{"OneTooFew", numbered("if (i < n * c - c % 7) { const int r = i / c, k = i % c; y[i] = x[k * n + r]; }"),
               kTurned, "--set n=50 --set c=7", 3, "none of the sizes given"},
        AsItIs{"PastTheEnd",
               numbered("if (i < n * c + c % 7) { const int r = i / c, k = i % c; y[i] = x[k * n + r]; }"), kTurned,
               "--set n=50 --set c=7", 3, "none of the sizes given"},
        AsItIs{"InPlace", numbered("if (i < n * c) y[i] = y[i] + (n * c > 999 && i > 0 ? y[i - 1] : 0);"),
               rows("y[r * c + k] = y[r * c + k] + (n * c > 999 && r + k > 0 ? y[r * c + k - 1] : 0);"),
               "--set n=50 --set c=7", 3, "which is none of the sizes given, threads 1 and 0 use"},
        AsItIs{
            "Neighbours",
            numbered("__shared__ float s[256]; s[threadIdx.x] = i < n * c ? x[i] : 0; __syncthreads(); if (i < n * c) "
                     "y[i] = s[threadIdx.x];"),
            rows("y[r * c + k] = x[r * c + k];"), "", 0, "not proved"}),
    name_of);

// What is known of a launch: numbers that it hands over, and sizes as parts of them; blocks of as many threads as a
// size.
const std::string kDoubled = rows("y[r * c + k] = 2 * x[r * c + k];");
std::string launched(const std::string& parameters, const std::string& body, const std::string& launch) {
  return fmt::format(
      "__global__ void f(const float* x, float* y, {}) {{\n"
      "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n  {}\n}}\n"
      "void launch(const float* x, float* y, int n, int c) {{ f<<<{}); }}\n",
      parameters, body, launch);
}

INSTANTIATE_TEST_SUITE_P(
    Launches, KernelsAsTheyAre,
    testing::Values(
        AsItIs{"ThreadsOfARow", launched("int n, int c", "y[i] = 2 * x[i];", "n, c>>>(x, y, n, c"), kDoubled, "", 0,
               "proved for every size with 1 <= n <= 2147483647, 1 <= c <= 1024"},
        AsItIs{"ThreadsOfARowAlone", launched("int c", "y[i] = 2 * x[i];", "n, c>>>(x, y, c"), kDoubled, "", 0,
               "proved"},
        AsItIs{"ThreadsOfAColumn", launched("int n, int c", "y[i] = 2 * x[i];", "c, n>>>(x, y, n, c"), kDoubled, "", 0,
               "not proved for other sizes"},
        AsItIs{"AThreadTooFew",
               launched("int c", "if (threadIdx.x + 1 < c || c == 64) y[i] = 2 * x[i];", "n, c>>>(x, y, c"), kDoubled,
               "--set n=2 --set c=64", 3, "none of the sizes given"},
        AsItIs{"ThreadsThatShare",
               launched("int c",
                        "__shared__ float s[1024]; s[threadIdx.x] = x[i]; __syncthreads(); y[i] = 2 * s[threadIdx.x];",
                        "n, c>>>(x, y, c"),
               kDoubled, "", 0, "not proved for other sizes"},
        AsItIs{"APartOfWhatIsHandedOver", launched("int m", "y[i] = 2 * x[i];", "n, 64>>>(x, y, 64 * n"),
               "void f(const float* x, float* y, int m) { for (int i = 0; i < m; i++) y[i] = x[i] + x[i]; }\n", "", 0,
               "proved for every m that is a multiple of 64"},
        AsItIs{"ANumberThatIsHandedOver",
               launched("int n, int c", "if (i < n * 40) y[i] = 2 * x[i];", "n, 40>>>(x, y, n, 40"), kDoubled, "", 0,
               "at c=40, n=3; proved for every size with c == 40"},
        AsItIs{"GuardedBehindTheDivision",
               launched("int n, int c", "const int r = i / c, k = i % c; if (i < n * c) y[i] = 2 * x[r * c + k];",
                        "(n * c + 63) / 64, 64>>>(x, y, n, c"),
               kDoubled, "", 0, "proved for every size with 1 <= n"},
        AsItIs{"OfATruth",
               "__global__ void f(const float* x, float* y, int n, bool b) {\n"
               "  const int i = blockIdx.x * 64 + threadIdx.x;\n  if (i < n) y[i] = x[i];\n}\n"
               "void launch(const float* x, float* y, int n, bool b) { f<<<(n + 63) / 64, 64>>>(x, y, n, b); }\n",
               "void f(const float* x, float* y, int n, bool b) { for (int i = 0; i < n; i++) y[i] = b ? x[i] : 0; }\n",
               "", 0, "proved for every size with b == 1"},
        AsItIs{"OfNeither", launched("int c", "y[i] = 2 * x[i];", "n, c>>>(x, y, c"),
               "void f(const float* x, float* y, int c) { for (int i = 0; i < c; i++) y[i] = 2 * x[i]; }\n", "", 1,
               "this launch takes 'n', which is an integer parameter of neither kernel nor spec"}),
    name_of);

// A copy, launched by other host code.
const std::string kCopied = "void f(const float* x, float* y, int n) { for (int i = 0; i < n; i++) y[i] = x[i]; }\n";
std::string copied(const std::string& host, const std::string& index = "blockIdx.x * 64 + threadIdx.x") {
  return fmt::format(
      "__global__ void f(const float* x, float* y, int n) {{\n"
      "  const int i = {};\n  if (i < n) y[i] = x[i];\n}}\nvoid launch(const float* x, float* y, int n) {{ {} }}\n",
      index, host);
}
const std::string kOpen = "nothing here tells the shape of this launch";

INSTANTIATE_TEST_SUITE_P(
    HostCode, KernelsAsTheyAre,
    testing::Values(
        AsItIs{"Copied", copied("const int b = (n + 63) / 64; f<<<b, 64>>>(x, y, n);"), kCopied, "", 0,
               "proved for every n from 1 to 2147483584"},
        AsItIs{"AnotherSize", copied("const int b = (n + 63) / 64; n = 2 * n; f<<<b, 64>>>(x, y, n);"), kCopied, "", 1,
               kOpen},
        AsItIs{"OneMore", copied("f<<<(n + 63) / 64, 64>>>(x, y, n++);"), kCopied, "", 1, kOpen},
        AsItIs{"MaybeAnother", copied("int* p = &n; *p = 1000; f<<<(n + 63) / 64, 64>>>(x, y, n);"), kCopied, "", 1,
               kOpen},
        AsItIs{"OfACall", "int size();\n" + copied("f<<<(size() + 63) / 64, 64>>>(x, y, size());"), kCopied, "", 1,
               kOpen},
        AsItIs{
            "OfAGlobal",
            "int size;\nvoid grow();\n" + copied("const int b = (size + 63) / 64; grow(); f<<<b, 64>>>(x, y, size);"),
            kCopied, "", 1, kOpen},
        AsItIs{"OfAMember", "struct S { int n; };\n" + copied("const S s{n}; f<<<(s.n + 63) / 64, 64>>>(x, y, s.n);"),
               kCopied, "", 0, "proved"},
        AsItIs{"FewBits", copied("unsigned char b = (n + 63) / 64; f<<<b, 64>>>(x, y, n);"), kCopied, "", 1, kOpen},
        AsItIs{"FewBitsOnTheWay", copied("f<<<(short)((n + 63) / 64), 64>>>(x, y, n);"), kCopied, "", 1, kOpen},
        AsItIs{"ManyBits", copied("f<<<(unsigned)(((size_t)n + 63) / 64), 64>>>(x, y, n);"), kCopied, "", 0, "proved"},
        AsItIs{"TooFewBlocks", copied("f<<<(2 * n + 1) / 128, 64>>>(x, y, n);"), kCopied, "", 3, "is never stored"},
        AsItIs{"WarpsThatOverflow", copied("f<<<(n * 32 + 255) / 256, 8>>>(x, y, n);", "blockIdx.x * 8 + threadIdx.x"),
               kCopied, "", 0, "proved for every n from 1 to 67108856"},
        AsItIs{"BlocksAlongY", copied("f<<<dim3(1, (n + 63) / 64), 64>>>(x, y, n);", "blockIdx.y * 64 + threadIdx.x"),
               kCopied, "", 0, "proved for every n from 1 to 4194240"}),
    name_of);

// Blocks, or turns of a loop, that do again what others did.
std::string counted(const std::string& more, const std::string& launch) {
  return fmt::format(
      "__global__ void f(float* x, int n, int m) {{\n"
      "  const int i = blockIdx.x * 64 + threadIdx.x;\n  if (i < n) {}x[i] += 1;\n}}\n"
      "void launch(float* x, int n, int m) {{ f<<<{}, 64>>>(x, n, m); }}\n",
      more, launch);
}
const std::string kCounted = "void f(float* x, int n, int m) { for (int i = 0; i < n; i++) x[i] += 1; }\n";

INSTANTIATE_TEST_SUITE_P(
    Repeated, KernelsAsTheyAre,
    testing::Values(AsItIs{"Once", counted("", "(n + 63) / 64"), kCounted, "", 0, "proved for every size with"},
                    AsItIs{"ByBlocks", counted("", "dim3((n + 63) / 64, m)"), kCounted, "", 3,
                           "blocks 0 and 2 use 'x[0]'"},
                    AsItIs{"ByBlocksOfOther", counted("", "dim3((n + 63) / 64, m)"), kCounted, "--set n=70 --set m=1",
                           3, "which is none of the sizes given"},
                    AsItIs{"ByTurns", counted("for (int c = 0; c < m; c += 128) ", "(n + 63) / 64"), kCounted, "", 3,
                           "which is none of the sizes given"},
                    AsItIs{"ForOneSize",
                           "__global__ void f(float* x, int n, int m) { x[threadIdx.x] += 1; }\n"
                           "void launch(float* x, int n, int m) { f<<<1, 64>>>(x, n, m); }\n",
                           kCounted, "", 3, "x[64] is never stored"},
                    AsItIs{"ForTheSizeThatIsGiven",
                           "__global__ void f(float* x, int n, int m) { x[threadIdx.x] += 1; }\n"
                           "void launch(float* x, int n, int m) { f<<<1, 64>>>(x, n, m); }\n",
                           kCounted, "--set n=64 --set m=9", 0, "proved for every size with m == 9, n == 64"}),
    name_of);

// An index that leaves an array in shared memory, at the sizes that are tried first and at others.
TEST(KernelsAsTheyAreArrays, AreNotLeft) {
  const auto judged = [](const std::string& array, const std::string& sizes) {
    return verified({"",
                     "__global__ void f(const float* x, float* y, int n) {\n  __shared__ float s[" + array +
                         "];\n  const int i = blockIdx.x * 64 + threadIdx.x;\n  s[" +
                         "n < 100 ? threadIdx.x : threadIdx.x + 1] = i < n ? x[i] : 0;\n  __syncthreads();\n"
                         "  if (i < n) y[i] = s[n < 100 ? threadIdx.x : threadIdx.x + 1];\n}\n"
                         "void run(const float* x, float* y, int n) { f<<<(n + 63) / 64, 64>>>(x, y, n); }\n",
                     "void f(const float* x, float* y, int n) { for (int i = 0; i < n; i++) y[i] = x[i]; }\n", sizes, 3,
                     ""});
  };
  EXPECT_EQ(judged("65", "").exit_code, 0) << judged("65", "").output;
  for (const char* sizes : {"", "--set n=128"}) {
    const ToolResult r = judged("64", sizes);
    EXPECT_EQ(r.exit_code, 3) << r.output;
    EXPECT_NE(r.output.find("index 64 is outside 's' of 64 elements"), std::string::npos) << r.output;
  }
}

// A range is said of integers; of reals it would be refused.
TEST(KernelsAsTheyAreAdvice, IsOfWhatHelps) {
  const auto said = [](const std::string& type) {
    return verified(
               {"",
                "#pragma swizzle launch grid(1) block(64)\n__global__ void f(const " + type +
                    "* x, float* y, const float* z, int n) { y[threadIdx.x] = z[(int)x[threadIdx.x]]; }\n",
                "void f(const " + type +
                    "* x, float* y, const float* z, int n) { for (int i = 0; i < 64; i++) y[i] = z[(int)x[i]]; }\n",
                "--set n=64", 1, ""})
        .output;
  };
  EXPECT_NE(said("int").find("'#pragma swizzle range x(0, n)' says"), std::string::npos) << said("int");
  EXPECT_NE(said("float").find("what it may be is not known"), std::string::npos) << said("float");
  EXPECT_EQ(said("float").find("#pragma swizzle range"), std::string::npos) << said("float");
}

}  // namespace
}  // namespace swizzle::test::kernels_as_they_are_test
