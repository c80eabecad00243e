#include "codegen/run/run_request.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "synth/problem/element_ranges.h"
#include "synth/problem/pose.h"
#include "synth/program/places.h"

namespace swizzle {
namespace {

// N of `#define N 32`, by line.
std::vector<std::string> macros_of(std::string_view text) {
  constexpr std::string_view kBlanks = " \t", kDefine = "define";
  const auto after_blanks = [&](std::string_view s) {
    return s.substr(std::min(s.find_first_not_of(kBlanks), s.size()));
  };
  std::vector<std::string> names;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    line = after_blanks(line);
    if (!line.starts_with('#')) continue;
    line = after_blanks(line.substr(1));
    if (!line.starts_with(kDefine)) continue;
    line = after_blanks(line.substr(kDefine.size()));
    std::size_t end = 0;
    while (end < line.size() && (std::isalnum(static_cast<unsigned char>(line[end])) || line[end] == '_')) ++end;
    if (end > 0) names.emplace_back(line.substr(0, end));
  }
  return names;
}

InputRange input_range(const std::optional<ValueRange>& range) {
  if (!range) return {};
  return {range->low, static_cast<std::uint64_t>(range->high) - static_cast<std::uint64_t>(range->low) + 1,
          range->is_distinct};
}

Sizes with_computed(const Program& kernel, Sizes sizes) {
  for (const ComputedParameter& computed : kernel.function(kernel.entry).computed) {
    const std::string& name = kernel.variable(computed.variable).name;
    for (const HandedSize& handed : kernel.directives.launch->handed)
      if (const auto value = evaluate(handed.value, sizes, kernel.source); handed.parameter == name && value.ok())
        sizes[name] = *value;
  }
  return sizes;
}

ScalarParameter scalar_of(const Program& kernel, const Variable& variable, ScalarParameter::Of of) {
  return ScalarParameter{variable.name, kernel.type(variable.type).spelling, {variable.symbol, {}}, of};
}

// In the kernel's order, with what is computed in its place.
std::vector<RunParameter> parameters_of(const Program& kernel) {
  const Function& entry = kernel.function(kernel.entry);
  std::vector<RunParameter> all;
  const auto add_computed = [&](std::size_t before) {
    for (const ComputedParameter& computed : entry.computed)
      if (computed.before == before)
        all.push_back(scalar_of(kernel, kernel.variable(computed.variable), ScalarParameter::Of::kKernel));
  };
  for (std::size_t i = 0; i < entry.parameters.size(); ++i) {
    add_computed(i);
    const Variable& variable = kernel.variable(entry.parameters[i]);
    const Type& type = kernel.type(variable.type);
    if (type.form == Type::Form::kPointer)
      all.push_back(BufferSpec{variable.name,
                               item_layout(kernel, type.element),
                               kernel.type(type.element).spelling,
                               type.pointee_is_const,
                               {variable.symbol, {}},
                               {variable.pointer, variable.pointer}});
    else
      all.push_back(
          scalar_of(kernel, variable, variable.is_launched ? ScalarParameter::Of::kSpec : ScalarParameter::Of::kBoth));
  }
  add_computed(entry.parameters.size());
  return all;
}

// Of an item, by parameter; 0: a scalar.
std::vector<int> slots_of(const Program& kernel) {
  std::vector<int> slots;
  for (const VariableId id : kernel.function(kernel.entry).parameters) {
    const Type& type = kernel.type(kernel.variable(id).type);
    slots.push_back(type.form == Type::Form::kPointer ? kernel.type(type.element).slots : 0);
  }
  return slots;
}

}  // namespace

RunRequest run_request(const Program& kernel, const std::vector<Posed>& posed) {
  RunRequest request;
  request.kernel_name = kernel.function(kernel.entry).qualified_name;
  request.kernel_macros = macros_of(kernel.source.text());
  request.warp_lanes = memory_of(kernel).lanes;
  request.parameters = parameters_of(kernel);
  const std::vector<int> slots = slots_of(kernel);
  for (const Posed& at : posed) {
    RunSize size{with_computed(kernel, at.sizes), at.shape, {}, at.spec_shape, at.dynamic_shared_bytes};
    for (std::size_t i = 0; i < slots.size(); ++i)
      if (slots[i] > 0) size.extents.push_back((at.extents[i] + slots[i] - 1) / slots[i]);
    if (const auto ranges = element_ranges(kernel, at.sizes); ranges.ok())
      for (std::size_t i = 0; i < slots.size(); ++i)
        if (slots[i] > 0) size.ranges.push_back(input_range((*ranges)[i]));
    request.sizes.push_back(std::move(size));
  }
  return request;
}

void name_symbols(const Program& spec, RunRequest& request) {
  const auto& parameters = spec.function(spec.entry).parameters;
  std::size_t next = 0;
  for (RunParameter& parameter : request.parameters) {
    const auto* scalar = std::get_if<ScalarParameter>(&parameter);
    const bool is_of_spec = scalar == nullptr || scalar->of != ScalarParameter::Of::kKernel;
    if (!is_of_spec || next == parameters.size()) continue;
    const Variable& theirs = spec.variable(parameters[next++]);
    std::visit([&](auto& of) { of.symbols.of_spec = theirs.symbol; }, parameter);
    const Type& type = spec.type(theirs.type);
    auto* buffer = std::get_if<BufferSpec>(&parameter);
    if (buffer == nullptr || type.form != Type::Form::kPointer) continue;
    const std::string usual = (type.pointee_is_const ? "const " : "") + spec.type(type.element).spelling + "*";
    buffer->pointers.of_spec = theirs.pointer.empty() ? usual : theirs.pointer;
  }
}

void name_shared_functions(const Program& kernel, const Program& spec, RunRequest& request) {
  std::set<std::string> names;
  for (std::size_t f = 0; f < spec.functions.size(); ++f) {
    const Function& theirs = spec.functions[f];
    const bool stands_there = spec.source.slice(theirs.range) == theirs.name;  // else the range is that of a use
    const bool is_shared =
        std::ranges::any_of(kernel.functions, [&](const Function& ours) { return ours.name == theirs.name; });
    if (is_shared && stands_there && FunctionId(f) != spec.entry) names.insert(theirs.name);
  }
  request.shared_names.assign(names.begin(), names.end());
}

Diagnostics check_request(const RunRequest& request, Where where) {
  Diagnostics errors;
  std::size_t buffers = 0;
  for (const RunParameter& parameter : request.parameters) {
    if (std::holds_alternative<BufferSpec>(parameter)) {
      ++buffers;
      continue;
    }
    const auto& scalar = std::get<ScalarParameter>(parameter);
    if (is_real_spelling(scalar.type_spelling)) continue;
    for (const RunSize& size : request.sizes) {
      if (size.sizes.count(scalar.name) != 0) continue;
      errors.push_back(
          make_error(fmt::format("parameter '{}' has no value at {}", scalar.name, sizes_text(size.sizes))));
      break;
    }
  }
  if (where == Where::kGpu && has_kernel_as_spec(request))
    errors.push_back(make_error("a kernel as the spec runs under the emulation only; pass --run=cpu"));
  if (where == Where::kGpu && request.warp_lanes != 32)
    errors.push_back(make_error(fmt::format(
        "a kernel for warps of {} lanes runs under the emulation only; pass --run=cpu", request.warp_lanes)));
  for (const RunSize& size : request.sizes) {
    if (size.extents.size() == buffers) continue;
    errors.push_back(make_error(
        fmt::format("{} extents for {} buffers at {}", size.extents.size(), buffers, sizes_text(size.sizes))));
  }
  return errors;
}

bool has_kernel_as_spec(const RunRequest& request) {
  return !request.sizes.empty() && request.sizes[0].spec_shape.has_value();
}

bool is_real_spelling(const std::string& type) {
  return type == "float" || type == "double" || type == "__half" || type == "__nv_bfloat16";
}

}  // namespace swizzle
