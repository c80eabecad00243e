#include "frontend/opaque_types.h"

#include <gtest/gtest.h>

namespace swizzle::opaque_types_test {
namespace {

// "type name" of each that is found, "class name" for a class, with an error where `wrong` stands.
std::string opaque(const std::string& text, const std::string& wrong) {
  const auto at = [&](SourceRange r) { return text.substr(r.begin, r.end - r.begin); };
  std::string found;
  for (const OpaqueType& o : opaque_types(text, {static_cast<std::uint32_t>(text.find(wrong))}))
    found += (o.is_class ? "class " : "") + at(o.type) + " " + at(o.name) + ";";
  return found;
}

std::string opaque_parameter(const std::string& parameters, const std::string& wrong) {
  return opaque("template <class T> __global__ void __launch_bounds__(32) f(" + parameters + ") { g(x); }", wrong);
}

TEST(OpaqueTypes, AParameterIsTheOneWithAnError) {
  EXPECT_EQ(opaque_parameter("int n, Foo a, int m", "Foo"), "Foo a;");
  EXPECT_EQ(opaque_parameter("int n, ns::Foo<T, 2, Bar> a, int m", "ns"), "ns::Foo<T, 2, Bar> a;");
  EXPECT_EQ(opaque_parameter("int n, ns::Foo<T, 2, Bar> a, int m", "Bar"), "ns::Foo<T, 2, Bar> a;");
  EXPECT_EQ(opaque_parameter("const Foo* __restrict__ a = nullptr", "Foo"), "Foo a;");
  EXPECT_EQ(opaque_parameter("const __grid_constant__ Foo a", "Foo"), "Foo a;");
  EXPECT_EQ(opaque_parameter("Foo (*a)[3], int n", "Foo"), "Foo a;");
  EXPECT_EQ(opaque_parameter("Foo, int n", "Foo"), "");
  EXPECT_EQ(opaque_parameter("int n", "f("), "");
}

// Behind an unknown type clang complains of known ones, too; and of values.
TEST(OpaqueTypes, WhatIsBuiltInIsKnown) {
  EXPECT_EQ(opaque_parameter("ns::Foo a, const unsigned long n", "unsigned"), "");
  EXPECT_EQ(opaque_parameter("int n = Foo::kSize", "Foo"), "");
  EXPECT_EQ(opaque_parameter("int n", "x"), "");
}

TEST(OpaqueTypes, OfFunctionsThatAreNoKernels) {
  EXPECT_EQ(opaque("void run(const Tensor<T>& a, int n) { if (n) { f(n); } }", "Tensor"), "Tensor<T> a;");
  EXPECT_EQ(opaque("namespace a { ns::Status run(int n) const { return 0; } }", "ns"), "ns::Status run;");
  EXPECT_EQ(opaque("template <class T> void Layer<T>::Inner::run(int n) { f(n); }", "Layer"),
            "class Layer<T>::Inner:: run;");
}

TEST(OpaqueTypes, DeclarationsAndStatementsAreNone) {
  EXPECT_EQ(opaque("void run(Tensor a, int n);", "Tensor"), "");
  EXPECT_EQ(opaque("void f() { if (Foo::x) { g(); } }", "Foo"), "");
  EXPECT_EQ(opaque("void f() { Foo x(3); g(); }", "Foo"), "");
  EXPECT_EQ(opaque("struct S { Foo a; void f() { g(); } };", "Foo"), "");
  EXPECT_EQ(opaque("template <class T, ns::Kind kind> void f(T x) { g(); }", "ns"), "");
  EXPECT_EQ(opaque("template <class T, class = enable<Foo>> void f(T x) { g(); }", "Foo"), "");
}

}  // namespace
}  // namespace swizzle::opaque_types_test
