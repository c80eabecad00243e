#include "synth/network/mixed_differences.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <unordered_set>

namespace swizzle {
namespace {

constexpr std::size_t kMostElements = 6;   // of a term: two to that power inputs are tried for a difference
constexpr std::size_t kMostTogether = 32;  // terms with the same elements; of more, rounding might hide a sum
constexpr double kRounding = 1e-12;        // of differences, by the largest number: more than is lost on the way
constexpr double kCertain = 1e4;           // times what may be lost is no rounding

// Rows of bits, and how many of them are independent.
class RankOfBits {
 public:
  std::size_t rank() const { return basis_.size(); }
  void add(std::uint64_t row) {
    for (std::uint64_t known : basis_) row = std::min(row, row ^ known);
    if (row != 0) basis_.push_back(row);
  }

 private:
  std::vector<std::uint64_t> basis_;  // no two with the same highest bit
};

// Rows of real numbers, none above 1, with what rounding may have made of each.
class RankOfReals {
 public:
  std::size_t rank() const { return basis_.size(); }
  void add(std::vector<double> numbers) {
    Row row{std::move(numbers), 0, kRounding};
    for (const Row& known : basis_) {
      const double times = row.numbers[known.pivot] / known.numbers[known.pivot];
      for (std::size_t i = 0; i < row.numbers.size(); ++i) row.numbers[i] -= times * known.numbers[i];
      row.lost += std::abs(times) * known.lost + kRounding;
    }
    const auto size = [](double v) { return std::abs(v); };
    row.pivot = static_cast<std::size_t>(std::ranges::max_element(row.numbers, {}, size) - row.numbers.begin());
    const double most = std::abs(row.numbers[row.pivot]);
    if (most <= kCertain * row.lost) return;
    for (double& v : row.numbers) v /= most;
    row.lost /= most;
    basis_.push_back(std::move(row));
  }

 private:
  struct Row {
    std::vector<double> numbers;
    std::size_t pivot;  // the column where it is largest: 1 or -1
    double lost;        // the most that any number may be wrong by
  };
  std::vector<Row> basis_;
};

}  // namespace

bool MixedDifferences::are_independent(std::span<const Factors> terms, const Addition& addition,
                                       const Deadline& deadline) {
  std::map<Elements, std::vector<Factors>> together;
  for (const Factors& term : terms) {
    Elements all;
    for (NodeId factor : term) {
      Elements more;
      std::ranges::set_union(all, elements_of(factor), std::back_inserter(more));
      all = std::move(more);
    }
    together[all].push_back(term);
  }
  return std::ranges::all_of(together, [&](const auto& some) {
    return !deadline.passed() && are_told_apart(some.first, some.second, addition);
  });
}

bool MixedDifferences::are_told_apart(const Elements& elements, std::span<const Factors> terms,
                                      const Addition& addition) {
  if (elements.size() > kMostElements || terms.size() > kMostTogether) return false;
  RankOfBits of_bits;
  RankOfReals of_reals;
  const std::size_t trials = 16 + 4 * terms.size();
  for (std::uint64_t trial = 0; trial < trials && of_bits.rank() + of_reals.rank() < terms.size(); ++trial) {
    const auto row = differences(elements, terms, addition, trial);
    if (!row) continue;
    if (addition.is_real) {
      const double largest = std::ranges::max(*row, {}, &Number::largest).largest;
      std::vector<double> reals;
      for (const Number& n : *row) reals.push_back(largest == 0 ? 0 : n.real / largest);
      of_reals.add(std::move(reals));
      continue;
    }
    for (int bit = 0; bit < (addition.ring == Ring::kXor ? addition.bits : 1); ++bit) {
      std::uint64_t bits = 0;
      for (std::size_t t = 0; t < terms.size(); ++t) bits |= ((*row)[t].word >> bit & 1) << t;
      of_bits.add(bits);
    }
  }
  return of_bits.rank() + of_reals.rank() == terms.size();
}

// Of integers, the bits that are compared: a difference and a sum modulo 2 have the same lowest bit.
std::optional<std::vector<MixedDifferences::Number>> MixedDifferences::differences(const Elements& elements,
                                                                                   std::span<const Factors> terms,
                                                                                   const Addition& addition,
                                                                                   std::uint64_t trial) {
  std::vector<Number> row(terms.size());
  for (std::uint32_t some = 0; some < 1u << elements.size(); ++some) {
    Elements changed;
    for (std::size_t i = 0; i < elements.size(); ++i)
      if ((some >> i & 1) != 0) changed.push_back(elements[i]);
    concrete_.start(trial, changed);
    for (std::size_t t = 0; t < terms.size(); ++t) {
      const auto n = number(terms[t], addition);
      if (!n) return std::nullopt;
      row[t].word ^= n->word;
      row[t].real += std::popcount(some) % 2 == 0 ? n->real : -n->real;
      row[t].largest = std::max(row[t].largest, std::abs(n->real));
    }
  }
  return row;
}

std::optional<MixedDifferences::Number> MixedDifferences::number(const Factors& term, const Addition& addition) {
  Number product{addition.ring == Ring::kXor ? ~std::uint64_t{0} : 1, 1, 0};
  for (NodeId factor : term) {
    const auto real = addition.is_real ? concrete_.real(Value::node(factor)) : 0.0;
    const auto integer = addition.is_real ? 0 : concrete_.integer(Value::node(factor));
    if (!real || !integer) return std::nullopt;
    product.real *= *real;
    const auto word = static_cast<std::uint64_t>(*integer);
    product.word = addition.ring == Ring::kXor ? product.word & word : product.word * word;
  }
  return product;
}

const MixedDifferences::Elements& MixedDifferences::elements_of(NodeId factor) {
  const auto [it, fresh] = elements_.try_emplace(factor.value);
  if (!fresh) return it->second;
  std::unordered_set<std::uint32_t> seen;
  std::vector<NodeId> pending{factor};
  while (!pending.empty()) {
    const NodeId next = pending.back();
    pending.pop_back();
    if (!seen.insert(next.value).second) continue;
    if (provenance_.node(next).kind == Node::Kind::kInput) it->second.push_back(next);
    provenance_.node(next).for_each_part([&](Value part) {
      if (part.is_node()) pending.push_back(part.as_node());
    });
  }
  std::ranges::sort(it->second);
  return it->second;
}

}  // namespace swizzle
