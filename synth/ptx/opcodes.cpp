#include "synth/ptx/opcodes.h"

#include <cstdlib>
#include <string>
#include <unordered_map>

namespace swizzle::ptx {
namespace {

template <typename Id>
using Words = std::unordered_map<std::string_view, Id>;

template <typename Id>
std::optional<Id> found_in(const Words<Id>& words, std::string_view word) {
  const auto it = words.find(word);
  return it != words.end() ? std::optional(it->second) : std::nullopt;
}

}  // namespace

Opcode opcode_of(std::string_view word) {
#define SWIZZLE_PTX_PAIR(name, text) {text, Opcode::k##name},
  static const Words<Opcode> kWords = {SWIZZLE_PTX_OPCODES(SWIZZLE_PTX_PAIR)};
#undef SWIZZLE_PTX_PAIR
  return found_in(kWords, word).value_or(Opcode::kOther);
}

std::optional<Modifier> modifier_of(std::string_view word) {
#define SWIZZLE_PTX_PAIR(name, text) {text, Modifier::k##name},
  static const Words<Modifier> kWords = {SWIZZLE_PTX_MODIFIERS(SWIZZLE_PTX_PAIR)};
#undef SWIZZLE_PTX_PAIR
  return found_in(kWords, word);
}

// e4m3 and its kin are reals, too: of 8 bits, or what their name says behind an x.
std::optional<Type> type_of(std::string_view word) {
  if (word == "pred") return Type{Type::Kind::kPredicate, 1};
  if (word == "bf16") return Type{Type::Kind::kReal, 16};
  if (word == "bf16x2") return Type{Type::Kind::kReal, 32};
  if (word == "f16x2") return Type{Type::Kind::kReal, 32};
  if (word == "tf32") return Type{Type::Kind::kReal, 32};
  static const Words<Type::Kind> kKinds = {
      {"b", Type::Kind::kBits}, {"u", Type::Kind::kUnsigned}, {"s", Type::Kind::kSigned}, {"f", Type::Kind::kReal}};
  static const Words<int> kBits = {{"8", 8}, {"16", 16}, {"32", 32}, {"64", 64}, {"128", 128}};
  if (word.size() < 2) return std::nullopt;
  const auto kind = found_in(kKinds, word.substr(0, 1));
  const auto bits = found_in(kBits, word.substr(1));
  return kind && bits ? std::optional(Type{*kind, *bits}) : std::nullopt;
}

Special special_of(std::string_view name) {
  static const Words<Special> kWords = {
      {"%tid.x", Special::kTidX},
      {"%tid.y", Special::kTidY},
      {"%tid.z", Special::kTidZ},
      {"%ntid.x", Special::kNtidX},
      {"%ntid.y", Special::kNtidY},
      {"%ntid.z", Special::kNtidZ},
      {"%ctaid.x", Special::kCtaidX},
      {"%ctaid.y", Special::kCtaidY},
      {"%ctaid.z", Special::kCtaidZ},
      {"%nctaid.x", Special::kNctaidX},
      {"%nctaid.y", Special::kNctaidY},
      {"%nctaid.z", Special::kNctaidZ},
      {"%laneid", Special::kLaneid},
      {"%warpid", Special::kWarpid},
      {"%nwarpid", Special::kNwarpid},
      {"%lanemask_eq", Special::kLanemaskEq},
      {"%lanemask_lt", Special::kLanemaskLt},
      {"%lanemask_le", Special::kLanemaskLe},
      {"%lanemask_gt", Special::kLanemaskGt},
      {"%lanemask_ge", Special::kLanemaskGe},
  };
  return found_in(kWords, name).value_or(Special::kUnknown);
}

}  // namespace swizzle::ptx
