// The sizes that directives and the command line name.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "synth/problem/pose.h"

namespace swizzle {
namespace {

std::map<std::string, TypeId> integers_of(const Program& sketch) {
  std::map<std::string, TypeId> integers;
  for (VariableId id : sketch.function(sketch.entry).parameters) {
    const Type& t = sketch.type(sketch.variable(id).type);
    if (t.form == Type::Form::kScalar && !is_real(t.scalar))
      integers.emplace(sketch.variable(id).name, sketch.variable(id).type);
  }
  return integers;
}

// Why a parameter cannot have this value; empty: it can.
std::string refusal(const Program& sketch, const std::map<std::string, TypeId>& integers, const std::string& name,
                    std::int64_t value) {
  const auto parameter = integers.find(name);
  if (parameter == integers.end()) return fmt::format("the kernel has no integer parameter '{}'", name);
  const Type& type = sketch.type(parameter->second);
  return wrap(type.scalar, value) == value ? ""
                                           : fmt::format("{} = {} does not fit in '{}'", name, value, type.spelling);
}

enum class Stronger { kSet, kLine };

Result<std::vector<Sizes>> sizes_of(const Program& sketch, const std::vector<SizeLine>& lines, const Sizes& set,
                                    Stronger stronger) {
  const std::map<std::string, TypeId> integers = integers_of(sketch);
  for (const auto& [name, value] : set)
    if (const std::string why = refusal(sketch, integers, name, value); !why.empty())
      return make_error(fmt::format("--set {}: {}", name, why));
  std::vector<Sizes> result;
  for (const SizeLine& line : lines) {
    for (const auto& [name, value] : line.sizes)
      if (const std::string why = refusal(sketch, integers, name, value); !why.empty())
        return make_error(sketch.source, line.values.contains(name) ? line.values.at(name) : line.range, why);
    Sizes sizes = stronger == Stronger::kSet ? set : line.sizes;
    const Sizes& others = stronger == Stronger::kSet ? line.sizes : set;
    sizes.insert(others.begin(), others.end());
    if (std::find(result.begin(), result.end(), sizes) == result.end()) result.push_back(std::move(sizes));
  }
  return result;
}

}  // namespace

Result<std::vector<Sizes>> instances_of(const Program& sketch, const Sizes& set) {
  return sizes_of(sketch, sketch.directives.instances, set, Stronger::kSet);
}

Result<std::vector<Sizes>> checks_of(const Program& sketch, const Sizes& set) {
  return sizes_of(sketch, sketch.directives.checks, set, Stronger::kLine);
}

}  // namespace swizzle
