#include "synth/problem/launched_sizes.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "synth/program/size_tree.h"

namespace swizzle {
namespace {

std::set<std::string> names_in(const SizeExpr& expr, const SourceText& source) {
  const auto tree = parse_size(expr, source);
  return tree.ok() ? swizzle::names_in(*tree) : std::set<std::string>();
}

const Variable* parameter_of(const Program& program, const std::string& name) {
  for (const VariableId id : program.function(program.entry).parameters)
    if (program.variable(id).name == name) return &program.variable(id);
  return nullptr;
}

VariableId added(Program& kernel, const Program& spec, const Variable& size) {
  Variable launched;
  launched.name = size.name;
  launched.type = TypeId(kernel.types.size());
  launched.range = kernel.directives.launch->range;
  launched.is_launched = true;
  kernel.types.push_back(spec.type(size.type));
  kernel.variables.push_back(std::move(launched));
  return VariableId(kernel.variables.size() - 1);
}

}  // namespace

void take_launched_sizes(Program& kernel, const Program& spec, std::set<std::string> more) {
  if (!kernel.directives.launch) return;
  std::set<std::string> names = std::move(more);
  for (const auto* dimensions : {&kernel.directives.launch->grid, &kernel.directives.launch->block})
    for (const SizeExpr& expr : *dimensions) names.merge(names_in(expr, kernel.source));
  std::vector<VariableId>& ours = kernel.functions[kernel.entry.value].parameters;
  const std::vector<VariableId>& theirs = spec.function(spec.entry).parameters;
  for (std::size_t i = 0; i < theirs.size() && i <= ours.size() && ours.size() < theirs.size(); ++i) {
    const Variable& size = spec.variable(theirs[i]);
    const Type& type = spec.type(size.type);
    const bool is_integer = type.form == Type::Form::kScalar && !is_real(type.scalar) && size.symbol.empty();
    if (is_integer && names.contains(size.name) && parameter_of(kernel, size.name) == nullptr)
      ours.insert(ours.begin() + static_cast<std::ptrdiff_t>(i), added(kernel, spec, size));
  }
}

Sizes fix_launched_sizes(Program& kernel, const Sizes& set) {
  Sizes fixed;
  if (!kernel.directives.launch) return fixed;
  Launch& launch = *kernel.directives.launch;
  const std::int64_t threads = launch.block.size() == 1 ? 256 : launch.block.size() == 2 ? 16 : 8;
  for (const SizeExpr& expr : launch.block)
    if (const auto tree = parse_size(expr, kernel.source); tree.ok() && tree->op == '$') fixed[tree->name] = threads;
  for (const auto& [name, value] : set) fixed[name] = value;
  std::set<std::string> names;
  for (const auto* dimensions : {&launch.grid, &launch.block})
    for (const SizeExpr& expr : *dimensions) names.merge(names_in(expr, kernel.source));
  std::erase_if(fixed, [&](const auto& size) {
    return parameter_of(kernel, size.first) != nullptr || !names.contains(size.first);
  });
  for (auto* dimensions : {&launch.grid, &launch.block})
    for (SizeExpr& expr : *dimensions) expr.constants.insert(fixed.begin(), fixed.end());
  for (const auto& [name, value] : fixed)
    kernel.directives.assumptions.push_back({{name, launch.range, fixed}, {std::to_string(value), launch.range}, "=="});
  return fixed;
}

std::optional<Diagnostic> unknown_launched_size(const Program& kernel) {
  if (!kernel.directives.launch) return std::nullopt;
  for (const auto* dimensions : {&kernel.directives.launch->grid, &kernel.directives.launch->block})
    for (const SizeExpr& expr : *dimensions)
      for (const std::string& name : names_in(expr, kernel.source))
        if (parameter_of(kernel, name) == nullptr)
          return make_error(
              kernel.source, expr.range,
              fmt::format("this launch takes '{}', which is an integer parameter of neither kernel nor "
                          "spec; say its value, --set {}=…, or the shape: '#pragma swizzle launch grid(…) "
                          "block(…)'",
                          name, name));
  return std::nullopt;
}

bool is_launched_size(const Program& kernel, const std::string& name) {
  const Variable* parameter = parameter_of(kernel, name);
  return parameter != nullptr && parameter->is_launched;
}

}  // namespace swizzle
