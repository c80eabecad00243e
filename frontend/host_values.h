// What host code is known to compute: private to frontend/.
//
//   int n = 1000;            integer 1000
//   dim3 block(32, 8);       members x = 32, y = 8, z = 1
//   auto k = &copy<4>;       function copy<4>
//   void* args[] = {&n};     members 0 = the address of n
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include <clang/AST/OperationKinds.h>

namespace clang {
class FunctionDecl;
class VarDecl;
}  // namespace clang

namespace swizzle {

// With nothing in it, unknown.
struct HostValue {
  std::optional<std::int64_t> integer;
  std::optional<double> real;
  const clang::FunctionDecl* function = nullptr;
  const clang::VarDecl* address = nullptr;   // of a variable
  std::map<std::string, HostValue> members;  // of a record, or of an array by index: those that are known

  static HostValue of(std::int64_t value);
  static HostValue of_real(double value);
  bool operator==(const HostValue&) const = default;
};

// What variables hold wherever one comes from.
using HostVariables = std::map<const clang::VarDecl*, HostValue>;
HostValue common(const HostValue& a, const HostValue& b);
HostVariables common(const HostVariables& a, const HostVariables& b);

// Of a dim3, or of an integer; nothing if one of them is unknown, or below 1.
std::optional<std::array<int, 3>> dimensions_of(const HostValue& value);

// What C computes, on integers of 64 bits or on doubles; unknown where that is not defined.
HostValue computed(clang::BinaryOperatorKind op, const HostValue& a, const HostValue& b);

// Of a function of the C or C++ library; nothing if this is none that is known.
std::optional<HostValue> library_call(const std::string& name, const HostValue* arguments, std::size_t count);

}  // namespace swizzle
