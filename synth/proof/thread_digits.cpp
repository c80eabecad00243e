#include "synth/proof/thread_digits.h"

#include <algorithm>
#include <set>

namespace swizzle {
namespace {

// name + by, or a number.
struct Factor {
  std::string name;
  std::int64_t by = 0;
};

bool find_factors(const SizeTree& tree, std::vector<Factor>& factors) {
  if (tree.op == '*')
    return std::ranges::all_of(tree.operands, [&](const SizeTree& part) { return find_factors(part, factors); });
  if (tree.op == '#') return factors.push_back({"", tree.value}), tree.value > 0;
  if (tree.op == '$') return factors.push_back({tree.name, 0}), true;
  if (tree.op != '+' && tree.op != '-') return false;
  const SizeTree &name = tree.operands[0], &by = tree.operands[1];
  if (name.op != '$' || by.op != '#') return false;
  return factors.push_back({name.name, tree.op == '+' ? by.value : -by.value}), true;
}

struct Product {
  const SizeTree* text = nullptr;
  std::vector<Factor> factors;
  std::int64_t per_block = 1;
  bool is_rounded_up = false;
};

// (a * b + d - 1) / d, or a * b / d.
std::optional<Product> product_in(const SizeTree& count) {
  if (count.op != '/' || count.operands[1].op != '#') return std::nullopt;
  Product product{nullptr, {}, count.operands[1].value, false};
  const SizeTree* dividend = &count.operands[0];
  if (dividend->op == '+' && dividend->operands[1].op == '#') {
    product.is_rounded_up = dividend->operands[1].value == product.per_block - 1;
    if (!product.is_rounded_up) return std::nullopt;
    dividend = &dividend->operands[0];
  }
  product.text = dividend;
  const bool is_product = dividend->op == '*' && find_factors(*dividend, product.factors);
  std::set<std::string> names;
  for (const Factor& factor : product.factors)
    if (!factor.name.empty() && !names.insert(factor.name).second) return std::nullopt;
  return is_product && names.size() > 1 && product.factors.size() <= kMostDigits ? std::optional(product)
                                                                                 : std::nullopt;
}

std::vector<std::size_t> permutation(std::size_t count, std::size_t number) {
  std::vector<std::size_t> order(count);
  for (std::size_t i = 0; i < count; ++i) order[i] = i;
  for (std::size_t i = 0; i < number; ++i) std::ranges::next_permutation(order);
  return order;
}

// What is left of a monomial without the atoms of another one; nothing: it has not all of them.
std::optional<Polynomial> without(Polynomial::Monomial monomial, Polynomial::Monomial other) {
  auto atoms = atoms_of(monomial);
  for (const Atom a : atoms_of(other)) {
    const auto at = std::ranges::find(atoms, a);
    if (at == atoms.end()) return std::nullopt;
    atoms.erase(at);
  }
  Polynomial left(1);
  for (const Atom a : atoms) left = left * Polynomial::atom(a);
  return left;
}

}  // namespace

std::size_t orders_of_digits(const SizeTree& count) {
  const auto product = product_in(count);
  std::size_t orders = 1;
  for (std::size_t i = 2; product && i <= product->factors.size(); ++i) orders *= i;
  return orders;
}

std::string text_of_product(const SizeTree& count) {
  const auto product = product_in(count);
  return product ? text_of(*product->text) : "";
}

bool add_digits(SizeRegion& whole, const SizeTree& count, int threads, const std::vector<Sizes>& known,
                std::size_t order) {
  const auto product = product_in(count);
  if (!product || product->per_block != threads || whole.threads_are_blocks) return false;
  for (const Sizes& sizes : known)
    if (!product->is_rounded_up && value_of(*product->text, sizes).value_or(1) % threads != 0) return false;
  for (const Factor& factor : product->factors)
    if (whole.sizes.contains(factor.name)) return false;
  NumberedThreads numbered{{}, Polynomial::atom(whole.fresh()), Polynomial(1), threads, product->is_rounded_up, false};
  std::size_t slot = kDigits;
  for (const std::size_t i : permutation(product->factors.size(), order)) {
    const Factor& factor = product->factors[i];
    if (factor.name.empty()) {
      whole.grid[slot] = Polynomial(factor.by);
      whole.block[slot] = Polynomial::atom(whole.fresh(factor.by - 1));
    } else {
      Dimension d{factor.name, 1, -factor.by, false, whole.fresh(), whole.fresh(), {}};
      whole.block[slot] = Polynomial::atom(d.before);
      whole.grid[slot] = Polynomial::atom(d.before) + Polynomial::atom(d.behind) + Polynomial(1);
      whole.sizes[d.size] = whole.grid[slot] + Polynomial(d.offset);
      whole.dimensions[slot] = std::move(d);
    }
    numbered.number = numbered.number * whole.grid[slot] + whole.block[slot];
    numbered.count = numbered.count * whole.grid[slot];
    ++slot;
  }
  whole.numbered = std::move(numbered);
  return true;
}

std::optional<SizeRegion> beyond_digits(const SizeRegion& whole) {
  if (!whole.numbered || !whole.numbered->is_rounded_up || whole.numbered->threads < 2) return std::nullopt;
  SizeRegion beyond = whole;
  beyond.numbered->number =
      whole.numbered->count + Polynomial::atom(beyond.fresh(std::int64_t{whole.numbered->threads} - 2));
  beyond.numbered->is_beyond = true;
  return beyond;
}

std::optional<Polynomial::Division> divided(const Polynomial& a, const Polynomial& b, const SizeRegion& region) {
  const auto is_least = [&](const Polynomial& p, std::int64_t bound) {
    return region.least(p).value_or(bound - 1) >= bound;
  };
  if (!is_least(a, 0) || !is_least(b, 1)) return std::nullopt;
  const auto fits = [&](const Polynomial& rest) { return is_least(rest, 0) && is_least(b - rest, 1); };
  if (fits(a)) return Polynomial::Division{Polynomial(), a};
  for (const Polynomial::Term& leading : b.terms()) {
    if (leading.monomial == 0 || leading.coefficient <= 0) continue;
    Polynomial quotient;
    for (const Polynomial::Term& t : a.terms())
      if (const auto left = without(t.monomial, leading.monomial); left && t.coefficient % leading.coefficient == 0)
        quotient = quotient + *left * Polynomial(t.coefficient / leading.coefficient);
    if (const Polynomial rest = a - quotient * b; is_least(quotient, 0) && fits(rest))
      return Polynomial::Division{std::move(quotient), rest};
  }
  return std::nullopt;
}

}  // namespace swizzle
