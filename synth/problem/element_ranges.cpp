#include "synth/problem/element_ranges.h"

#include <algorithm>

#include <fmt/format.h>

#include "synth/program/places.h"

namespace swizzle {

Result<std::vector<std::optional<ValueRange>>> element_ranges(const Program& kernel, const Sizes& sizes) {
  const std::vector<VariableId>& parameters = kernel.function(kernel.entry).parameters;
  std::vector<std::optional<ValueRange>> ranges(parameters.size());
  for (const ElementRange& said : kernel.directives.ranges) {
    const auto is_it = [&](VariableId id) { return kernel.variable(id).name == said.buffer; };
    const auto at = std::ranges::find_if(parameters, is_it);
    const Type* const type = at == parameters.end() ? nullptr : &kernel.type(kernel.variable(*at).type);
    if (type == nullptr || type->form != Type::Form::kPointer)
      return make_error(kernel.source, said.range, fmt::format("the kernel has no buffer '{}'", said.buffer));
    const Type& element = kernel.type(type->element);  // or a vector of such, whose members are meant
    if (!packed_scalar(element) || is_real(element.scalar))
      return make_error(kernel.source, said.range, fmt::format("elements of '{}' are no integers", said.buffer));
    const auto low = evaluate(said.low, sizes, kernel.source), high = evaluate(said.high, sizes, kernel.source);
    if (!low.ok()) return low.errors();
    if (!high.ok()) return high.errors();
    if (*low >= *high || wrap(element.scalar, *low) != *low || wrap(element.scalar, *high - 1) != *high - 1)
      return make_error(
          kernel.source, said.range,
          fmt::format("'{}' can have no elements in [{}, {}){}", said.buffer, *low, *high, at_sizes(sizes)));
    ranges[static_cast<std::size_t>(at - parameters.begin())] = ValueRange{*low, *high - 1, said.is_distinct};
  }
  return ranges;
}

Result<std::monostate> hold_distinct(const Program& kernel, const Sizes& sizes,
                                     const std::vector<std::int64_t>& extents) {
  const auto ranges = element_ranges(kernel, sizes);
  if (!ranges.ok()) return ranges.errors();
  for (std::size_t b = 0; b < ranges->size(); ++b) {
    const auto& range = (*ranges)[b];
    if (!range || !range->is_distinct || extents[b] - 1 <= range->high - range->low) continue;
    const std::string& name = kernel.variable(kernel.function(kernel.entry).parameters[b]).name;
    const auto said = std::ranges::find(kernel.directives.ranges, name, &ElementRange::buffer);
    return make_error(
        kernel.source, said->range,
        fmt::format("'{}' has {} elements{}, and there are {} distinct ones in [{}, {})", name, extents[b],
                    at_sizes(sizes), range->high - range->low + 1, range->low, range->high + 1));
  }
  return std::monostate{};
}

std::vector<std::string> range_texts(const Program& kernel) {
  std::vector<std::string> texts;
  for (const ElementRange& r : kernel.directives.ranges)
    texts.push_back(fmt::format("every element of {} is in [{}, {}){}", r.buffer, r.low.text, r.high.text,
                                r.is_distinct ? ", and no two are alike" : ""));
  return texts;
}

}  // namespace swizzle
