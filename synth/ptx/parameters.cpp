#include "synth/ptx/parameters.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "synth/ptx/names.h"

namespace swizzle::ptx {
namespace {

// A load of a parameter: by which type, into which register.
struct Use {
  Type type;
  int into = -1;
};
using Uses = std::map<std::pair<int, std::int64_t>, Use>;  // by variable and offset

Uses uses_of(const Function& kernel) {
  Uses uses;
  for (const Instruction& i : kernel.instructions) {
    if (i.opcode != Opcode::kLd || i.operands.size() < 2 || i.operands[1].parts.empty()) continue;
    const Operand& base = i.operands[1].parts[0];
    if (base.kind != Operand::Kind::kVariable) continue;
    const bool is_vector = i.operands[0].kind == Operand::Kind::kVector;
    const std::vector<Operand> into = is_vector ? i.operands[0].parts : std::vector<Operand>{i.operands[0]};
    for (std::size_t e = 0; e < into.size(); ++e)
      uses.try_emplace({base.id, base.number + static_cast<std::int64_t>(e) * i.type.bytes()}, Use{i.type, into[e].id});
  }
  return uses;
}

// Registers whose values are addresses, or become parts of them.
std::set<int> addresses_of(const Function& kernel) {
  std::set<int> addresses;
  const auto add = [&](const Operand& o) { return o.is_register() && addresses.insert(o.id).second; };
  for (const Instruction& i : kernel.instructions) {
    if (i.opcode == Opcode::kCvta && i.operands.size() > 1) add(i.operands[1]);
    for (const Operand& o : i.operands)
      if (o.kind == Operand::Kind::kMemory) add(o.parts[0]);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (auto i = kernel.instructions.rbegin(); i != kernel.instructions.rend(); ++i) {
      const bool passes_on = i->opcode == Opcode::kMov || i->opcode == Opcode::kAdd || i->opcode == Opcode::kSelp;
      if (!passes_on || i->type.bits != 64 || !i->operands[0].is_register() || !addresses.contains(i->operands[0].id))
        continue;
      for (std::size_t o = 1; o < i->operands.size(); ++o) changed |= add(i->operands[o]);
    }
  }
  return addresses;
}

bool is_pointer(const std::string& type) { return type.ends_with("*") || type.ends_with("&"); }

// `type`: in the signature; null: it tells none.
ArgumentPart::Kind kind_of(const Use& use, const std::string* type, const std::set<int>& addresses) {
  constexpr int kNarrowestSize = 16, kPointerBits = 64;  // what is narrower is a flag: it depends on data
  if (!use.type.is_integer()) return ArgumentPart::Kind::kData;
  const bool is_address = type != nullptr ? is_pointer(*type) : addresses.contains(use.into);
  if (use.type.bits == kPointerBits && is_address) return ArgumentPart::Kind::kBuffer;
  return use.type.bits >= kNarrowestSize ? ArgumentPart::Kind::kInteger : ArgumentPart::Kind::kData;
}

}  // namespace

std::vector<Argument> arguments_of(const Module& module, const Function& kernel,
                                   const std::vector<std::string>& names) {
  const Signature signature = signature_of(kernel.name);
  const bool has_types = signature.parameters && signature.parameters->size() == kernel.parameters.size();
  const Uses uses = uses_of(kernel);
  const std::set<int> addresses = addresses_of(kernel);
  std::vector<Argument> arguments;
  for (std::size_t p = 0; p < kernel.parameters.size(); ++p) {
    const int id = kernel.parameters[p];
    const Variable& variable = module.variables[static_cast<std::size_t>(id)];
    const bool is_scalar = variable.element.bytes() == variable.size_bytes;
    const std::string name = p < names.size() && !names[p].empty() ? names[p] : fmt::format("param_{}", p);
    const std::string* const type = has_types && is_scalar ? &(*signature.parameters)[p] : nullptr;
    Argument& argument = arguments.emplace_back();
    for (auto use = uses.lower_bound({id, 0}); use != uses.end() && use->first.first == id; ++use) {
      const std::int64_t offset = use->first.second;
      argument.push_back({offset, std::max(1, use->second.type.bytes()),
                          is_scalar ? name : fmt::format("{}+{}", name, offset),
                          kind_of(use->second, type, addresses)});
    }
  }
  return arguments;
}

}  // namespace swizzle::ptx
