// Distinct index types. An Id<Tag> is a position in one particular vector; ids of different tags do not mix.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace swizzle {

template <typename Tag>
struct Id {
  static constexpr std::uint32_t kInvalid = 0xffffffffu;
  std::uint32_t value = kInvalid;

  constexpr Id() = default;
  constexpr explicit Id(std::size_t v) : value(static_cast<std::uint32_t>(v)) {}
  constexpr bool valid() const { return value != kInvalid; }
  friend constexpr auto operator<=>(const Id&, const Id&) = default;
};

using TypeId = Id<struct TypeTag>;          // Program::types
using ExprId = Id<struct ExprTag>;          // Program::exprs
using StmtId = Id<struct StmtTag>;          // Program::stmts
using VariableId = Id<struct VariableTag>;  // Program::variables
using FunctionId = Id<struct FunctionTag>;  // Program::functions
using HoleId = Id<struct HoleTag>;          // Program::holes
using LayoutId = Id<struct LayoutTag>;      // Program::layouts
using PointId = Id<struct PointTag>;        // Points: one hole at one tuple of arguments
using BufferId = Id<struct BufferTag>;      // pointer parameters of the kernel, in order

}  // namespace swizzle

template <typename Tag>
struct std::hash<swizzle::Id<Tag>> {
  std::size_t operator()(swizzle::Id<Tag> id) const noexcept { return id.value; }
};
