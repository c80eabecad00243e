#include "synth/problem/bit_equations.h"

#include <algorithm>

#include <fmt/format.h>

#include "synth/base/nearest.h"
#include "synth/program/places.h"
#include "synth/provenance/deferred_words.h"
#include "synth/provenance/words.h"

namespace swizzle {

Result<std::vector<bool>> buffers_with_bits(const Program& kernel) {
  const std::vector<VariableId>& parameters = kernel.function(kernel.entry).parameters;
  std::vector<bool> found(parameters.size(), false);
  std::vector<std::string> names;
  for (VariableId id : parameters) names.push_back(kernel.variable(id).name);
  for (const BitsName& bits : kernel.directives.bits) {
    const auto at = std::find(names.begin(), names.end(), bits.buffer);
    if (at == names.end())
      return make_error(
          kernel.source, bits.range,
          fmt::format("the kernel has no parameter '{}'{}", bits.buffer, did_you_mean(bits.buffer, names)));
    const Type& type = kernel.type(kernel.variable(parameters[static_cast<std::size_t>(at - names.begin())]).type);
    const bool is_array = type.form == Type::Form::kPointer;
    const Type& item = is_array ? kernel.type(type.element) : type;
    if (!is_array || !packed_scalar(item) || is_real(item.scalar))
      return make_error(kernel.source, bits.range,
                        fmt::format("'{}' is '{}', and only the bits of arrays of integers can be followed",
                                    bits.buffer, type.spelling));
    found[static_cast<std::size_t>(at - names.begin())] = true;
  }
  return found;
}

std::optional<Program> with_bits_followed(const Program& kernel) {
  if (!kernel.directives.bits.empty()) return std::nullopt;
  Program followed = kernel;
  for (VariableId id : kernel.function(kernel.entry).parameters) {
    const Variable& parameter = kernel.variable(id);
    const Type& type = kernel.type(parameter.type);
    if (type.form != Type::Form::kPointer) continue;
    const Type& item = kernel.type(type.element);
    if (!packed_scalar(item) || is_real(item.scalar) || item.scalar == Scalar::kBool) return std::nullopt;
    followed.directives.bits.push_back({parameter.name, {}, {}});
  }
  for (Hole& hole : followed.holes)  // as they are read under such a directive
    for (const HoleTraits& traits : hole_kinds())
      if (traits.of_arguments == hole.kind) hole.kind = traits.kind;
  return followed;
}

Value trimmed(Provenance& provenance, Scalar s, Value v) {
  if (!is_word(provenance, v)) return v;
  const auto width = static_cast<std::size_t>(bit_width(s));
  if (provenance.node(v).kind != Node::Kind::kDeferred) return word_of(provenance, s, bits_of(provenance, v, width));
  return word_width(provenance, v) <= width ? v : word_convert(provenance, v, Scalar::kU64, s);
}

namespace {

Value bit_of(const Provenance& provenance, Value v, std::size_t i) {
  if (v.is_int()) return Value::integer(v.bits >> i & 1);
  if (!is_word(provenance, v) || provenance.node(v).kind == Node::Kind::kDeferred) return {};
  const Children bits = provenance.node(v).children();
  return i < bits.size() ? bits[i] : Value::integer(0);
}

}  // namespace

std::string differing_bit(const Equation& equation, const Provenance& provenance,
                          const std::vector<std::string>& names) {
  const Value a = equation.actual, b = equation.expected;
  if (!is_word(provenance, a) && !is_word(provenance, b)) return {};
  for (std::size_t i = 0; i < static_cast<std::size_t>(bit_width(equation.scalar)); ++i) {
    const Value actual = bit_of(provenance, a, i), expected = bit_of(provenance, b, i);
    if (actual == expected || provenance.has_choice(actual) || actual.is_undefined()) continue;
    return fmt::format("bit {} of {}[{}] is {}, and the spec says {}", i, names[equation.buffer.value], equation.slot,
                       provenance.describe(actual, names), provenance.describe(expected, names));
  }
  return {};
}

// Of two sums that begin alike: what the one has beyond the other. Nothing: they are no such sums.
static std::optional<std::string> beyond(const Equation& equation, Provenance provenance,
                                         const std::vector<std::string>& names) {
  const Value a = equation.actual, b = equation.expected;
  const auto is_sum = [&](Value v) {
    return v.is_node() && provenance.node(v).combines() && provenance.node(v).ring == Ring::kSum;
  };
  if (!is_sum(a) || !is_sum(b)) return std::nullopt;
  return provenance.describe(provenance.normalize(provenance.binary(Operator::kSub, equation.scalar, b, a)), names);
}

// Of two minima, say, that begin alike: an operand that the one alone has. Nothing: they are no such values.
static std::optional<std::string> operand_beyond(const Equation& equation, const Provenance& provenance, Value of,
                                                 Value other, const std::vector<std::string>& names) {
  const auto is_set_of = [&](Value v) {
    return v.is_node() && provenance.node(v).combines() && is_set(provenance.node(v).ring);
  };
  if (!is_set_of(of) || !is_set_of(other) || provenance.node(of).ring != provenance.node(other).ring)
    return std::nullopt;
  const Ring ring = provenance.node(of).ring;
  const std::vector<Term> known = provenance.terms(ring, equation.scalar, other);
  for (const Term& term : provenance.terms(ring, equation.scalar, of)) {
    const bool is_new = std::ranges::none_of(
        known, [&](const Term& t) { return t.factors == term.factors && t.coefficient == term.coefficient; });
    if (is_new)
      return provenance.describe(term.factors.empty() ? term.coefficient : Value::node(term.factors[0]), names);
  }
  return std::nullopt;
}

std::string difference(const Equation& equation, const Provenance& provenance, const std::vector<std::string>& names) {
  const std::string bit = differing_bit(equation, provenance, names);
  if (!bit.empty()) return bit;
  const std::string actual = provenance.describe(equation.actual, names),
                    expected = provenance.describe(equation.expected, names);
  std::string said = expected;
  if (actual == expected) {
    const auto more = beyond(equation, provenance, names);
    const auto of_spec = operand_beyond(equation, provenance, equation.expected, equation.actual, names),
               of_kernel = operand_beyond(equation, provenance, equation.actual, equation.expected, names);
    said = more        ? fmt::format("that plus {}", *more)
           : of_spec   ? fmt::format("that of {}{}", *of_spec, of_kernel ? ", and not of " + *of_kernel : "")
           : of_kernel ? fmt::format("that without {}", *of_kernel)
                       : "that of another type";
  }
  return fmt::format("{}[{}] is {}, and the spec says {}", names[equation.buffer.value], equation.slot, actual, said);
}

std::string missing_bit(const Equation& equation, int bit, Missing missing, const Provenance& provenance,
                        const std::vector<std::string>& names) {
  const std::string element = fmt::format("{}[{}]", names[equation.buffer.value], equation.slot);
  if (!equation.stored) return fmt::format("{} is never stored", element);
  const Value wanted =
      bit < 0 ? equation.expected : bit_of(provenance, equation.expected, static_cast<std::size_t>(bit));
  return fmt::format("{}{} needs {}{}, {}", bit < 0 ? "" : fmt::format("bit {} of ", bit), element,
                     bit < 0 || wanted.is_node() ? "" : "to be ", provenance.describe(wanted, names),
                     missing == Missing::kAnyway ? "which no choice of the holes brings there"
                                                 : "which cannot come there beside the others");
}

}  // namespace swizzle
