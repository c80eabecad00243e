#include "frontend/asm_integers.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace swizzle {
namespace {

// Of the type that ends an instruction's name.
std::optional<Scalar> type_of(const std::string& name) {
  for (const auto& [type, scalar] : {std::pair(".u32", Scalar::kU32),
                                     {".b32", Scalar::kU32},
                                     {".s32", Scalar::kI32},
                                     {".u64", Scalar::kU64},
                                     {".b64", Scalar::kU64},
                                     {".s64", Scalar::kI64}})
    if (name.ends_with(type)) return scalar;
  return std::nullopt;
}

std::optional<Operator> operator_of(std::string_view name) {
  for (const auto& [start, op] : {std::pair("add.", Operator::kAdd),
                                  {"sub.", Operator::kSub},
                                  {"mul.lo.", Operator::kMul},
                                  {"and.", Operator::kAnd},
                                  {"or.", Operator::kOr},
                                  {"xor.", Operator::kXor},
                                  {"shl.", Operator::kShl},
                                  {"shr.", Operator::kShr}})
    if (name.starts_with(start)) return op;
  return std::nullopt;
}

// Of setp: what it compares by.
std::optional<Operator> comparison_of(std::string_view name) {
  for (const auto& [start, op] : {std::pair("setp.eq.", Operator::kEq),
                                  {"setp.ne.", Operator::kNe},
                                  {"setp.lt.", Operator::kLt},
                                  {"setp.lo.", Operator::kLt},
                                  {"setp.le.", Operator::kLe},
                                  {"setp.ls.", Operator::kLe},
                                  {"setp.gt.", Operator::kGt},
                                  {"setp.hi.", Operator::kGt},
                                  {"setp.ge.", Operator::kGe},
                                  {"setp.hs.", Operator::kGe}})
    if (name.starts_with(start)) return op;
  return std::nullopt;
}

// With a carry or clamped, it is another sum.
bool is_plain(const std::string& name) {
  return name.find(".cc.") == std::string::npos && name.find(".sat.") == std::string::npos;
}

}  // namespace

ExprId AsmIntegers::operand(const std::string& text, SourceRange at) const {
  if (const auto known = values.find(text); known != values.end()) return known->second;
  if (text.starts_with("%%")) return special(text.substr(2), at);
  const std::size_t sign = text.starts_with("-") ? 1 : 0;
  if (text.size() <= sign || std::isdigit(static_cast<unsigned char>(text[sign])) == 0) return {};
  char* end = nullptr;
  const std::int64_t number = std::strtoll(text.c_str(), &end, 0);
  if (*end != '\0' && *end != 'U') return {};
  return tree_.integer(number, tree_.scalar_type(Scalar::kI64), at);
}

ExprId AsmIntegers::ones(ExprId count, SourceRange at) const {
  const TypeId u64 = tree_.scalar_type(Scalar::kU64);
  const ExprId one = tree_.integer(1, u64, at);
  return tree_.binary(Operator::kSub, tree_.binary(Operator::kShl, one, tree_.converted(count, u64), u64, at), one, u64,
                      at);
}

ExprId AsmIntegers::lanes_below(ExprId lane, SourceRange at) const {
  return tree_.converted(ones(lane, at), tree_.scalar_type(Scalar::kU32));
}

ExprId AsmIntegers::special(const std::string& name, SourceRange at) const {
  const TypeId u32 = tree_.scalar_type(Scalar::kU32);
  constexpr std::pair<const char*, Builtin> kBuiltins[] = {
      {"tid.x", Builtin::kThreadIdxX},  {"tid.y", Builtin::kThreadIdxY},  {"tid.z", Builtin::kThreadIdxZ},
      {"ntid.x", Builtin::kBlockDimX},  {"ntid.y", Builtin::kBlockDimY},  {"ntid.z", Builtin::kBlockDimZ},
      {"ctaid.x", Builtin::kBlockIdxX}, {"ctaid.y", Builtin::kBlockIdxY}, {"ctaid.z", Builtin::kBlockIdxZ},
      {"nctaid.x", Builtin::kGridDimX}, {"nctaid.y", Builtin::kGridDimY}, {"nctaid.z", Builtin::kGridDimZ},
  };
  for (const auto& [known, builtin] : kBuiltins)
    if (name == known) return tree_.builtin(builtin, at);
  const ExprId lane = tree_.lane(at);
  const TypeId i32 = tree_.scalar_type(Scalar::kI32);
  const ExprId next = tree_.binary(Operator::kAdd, lane, tree_.integer(1, i32, at), i32, at);
  const auto without = [&](ExprId lanes) {
    return tree_.binary(Operator::kXor, lanes, tree_.integer(0xffffffff, u32, at), u32, at);
  };
  if (name == "laneid") return lane;
  if (name == "lanemask_lt") return lanes_below(lane, at);
  if (name == "lanemask_le") return lanes_below(next, at);
  if (name == "lanemask_ge") return without(lanes_below(lane, at));
  if (name == "lanemask_gt") return without(lanes_below(next, at));
  if (name == "lanemask_eq") return tree_.binary(Operator::kXor, lanes_below(lane, at), lanes_below(next, at), u32, at);
  return {};
}

ExprId AsmIntegers::predicate(const std::string& text, SourceRange at) const {
  const bool is_not = text.starts_with("!");
  const auto known = values.find(text.substr(is_not ? 1 : 0));
  if (known == values.end()) return tree_.unknown(at);
  return is_not ? tree_.logical_not(known->second, at) : known->second;
}

ExprId AsmIntegers::value(const PtxInstruction& p, SourceRange at) const {
  if (p.operands.size() < 2) return {};
  std::vector<ExprId> in;
  for (auto text = p.operands.begin() + 1; text != p.operands.end(); ++text) in.push_back(operand(*text, at));
  if (std::ranges::any_of(in, [](ExprId id) { return !id.valid(); })) return {};
  if ((p.name.starts_with("mov.") || p.name.starts_with("cvta.")) && in.size() == 1) return in[0];
  const auto scalar = type_of(p.name);
  if (!scalar || !is_plain(p.name) || std::ranges::any_of(in, [&](ExprId id) { return tree_.is_real(id); })) return {};
  const TypeId type = tree_.scalar_type(*scalar);
  if (p.name.starts_with("cvt.") && in.size() == 1) {
    const auto to = type_of(p.name.substr(0, p.name.rfind('.')));
    return to ? tree_.converted(tree_.converted(in[0], type), tree_.scalar_type(*to)) : ExprId{};
  }
  const auto binary = [&](Operator op, ExprId a, ExprId b) {
    return tree_.binary(op, tree_.converted(a, type), tree_.converted(b, type), type, at);
  };
  if (const auto op = operator_of(p.name); op && in.size() == 2) return binary(*op, in[0], in[1]);
  const bool is_one = p.operands[0].find('|') == std::string::npos;
  if (const auto op = comparison_of(p.name); op && in.size() == 2 && is_one)
    return tree_.binary(*op, tree_.converted(in[0], type), tree_.converted(in[1], type),
                        tree_.scalar_type(Scalar::kBool), at);
  if (p.name.starts_with("mad.lo.") && in.size() == 3)
    return binary(Operator::kAdd, binary(Operator::kMul, in[0], in[1]), in[2]);
  if (p.name.starts_with("not.") && in.size() == 1)
    return binary(Operator::kXor, in[0], tree_.integer(-1, tree_.scalar_type(Scalar::kI64), at));
  if (p.name == "bmsk.clamp.b32" && in.size() == 2) {
    const TypeId u64 = tree_.scalar_type(Scalar::kU64);
    return tree_.converted(tree_.binary(Operator::kShl, ones(in[1], at), tree_.converted(in[0], u64), u64, at), type);
  }
  if (p.name == "bfe.u32" && in.size() == 3)
    return binary(Operator::kAnd, binary(Operator::kShr, in[0], in[1]), ones(in[2], at));
  return {};
}

}  // namespace swizzle
