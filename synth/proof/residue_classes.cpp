#include "synth/proof/residue_classes.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>

#include <fmt/format.h>

namespace swizzle {
namespace {

constexpr std::int64_t kMostClasses = 16;

class Divisors {
 public:
  explicit Divisors(const Program& program) : program_(program) {}

  // Those of each parameter of the entry, by position.
  std::map<std::size_t, std::int64_t> run() {
    for (const Expr& e : program_.exprs)
      if (const auto divisor = divisor_of(e)) note(e.operands[0], *divisor);
    return std::move(found_);
  }

 private:
  const Expr& uncast(ExprId id) const {
    while (program_.expr(id).kind == ExprKind::kCast) id = program_.expr(id).operands[0];
    return program_.expr(id);
  }

  std::optional<std::int64_t> divisor_of(const Expr& e) const {
    if (e.kind != ExprKind::kBinary) return std::nullopt;
    const Expr& by = uncast(e.operands[1]);
    if (by.kind != ExprKind::kIntLiteral || by.int_value < 1 || by.int_value > kMostClasses) return std::nullopt;
    if (e.op == Operator::kDiv || e.op == Operator::kRem) return by.int_value;
    return e.op == Operator::kShr ? std::optional(std::int64_t{1} << by.int_value) : std::nullopt;
  }

  // Of what is computed from sizes and numbers alone.
  bool find_sizes(ExprId id, std::set<std::size_t>& sizes) const {
    const Expr& e = uncast(id);
    if (e.kind == ExprKind::kIntLiteral) return true;
    if (e.kind == ExprKind::kVariable) {
      const std::vector<VariableId>& parameters = program_.function(program_.entry).parameters;
      const auto at = std::ranges::find(parameters, e.variable);
      if (at == parameters.end()) return false;
      sizes.insert(static_cast<std::size_t>(at - parameters.begin()));
      return true;
    }
    return e.kind == ExprKind::kBinary &&
           std::ranges::all_of(e.operands, [&](ExprId operand) { return find_sizes(operand, sizes); });
  }

  void note(ExprId dividend, std::int64_t divisor) {
    std::set<std::size_t> sizes;
    if (!find_sizes(dividend, sizes)) return;
    for (const std::size_t size : sizes) {
      std::int64_t& all = found_.try_emplace(size, 1).first->second;
      all = std::min(std::lcm(all, divisor), 2 * kMostClasses);
    }
  }

  const Program& program_;
  std::map<std::size_t, std::int64_t> found_;
};

// "1 <= n <= 2147483646": what the number at its end bounds.
struct Bounded {
  std::string text;
  std::optional<std::int64_t> most;
};
Bounded bounded(const std::string& condition) {
  const std::size_t at = condition.rfind("<= ");
  const bool has_bound = at != std::string::npos && at + 3 < condition.size() &&
                         condition.find_first_not_of("0123456789", at + 3) == std::string::npos;
  if (!has_bound) return {condition, std::nullopt};
  return {condition.substr(0, at + 3), std::stoll(condition.substr(at + 3))};
}

}  // namespace

std::vector<Residues> residue_classes(const Program& kernel, const Program& spec) {
  std::map<std::size_t, std::int64_t> moduli = Divisors(kernel).run();
  for (const auto& [size, divisor] : Divisors(spec).run()) {
    std::int64_t& modulus = moduli.try_emplace(size, 1).first->second;
    modulus = std::lcm(modulus, divisor);
  }
  std::vector<Residues> classes{{}};
  for (const auto& [size, modulus] : moduli) {
    if (modulus == 1) continue;
    if (modulus * static_cast<std::int64_t>(classes.size()) > kMostClasses) return {};
    const std::string& name = kernel.variable(kernel.function(kernel.entry).parameters[size]).name;
    std::vector<Residues> finer;
    for (const Residues& one : classes)
      for (std::int64_t rest = 0; rest < modulus; ++rest) {
        finer.push_back(one);
        finer.back()[name] = {modulus, rest};
      }
    classes = std::move(finer);
  }
  return classes.size() > 1 ? classes : std::vector<Residues>();
}

std::vector<std::string> in_all_classes(const std::vector<std::vector<std::string>>& conditions) {
  std::vector<Bounded> all;
  for (const std::vector<std::string>& of_class : conditions)
    for (const std::string& condition : of_class) {
      const Bounded one = bounded(condition);
      const auto same = std::ranges::find(all, one.text, &Bounded::text);
      if (same == all.end()) all.push_back(one);
      else if (one.most) same->most = std::min(same->most.value_or(*one.most), *one.most);
    }
  std::vector<std::string> texts;
  for (const Bounded& one : all) texts.push_back(one.most ? one.text + std::to_string(*one.most) : one.text);
  return texts;
}

}  // namespace swizzle
