#include "codegen/emit/user_comments.h"

#include <gtest/gtest.h>

namespace swizzle::user_comments_test {
namespace {

TEST(UserComments, AreToldApartFromDirectives) {
  const std::string own = "// swizzle check n = 64";
  const std::string text = own +
                           "\n//  swizzle launch grid(n)A\nint a;  // swizzle\tcheck n = 3\n// swizzle-ignore: once\n"
                           "// swizzled\n/* swizzle check n = 1 */ const char* s = \"// swizzle check n = 2\";\n//\n";
  const SourceText source("k.cu", text);
  EXPECT_EQ(edited(source, told_apart(source, {{0, static_cast<std::uint32_t>(own.size())}})),
            own +
                "\n//  - swizzle launch grid(n)A\nint a;  // - swizzle\tcheck n = 3\n// swizzle-ignore: once\n"
                "// swizzled\n/* swizzle check n = 1 */ const char* s = \"// swizzle check n = 2\";\n//\n");
}

}  // namespace
}  // namespace swizzle::user_comments_test
