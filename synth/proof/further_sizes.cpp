#include "synth/proof/further_sizes.h"

#include <algorithm>
#include <set>

namespace swizzle {
namespace {

bool is_prime(std::int64_t v) {
  if (v < 2) return false;
  for (std::int64_t d = 2; d * d <= v; ++d)
    if (v % d == 0) return false;
  return true;
}

// The values of one parameter that are admissible with these others, up to a few times what it is.
std::vector<std::int64_t> admissible_values(const AdmissibleSizes& admissible, Sizes sizes, const std::string& name) {
  constexpr std::int64_t kMost = 1 << 15;  // values that are looked at
  std::int64_t& value = sizes[name];
  const std::int64_t last = std::min(5 * std::max<std::int64_t>(value, 1) + 192, kMost);
  std::vector<std::int64_t> values;
  for (value = 1; value <= last; ++value)
    if (admissible.admits(sizes)) values.push_back(value);
  return values;
}

// Of admissible values in order: the first ones, neighbours of the known one, multiples and primes of their steps.
std::set<std::int64_t> telling_values(const std::vector<std::int64_t>& values, std::int64_t known, std::int64_t block) {
  std::set<std::int64_t> telling;
  const auto add_near = [&](std::int64_t wanted) {  // the first that is not below
    if (const auto it = std::lower_bound(values.begin(), values.end(), wanted); it != values.end()) telling.insert(*it);
  };
  for (std::size_t i : {0, 1, 2, 4, 6})
    if (i < values.size()) telling.insert(values[i]);
  for (std::int64_t d : {std::int64_t{1}, block - 1, block, block + 1})
    for (std::int64_t wanted : {d, known - d, known + d})
      if (wanted > 0) add_near(wanted);
  for (std::int64_t wanted : {2 * known, 3 * known, 2 * known + 1}) add_near(wanted);
  std::int64_t prime = known + 1;
  while (!is_prime(prime)) ++prime;
  add_near(prime);
  return telling;
}

}  // namespace

std::int64_t threads_at(const Program& kernel, const Sizes& sizes) {
  const auto shape = evaluate(*kernel.directives.launch, sizes, kernel.source);
  return shape.ok() ? shape->blocks() * shape->threads_per_block() : 0;
}

std::vector<Sizes> further_sizes(const AdmissibleSizes& admissible, const Program& kernel,
                                 const std::vector<Sizes>& known, std::int64_t threads) {
  std::set<Sizes> candidates;
  for (const Sizes& at : known) {
    const auto shape = evaluate(*kernel.directives.launch, at, kernel.source);
    if (!shape.ok()) continue;
    std::vector<Sizes> together{at, at, at};  // the second, third and fifth value of all parameters at a time
    for (const auto& [name, value] : at) {
      if (!admissible.varies(name)) continue;
      const std::vector<std::int64_t> values = admissible_values(admissible, at, name);
      for (std::int64_t v : telling_values(values, value, shape->threads_per_block())) {
        Sizes sizes = at;
        sizes[name] = v;
        candidates.insert(std::move(sizes));
      }
      std::size_t next = 0;
      for (std::size_t i : {1, 2, 4})
        if (Sizes& sizes = together[next++]; i < values.size()) sizes[name] = values[i];
    }
    candidates.insert(together.begin(), together.end());
  }
  std::vector<std::pair<std::int64_t, Sizes>> by_threads;
  for (const Sizes& sizes : candidates)
    if (std::find(known.begin(), known.end(), sizes) == known.end() && admissible.admits(sizes))
      by_threads.emplace_back(threads_at(kernel, sizes), sizes);
  std::sort(by_threads.begin(), by_threads.end());
  std::vector<Sizes> further;
  for (auto& [count, sizes] : by_threads) {
    if (count > threads) break;
    threads -= count;
    further.push_back(std::move(sizes));
  }
  return further;
}

}  // namespace swizzle
