// Inline PTX, as far as it concerns memory.
//
//   { .reg .pred p; setp.ne.b32 p, %0, 0; @p cp.async.cg.shared.global [%1], [%2 + 16], 16; }
//
//   setp.ne.b32                p · %0 · 0
//   cp.async.cg.shared.global  [%1] · [%2 + 16] · 16       if p
//
// Scopes, declarations and comments are dropped. (PTX ISA, instruction statements.)
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace swizzle {

struct PtxInstruction {
  std::string name;                   // with its modifiers
  std::vector<std::string> operands;  // "%0", "p", "[%4 + 16]", "{%0, %1}"
  std::string predicate;              // "p", "!p"; empty: always

  bool has(const std::string& modifier) const;
  bool is_shared() const { return name.find(".shared") != std::string::npos; }
  int matrices() const;   // of ldmatrix and stmatrix: 1, 2 or 4
  int bytes() const;      // of ld and st: ".v4.f32" is 16
  bool is_quiet() const;  // moves nothing between memory and lanes
};

std::vector<PtxInstruction> ptx_instructions(const std::string& text);

// "[%4 + 16]": ("%4", 16). Nothing for what is no address, or has another offset than a number.
std::optional<std::pair<std::string, std::int64_t>> ptx_address(const std::string& operand);

}  // namespace swizzle
