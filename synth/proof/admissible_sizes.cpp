#include "synth/proof/admissible_sizes.h"

#include <algorithm>

#include <fmt/format.h>

namespace swizzle {
namespace {

std::string primary(const SizeTree& tree) { return tree.operands.empty() ? text_of(tree) : "(" + text_of(tree) + ")"; }

// That `count` is positive: "64 <= n" of n / 64.
std::string at_least_one(const SizeTree& count) {
  if (count.op != '/' || count.operands[1].op != '#') return "1 <= " + text_of(count);
  if (!exact_divisions(count).empty())
    return fmt::format("{} <= {}", count.operands[1].value, text_of(count.operands[0]));
  const SizeTree& sum = count.operands[0];
  const bool is_sum = sum.op == '+' && sum.operands[1].op == '#';
  if (is_sum && sum.operands[0].op == '$' && sum.operands[1].value >= count.operands[1].value)
    return "0 <= " + text_of(sum.operands[0]);  // one block at least, anyway
  const bool is_ceiling = is_sum && sum.operands[1].value == count.operands[1].value - 1;
  if (!is_ceiling) return "1 <= " + text_of(count);
  const SizeTree& rounded = sum.operands[0];
  if (rounded.op == '*' && rounded.operands[0].op == '$' && rounded.operands[1].op == '#' &&
      rounded.operands[1].value > 0)
    return "1 <= " + text_of(rounded.operands[0]);
  if (rounded.op == '/' && rounded.operands[0].op == '$' && rounded.operands[1].op == '#')
    return fmt::format("{} <= {}", rounded.operands[1].value, text_of(rounded.operands[0]));
  return "1 <= " + text_of(rounded);
}

bool is_constant(const SizeTree& tree) { return names_in(tree).empty(); }

// The only value that a parameter has; nothing, if there are several.
std::optional<std::int64_t> only_value(const std::string& parameter, const std::vector<Sizes>& known) {
  std::set<std::int64_t> values;
  for (const Sizes& sizes : known)
    if (const auto it = sizes.find(parameter); it != sizes.end()) values.insert(it->second);
  return values.size() == 1 ? std::optional(*values.begin()) : std::nullopt;
}

}  // namespace

bool is_truth(const Program& kernel, const std::string& name) {
  return !kernel.functions.empty() && std::ranges::any_of(kernel.function(kernel.entry).parameters, [&](VariableId id) {
    const Type& type = kernel.type(kernel.variable(id).type);
    return kernel.variable(id).name == name && type.form == Type::Form::kScalar && type.scalar == Scalar::kBool;
  });
}

Result<AdmissibleSizes> AdmissibleSizes::of(const Program& kernel, const std::vector<Sizes>& known,
                                            OneValue one_value) {
  AdmissibleSizes all(kernel);
  std::set<std::string> launched;
  for (const auto* dimensions : {&kernel.directives.launch->grid, &kernel.directives.launch->block})
    for (const SizeExpr& expr : *dimensions) {
      auto tree = parse_size(expr, kernel.source);
      if (!tree.ok()) return tree.errors();
      launched.merge(names_in(*tree));
      for (Divides& division : exact_divisions(*tree))
        if (!is_constant(division.dividend)) all.exact_.push_back(std::move(division));
      all.counts_.push_back(std::move(*tree));
    }
  const auto is_handed = [&](const std::string& name) {
    return std::ranges::any_of(kernel.directives.launch->handed, [&](const HandedSize& size) {
      return size.parameter == name && size.value.text.find_first_not_of("0123456789") == std::string::npos;
    });
  };
  const auto may_stay = [&](const std::string& name) {
    const bool stays = one_value == OneValue::kStays || (one_value == OneValue::kHandedStays && is_handed(name));
    return stays && !launched.contains(name) && !kernel.directives.chosen.contains(name);
  };
  for (const Sizes& sizes : known)
    for (const auto& [name, value] : sizes)
      if (const auto only = only_value(name, known); only && (is_truth(kernel, name) || may_stay(name)))
        all.fixed_[name] = *only;
  // A size that was given may leave a remainder: then the division was not meant to be exact.
  std::erase_if(all.exact_, [&](const Divides& d) {
    return std::any_of(known.begin(), known.end(), [&](const Sizes& sizes) {
      const auto dividend = value_of(d.dividend, sizes), divisor = value_of(d.divisor, sizes);
      return !dividend || !divisor || *divisor == 0 || *dividend % *divisor != 0;
    });
  });
  return all;
}

bool AdmissibleSizes::admits(const Sizes& sizes) const {
  for (const auto& [name, value] : fixed_)
    if (const auto it = sizes.find(name); it == sizes.end() || it->second != value) return false;
  for (const Divides& d : exact_) {
    const auto dividend = value_of(d.dividend, sizes), divisor = value_of(d.divisor, sizes);
    if (!dividend || !divisor || *divisor == 0 || *dividend % *divisor != 0) return false;
  }
  for (const Assumption& assumption : kernel_->directives.assumptions)
    if (const auto is = holds(assumption, sizes, kernel_->source); !is.ok() || !*is) return false;
  return evaluate(*kernel_->directives.launch, sizes, kernel_->source).ok();
}

std::vector<std::string> AdmissibleSizes::divisions() const {
  std::vector<std::string> parts;
  for (const Divides& d : exact_) parts.push_back(fmt::format("{} % {} == 0", primary(d.dividend), primary(d.divisor)));
  return parts;
}

std::vector<std::string> AdmissibleSizes::conditions() const {
  std::vector<std::string> parts;
  const auto add = [&](std::string part) {
    if (std::find(parts.begin(), parts.end(), part) == parts.end()) parts.push_back(std::move(part));
  };
  for (const auto& [name, value] : fixed_) add(fmt::format("{} == {}", name, value));
  for (std::string& division : divisions()) add(std::move(division));
  for (const SizeTree& count : counts_)
    if (!is_constant(count)) add(at_least_one(count));
  for (const Assumption& a : kernel_->directives.assumptions)
    add(fmt::format("{} {} {}", a.left.text, a.comparison, a.right.text));
  return parts;
}

}  // namespace swizzle
