// The sizes that directives and the command line name.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "synth/problem/pose.h"

namespace swizzle {
namespace {

std::set<std::string> integers_of(const Program& sketch) {
  std::set<std::string> integers;
  for (VariableId id : sketch.function(sketch.entry).parameters) {
    const Type& t = sketch.type(sketch.variable(id).type);
    if (t.form == Type::Form::kScalar && !is_real(t.scalar)) integers.insert(sketch.variable(id).name);
  }
  return integers;
}

enum class Stronger { kSet, kLine };

Result<std::vector<Sizes>> sizes_of(const Program& sketch, const std::vector<SizeLine>& lines, const Sizes& set,
                                    Stronger stronger) {
  const std::set<std::string> integers = integers_of(sketch);
  for (const auto& [name, value] : set)
    if (!integers.contains(name))
      return make_error(fmt::format("--set {}: the kernel has no integer parameter '{}'", name, name));
  std::vector<Sizes> result;
  for (const SizeLine& line : lines) {
    for (const auto& [name, value] : line.sizes)
      if (!integers.contains(name))
        return make_error(sketch.source, line.range, fmt::format("the kernel has no integer parameter '{}'", name));
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
