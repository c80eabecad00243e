// What a program accesses through the address of an element, wherever it hands it on:
//
//   float4* p = reinterpret_cast<float4*>(&tile[r][c]);   y = *p;                         16 bytes
//   unsigned a = __cvta_generic_to_shared(&tile[r][c]);   asm("ldmatrix …" :: "r"(a));    16: a row of a matrix
//   p[1]    p + k    a ^ 64    return p;    elsewhere(p)                                  nothing: it may be anything
//
// Whoever moves elements in groups that hold that many bytes, at multiples of as many, moves nothing that is accessed.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "synth/program/program.h"

namespace swizzle {

class AddressUses {
 public:
  explicit AddressUses(const Program& program);

  // The expressions that an expression is an operand of.
  const std::vector<ExprId>& parents(ExprId e) const { return parents_[e.value]; }

  // The most that one access to what the pointer or address `e` leads to takes: a power of two, which the access is
  // aligned to. Nothing: other elements than the first may be accessed.
  std::optional<int> accessed_bytes(ExprId e) const;

  // Nothing takes the address of an item, or of a part of it.
  bool stays_inside(ExprId item) const;

 private:
  using Widest = std::optional<int>;
  using Seen = std::set<VariableId>;

  Widest of_value(ExprId e, Seen& seen) const;
  Widest of_use(ExprId e, ExprId up, Seen& seen) const;
  Widest of_variable(VariableId v, Seen& seen) const;
  Widest of_call(ExprId e, const Expr& call, Seen& seen) const;
  Widest of_item(ExprId item) const;
  Widest of_touch(ExprId e, const Expr& touch) const;
  bool is_zero(ExprId e) const;

  const Program& program_;
  std::vector<std::vector<ExprId>> parents_;
  std::vector<std::vector<StmtId>> statements_;  // by expression: those that it stands in as a whole
};

}  // namespace swizzle
