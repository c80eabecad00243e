// What compilers call things, as their source does.
//
//   _ZZ9transposeILi32EEvPfPKfiE1t     short_name: "t"
//   _Z9transposeILi32EEvPfPKfi         signature_of: {"transpose<32>", {"float*", "float const*", "int"}}
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace swizzle::ptx {

std::string short_name(const std::string& mangled);     // of a variable, without its function
std::string function_name(const std::string& mangled);  // without template arguments and parameters: "cute::copy"

struct Signature {
  std::string name;                                      // "transpose<32>"
  std::optional<std::vector<std::string>> parameters{};  // types; nothing: the name does not tell them
};
Signature signature_of(const std::string& mangled);

}  // namespace swizzle::ptx
