#include "frontend/ptx.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "synth/base/text.h"

namespace swizzle {
namespace {

PtxInstruction parse_instruction(const std::string& text) {
  PtxInstruction out;
  const std::size_t end = text.find_first_of(" \t\n{[");
  out.name = text.substr(0, end);
  if (end == std::string::npos) return out;
  std::string operand;
  int depth = 0;
  for (const char c : text.substr(end)) {
    depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
    if (c != ',' || depth > 0) operand += c;
    else out.operands.emplace_back(trimmed(std::exchange(operand, "")));
  }
  out.operands.emplace_back(trimmed(operand));
  return out;
}

// Begins of names. Those with a dot are themselves begins; others are whole words.
// clang-format off
constexpr std::string_view kQuiet[] = {
    "mma", "wgmma.fence", "wgmma.commit", "wgmma.wait", "cp.async.commit", "cp.async.wait", "bar", "fence", "membar",
    "mov", "cvt", "cvta", "setp", "selp", "add", "sub", "mul", "mad", "fma", "and", "or", "xor", "not", "shl", "shr",
    "shf", "prmt", "lop3", "bfe", "bfi", "ex2", "lg2", "rcp", "rsqrt", "sqrt", "tanh", "max", "min", "neg", "abs",
    "griddepcontrol", "nanosleep", "createpolicy", "prefetch", "elect", "popc", "clz", "setmaxnreg", "vote", "shfl",
    "activemask", "discard", "barrier", "bfind", "brev", "dp4a", "dp2a", "match", "redux", "div", "rem", "sad", "slct",
    "set", "testp", "copysign", "sin", "cos", "isspacep",
};
// clang-format on

}  // namespace

std::vector<PtxInstruction> ptx_instructions(const std::string& text) {
  std::vector<PtxInstruction> out;
  std::string statement;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (text.compare(i, 2, "//") == 0) i = std::min(text.find('\n', i), text.size());
    if (i < text.size() && text[i] != ';') {
      statement += text[i];
      continue;
    }
    std::string s(trimmed(std::exchange(statement, "")));
    while (!s.empty() && (s[0] == '{' || s[0] == '}')) s = std::string(trimmed(s.substr(1)));
    std::string predicate;
    if (!s.empty() && s[0] == '@') {
      const std::size_t end = std::min(s.find_first_of(" \t\n"), s.size());
      predicate = s.substr(1, end - 1);
      s = std::string(trimmed(s.substr(end)));
    }
    if (s.empty() || s[0] == '.') continue;
    out.push_back(parse_instruction(s));
    out.back().predicate = predicate;
  }
  return out;
}

bool PtxInstruction::has(const std::string& modifier) const {
  return ("." + name + ".").find("." + modifier + ".") != std::string::npos;
}

int PtxInstruction::matrices() const { return has("x4") ? 4 : has("x2") ? 2 : 1; }

int PtxInstruction::bytes() const {
  int lanes = has("v2") ? 2 : has("v4") ? 4 : 1;
  for (const auto& [bits, bytes] : {std::pair("8", 1), {"16", 2}, {"32", 4}, {"64", 8}, {"128", 16}})
    for (const char* kind : {"b", "u", "s", "f"})
      if (has(kind + std::string(bits))) return lanes * bytes;
  return lanes * 4;
}

bool PtxInstruction::is_quiet() const {
  return std::any_of(std::begin(kQuiet), std::end(kQuiet), [&](std::string_view start) {
    if (!name.starts_with(start)) return false;
    return start.find('.') != start.npos || name.size() == start.size() || name[start.size()] == '.';
  });
}

std::optional<std::pair<std::string, std::int64_t>> ptx_address(const std::string& operand) {
  if (operand.size() < 3 || operand[0] != '[' || operand.back() != ']') return std::nullopt;
  const std::string inside = operand.substr(1, operand.size() - 2);
  const std::size_t plus = inside.find('+');
  const std::string offset(plus == std::string::npos ? "" : trimmed(std::string_view(inside).substr(plus + 1)));
  if (!offset.empty() && !std::isdigit(static_cast<unsigned char>(offset[0]))) return std::nullopt;
  return std::pair(std::string(trimmed(inside.substr(0, plus))),
                   offset.empty() ? 0 : std::strtoll(offset.c_str(), nullptr, 0));
}

}  // namespace swizzle
