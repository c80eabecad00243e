#include "frontend/kernel_text.h"

#include <gtest/gtest.h>

namespace swizzle::kernel_text_test {
namespace {

// "type name" of each parameter with an error where `wrong` stands.
std::string opaque(const std::string& parameters, const std::string& wrong) {
  const std::string text = "template <class T> __global__ void __launch_bounds__(32) f(" + parameters + ") {}";
  const auto at = [&](SourceRange r) { return text.substr(r.begin, r.end - r.begin); };
  std::string found;
  for (const KernelText& kernel : kernel_texts(text))
    for (const OpaqueParameter& p : opaque_parameters(text, kernel, {static_cast<std::uint32_t>(text.find(wrong))}))
      found += at(p.type) + " " + at(p.name) + ";";
  return found;
}

TEST(KernelText, AnOpaqueParameterIsTheOneWithAnError) {
  EXPECT_EQ(opaque("int n, Foo a, int m", "Foo"), "Foo a;");
  EXPECT_EQ(opaque("int n, ns::Foo<T, 2, Bar> a, int m", "ns"), "ns::Foo<T, 2, Bar> a;");
  EXPECT_EQ(opaque("int n, ns::Foo<T, 2, Bar> a, int m", "Bar"), "ns::Foo<T, 2, Bar> a;");
  EXPECT_EQ(opaque("const Foo* __restrict__ a = nullptr", "Foo"), "Foo a;");
  EXPECT_EQ(opaque("const __grid_constant__ Foo a", "Foo"), "Foo a;");
  EXPECT_EQ(opaque("Foo, int n", "Foo"), "");
  EXPECT_EQ(opaque("int n", "f("), "");
}

}  // namespace
}  // namespace swizzle::kernel_text_test
