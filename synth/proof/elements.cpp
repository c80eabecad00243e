#include "synth/proof/elements.h"

#include <algorithm>

#include "synth/provenance/words.h"

namespace swizzle {
std::vector<bool> followed_by_bits(const Program& kernel) {
  std::vector<bool> has_bits;
  for (VariableId id : kernel.function(kernel.entry).parameters)
    has_bits.push_back(std::ranges::any_of(
        kernel.directives.bits, [&](const BitsName& bits) { return bits.buffer == kernel.variable(id).name; }));
  return has_bits;
}

Value Elements::at(std::size_t buffer, const Polynomial& slot, Scalar scalar) {
  return buffer < has_bits_.size() && has_bits_[buffer] ? input_word(provenance_, BufferId(buffer), id(slot), scalar)
                                                        : provenance_.input(BufferId(buffer), id(slot), scalar);
}

Value Elements::number(const Polynomial& p, Scalar scalar) {
  if (const auto value = p.value()) return Value::integer(*value);
  return provenance_.input(kNumbers, id(p), scalar);
}

std::optional<Polynomial> Elements::polynomial_of(Value v) const {
  if (v.is_int()) return Polynomial(v.bits);
  if (!v.is_node()) return std::nullopt;
  const Node& n = provenance_.node(v);
  if (n.kind != Node::Kind::kInput || n.tag != kNumbers.value) return std::nullopt;
  return polynomials_[static_cast<std::size_t>(n.index())];
}

bool Elements::is_choice_of_numbers(Value v) {
  constexpr int kFew = 16;
  if (!v.is_node() || provenance_.node(v).kind != Node::Kind::kChoice) return false;
  const auto [known, fresh] = chooses_numbers_.try_emplace(v.aux);
  int left = kFew;
  if (fresh) known->second = has_few_numbers(v, left);
  return known->second;
}

bool Elements::begins_with_number(Value v) const {
  if (!v.is_node() || provenance_.node(v).kind != Node::Kind::kChoice) return false;
  while (v.is_node() && provenance_.node(v).kind == Node::Kind::kChoice) v = provenance_.node(v).children()[1];
  return polynomial_of(v).has_value();
}

bool Elements::has_few_numbers(Value v, int& left) const {
  if (v.is_node() && provenance_.node(v).kind == Node::Kind::kChoice)
    return std::ranges::all_of(provenance_.node(v).children(), [&](Value part) { return has_few_numbers(part, left); });
  return --left >= 0 && (v.is_undefined() || polynomial_of(v));
}

std::optional<Atom> Elements::quotient(const Polynomial& a, const Polynomial& by) const {
  const auto known = std::ranges::find_if(quotients_, [&](const Quotient& q) { return q.a == a && q.by == by; });
  return known == quotients_.end() ? std::nullopt : std::optional(known->atom);
}

}  // namespace swizzle
