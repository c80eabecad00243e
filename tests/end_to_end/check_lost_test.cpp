// `swizzle-synth check`: host code that clang has lost, or that was left out so that an instance has a body, tells
// nothing; and what it may have changed is not known.
#include <gtest/gtest.h>

#include "tests/end_to_end/check_launches.h"

namespace swizzle::test::check_lost_test {
namespace {

// Of a template whose instance cannot have a statement that names x->size().
std::string launches_of_template(const std::string& body, const std::string& before = "") {
  return launches(check_text(kKernels + before +
                             "template <class T> int pick(T* x, bool b) { if (x->size() > 3) return 64; return 128; }\n"
                             "template <class T> void launch(T* x, int n, bool b) {\n" +
                             body + "\n}\nvoid run(float* x, bool b) { launch(x, 3, b); }\n"));
}

TEST(CheckLost, WhatAnInstanceCannotHaveMayHaveChangedWhatItNames) {
  EXPECT_EQ(launches_of_template("int t = 128; x->size(); f<<<2, t>>>(x, n);"), "f (2) (128) n = 3");
  for (const char* body : {
           "int t = 128; if (x->size() > 3) t = 64; f<<<2, t>>>(x, n);",
           "int t = 128, &u = t; u = x->size(); f<<<2, t>>>(x, n);",
           "int t = 128; x->fill(&t); t = 64; x[0] = 1; f<<<2, t * n>>>(x, 4);",
           "int t = 32; for (int i = 0; i < 3; ++i) { if (x->size() > i) break; t *= 2; } f<<<2, t>>>(x, n);",
           "int t = 32; for (int i = 0; i < 3; ++i) { if (x->size() > i) continue; t *= 2; } f<<<2, t>>>(x, n);",
           "int t = 64; for (int i = 0; i < 99; ++i) { f<<<2, t>>>(x, n); t = x->size(); }",
           "int t = 64; auto set = [&] { t = x->size(); }; set(); f<<<2, t>>>(x, n);",
       })
    EXPECT_EQ(launches_of_template(body).find("f (2) (128) n = 3"), std::string::npos) << body;
  EXPECT_EQ(
      launches_of_template("int t = 32; switch (2) { case 1 + sizeof(x->size()): t = 96; break; default: t = 128; "
                           "} f<<<2, t>>>(x, n);"),
      "");
}

// Of calls that are not followed, by objects and functions of the library: what is launched there is told, and fails a
// gate, although another launch of the same place is known.
TEST(CheckLost, LaunchesBehindCallsThatAreNotFollowedAreTold) {
  const std::string before =
      kKernels +
      std::string(
          "#include <functional>\n#include <memory>\n#include <thread>\n#include <vector>\n#include <algorithm>\n"
          "struct Op { int t; Op(int t) : t(t) {} void run(float* x) const { f<<<1, t>>>(x, 3); } };\n"
          "void plain(float* x, int n) { f<<<1, 32>>>(x, n); }\n");
  const std::string open = "f (1) (1024) assumed n = 3", any = "f (1) (32) n = 1024";
  const auto main_of = [&](const std::string& body) {
    return check_text(before + "int main() { float* x; Op(32).run(x); plain(x, 5);\n" + body + "\n}\n",
                      "--fail-on-conflicts");
  };
  EXPECT_EQ(launches(main_of("")), "f (1) (32) n = 3; f (1) (32) n = 5");
  for (const char* body :
       {"auto u = std::make_unique<Op>(64); u->run(x);", "std::shared_ptr<Op> u(new Op(64)); u->run(x);",
        "std::vector<Op> all; for (auto& o : all) o.run(x);"})
    EXPECT_NE(launches(main_of(body)).find(open), std::string::npos) << body << launches(main_of(body));
  for (const char* body : {"std::function<void(int)> call = [&](int n) { plain(x, n); }; call(8);",
                           "std::thread t(plain, x, 8); t.join();"})
    EXPECT_NE(launches(main_of(body)).find(any), std::string::npos) << body << launches(main_of(body));
  for (const char* body :
       {"std::thread t([&] { f<<<1, 64>>>(x, 3); }); t.join();",
        "void* a[] = {&x}; cudaLaunchConfig_t c; cudaLaunchKernelExC(&c, (void*)f, a);",
        "struct E { void (*k)(float*, int); int t; }; std::vector<E> all; for (auto& e : all) e.k<<<1, e.t>>>(x, 3); "
        "all.push_back({f, 3});"})
    EXPECT_EQ(main_of(body).exit_code, 20) << body;
}

TEST(CheckLost, WhatMayHaveReturnedBeforeIsUnknown) {
  EXPECT_EQ(launches_of_template("f<<<2, pick(x, b)>>>(x, n);"), "f (2) (1024) assumed n = 3");
  const std::string before = "int pick(float* x, bool b) {\n";
  const std::string launch = "  return 128;\n}\nvoid run(float* x, bool b) { f<<<2, pick(x, b)>>>(x, 3); }\n";
  for (const char* lost : {"for (UNKNOWN y : x) return 64;", "return UNKNOWN ? 64 : 32;", "if (b) return UNKNOWN::y @;",
                           "ASSERT_OR_64(x, UNKNOWN y);", "switch (3) { case UNKNOWN: return 64; default: break; }"})
    EXPECT_EQ(launches(check_text(kKernels + before + lost + launch)), "f (2) (1024) assumed n = 3") << lost;
  EXPECT_EQ(launches(check_text(kKernels + before + "  UNKNOWN y z(x);  // to return\n" + launch)),
            "f (2) (128) n = 3");
}

// A program that asks for arguments is started with them.
TEST(CheckLost, HowManyArgumentsThereAreIsNoSize) {
  for (const char* asks :
       {"if (argc != 3) return 1;", "if (argc != 2 && argc != 3) { return 1; }", "if (argc < 3) return 1;"})
    EXPECT_EQ(launches(check_text(std::string(kKernels) + "int main(int argc, char** argv) {\n  float* x = 0;\n  " +
                                  asks + "\n  int t = atoi(argv[1]);\n  f<<<2, t>>>(x, 3);\n}\n")),
              "f (2) (1024) assumed n = 3 x = 0")
        << asks;
}

// What a statement changes that is not understood, is not known behind it.
TEST(CheckLost, WhatWasAssignedIsUnknown) {
  const auto told = [](const std::string& statement) {
    const CheckResult r = check_text(
        "struct Q { template <int n> __device__ int over(int o) const { return o + n; } };\n"
        "template <class T> __global__ void f(int* y, T q) {\n  __shared__ int s[64];\n  int o = threadIdx.x * 4;\n  " +
        statement + "\n  s[o] = 1;\n}\nvoid run(int* y) { f<<<1, 32>>>(y, Q()); }\n");
    return r.errors.find("is not counted") != std::string::npos &&
           r.errors.find("accesses 4 bytes") == std::string::npos;
  };
  EXPECT_FALSE(told("o = o * 2;"));
  for (const char* lost :
       {"o = o * UNKNOWN;", "o *= UNKNOWN;", "o = std::unknown(o);", "o = q.over<4>(o);", "o += q.over<4>(1);",
        "if (y[0] > 0) o = UNKNOWN;", "for (int k = 0; k < 4; k++) o += UNKNOWN;", "{ o = UNKNOWN; }",
        "int p[2] = {o, o}; p[1] = UNKNOWN; o = p[1];", "q.unknown(o);"})
    EXPECT_TRUE(told(lost)) << lost;
}

// Of a switch whose labels are lost, all that stands behind a break or at its beginning may be where it goes on.
TEST(CheckLost, WhereALabelIsLostAnyoneMayComeIn) {
  const std::string before =
      "#define EACH(T, ...) switch (T) { case UNKNOWN::A: { typedef float t; __VA_ARGS__; break; } "
      "case UNKNOWN::B: { typedef int t; __VA_ARGS__; break; } default: break; }\n"
      "template <class T> __global__ void h(float* x, int n) { __shared__ T s[64]; s[threadIdx.x] = n; }\n";
  EXPECT_EQ(launches_in("EACH(n, h<t><<<2, 32>>>(x, 3));", before), "h<float> (2) (32) n = 3; h<int> (2) (32) n = 3");
  EXPECT_EQ(
      launches_in("int t = 32; switch (2) { case UNKNOWN::A: t = 64; break; default: t = 96; } f<<<2, t>>>(x, 3);"),
      "");
}

// A copy of as many bytes is none that a kernel makes: it is told, and takes no time.
TEST(CheckLost, CopiesBeyondSharedMemoryAreNotCounted) {
  const CheckResult r = check_text(
      "__global__ void f(float* x) {\n  __shared__ float s[64];\n"
      "  unsigned at = (unsigned)__cvta_generic_to_shared(&s[threadIdx.x]);\n"
      "  asm volatile(\"cp.async.cg.shared.global [%0], [%1], %2;\" ::\"r\"(at), \"l\"(x), \"n\"(2147483648));\n}\n"
      "void run(float* x) { f<<<1, 32>>>(x); }\n");
  EXPECT_NE(r.errors.find("this copies more than shared memory holds"), std::string::npos) << r.errors;
}

TEST(CheckLost, TypesOfTorchAreKnown) {
  EXPECT_EQ(
      launches(check_text(std::string("#include <ATen/ATen.h>\n"
                                      "template <class T, class A> __global__ void h(T* x, int n) {\n"
                                      "  __shared__ A s[64]; s[threadIdx.x * 2] = n;\n}\n"
                                      "void run(at::Tensor x, at::optional<at::Tensor> y) {\n"
                                      "  switch (x.scalar_type()) {\n    case at::ScalarType::Half: {\n"
                                      "      using A = at::acc_type<at::Half, true>;\n"
                                      "      if (y.has_value()) h<at::Half, A><<<2, 32>>>(x.data_ptr<at::Half>(), 3);\n"
                                      "      break;\n    }\n    default: AT_ERROR(\"no\");\n  }\n}\n"))),
      "h<c10::Half, float> (2) (32) n = 3");
}

// What stands behind is about another variable then, or about a global one that some function has changed.
TEST(CheckLost, ADeclarationThatIsLostHidesWhatHasItsName) {
  EXPECT_EQ(launches_of_template("int t = x->size(); f<<<2, t>>>(x, n);", "constexpr int t = 128;\n"), "");
  EXPECT_EQ(launches(check_text(kKernels + std::string("int threads = 32;\n"
                                                       "void init() { UNKNOWN y = threads = 64 z; }\n"
                                                       "void run(float* x) { f<<<2, threads>>>(x, 3); }\n"))),
            "");
}

// Kernels of headers, and what they call, have a body without what clang does not understand there.
TEST(CheckLost, DeviceCodeOfHeadersHasABodyWithoutIt) {
  const ScratchFolder scratch;
  scratch.write(
      "kernel.cuh",
      "#pragma once\ntemplate <class T> T twice(T v) {\n  v.elsewhere(UNKNOWN);\n  return v + v;\n}\n"
      "template <class T> __global__ void h(T* x, int n) {\n  __shared__ T s[64];\n"
      "  s[threadIdx.x * 2] = twice<T>(n);\n  x.elsewhere(UNKNOWN);\n  x[threadIdx.x] = s[threadIdx.x];\n}\n");
  const CheckResult r = run_check("'" +
                                  scratch.write("k.cu",
                                                "#include \"kernel.cuh\"\n"
                                                "void run(float* x) { h<<<2, 32>>>(x, 3); }\n") +
                                  "'");
  EXPECT_EQ(launches(r), "h<float> (2) (32) n = 3") << r.errors;
  EXPECT_EQ(r.accesses("h<float>", "shared"), (Lines{"store s 2/1 of 2 = 4", "load s 1/1 of 2 = 2"}));
  EXPECT_NE(r.errors.find("kernel.cuh:3:15: warning: use of undeclared identifier"), std::string::npos) << r.errors;
  EXPECT_NE(r.errors.find("kernel.cuh:9:4: warning: member reference"), std::string::npos) << r.errors;
  EXPECT_EQ(r.report["uncounted"].size(), 2u);
}

// A block that a header's host code computes is unknown where that is not understood.
TEST(CheckLost, HostCodeOfHeadersStaysUnknown) {
  const ScratchFolder scratch;
  scratch.write(
      "pick.cuh",
      "#pragma once\ntemplate <class T> int pick(T* x) {\n  if (x->size() > 3) return 64;\n  return 128;\n}\n");
  const std::string file = scratch.write(
      "k.cu", std::string(kKernels) + "#include \"pick.cuh\"\nvoid run(float* x) { f<<<2, pick(x)>>>(x, 3); }\n");
  EXPECT_EQ(launches(run_check("'" + file + "'")), "f (2) (1024) assumed n = 3");
}

// Not where the sizes decide no more than who takes part, or how often.
TEST(CheckLost, WhatRestsOnAssumedSizesIsNotCounted) {
  const auto kernel = [](const std::string& access) {
    return "__global__ void __launch_bounds__(32) k(float* y, int stride, int n) {\n"
           "  __shared__ float s[4096];\n  const int t = threadIdx.x;\n" +
           access + "\n}\n";
  };
  const std::string strided = kernel("  s[t * (stride / 1024) % 4096] = y[t];"),
                    branch = kernel("  if (n > 2000) s[t * 32 % 4096] = y[t];"),
                    guarded = kernel("  for (int i = t; i < n; i += 32) s[i % 64] = y[i];");
  for (const auto& [text, place] : {std::pair{strided, "k.cu:4:3: "}, {branch, "k.cu:4:17: "}}) {
    const CheckResult r = check_text(text, "--fail-on-conflicts");
    EXPECT_EQ(r.exit_code, 20) << r.output << r.errors;
    EXPECT_NE(r.errors.find(place + std::string("warning: this rests on what is assumed of stride, n: it takes ")),
              std::string::npos)
        << r.errors;
    EXPECT_EQ(r.report["uncounted"].size(), 1u);
    EXPECT_EQ(check_text(text, "--fail-on-conflicts --allow-uncounted").exit_code, 0);
    EXPECT_EQ(check_text(text, "--fail-on-conflicts --set stride=1024 --set n=64").exit_code, 0);
  }
  EXPECT_EQ(check_text(guarded, "--fail-on-conflicts").exit_code, 0);
}

// `View(std::nowhere_t) = delete;` is a member of type View to clang, which knows no std::nowhere_t.
TEST(CheckLost, AClassThatIsReadAsAPartOfItselfIsCopied) {
  const CheckResult r = check_text(
      "struct View { View() = default; View(const View&) = default; View(std::nowhere_t) = delete; };\n"
      "struct Buffer { int n; View v; };\nBuffer made(View v);\nBuffer passed_on(View v) { return made(v); }\n"
      "__global__ void f(float* x) { x[threadIdx.x] = 1; }\n"
      "void run(float* x, const View& v) { Buffer b = passed_on(v); f<<<1, 64>>>(x); }\n");
  EXPECT_EQ(launches(r), "f (1) (64)");
}

// Macros of headers that are not read, in front of kernels.
TEST(CheckLost, KernelsBehindUnknownMacrosAreCounted) {
  const std::string body = "(float* y) { __shared__ float s[1024]; s[threadIdx.x * 32] = y[0]; }\n",
                    rest =
                        "__global__ void other(float* y) { y[threadIdx.x] = 1; }\n"
                        "void run(float* y) { other<<<1, 32>>>(y); k<<<1, 32>>>(y); }\n";
  for (const char* head : {"MY_API __global__ void k", "MY_BOUNDS(512)\n__global__ void k", "GLOBAL void k",
                           "DEFINE(a)\n__global__ void k", "__global__ MY_BOUNDS(512) void k"}) {
    const CheckResult r = check_text("#include \"macros.h\"\n" + (head + body) + rest, "--no-ptx --fail-on-conflicts");
    EXPECT_EQ(r.exit_code, 4) << head << r.errors;
    EXPECT_EQ(r.accesses("k", "shared"), (Lines{"store s 32/1 of 1 = 32"})) << r.errors;
    EXPECT_NE(r.errors.find("' is not known here: taken to say "), std::string::npos) << r.errors;
  }
}

TEST(CheckLost, KernelsThatClangMakesNothingOfAreNotCounted) {
  const std::string
      body = "(float* y) { __shared__ float s[1024]; s[threadIdx.x * 32] = y[0]; }\n",
      other = "__global__ void other(float* y) { y[threadIdx.x] = 1; }\nvoid run(float* y) { other<<<1, 32>>>(y); ";
  for (const std::string& text : {"template <class T> concept bool Small<T> __global__ void k" + body + other + "}\n",
                                  "struct S { friend __global__ void k" + body + "};\n" + other + "}\n",
                                  "KERNEL(k)" + body + other + "k<<<1, 32>>>(y); }\n"}) {
    const CheckResult r = check_text(text, "--no-ptx --fail-on-conflicts");
    EXPECT_EQ(r.exit_code, 20) << text << r.errors;
    EXPECT_NE(r.errors.find("the kernel 'k' is not counted"), std::string::npos) << r.errors;
  }
  const CheckResult elsewhere = check_text("__global__ void elsewhere(float*);\n" + other +
                                               "elsewhere<<<1, 32>>>(y); gone<<<1, 32>>>(y); }\n"
                                               "#if 0\n__global__ void gone" +
                                               body + "#endif\n",
                                           "--no-ptx --fail-on-conflicts");
  EXPECT_EQ(elsewhere.exit_code, 0) << elsewhere.errors;
}

// Where a number or a pointer that nothing tells keeps threads from a conflict.
TEST(CheckLost, WhatAssumedArgumentsKeepThreadsFromIsTold) {
  const auto checked = [](const std::string& parameter, const std::string& condition, const std::string& flags = "") {
    return check_text("enum class Mode { A, B };\n__global__ void __launch_bounds__(32) k(float* y, " + parameter +
                          ") {\n  __shared__ float s[1024];\n  const int t = threadIdx.x;\n  if (" + condition +
                          ") s[t * 32] = 1; else s[t] = 1;\n}\n",
                      "--no-ptx --fail-on-conflicts " + flags);
  };
  for (const auto& [parameter, condition, told] :
       {std::tuple("int mode", "mode == 2", "assumed of mode: it takes 0 wavefronts at 1024, and 32 wavefronts at 2"),
        {"Mode m", "m == Mode::B", "0 wavefronts at 1024, and 32 wavefronts at 1"},
        {"int n", "n > 5000", "32 wavefronts at 5001"},
        {"int n", "n & 1", "32 wavefronts at 1023"},
        {"int n, int m", "n != m", "assumed of n: "},
        {"const float* b", "b == nullptr",
         "this takes 32 wavefronts if b is null, which nothing tells; say it: --set b=0"},
        {"const float* b", "!b", "if b is null"}}) {
    const CheckResult r = checked(parameter, condition);
    EXPECT_EQ(r.exit_code, 20) << condition << r.output;
    EXPECT_NE(r.errors.find(told), std::string::npos) << r.errors;
  }
  EXPECT_EQ(checked("const float* b", "!b", "--set b=1").exit_code, 0);
  EXPECT_EQ(checked("const float* b", "!b", "--set b=0").exit_code, 4);
  EXPECT_NE(checked("const float* b", "!b", "--set b=5").errors.find("this is a pointer"), std::string::npos);
}

TEST(CheckLost, PointersThatAreNullAreSo) {
  for (const char* argument : {"nullptr", "0", "(float*)nullptr", "(float*)0"}) {
    const CheckResult r =
        check_text(std::string("__global__ void k(float* y, const float* b) {\n  __shared__ float s[1024];\n"
                               "  if (b) s[threadIdx.x] = b[0]; else s[threadIdx.x * 32] = 1;\n}\n"
                               "void run(float* y) { k<<<1, 32>>>(y, ") +
                       argument + "); }\n",
                   "--no-ptx");
    EXPECT_EQ(r.accesses("k", "shared"), (Lines{"store s 32/1 of 1 = 32"})) << argument;
    EXPECT_TRUE(r.accesses("k", "global").empty());
  }
}

// One that may be handed over decides nothing of what the host does.
TEST(CheckLost, DefaultsOfPointersDecideNoLaunch) {
  const CheckResult r = check_text(
      "__global__ void f(float* y) { y[threadIdx.x] = 1; }\n__global__ void g(float* y) { y[threadIdx.x] = 2; }\n"
      "void run(float* y, const float* scale) { if (scale == nullptr) f<<<1, 32>>>(y); else g<<<1, 64>>>(y); }\n"
      "void run(float* y) { run(y, nullptr); }\n",
      "--no-ptx");
  EXPECT_EQ(launches(r), "f (1) (32); g (1) (64)");
}

// Of 33 blocks, 0, 17 and 32.
TEST(CheckLost, AnOddBlockIsAmongThoseThatAreWalked) {
  const CheckResult r = check_text(
      "__global__ void k(float* y) { __shared__ float s[1024]; s[threadIdx.x * (blockIdx.x % 2 * 31 + 1)] = y[0]; }\n"
      "void run(float* y) { k<<<33, 32>>>(y); }\n",
      "--no-ptx");
  EXPECT_EQ(r.accesses("k", "shared"), (Lines{"store s 32/1 of 3 = 34"}));
}

}  // namespace
}  // namespace swizzle::test::check_lost_test
