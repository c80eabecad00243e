// What host code is known to compute: private to frontend/.
//
//   int n = 1000;            integer 1000
//   dim3 block(32, 8);       members x = 32, y = 8, z = 1
//   auto k = &copy<4>;       function copy<4>
//   void* args[] = {&n};     members 0 = the address of n
//
// In a method, `this` is a variable, too: it goes by its class.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <clang/AST/OperationKinds.h>

namespace clang {
class APValue;
class ASTContext;
class Decl;
class FunctionDecl;
class QualType;
}  // namespace clang

namespace swizzle {

// With nothing in it, unknown.
struct HostValue {
  std::optional<std::int64_t> integer;
  std::optional<double> real;
  const clang::FunctionDecl* function = nullptr;
  const clang::Decl* address = nullptr;      // of a variable
  std::map<std::string, HostValue> members;  // of a record, or of an array by index: those that are known

  static HostValue of(std::int64_t value);
  static HostValue of_real(double value);
  bool operator==(const HostValue&) const = default;
};

// A variable, or a part of it: `shape.block.x`.
struct HostPlace {
  const clang::Decl* variable = nullptr;  // or a class: `this`
  std::vector<std::string> path;
};

// What variables hold wherever one comes from.
using HostVariables = std::map<const clang::Decl*, HostValue>;
HostValue common(const HostValue& a, const HostValue& b);
HostVariables common(const HostVariables& a, const HostVariables& b);

// A constant as clang evaluates it; members of base classes are its own.
HostValue host_value(const clang::APValue& value, clang::QualType type);

// Of a dim3, or of an integer; nothing if one of them is unknown, or below 1.
std::optional<std::array<int, 3>> dimensions_of(const HostValue& value);

// What C computes, on integers of 64 bits or on doubles; unknown where that is not defined.
HostValue computed(clang::BinaryOperatorKind op, const HostValue& a, const HostValue& b);

// As a variable of so many bits holds it.
std::int64_t low_bits(std::int64_t value, unsigned bits, bool is_signed);

bool is_dim3(clang::QualType type);

// Of a function of the C or C++ library; nothing if this is none that is known.
std::optional<HostValue> library_call(const std::string& name, const HostValue* arguments, std::size_t count);

}  // namespace swizzle
