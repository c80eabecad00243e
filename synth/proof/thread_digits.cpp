#include "synth/proof/thread_digits.h"

#include <algorithm>

namespace swizzle {
namespace {

constexpr std::size_t kMostNumbers = 3;     // in a product
constexpr std::int64_t kMostLookedAt = 16;  // threads

// What one size decides, n, n - 2, n / 2, and numbers, which come behind it: the digit of 2 * n is 2 · (that of n) + 0
// or 1.
bool find_factors(const SizeTree& tree, std::vector<SizeTree>& factors) {
  if (tree.op == '*') {
    const bool is_number_first = tree.operands[0].op == '#';
    return find_factors(tree.operands[is_number_first ? 1 : 0], factors) &&
           find_factors(tree.operands[is_number_first ? 0 : 1], factors);
  }
  factors.push_back(tree);
  return tree.op == '#' ? tree.value > 0 : names_in(tree).size() == 1;
}

struct Product {
  const SizeTree* text = nullptr;
  std::vector<SizeTree> factors;
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
  std::size_t digits = 0;
  std::int64_t numbers = 1;
  for (const SizeTree& factor : product.factors)
    if (factor.op != '#') ++digits;
    else if (__builtin_mul_overflow(numbers, factor.value, &numbers)) return std::nullopt;
  const bool is_followed = digits > 0 && digits <= kMostDigits && product.factors.size() <= digits + kMostNumbers &&
                           numbers <= kMostLookedAt;
  return is_product && is_followed ? std::optional(product) : std::nullopt;
}

// 12: 2, 2, 3
std::vector<SizeTree> with_primes(const std::vector<SizeTree>& factors) {
  std::vector<SizeTree> parts;
  for (const SizeTree& factor : factors) {
    if (factor.op != '#') {
      parts.push_back(factor);
      continue;
    }
    std::int64_t rest = factor.value;
    for (std::int64_t prime = 2; rest > 1; ++prime)
      for (; rest % prime == 0; rest /= prime) parts.push_back({'#', prime, "", {}});
  }
  return parts;
}

// Of the first one that reads the same.
std::size_t place_of(const SizeTree& factor, const std::vector<SizeTree>& factors) {
  const auto is_same = [&](const SizeTree& other) { return text_of(other) == text_of(factor); };
  return static_cast<std::size_t>(std::ranges::find_if(factors, is_same) - factors.begin());
}

// All different ones; as they stand is the first.
std::vector<std::vector<SizeTree>> orders_of(const std::vector<SizeTree>& factors) {
  std::vector<std::size_t> order;  // equal ones have one number
  for (const SizeTree& factor : factors) order.push_back(place_of(factor, factors));
  std::vector<std::vector<SizeTree>> orders;
  const auto first = order;
  do {
    orders.emplace_back();
    for (const std::size_t i : order) orders.back().push_back(factors[i]);
    std::ranges::next_permutation(order);
  } while (order != first);
  return orders;
}

// Where each name stands in the product.
std::vector<std::size_t> names_of(const std::vector<SizeTree>& order, const std::vector<SizeTree>& product) {
  std::vector<std::size_t> names;
  for (const SizeTree& factor : order)
    if (factor.op != '#') names.push_back(place_of(factor, product));
  return names;
}

// By whole numbers, then by their primes; the names as they stand come first.
std::vector<std::vector<SizeTree>> orders_of(const Product& product) {
  auto orders = orders_of(product.factors);
  const std::vector<SizeTree> primes = with_primes(product.factors);
  const auto numbers = static_cast<std::size_t>(std::ranges::count(primes, '#', &SizeTree::op));
  if (primes.size() != product.factors.size() && numbers <= kMostNumbers)
    for (auto& order : orders_of(primes)) orders.push_back(std::move(order));
  std::ranges::stable_sort(orders, {}, [&](const auto& order) { return names_of(order, product.factors); });
  return orders;
}

// What the numbers among the factors make up: how many threads they are, and how many of them stand one behind the
// other.
struct Looked {
  std::int64_t at = 1, in_a_row = 1;
};
Looked looked_at(const std::vector<SizeTree>& factors) {
  Looked looked;
  for (const SizeTree& factor : factors) {
    const bool is_number = factor.op == '#';
    looked.at *= is_number ? factor.value : 1;
    looked.in_a_row = is_number ? looked.in_a_row * factor.value : 1;
  }
  return looked;
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

// Of how many of the atoms.
std::int64_t degree_in(Polynomial::Monomial monomial, Polynomial::Monomial of) {
  const auto leading = atoms_of(of);
  return std::ranges::count_if(atoms_of(monomial),
                               [&](Atom a) { return std::ranges::find(leading, a) != leading.end(); });
}

// By a term of the divisor, the terms that have most of it first: (1 + u + s) · (1 + u + s) by 1 + u + s.
Polynomial::Division long_division(const Polynomial& a, const Polynomial& b, const Polynomial::Term& leading) {
  constexpr int kMostSteps = 8;
  Polynomial::Division division{{}, a};
  for (int step = 0; step < kMostSteps; ++step) {
    Polynomial part;
    std::int64_t highest = 0;
    for (const Polynomial::Term& t : division.rest.terms()) {
      const auto left = without(t.monomial, leading.monomial);
      if (!left || t.coefficient % leading.coefficient != 0) continue;
      const std::int64_t degree = degree_in(t.monomial, leading.monomial);
      if (degree < highest) continue;
      if (degree > highest) part = {};
      highest = degree;
      part = part + *left * Polynomial(t.coefficient / leading.coefficient);
    }
    if (part.terms().empty()) break;
    division.quotient = division.quotient + part;
    division.rest = division.rest - part * b;
  }
  return division;
}

}  // namespace

std::size_t orders_of_digits(const SizeTree& count) {
  const auto product = product_in(count);
  return product ? orders_of(*product).size() : 1;
}

std::string text_of_product(const SizeTree& count) {
  const auto product = product_in(count);
  return product ? text_of(*product->text) : "";
}

bool add_digits(SizeRegion& whole, const SizeTree& count, int threads, const std::vector<Sizes>& known,
                std::size_t order, const AddDimension& add) {
  const auto product = product_in(count);
  if (!product || product->per_block != threads || whole.threads_are_blocks) return false;
  for (const Sizes& sizes : known)
    if (!product->is_rounded_up && value_of(*product->text, sizes).value_or(1) % threads != 0) return false;
  const std::vector<SizeTree> factors = orders_of(*product)[order];
  const Looked looked = looked_at(factors);
  NumberedThreads numbered{{}, Polynomial(1), threads, product->is_rounded_up, false};
  const std::int64_t of_one_block = threads % looked.in_a_row == 0 ? looked.in_a_row : 1;
  for (std::int64_t t = 0; t < looked.at; ++t)
    numbered.looked_at.push_back(
        {{}, t % of_one_block == 0 ? Polynomial::atom(whole.fresh()) : numbered.looked_at.back().block});
  std::int64_t left = looked.at;
  std::size_t slot = kDigits;
  for (const SizeTree& factor : factors) {
    const bool is_number = factor.op == '#';
    if (is_number) left /= factor.value;
    else if (!add(slot, factor)) return false;
    const Polynomial count_of_digit = is_number ? Polynomial(factor.value) : whole.grid[slot];
    for (std::int64_t t = 0; t < looked.at; ++t) {
      Polynomial& number = numbered.looked_at[static_cast<std::size_t>(t)].number;
      number = number * count_of_digit + (is_number ? Polynomial(t / left % factor.value) : whole.block[slot]);
    }
    numbered.count = numbered.count * count_of_digit;
    if (!is_number) ++slot;
  }
  whole.threads = {static_cast<int>(looked.at), 1, 1};
  whole.numbered = std::move(numbered);
  return true;
}

std::optional<SizeRegion> beyond_digits(const SizeRegion& whole) {
  if (!whole.numbered || !whole.numbered->is_rounded_up || whole.numbered->threads < 2) return std::nullopt;
  SizeRegion beyond = whole;
  const Polynomial behind = Polynomial::atom(beyond.fresh(std::int64_t{whole.numbered->threads} - 2));
  beyond.numbered->looked_at = {{whole.numbered->count + behind, Polynomial::atom(beyond.fresh())}};
  beyond.threads = {1, 1, 1};
  beyond.numbered->is_beyond = true;
  return beyond;
}

std::optional<Polynomial::Division> divided(const Polynomial& a, const Polynomial& b,
                                            const std::function<bool(const Polynomial&)>& is_known) {
  if (!is_known(a) || !is_known(b - Polynomial(1))) return std::nullopt;
  const auto fits = [&](const Polynomial& rest) { return is_known(rest) && is_known(b - rest - Polynomial(1)); };
  if (fits(a)) return Polynomial::Division{Polynomial(), a};
  for (const Polynomial::Term& leading : b.terms()) {
    if (leading.monomial == 0 || leading.coefficient <= 0) continue;
    auto division = long_division(a, b, leading);
    if (is_known(division.quotient) && fits(division.rest)) return division;
  }
  return std::nullopt;
}

}  // namespace swizzle
