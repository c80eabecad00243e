#include "synth/ptx/names.h"

#include <gtest/gtest.h>

namespace swizzle::ptx_names_test {
namespace {

using namespace swizzle::ptx;

TEST(PtxNames, VariablesLoseTheirFunction) {
  EXPECT_EQ(short_name("_ZZ9transposeILi32EEvPfPKfiE1t"), "t");
  EXPECT_EQ(short_name("s"), "s") << "not the type that this would be in a mangled name";
  EXPECT_EQ(short_name("__local_depot0"), "__local_depot0");
}

TEST(PtxNames, FunctionsLoseArgumentsAndMadeUpNamespaces) {
  EXPECT_EQ(function_name("_Z4lookILi32EEfPAT__Kfii"), "look");
  EXPECT_EQ(function_name("_ZN34_INTERNAL_d18cedc9_4_t_cu_404a68636nvcuda4wmma4loadEPf"), "nvcuda::wmma::load");
}

TEST(PtxNames, SignaturesTellParameters) {
  const Signature transpose = signature_of("_Z9transposeILi32EEvPfPKfi");
  EXPECT_EQ(transpose.name, "transpose<32>");
  EXPECT_EQ(transpose.parameters, (std::vector<std::string>{"float*", "float const*", "int"}));
  const Signature nothing = signature_of("_ZN2ns1kEv");
  EXPECT_EQ(nothing.name, "ns::k");
  EXPECT_EQ(nothing.parameters, std::vector<std::string>{});
  EXPECT_FALSE(signature_of("my_kernel").parameters) << "extern \"C\" tells none";
}

}  // namespace
}  // namespace swizzle::ptx_names_test
