// `swizzle-synth check`: what objects do where they end, as their class tells, and where they are moved.
#include <gtest/gtest.h>

#include "tests/end_to_end/check_runs.h"

namespace swizzle::test::check_objects_test {
namespace {

constexpr const char* kObjects = R"(
struct Times {
  int& v; int by;
  __device__ Times(int& v, int by) : v(v), by(by) {}
  __device__ ~Times() { v *= by; }
};
struct Flush {
  float* to; float v;
  __device__ Flush(float* to, float v) : to(to), v(v) {}
  __device__ ~Flush() { to[threadIdx.x * 2] = v; }
};
struct Barrier { __device__ ~Barrier() { __syncthreads(); } };
struct Plus { int& v; __device__ Plus(int& v) : v(v) {} __device__ ~Plus() { v += 1; } };
struct Both : Plus { Times then; __device__ Both(int& v) : Plus(v), then(v, 4) {} __device__ ~Both() { v -= 1; } };
)";

CheckResult check_kernel(const std::string& functions, const std::string& body, int threads = 32) {
  return check_text(
      fmt::format("{}{}__global__ void __launch_bounds__({}) k(float* x) {{\n  __shared__ float s[4096];\n"
                  "  int i = threadIdx.x;\n{}\n}}\n",
                  kObjects, functions, threads, body),
      "--no-ptx --rules all");
}

struct Ending {
  const char *name, *functions, *body;
  Lines counted;
};

class CheckObjects : public ::testing::TestWithParam<Ending> {};

TEST_P(CheckObjects, EndWhereTheirScopeDoes) {
  const CheckResult r = check_kernel(GetParam().functions, GetParam().body);
  EXPECT_EQ(r.accesses("k", "shared"), GetParam().counted) << r.output << r.errors;
  EXPECT_EQ(r.errors.find("not followed"), std::string::npos) << r.errors;
}

INSTANTIATE_TEST_SUITE_P(
    Of, CheckObjects,
    ::testing::Values(
        Ending{
            "Blocks", "", "{ Times g(i, 8); s[i] = 0; } s[i] = 1;", {"store s 1/1 of 1 = 1", "store s 8/1 of 1 = 8"}},
        Ending{"Functions", "", "Flush g(s, x[i]);", {"store s 2/1 of 1 = 2"}},
        Ending{"LastFirst", "", "{ Times a(i, 4); Plus b(i); i *= 2; } s[i - 4 + 1] = 0;", {"store s 8/1 of 1 = 8"}},
        Ending{"Members", "", "{ Both b(i); i = 2 * i + 1; } s[i] = 0;", {"store s 8/1 of 1 = 8"}},
        Ending{"Returns",
               "__device__ int scaled(int i) { Times g(i, 16); if (i % 2 == 0) return i * 4; return i * 4 + 1; }\n",
               "s[scaled(i)] = 0;",
               {"store s 4/1 of 1 = 4"}},
        Ending{"Leaving",
               "__device__ void f(float* s, int i) { Flush g(s, 1); if (i > 3) return; s[i * 4] = 0; }\n",
               "f(s, i);",
               {"store s 2/1 of 2 = 3", "store s 1/1 of 1 = 1"}},
        Ending{"Breaks",
               "",
               "for (int k = 0; k < 9; k++) { Times g(i, 2); if (k == 1) continue; if (k == 2) break; }\ns[i] = 0;",
               {"store s 8/1 of 1 = 8"}},
        Ending{
            "Switches",
            "",
            "for (int k = 0; k < 3; k++) { Times g(i, 2); switch (k) { case 1: break; default: i += 0; } }\ns[i] = 0;",
            {"store s 8/1 of 1 = 8"}}),
    [](const auto& of) { return of.param.name; });

TEST(CheckObjects, ABarrierWhereTheyEndKeepsWritesApart) {
  const auto with = [](const char* body) { return check_kernel("", body, 256).output; };
  const std::string apart = with("{ Barrier b; s[i] = x[i]; }\nx[i] = s[255 - i];");
  EXPECT_EQ(apart.find("race"), std::string::npos) << apart;
  const CheckResult together = check_kernel("", "{ s[i] = x[i]; }\nx[i] = s[255 - i];", 256);
  EXPECT_NE(together.errors.find("a warp reads here what another writes"), std::string::npos) << together.errors;
}

TEST(CheckObjects, OfOneStatementOrOfArraysAreToldOf) {
  const CheckResult temporary = check_kernel("", "Flush(s, x[i]);\ns[i] = 0;");
  EXPECT_NE(temporary.errors.find("what runs where this temporary ends is not followed"), std::string::npos);
  EXPECT_EQ(temporary.output.find("no bank conflicts in 1 access"), std::string::npos) << temporary.output;
  const CheckResult array = check_kernel("", "Barrier b[2];\ns[i] = 0;");
  EXPECT_NE(array.errors.find("where the elements of an array end is not followed"), std::string::npos) << array.errors;
}

TEST(CheckObjects, OfAClassThatIsNotKnownAreAskedNothing) {
  constexpr const char* kVirtual =
      "struct Map { __device__ virtual int at(int t) const { return t; } };\n"
      "struct Wide : Map { __device__ int at(int t) const override { return t * 8; } };\n"
      "__device__ int index(const Map& m, int t) { return m.at(t); }\n";
  const CheckResult hidden = check_kernel(kVirtual, "Wide m;\ns[index(m, i)] = 0;");
  EXPECT_EQ(hidden.accesses("k", "shared"), Lines{"store s unknown of 1"});
  EXPECT_NE(hidden.errors.find("'at' is virtual, and which one is called is not known"), std::string::npos);
  const CheckResult known = check_kernel(kVirtual, "Wide m;\ns[m.at(i)] = 0; s[m.Map::at(i)] = 0;");
  EXPECT_EQ(known.accesses("k", "shared"), (Lines{"store s 8/1 of 1 = 8", "store s 1/1 of 1 = 1"}));
}

TEST(CheckObjects, ThatAreMovedAreNoCopies) {
  constexpr const char* kMoved =
      "struct A { int m = 1; __device__ A() = default; __device__ A(const A&) : m(1) {} __device__ A(A&&) : m(8) {} };\n"
      "template <class T> __device__ int by(T&&) { return 4; }\n__device__ int by(A&) { return 1; }\n"
      "template <class T> __device__ int passed(T&& v) { return by(std::forward<T>(v)); }\n";
  const CheckResult r = check_kernel(
      kMoved,
      "A a; A b = std::move(a);\ns[i * b.m] = 0;\ns[i * by(std::move(a))] = 0;\ns[i * passed(a)] = 0;\ns[i * passed(A())] = 0;");
  EXPECT_EQ(r.accesses("k", "shared"),
            (Lines{"store s 8/1 of 1 = 8", "store s 4/1 of 1 = 4", "store s 1/1 of 1 = 1", "store s 4/1 of 1 = 4"}))
      << r.output << r.errors;
}

}  // namespace
}  // namespace swizzle::test::check_objects_test
