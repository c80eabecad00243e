#include "driver/usual_extents.h"

#include <algorithm>

#include "synth/program/size_products.h"

namespace swizzle {
namespace {

// Nothing: it is none, or another one at each size.
std::optional<std::string> product_of(const std::vector<Posed>& posed, std::size_t parameter, std::int64_t slots) {
  std::optional<std::string> text;
  for (const Posed& one : posed) {
    if (parameter >= one.extents.size() || one.extents[parameter] % slots != 0) return std::nullopt;
    const std::int64_t elements = one.extents[parameter] / slots;
    const auto product = least_product_from(one.sizes, elements);
    if (elements < 1 || !product || product->value != elements || (text && *text != product->text)) return std::nullopt;
    text = product->text;
  }
  return text;
}

}  // namespace

Program with_usual_extents(Program kernel, const std::vector<Posed>& posed) {
  const std::vector<VariableId>& parameters = kernel.function(kernel.entry).parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Variable& v = kernel.variable(parameters[i]);
    const Type& type = kernel.type(v.type);
    const auto is_said = [&](const Extent& extent) { return extent.buffer == v.name; };
    if (type.form != Type::Form::kPointer || std::ranges::any_of(kernel.directives.extents, is_said)) continue;
    if (const auto text = product_of(posed, i, std::max(1, kernel.type(type.element).slots)))
      kernel.directives.extents.push_back({v.name, {*text, {}}, {}, {}, true});
  }
  return kernel;
}

}  // namespace swizzle
