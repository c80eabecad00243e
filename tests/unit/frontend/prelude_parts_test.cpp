#include "frontend/prelude_parts.h"

#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "frontend/parse.h"
#include "frontend/prelude.h"

namespace swizzle::prelude_parts_test {
namespace {

constexpr const char* kPrelude =
    "#define WIDTH 32\n#define LAST (WIDTH - 1)\n"
    "struct alignas(8) int2 { int x, y; };\ninline int2 make_int2(int x, int y) { return int2{x, y}; }\n"
    "int lane(); int lane(int);\n"
    "template <class T> T shuffle(unsigned, T, int, int = 32);\n"
    "typedef unsigned uint; extern const uint first, second;\n"
    "enum Order { kRows, kColumns };\n"
    "inline int2 operator+(const int2& a, int2 b) { return int2{a.x + b.x, a.y + b.y}; }\n"
    "namespace std { using ::uint; template <class E> class initializer_list { const E* begin_; uint size_; };\n"
    "template <class T> struct less { bool operator()(T a, T b); }; template <> struct less<uint>; }\n"
    "constexpr int2 origin{};\n";

std::set<std::string> kept(const std::string& text, bool nearly = false) {
  const PreludeParts parts(kPrelude);
  const std::string prelude = nearly ? parts.nearly_named_in(text) : parts.named_in(text);
  std::set<std::string> found;
  for (const char* sign :
       {"#define WIDTH", "#define LAST", "struct alignas(8) int2 {", "make_int2(", "int lane();", "int lane(int);",
        "shuffle(", "typedef", "first, second", "enum Order", "operator+", "initializer_list", "origin"})
    if (prelude.find(sign) != std::string::npos) found.insert(sign);
  found.erase("initializer_list");  // and what it stands among
  found.erase("typedef");
  return found;
}

using Kept = std::set<std::string>;

TEST(PreludeParts, ATextThatNamesNothingHasWhatClangAsksFor) {
  const PreludeParts parts(kPrelude);
  EXPECT_NE(parts.named_in("y[t] = x[t];").find("class initializer_list"), std::string::npos);
  EXPECT_NE(parts.named_in("y[t] = x[t];").find("typedef unsigned uint;"), std::string::npos);  // that names it
  EXPECT_EQ(parts.named_in("y[t] = x[t];").find("struct less"), std::string::npos);
  EXPECT_EQ(kept("y[t] = x[t];"), Kept());
}

TEST(PreludeParts, WhatANameNeedsComesWithIt) {
  EXPECT_EQ(kept("LAST"), (Kept{"#define LAST", "#define WIDTH"}));
  EXPECT_EQ(kept("make_int2(1, 2)"), (Kept{"make_int2(", "struct alignas(8) int2 {", "operator+"}));
  EXPECT_EQ(kept("origin.x"), (Kept{"origin", "struct alignas(8) int2 {", "operator+"}));
  EXPECT_EQ(kept("second"), Kept{"first, second"});
}

TEST(PreludeParts, OfStdEachDeclarationIsAPart) {
  const std::string prelude = PreludeParts(kPrelude).named_in("std::less<int>()(a, b)");
  EXPECT_NE(prelude.find("namespace std {template <class T> struct less {"), std::string::npos) << prelude;
  EXPECT_NE(prelude.find("namespace std {template <> struct less<uint>; }"), std::string::npos) << prelude;
}

TEST(PreludeParts, OverloadsAreTakenTogether) { EXPECT_EQ(kept("lane()"), (Kept{"int lane();", "int lane(int);"})); }

TEST(PreludeParts, ConstantsNameTheirEnumeration) { EXPECT_EQ(kept("kColumns"), Kept{"enum Order"}); }

TEST(PreludeParts, APartOfAWordIsNoName) { EXPECT_EQ(kept("lanes shuffle_up WIDTH_ make_int"), Kept()); }

TEST(PreludeParts, NearNamesAreThoseThatClangWouldPropose) {
  EXPECT_EQ(kept("lame()", true), (Kept{"int lane();", "int lane(int);"}));
  EXPECT_EQ(kept("shufle(v)", true), Kept{"shuffle("});
  EXPECT_EQ(kept("lame()"), Kept());
  EXPECT_EQ(kept("somewhere(v)", true), Kept());
}

TEST(PreludeParts, TheOrderIsKept) {
  const PreludeParts parts("int a(); int b(); int c();\n");
  EXPECT_EQ(parts.named_in("c a"), "int a();\nint c();\n");
}

TEST(PreludeParts, NamesMadeOfPiecesAreNotSeen) {
  EXPECT_TRUE(pastes_names("#define MAKE(t) make_##t"));
  EXPECT_TRUE(pastes_names("la\\\nne()"));
  EXPECT_FALSE(pastes_names("#define MAKE(t) t(0)\nlane()"));
}

std::string told(const std::string& text) {
  const auto program = parse_kernel(SourceText("a.cu", text), "");
  std::string all;
  if (!program.ok())
    for (const Diagnostic& d : program.errors()) all += render(d);
  return all;
}

TEST(PreludeParts, AMisspeltNameIsProposedAsIfAllWereThere) {
  EXPECT_NE(told("__global__ void f(int* y) { y[threadIdx.x] = __shfl_snyc(~0u, y[0], 1); }")
                .find("did you mean '__shfl_sync'?"),
            std::string::npos);
  EXPECT_NE(told("__global__ void f(float4* y) { y[threadIdx.x] = make_flaot4(1, 2, 3, 4); }")
                .find("did you mean 'make_float4'?"),
            std::string::npos);
}

TEST(PreludeParts, NamesOfMacrosAndOfPastedPiecesAreThere) {
  EXPECT_EQ(told("#define V(t, n) make_##t##n\n__global__ void f(int2* y) { y[threadIdx.x] = V(int, 2)(1, 2); }"), "");
  EXPECT_EQ(told("#define AT threadIdx.x\n__global__ void f(int* y) { y[AT] = 1; }"), "");
  EXPECT_EQ(told("__global__ void f(int* y) { y[0] = __shfl_sync(~0u, INT_MIN, 1) + warpSize; }"), "");
}

// What Clang reads for a small sketch; and that every declaration is one that some text would name.
TEST(PreludeParts, AFewNamesAreAFewDeclarations) {
  const PreludeParts parts(prelude_text());
  for (const char* name : {"float4",
                           "make_ushort3",
                           "__shfl_xor_sync",
                           "__shared__",
                           "threadIdx",
                           "accumulate",
                           "eval",
                           "load",
                           "store",
                           "magic_get",
                           "$sw_layout",
                           "$sw_xform",
                           "sw_cute",
                           "atomicCAS_block",
                           "__syncthreads",
                           "INT_MIN",
                           "size_t",
                           "plus",
                           "__byte_perm",
                           "warpSize",
                           "create_accumulator"}) {
    const std::string part = parts.named_in(name);
    EXPECT_NE(part.find(name), std::string::npos) << name;
    EXPECT_LT(part.size(), parts.all().size() / 4) << name;
  }
}

}  // namespace
}  // namespace swizzle::prelude_parts_test
