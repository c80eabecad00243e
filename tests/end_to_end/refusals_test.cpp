// What a sketch, its directives or its spec must not have: each is one diagnostic with its place.
#include <regex>

#include "tests/end_to_end/sketch_text.h"

namespace swizzle::test::refusals_test {
namespace {

struct Refused {
  const char* name;
  const char* says;
  std::string sketch;
  std::string spec = kRotated;
};

class Refusals : public testing::TestWithParam<Refused> {};

TEST_P(Refusals, AreOneDiagnosticWithItsPlace) {
  const ToolResult r = run_sketch(Sketch{"", GetParam().sketch, GetParam().spec});
  EXPECT_EQ(r.exit_code, 1) << r.output;
  EXPECT_NE(r.output.find(GetParam().says), std::string::npos) << r.output;
  const std::regex error(R"((sketch\.cu|spec\.cpp):\d+:\d+: error: )");
  EXPECT_EQ(std::distance(std::sregex_iterator(r.output.begin(), r.output.end(), error), std::sregex_iterator()), 1)
      << r.output;
  EXPECT_NE(r.output.find('^'), std::string::npos) << r.output;
  EXPECT_TRUE(r.kernel.empty());
}

INSTANTIATE_TEST_SUITE_P(
    Each, Refusals,
    testing::Values(
        Refused{"HoleLoopBound", "decide how often this loop runs",
                R"(  int s = 0; for (int k = 0; k < ?sw_part(4, t); k++) s += x[k]; y[t] = s;)"},
        Refused{"HoleInMacroBody", "sketch.cu:4:16: error: a hole cannot stand in the body of a macro", R"(
#define GET(v) ?sw_xform(v, 32)
__global__ void f(const int* x, int* y, int n) { int t = threadIdx.x; y[t] = x[GET(t)]; }
)"},
        Refused{"NestedHole", "cannot stand in the arguments of a hole",
                R"(  y[t] = x[?sw_xform(?sw_part(2, t), 32)];)"},
        Refused{"HoleFloatArgument", "must be an integer, and this is 'float'", R"(  y[t] = x[?sw_xform(1.5f, 32)];)"},
        Refused{"HoleDomains", "n must be the same everywhere", R"(  y[t] = x[?sw_xform(t % 8, t < 16 ? 8 : 16)];)"},
        Refused{"HoleNoArgs", "takes more arguments", R"(  if (?sw_cond()) y[t] = 0;)"},
        Refused{"HoleWithSideEffect", "must not change anything",
                R"(  int k = 0; y[t] = x[?sw_xform(t, 32, k++)] + k - 1;)"},
        Refused{"HoleNotEvaluated", "does not use this hole",
                R"(  y[t] = x[?sw_xform(t, 32)] + sizeof(?sw_part(2, t)) - 4;)"},
        Refused{"HoleInOtherFunction", "sketch.cu:4:49: error: the kernel 'f' does not use this hole", R"(
template <class T> __device__ T g(T t) { return ?sw_xform(t, sizeof(T)); }
__global__ void f(const int* x, int* y, int n) { int t = threadIdx.x; y[t] = x[?sw_xform(t, 32)]; }
)"},
        Refused{"ConstWithoutValues", "sketch.cu:5:16: error: ?sw_const(4, 4) has no value: it is one of lo, …, hi - 1",
                R"(  y[t] = x[t + ?sw_const(4, 4)];)"},
        Refused{"ConstOneBound",
                "sketch.cu:5:16: error: ?sw_const(lo, hi, k…) takes two arguments or more, and here are 1",
                R"(  y[t] = x[t + ?sw_const(4)];)"},
        Refused{"ConstBoundOfSize",
                "sketch.cu:5:29: error: the bounds of ?sw_const(lo, hi, k…) must be integer constants",
                R"(  y[t] = x[t + ?sw_const(0, n)];)"},
        Refused{"ConstFloatBound", "must be integer constants", R"(  y[t] = x[t + ?sw_const(0, 2.5f)];)"},
        Refused{"ConstBoundTooLarge", "must be an int, and is 4294967296",
                R"(  y[t] = x[t + ?sw_const(0, 1ll << 32)];)"},
        Refused{"ConstInAConst", "must be integer constants", R"(  y[t] = x[?sw_const(0, ?sw_const(1, 2))];)"},
        Refused{"ConstInAHole", "cannot stand in the arguments of a hole",
                R"(  y[t] = x[?sw_xform(t, 32, ?sw_const(0, 4))];)"},
        Refused{
            "ConstTooMany",
            "sketch.cu:5:35: error: the ?sw_const holes have 10 · 1000 values together, and 4096 is the most that are tried; narrow their ranges, "
            "or let those that bound no loop and no array be searched for, as in ?sw_const(0, 1000, 0)",
            R"(  y[t] = x[t % ?sw_const(1, 11) + ?sw_const(0, 1000)];)"},
        Refused{"ConstTooManyOfOne",
                "sketch.cu:5:16: error: the ?sw_const holes have 5000 values together, and 4096 is the most that are "
                "tried; narrow their ranges\n",
                R"(  y[t] = x[t + ?sw_const(0, 5000)];)"},
        Refused{"ConstInMacroBody", "a hole cannot stand in the body of a macro", R"(
#define NEXT (?sw_const(0, 4))
__global__ void f(const int* x, int* y, int n) { int t = threadIdx.x; y[t] = x[(t + NEXT) % 32]; }
)"},
        Refused{"ConstThatDecidesNothingOfTheError", "data decide this index",
                R"(  int s = ?sw_const(0, 4); y[t] = x[x[t]] + s;)"},
        Refused{"ArrayOfVariableLength", "an array of variable length is not supported",
                R"(  int r[n]; r[0] = x[t]; y[t] = r[0];)"},
        Refused{"HoleSwitch", "a switch on a hole", R"(  switch (?sw_part(2, t)) { case 0: y[t] = x[t]; })"},
        Refused{"HoleBreak", "that a hole or data decide",
                R"(  int k = 0; while (k < 3) { if (?sw_cond(t, k)) break; k++; } y[t] = 0;)"},
        Refused{"ExternShared", "declare it as an array without a size",
                R"(  extern __shared__ int s[32]; s[t] = x[t]; y[t] = s[t];)"},
        Refused{"LayoutAsASize", "a layout stands in a statement of its own, auto L = ?sw_layout(rows, columns);",
                R"(  __shared__ int s[?sw_layout(4, 8)]; s[t] = x[t]; y[t] = s[t];)"},
        Refused{"LayoutAsAnIndex", "and is used as tile[L(r, c)]",
                R"(  __shared__ int s[32]; s[?sw_layout(t, 4)] = x[t]; y[t] = s[t];)"},
        Refused{"SharedParameter", "the parameter 'n' cannot be __shared__", R"(
__global__ void f(const int* x, int* y, __shared__ int n) { y[threadIdx.x] = x[n]; }
)"},
        Refused{"GlobalShared", "outside of the kernel", R"(
__shared__ int s[32];
__global__ void f(const int* x, int* y, int n) { s[threadIdx.x] = 0; y[threadIdx.x] = x[0]; }
)"},
        Refused{"GlobalNoInit", "a global needs an initializer, or __constant__", R"(
__device__ int w[3];
__global__ void f(const int* x, int* y, int n) { y[threadIdx.x] = w[0]; }
)"},
        Refused{"GlobalWrite", "is constant", R"(
__device__ int counter = 0;
__global__ void f(const int* x, int* y, int n) { counter = 1; y[threadIdx.x] = counter; }
)"},
        Refused{"Lambda", "a lambda that captures more than variables",
                R"(  auto g = [v = x[t]](int i) { return v + i; }; y[t] = g(t);)"},
        Refused{"Recursion", "calls itself", R"(
__device__ int g(int k) { return k == 0 ? 0 : g(k - 1) + k; }
__global__ void f(const int* x, int* y, int n) { y[threadIdx.x] = g(3); }
)"},
        Refused{"PointerCast", "a cast from", R"(  float g[2] = {1.5f, 2}; y[t] = ((const short*)g)[t & 3];)"},
        Refused{"ReferenceCast", "a cast from", R"(  bool g = true; y[t] = reinterpret_cast<signed char&>(g);)"},
        Refused{"ViewOfAMember", "only what is made of one kind of scalars can be looked at as others",
                R"(  struct { int a; float b; } p = {x[t], 0}; y[t] = (int)*reinterpret_cast<float*>(&p.a);)"},
        Refused{
            "ConstexprOfARound", "'d' is constexpr, and this hole goes by what is no constant",
            R"(  for (int k = 0; k < 2; k++) { constexpr int d = 1 << ?sw_const(0, 3, k); y[t] = x[(t + d) % 32]; })"},
        Refused{"ConstexprOfALane", "constexpr variable 'd' must be initialized by a constant expression",
                R"(  const int q = t; constexpr int d = 1 + ?sw_xform(q, 32); y[t] = x[d - 1];)"},
        Refused{"WrongMask", "thread 16 is not in the mask", R"(  y[t] = __shfl_sync(0xffff, x[t], 3);)"},
        Refused{"OwnMask", "thread 0 is not in the mask", R"(  y[t] = __shfl_sync(2, x[t], 3);)"},
        Refused{"DivergentShuffle", "does not reach this shuffle",
                R"(  if (t < 16) y[t] = __shfl_sync(~0u, x[t], 3); else y[t] = 0;)"},
        Refused{"HoleShuffle", "a shuffle under a condition that a hole or data decide",
                R"(  int v = 0; if (?sw_cond(t)) v = __shfl_sync(~0u, x[t], 3); y[t] = v;)"},
        Refused{"DataShuffle", "a shuffle under a condition that a hole or data decide",
                R"(  int v = x[t] > 0 ? __shfl_sync(~0u, x[t], 3) : 0; y[t] = v;)"},
        Refused{"ShuffleWidth", "power of two", R"(  y[t] = __shfl_sync(~0u, x[t], 3, 5);)"},
        Refused{"ShuffleStruct", "a shuffle of 'P'", R"(
struct P { int a, b; };
__global__ void f(const int* x, int* y, int n) { int t = threadIdx.x; P p{x[t], 1}; p = __shfl_sync(~0u, p, 3); y[t] = p.b; }
)"},
        Refused{"DivergentBarrier", "does not reach this __syncthreads", R"(  if (t < 16) __syncthreads(); y[t] = 0;)"},
        Refused{"DivergentBarrierReturn", "does not reach this __syncthreads", R"(
__device__ void g(int t) { if (t < 16) return; __syncthreads(); }
__global__ void f(const int* x, int* y, int n) { g(threadIdx.x); y[threadIdx.x] = x[0]; }
)"},
        Refused{
            "PartialSyncwarp", "a race",
            R"(  __shared__ int s[32]; s[t] = x[t]; if (t < 16) __syncwarp(0xffff); else __syncwarp(0xffff0000); y[t] = s[31 - t];)"},
        Refused{"UnknownInclude", "'nowhere.h' file not found", R"(
#include "nowhere.h"
__global__ void f(const int* x, int* y, int n) { y[threadIdx.x] = x[0]; }
)"},
        Refused{"EndlessDo", "does a loop here never end", R"(  do { t++; } while (t != -5); y[t] = 0;)"},
        Refused{"NegativeIndex", "is outside 'x'", R"(  y[t] = x[t - 1];)"},
        Refused{"UninitializedIndex", "this index is undefined", R"(  int k; y[t] = x[k];)"},
        Refused{"DataIndex", "data decide this index", R"(  y[t] = x[x[t]];)"},
        Refused{"SharedLoop", "'__shared__' belongs to a declaration",
                R"(
__global__ void f(const int* x, int* y, int n) {
#pragma unroll
  __shared__ for (int k = 0; k < 2; k++) y[threadIdx.x] = x[k];
}
)"},
        Refused{"Union", "a union of anything but numbers side by side",
                R"(  union { int a; bool b; } u; u.a = x[t]; y[t] = u.a;)"},
        Refused{"BitField", "a bit-field is not supported", R"(  struct { int a : 3; } u; u.a = 9; y[t] = u.a;)"},
        Refused{"BaseClass", "a class with a base is not supported", R"(
struct A { int a; }; struct B : A { int b; };
__global__ void f(const int* x, int* y, int n) { B b; b.b = 1; y[threadIdx.x] = b.b; }
)"},
        Refused{"Virtual", "virtual functions", R"(
struct A { int a; virtual int g() { return 1; } };
__global__ void f(const int* x, int* y, int n) { A b; y[threadIdx.x] = b.g(); }
)"},
        Refused{"Destructor", "a class with a destructor", R"(
struct A { int a; ~A() { a = 0; } };
__global__ void f(const int* x, int* y, int n) { A b; b.a = 1; y[threadIdx.x] = b.a; }
)"},
        Refused{"BufferOfPointers", "a buffer of 'P' is not supported", R"(
struct P { const float* a; int b; };
__global__ void f(const P* x, int* y, int n) { y[threadIdx.x] = x[0].b; }
)",
                R"(
struct P { const float* a; int b; };
void f(const P* x, int* y, int n) { for (int i = 0; i < 32; i++) y[i] = x[0].b; }
)"},
        Refused{"BufferOfOtherMembers",
                "is 'const P *' in the spec and 'const P *' in the kernel, whose members are others",
                R"(
struct P { float a; int b; };
__global__ void f(const P* x, int* y, int n) { y[threadIdx.x] = x[?sw_xform(threadIdx.x, 32)].b; }
)",
                R"(
struct P { int a; float b; };
void f(const P* x, int* y, int n) { for (int i = 0; i < 32; i++) y[i] = x[i].a; }
)"},
        Refused{"MixedBufferAsFloats", "a cast from 'const P *' to 'const int *' is not supported", R"(
struct P { float a; int b; };
__global__ void f(const P* x, int* y, int n) { y[threadIdx.x] = reinterpret_cast<const int*>(x)[2 * ?sw_xform(threadIdx.x, 32) + 1]; }
)",
                R"(
struct P { float a; int b; };
void f(const P* x, int* y, int n) { for (int i = 0; i < 32; i++) y[i] = x[i].b; }
)"},
        Refused{"StructParameter", "is not supported", R"(
struct P { int a; };
__global__ void f(const int* x, int* y, P p) { y[threadIdx.x] = p.a; }
)",
                R"(
struct P { int a; };
void f(const int* x, int* y, P p) { y[0] = p.a; }
)"},
        Refused{"PointerToPointer", "not supported", R"(
__global__ void f(const int* const* x, int* y, int n) { y[threadIdx.x] = x[0][0]; }
)",
                R"(void f(const int* const* x, int* y, int n) { y[0] = x[0][0]; })"},
        Refused{"Half", "unknown type name '__half'", R"(
__global__ void f(const __half* x, int* y, int n) { y[threadIdx.x] = 0; }
)"},
        Refused{"FunctionPointer", "not supported", R"(
__device__ int g(int a) { return a; }
__global__ void f(const int* x, int* y, int n) { int (*p)(int) = g; y[threadIdx.x] = p(x[0]); }
)"},
        Refused{"Asm", "is not supported", R"(  asm("nop;"); y[t] = x[t];)"},
        Refused{"VariableArray", "an array of variable length", R"(  int r[t]; y[t] = x[0];)"},
        Refused{"VolatileLength", "sketch.cu:6:7: error: an array of variable length",
                R"(  volatile const int m = ?sw_const(1, 4);
  int r[m]; r[0] = x[t]; y[t] = r[0];)"},
        Refused{"HugeArray", "is too large", R"(  int r[100000000]; r[t] = 0; y[t] = r[t];)"},
        Refused{"HugeArray2", "is too large", R"(  int r[30000][30000]; r[0][t] = 0; y[t] = r[0][t];)"},
        Refused{"Atomic", "a call of 'atomicExch' is not supported", R"(  atomicExch(&y[0], 1);)"},
        Refused{"NewDelete", "is not supported", R"(  int* p = new int; *p = 3; y[t] = *p;)"},
        Refused{"TemplateKernel", "the kernel 'f' is a template that nothing instantiates", R"(
template <int K> __global__ void f(const int* x, int* y, int n) { y[threadIdx.x] = K; }
)"},
        Refused{"NoBody", "has no body here", R"(
__device__ int g(int);
__global__ void f(const int* x, int* y, int n) { y[threadIdx.x] = g(1); }
)"},
        Refused{"NonVoidKernel", "must return void", R"(
__global__ int f(const int* x, int* y, int n) { y[threadIdx.x] = 1; return 0; }
)"},
        Refused{"AccParameter", "accumulator", R"(
template <class A> __device__ void add(A& o, int v) { accumulate(o, {v}); }
__global__ void f(const int* x, int* y, int n) {
  int t = threadIdx.x; auto o = create_accumulator(0, identity, plus); add(o, x[t]); y[t] = eval(o);
}
)"},
        Refused{
            "AccExpression", "must be a statement of its own",
            R"(  auto o = create_accumulator(0, identity, plus); for (int k = 0; k < 2; accumulate(o, {x[t]}), k++); y[t] = eval(o);)"},
        Refused{"LoadOfFarTooMany", "load() takes an int here, which 4294967297 is not",
                R"(  auto r = load(x, 0, 4294967297, ?sw_const(1, 3)); y[t] = r[0];)"},
        Refused{"LoadExpression", "must initialize a variable", R"(  y[t] = load(x, 0, 1, 1)[0];)"},
        Refused{"AccBadOperator", "expected an operator",
                R"(  auto o = create_accumulator(0, identity, 3); accumulate(o, {x[t]}); y[t] = eval(o);)"},
        Refused{"AccMinus", "expected",
                R"(  acc o = create_accumulator(0, identity, -); accumulate(o, [x[t]]); y[t] = eval(o);)"},
        Refused{
            "AccTypes", "this accumulator takes",
            R"(  auto o = create_accumulator(0, identity, plus); accumulate(o, {x[t]}); accumulate(o, {1.0f}); int r = eval(o); y[t] = r;)"},
        Refused{"MagicUnknown", "magic_get() of registers whose number is not known",
                R"(  auto rc = load(x, 0, 1, n); y[t] = magic_get(rc);)"},
        Refused{"LoadZero", "constants of 1 or more", R"(  auto rc = load(x, 0, 1, 0); y[t] = rc[0];)"},
        Refused{"WhileVariable", "a variable in a loop's condition",
                R"(  int c = 3; while (int k = c) { c--; } y[t] = x[0];)"},
        Refused{"ShiftOver", "a shift by 40", R"(  y[t] = x[t] + (1 << (t + 40 - t));)"},
        Refused{"DivZero", "division by zero", R"(  y[t] = x[t] + 4 / (t - t);)"},
        Refused{"SpecDoesNotParse", "spec.cpp:1:", R"(  y[t] = x[t];)",
                R"(void f(const int* x, int* y, int n) { y[0] = })"},
        Refused{"SpecEndless", "does a loop here never end", R"(  y[t] = x[t];)",
                R"(void f(const int* x, int* y, int n) { for (int i = 0; i < n; ) y[i] = 0; })"},
        Refused{"SpecHole", "a spec has no holes", R"(  y[t] = x[t];)",
                R"(void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[?sw_xform(i, 32)]; })"},
        Refused{"TwoLaunches", "a second launch directive", R"(
#pragma swizzle launch grid(1) block(32)
#pragma swizzle launch grid(1) block(64)
__global__ void f(const int* x, int* y, int n) { y[threadIdx.x] = x[0]; }
)"},
        Refused{"LaunchNoBlock", "a launch needs both", R"(
#pragma swizzle launch grid(1)
__global__ void f(const int* x, int* y, int n) { y[threadIdx.x] = x[0]; }
)"},
        Refused{"LaunchBad", "error", R"(
#pragma swizzle launch grid(n /) block(32)
#pragma swizzle instance n = 32
__global__ void f(const int* x, int* y, int n) { y[threadIdx.x] = x[0]; }
)"},
        Refused{"LaunchZero", "sketch.cu", R"(
#pragma swizzle launch grid(n / 64) block(32)
#pragma swizzle instance n = 32
__global__ void f(const int* x, int* y, int n) { y[threadIdx.x] = x[0]; }
)"},
        Refused{"LaunchBig", "sketch.cu", R"(
#pragma swizzle launch grid(1) block(2048)
#pragma swizzle instance n = 32
__global__ void f(const int* x, int* y, int n) { y[threadIdx.x] = x[0]; }
)"},
        Refused{"LaunchHuge", "sketch.cu", R"(
#pragma swizzle launch grid(2000000000, 60000, 60000) block(32)
#pragma swizzle instance n = 32
__global__ void f(const int* x, int* y, int n) { y[threadIdx.x] = x[0]; }
)"},
        Refused{"InstanceNoValue", "expected a number or the name of a parameter", R"(
#pragma swizzle launch grid(1) block(32)
#pragma swizzle instance n =
__global__ void f(const int* x, int* y, int n) { y[threadIdx.x] = x[0]; }
)"},
        Refused{"ExtentUnknown", "'z'", R"(
#pragma swizzle extent z(n)
__global__ void f(const int* x, int* y, int n) { y[threadIdx.x] = x[0]; }
)"},
        Refused{"ExtentHuge", "sketch.cu", R"(
#pragma swizzle extent x(0 - 5)
__global__ void f(const int* x, int* y, int n) { y[threadIdx.x] = x[0]; }
)"},
        Refused{"CheckUnknown", "no integer parameter 'q'", R"(
#pragma swizzle check q = 3
__global__ void f(const int* x, int* y, int n) { y[threadIdx.x] = x[0]; }
)"},
        Refused{"InstanceMissingParameter", "no size is given for 'm'", R"(
__global__ void f(const int* x, int* y, int n, int m) { y[threadIdx.x] = x[0]; }
)",
                R"(void f(const int* x, int* y, int n, int m) { y[0] = x[0]; })"},
        Refused{"WriteTwice", "is written twice with different values", R"(  y[0] = x[t];)"},
        Refused{"ConstStore", "is not assignable", R"(  x[t] = y[t];)"}, Refused{"MemberPointer", "not supported", R"(
struct P { int a; };
__global__ void f(const int* x, int* y, int n) { int P::*m = &P::a; P p{3}; y[threadIdx.x] = p.*m; }
)"},
        Refused{"Static", "is constant", R"(  static int s = 0; s += 1; y[t] = s;)"},
        Refused{"SubscriptInMacro", "stands in the body of a macro", R"(
#define R(i) r[i]
__global__ void f(const int* x, int* y, int n) {
  int t = threadIdx.x; int r[2] = {x[t], 0}; y[t] = __shfl_sync(~0u, R(?sw_part(2, t)), ?sw_xform(t, 32));
}
)"},
        Refused{
            "EvalInExpression", "cannot be told here", R"(
  auto o = create_accumulator(0, identity, plus); int a = x[?sw_xform(t, 32)], z = 0;
  for (int k = 0; k < 2; k++) if (k < 1) accumulate(o, {a}, ?sw_cond(t, k)); else z += 1;
  y[t] = eval(o) + z;
)",
            R"(void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = 1 + (i < 9 ? x[(i + 3) % 32] : 0); })"}),
    [](const auto& info) { return std::string(info.param.name); });

// A note names what was tried and helps, and nothing else.
TEST(Notes, OfAWiderHoleStandOnlyWhereItWouldDo) {
  const ToolResult far =
      run_sketch({"Far", "  y[t] = x[?sw_xform(t, 32)];",
                  "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[i * i % 32]; }\n"});
  EXPECT_EQ(far.exit_code, 10) << far.output;
  EXPECT_EQ(far.output.find("sw_xform_extra"), std::string::npos) << far.output;
  EXPECT_NE(far.output.find("note: with ?sw_expr(0, 32, t) here there is a completion: (t * t) & 31"),
            std::string::npos)
      << far.output;
}

// As nvcc, or the launch, would.
TEST(Refusals, WhatNoKernelMayBeIsRefused) {
  const auto refused = [](const std::string& text, const std::string& with) {
    const ToolResult r = run_sketch({"", text});
    EXPECT_EQ(r.exit_code, 1) << r.output;
    EXPECT_NE(r.output.find(with), std::string::npos) << r.output;
  };
  const std::string body = " int t = threadIdx.x; y[t] = x[?sw_xform(t, 32)]; }\n";
  refused("__global__ void f(const int* x, int* y, int& n) {" + body,
          "sketch.cu:3:46: error: a kernel takes no references");
  refused("enum E { kOne };\n__global__ void f(const int* x, int* y, int n, E e) {" + body,
          "sketch.cu:4:50: error: a parameter of an enumeration is not supported");
  refused("__global__ void f(const int* x, int* y, int n) { thread_local int i = 0;" + body,
          "sketch.cu:3:67: error: a thread_local variable is not supported");
  refused("__global__ void __launch_bounds__(16) f(const int* x, int* y, int n) {" + body,
          "sketch.cu:1:1: error: a block has 32 threads at n = 32, and __launch_bounds__ allows 16");
  refused("#pragma swizzle check n = 4294967296\n__global__ void f(const int* x, int* y, int n) {" + body,
          "sketch.cu:3:23: error: n = 4294967296 does not fit in 'int'");
}

}  // namespace
}  // namespace swizzle::test::refusals_test
