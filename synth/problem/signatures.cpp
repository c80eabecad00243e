// Whether sketch and spec take the same parameters.
#include <fmt/format.h>

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

}  // namespace

Result<bool> match_signatures(const Program& kernel, const Program& spec) {
  const auto& want = kernel.function(kernel.entry).parameters;
  const Function& have = spec.function(spec.entry);
  if (have.parameters.size() != want.size()) {
    Diagnostics d{make_error(
        spec.source, have.range,
        fmt::format("the spec takes {} parameters, and the kernel {}", have.parameters.size(), want.size()))};
    d.push_back(make_note(kernel.source, kernel.function(kernel.entry).range, "the kernel is here"));
    return d;
  }
  if (auto swapped = swapped_parameter(kernel, spec)) return *swapped;
  for (std::size_t i = 0; i < want.size(); ++i) {
    const Variable& a = parameter_at(kernel, i);
    const Variable& b = parameter_at(spec, i);
    const Type& ta = kernel.type(a.type);
    const Type& tb = spec.type(b.type);
    if (b.is_reference)
      return make_error(
          spec.source, b.range,
          fmt::format("parameter '{}' is a reference, which a kernel cannot take; pass it by value", b.name));
    bool same = ta.form == tb.form;
    if (same && ta.form == Type::Form::kScalar) same = ta.scalar == tb.scalar;
    if (same && ta.form == Type::Form::kPointer)
      same = kernel.type(ta.element).form == spec.type(tb.element).form &&
             item_layout(kernel, ta.element) == item_layout(spec, tb.element);
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
