#include "frontend/added_instances.h"

#include <algorithm>

#include <clang/AST/DeclTemplate.h>
#include <fmt/format.h>

#include "frontend/kernel_names.h"

namespace swizzle {

Kernels kernels_in(const std::vector<FunctionOrTemplate>& functions) {
  Kernels found;
  for (const FunctionOrTemplate& one : functions) {
    if (const auto* function = std::get_if<const clang::FunctionDecl*>(&one)) {
      if (is_kernel(*function)) found.functions.push_back(*function);
      continue;
    }
    const auto* pattern = std::get<const clang::FunctionTemplateDecl*>(one);
    if (!is_kernel(pattern->getTemplatedDecl()) || !pattern->isThisDeclarationADefinition()) continue;
    const auto instances = instances_of(pattern);
    found.functions.insert(found.functions.end(), instances.begin(), instances.end());
    if (instances.empty()) found.templates.push_back(pattern->getTemplatedDecl());
  }
  return found;
}

std::string instance_line(const std::string& name) {
  return fmt::format("\n;static auto $instance_{} = &{};\n", std::hash<std::string>{}(name), name);
}

static std::string instance_lines(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += instance_line(name);
  return text;
}

bool AddedInstances::add(std::string& text, const std::string& path, const Wanted& is_wanted) {
  for (const clang::FunctionDecl* f : kernels_in(functions_of_unit(unit_.context())).functions)
    told_.insert(spelled_name(f));
  auto [types, names] = fitting(
      text, path, [&](StandInTypes t) { return host_stand_ins(unit_.context(), HostTemplates::kUninstantiated, t); });
  for (std::size_t before = names.size() + 1; !names.empty() && names.size() < before;) {
    before = names.size();
    unit_.parse(text + instance_lines(names), path);
    const auto open = host_stand_ins(unit_.context(), HostTemplates::kWithoutBody, types);
    std::erase_if(names, [&](const std::string& n) { return std::find(open.begin(), open.end(), n) != open.end(); });
    if (names.empty()) unit_.parse(text, path);
  }
  text += instance_lines(names);
  has_any_ = !names.empty();
  names = fitting(text, path, [&](StandInTypes t) { return of_kernels(t, is_wanted); }).second;
  if (names.empty()) return has_any_;
  unit_.parse(text += instance_lines(names), path);
  return has_any_ = true;
}

bool AddedInstances::hold(const clang::FunctionDecl* f) const {
  return has_any_ && f->getPrimaryTemplate() != nullptr && !told_.contains(spelled_name(f));
}

std::vector<std::string> AddedInstances::of_kernels(StandInTypes types, const Wanted& is_wanted) const {
  std::vector<std::string> names;
  auto numbers = launched_numbers(unit_.context());
  for (const clang::FunctionDecl* f : kernels_in(functions_of_file(unit_.context())).templates)
    if (const auto name = stand_in(f, types, numbers[f]); name && is_wanted(f)) names.push_back(*name);
  return names;
}

// Of the types that may stand for those of a template, the first of which clang says the least. The unit is as it was
// if there are no names, else one with some of them.
template <typename NamesFor>
std::pair<StandInTypes, std::vector<std::string>> AddedInstances::fitting(const std::string& text,
                                                                          const std::string& path,
                                                                          NamesFor&& names_for) {
  std::vector<std::pair<StandInTypes, std::vector<std::string>>> all;
  for (const StandInTypes types : kAllStandInTypes)
    if (auto names = names_for(types); all.empty() || names != all.back().second)
      all.emplace_back(types, std::move(names));
  const std::size_t before = unit_.errors().found.size();
  std::size_t best = 0, least = SIZE_MAX;
  for (std::size_t i = 0; i < all.size() && all.size() > 1 && least > before; ++i) {
    unit_.parse(text + instance_lines(all[i].second), path);
    if (unit_.errors().found.size() < least) best = i, least = unit_.errors().found.size();
  }
  return std::move(all[best]);
}

}  // namespace swizzle
