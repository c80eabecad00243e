// Whether sketch and spec take the same parameters.
#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "synth/problem/pose.h"
#include "synth/program/places.h"

namespace swizzle {
namespace {

const Variable& parameter_at(const Program& program, std::size_t i) {
  return program.variable(program.function(program.entry).parameters[i]);
}

// Parameters are matched by position: one of the spec's that has the name of another of the kernel's is in its place.
std::optional<Diagnostics> swapped_parameter(const Program& kernel, const Program& spec) {
  const std::size_t count = kernel.function(kernel.entry).parameters.size();
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < count; ++j) {
      const Variable& theirs = parameter_at(spec, i);
      const Variable& ours = parameter_at(kernel, j);
      if (i == j || theirs.name.empty() || theirs.name != ours.name || parameter_at(kernel, i).name == ours.name)
        continue;
      return Diagnostics{
          make_error(
              spec.source, theirs.range,
              fmt::format("'{}' is parameter {} of the spec and parameter {} of the kernel", ours.name, i + 1, j + 1)),
          make_note(kernel.source, ours.range, "parameters are matched by their positions: the kernel's is here")};
    }
  return std::nullopt;
}

// Symbols have no position: one is the other program's of its name, or the only one that is left.
std::optional<Diagnostics> other_symbol(const Program& kernel, const Program& spec) {
  const auto& parameters = kernel.function(kernel.entry).parameters;
  const auto symbols =
      std::ranges::count_if(parameters, [&](VariableId id) { return !kernel.variable(id).symbol.empty(); });
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Variable &ours = parameter_at(kernel, i), &theirs = parameter_at(spec, i);
    if (ours.symbol.empty() && theirs.symbol.empty()) continue;
    const bool is_only_one = symbols == 1 && !ours.symbol.empty();
    const bool are_as_long = ours.symbol_items == theirs.symbol_items || ours.symbol.empty() || theirs.symbol.empty();
    if ((ours.name == theirs.name || is_only_one) && are_as_long) continue;
    const std::string why =
        are_as_long ? fmt::format(
                          "'{}' and the kernel's '{}' stand outside of what they are inputs of, and would have to "
                          "have one name",
                          theirs.name, ours.name)
                    : fmt::format("'{}' has {} elements, and the kernel's {}", theirs.name, theirs.symbol_items,
                                  ours.symbol_items);
    return Diagnostics{make_error(spec.source, theirs.range, why),
                       make_note(kernel.source, ours.range, "the kernel's is here")};
  }
  return std::nullopt;
}

// Of such types, kernel and spec may have different ones: a size is the same number in both.
bool may_be_size(Scalar s) { return !is_real(s) && bit_width(s) >= 32; }

// Of `float4` and `float`, of records with the same members.
bool are_as_laid_out(const Program& kernel, TypeId ours, const Program& spec, TypeId theirs) {
  const Type &a = kernel.type(ours), &b = spec.type(theirs);
  if (const auto packed = packed_scalar(a); packed && packed == packed_scalar(b)) return true;
  return a.form == b.form && item_layout(kernel, ours) == item_layout(spec, theirs);
}

std::string parameters_text(const Program& program) {
  std::vector<std::string> symbols;
  const auto& parameters = program.function(program.entry).parameters;
  for (const VariableId id : parameters)
    if (const Variable& v = program.variable(id); !v.symbol.empty()) symbols.push_back(fmt::format("'{}'", v.name));
  if (symbols.empty()) return fmt::format("{}", parameters.size());
  return fmt::format("{} with {} outside of it", parameters.size(), fmt::join(symbols, ", "));
}

}  // namespace

Result<bool> match_signatures(const Program& kernel, const Program& spec) {
  const auto& want = kernel.function(kernel.entry).parameters;
  const Function& have = spec.function(spec.entry);
  if (have.parameters.size() != want.size()) {
    Diagnostics d{make_error(spec.source, have.range,
                             fmt::format("the spec takes {} parameters, and the kernel {}", parameters_text(spec),
                                         parameters_text(kernel)))};
    d.push_back(make_note(kernel.source, kernel.function(kernel.entry).range, "the kernel is here"));
    return d;
  }
  if (auto swapped = swapped_parameter(kernel, spec)) return *swapped;
  if (auto other = other_symbol(kernel, spec)) return *other;
  for (std::size_t i = 0; i < want.size(); ++i) {
    const Variable& a = parameter_at(kernel, i);
    const Variable& b = parameter_at(spec, i);
    const Type& ta = kernel.type(a.declared.valid() ? a.declared : a.type);
    const Type& tb = spec.type(b.declared.valid() ? b.declared : b.type);
    if (b.is_reference)
      return make_error(
          spec.source, b.range,
          fmt::format("parameter '{}' is a reference, which a kernel cannot take; pass it by value", b.name));
    bool same = ta.form == tb.form;
    if (same && ta.form == Type::Form::kScalar)
      same = ta.scalar == tb.scalar || (may_be_size(ta.scalar) && may_be_size(tb.scalar));
    if (same && ta.form == Type::Form::kPointer)
      same = are_as_laid_out(kernel, ta.element, spec, tb.element) ||
             are_as_laid_out(kernel, kernel.type(a.type).element, spec, spec.type(b.type).element);
    if (same) continue;
    Diagnostics d{
        make_error(spec.source, b.range,
                   fmt::format("parameter '{}' is '{}' in the spec and '{}' in the kernel{}", b.name, tb.spelling,
                               ta.spelling, ta.spelling == tb.spelling ? ", whose members are others" : ""))};
    d.push_back(make_note(kernel.source, a.range, "the kernel's parameter is here"));
    return d;
  }
  return true;
}

}  // namespace swizzle
