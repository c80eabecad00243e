#include "synth/proof/difference_sizes.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "synth/proof/polynomial.h"
#include "synth/proof/size_edit.h"

namespace swizzle {
namespace {

// Polynomials over sizes by their names.
class NamedSizes {
 public:
  Polynomial of(const std::string& name) {
    const auto [it, fresh] = atoms_.try_emplace(name, static_cast<Atom>(atoms_.size() + 1));
    if (fresh) names_.push_back(name);
    return Polynomial::atom(it->second);
  }

  // Nothing: it is none.
  std::optional<Polynomial> of(const SizeTree& tree) {
    if (tree.op == '#') return Polynomial(tree.value);
    if (tree.op == '$') return of(tree.name);
    if (tree.op != '+' && tree.op != '-' && tree.op != '*') return std::nullopt;
    const auto a = of(tree.operands[0]), b = of(tree.operands[1]);
    if (!a || !b) return std::nullopt;
    return tree.op == '+' ? *a + *b : tree.op == '-' ? *a - *b : *a * *b;
  }

  SizeTree tree_of(const Polynomial& p) const {
    std::optional<SizeTree> sum;  // what is added first, a number last
    std::vector<Polynomial::Term> terms(p.terms().rbegin(), p.terms().rend());
    std::ranges::stable_sort(terms, {}, [](const Polynomial::Term& t) {
      return t.monomial == 0 ? 2 : t.coefficient < 0 ? 1 : 0;
    });
    for (auto t = terms.begin(); t != terms.end(); ++t) {
      const std::int64_t times = std::abs(t->coefficient);
      std::optional<SizeTree> product;
      if (times != 1 || t->monomial == 0) product = SizeTree{'#', times, "", {}};
      for (const Atom a : atoms_of(t->monomial)) {
        SizeTree name{'$', 0, names_[a - std::size_t{1}], {}};
        product = product ? SizeTree{'*', 0, "", {*std::move(product), std::move(name)}} : std::move(name);
      }
      const bool is_less = t->coefficient < 0;
      if (!sum && is_less) sum = SizeTree{'#', 0, "", {}};
      sum = sum ? SizeTree{is_less ? '-' : '+', 0, "", {*std::move(sum), *std::move(product)}} : *std::move(product);
    }
    return sum.value_or(SizeTree{'#', 0, "", {}});
  }

  Atom atom_of(const std::string& name) { return static_cast<Atom>(of(name).terms()[0].monomial); }

 private:
  std::map<std::string, Atom> atoms_;
  std::vector<std::string> names_;
};

// a - b, and a number.
struct Pair {
  std::string size, less;
};
std::optional<Pair> difference_in(const SizeTree& tree) {
  NamedSizes names;
  const auto p = names.of(tree);
  if (!p || p->is_broken() || names_in(tree).size() != 2) return std::nullopt;
  Pair pair;
  for (const std::string& name : names_in(tree)) {
    const std::int64_t times = p->coefficient(names.atom_of(name));
    if (times == 1) pair.size = name;
    if (times == -1) pair.less = name;
  }
  const bool is_linear = std::ranges::all_of(p->terms(), [](const auto& t) { return t.monomial <= 255; });
  return is_linear && !pair.size.empty() && !pair.less.empty() ? std::optional(pair) : std::nullopt;
}
void add_differences(const SizeTree& tree, std::vector<Pair>& pairs) {
  if (const auto pair = difference_in(tree)) return pairs.push_back(*pair);
  for (const SizeTree& operand : tree.operands) add_differences(operand, pairs);
}

// Each sum that names `name`, with what it stands for, in normal form.
SizeTree replaced(const SizeTree& tree, const std::string& name, const SizeTree& by) {
  if (!names_in(tree).contains(name)) return tree;
  NamedSizes names;
  const auto value = names.of(by), p = names.of(tree);
  if (p && !p->is_broken()) return names.tree_of(p->with(names.atom_of(name), *value));
  SizeTree other = tree;
  for (SizeTree& operand : other.operands) operand = replaced(operand, name, by);
  return other;
}

SizeTree sum_of(char op, const std::string& a, const std::string& b) {
  return {op, 0, "", {SizeTree{'$', 0, a, {}}, SizeTree{'$', 0, b, {}}}};
}

class Differences : public SizeEdit {
 public:
  using SizeEdit::SizeEdit;

  std::optional<std::size_t> parameter(const std::string& name) const {
    for (std::size_t i = 0; i < parameters().size(); ++i)
      if (name_of(i) == name) return is_size(i) ? std::optional(i) : std::nullopt;
    return std::nullopt;
  }

  Program replaced(std::size_t size, std::size_t less, const std::string& name) && {
    const VariableId v = parameters()[size], other = parameters()[less];
    replace_reads(v, [&](const Expr& read) {
      return binary(Operator::kAdd, read_of(v, read.range), as(read.type, read_of(other, read.range)));
    });
    const std::string old = std::exchange(program_.variables[v.value].name, name);
    const SizeTree sum = sum_of('+', name, program_.variable(other).name);
    replace_in_directives(old, [&](const SizeTree& tree) { return swizzle::replaced(tree, old, sum); });
    return std::move(program_);
  }
};

// Behind each comparison.
std::vector<std::string> compared_in(const std::string& condition, std::vector<std::string>& comparisons) {
  std::vector<std::string> parts{""};
  for (std::size_t i = 0; i < condition.size(); ++i) {
    const bool is_comparison = condition[i] == '<' || condition[i] == '=' || condition[i] == '>';
    if (!is_comparison) {
      parts.back() += condition[i];
      continue;
    }
    const std::size_t length = condition[i + 1] == '=' ? 2 : 1;
    comparisons.push_back(condition.substr(i, length));
    parts.emplace_back();
    i += length - 1;
  }
  return parts;
}

}  // namespace

std::vector<std::string> DifferenceSizes::conditions(const std::vector<std::string>& of_difference) const {
  std::vector<std::string> all;
  const SizeTree by = sum_of('-', size, less);
  const std::string at_least_0 = fmt::format("0 <= {} - {}", size, less),
                    same = fmt::format("1 <= {} - {} + 1", size, less);
  for (const std::string& condition : of_difference) {
    std::vector<std::string> comparisons;
    std::string told;
    for (const std::string& part : compared_in(condition, comparisons)) {
      const auto tree = parse_size({part, {}}, SourceText("", part));
      const std::string text = tree.ok() ? text_of(replaced(*tree, difference, by)) : part;
      const std::size_t before = told.empty() ? 0 : 1;
      if (before > 0) told += fmt::format(" {} ", comparisons.front()), comparisons.erase(comparisons.begin());
      told += text;
    }
    if (told == same) told = at_least_0;
    if (std::ranges::find(all, told) == all.end()) all.push_back(std::move(told));
  }
  // Whatever else: no size is less than 0.
  const auto says_so = [&](const std::string& told) {
    return told.starts_with(at_least_0) || told.starts_with(fmt::format("1 <= {} - {}", size, less));
  };
  if (std::ranges::none_of(all, says_so)) all.insert(all.begin(), at_least_0);
  return all;
}

std::optional<DifferenceSizes> with_difference_sizes(const Program& kernel, const Program& spec,
                                                     const std::vector<Sizes>& known) {
  Differences ours(kernel), theirs(spec);
  std::vector<Pair> pairs;
  for (const SizeExpr& along : kernel.directives.launch->grid)
    if (const auto tree = parse_size(along, kernel.source); tree.ok()) add_differences(*tree, pairs);
  for (const auto& [size, less] : pairs) {
    const auto at = ours.parameter(size), other = ours.parameter(less);
    const std::string name = fmt::format("{}_less_{}", size, less);
    const bool is_more = std::ranges::all_of(known, [&](const Sizes& sizes) {
      const auto a = sizes.find(size), b = sizes.find(less);
      return a != sizes.end() && b != sizes.end() && a->second >= b->second;
    });
    if (!at || !other || !is_more || ours.has_variable(name) || theirs.has_variable(name) || !theirs.is_size(*at) ||
        !theirs.is_size(*other))
      continue;
    std::vector<Sizes> of_difference = known;
    for (Sizes& sizes : of_difference) {
      sizes[name] = sizes.at(size) - sizes.at(less);
      sizes.erase(size);
    }
    return DifferenceSizes{std::move(ours).replaced(*at, *other, name),
                           std::move(theirs).replaced(*at, *other, name),
                           std::move(of_difference),
                           size,
                           less,
                           name};
  }
  return std::nullopt;
}

}  // namespace swizzle
