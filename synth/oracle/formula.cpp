#include "synth/oracle/formula.h"

#include <algorithm>

namespace swizzle {

Literals Formula::fresh(std::size_t count) {
  Literals literals;
  for (std::size_t i = 0; i < count; ++i) literals.push_back(fresh());
  return literals;
}

void Formula::exactly_one(const Literals& literals) {
  constexpr std::size_t kFew = 64;  // as a sum, if there are more
  if (literals.size() > kFew) {
    std::vector<WeightedLiteral> all;
    for (const Literal l : literals) all.push_back({l, 1});
    return equal(std::move(all), 1);
  }
  add(literals);
  for (std::size_t i = 0; i < literals.size(); ++i)
    for (std::size_t j = i + 1; j < literals.size(); ++j) add({!literals[i], !literals[j]});
}

Literal Formula::all_of(Literals literals) {
  std::sort(literals.begin(), literals.end());
  literals.erase(std::unique(literals.begin(), literals.end()), literals.end());
  std::erase(literals, truth());
  for (Literal l : literals)
    if (l == !truth() || std::binary_search(literals.begin(), literals.end(), !l)) return !truth();
  if (literals.empty()) return truth();
  if (literals.size() == 1) return literals[0];
  const auto [it, is_new] = conjunctions_.try_emplace(literals);
  if (!is_new) return it->second;
  const Literal result = it->second = fresh();
  Literals reversed{result};
  for (Literal l : literals) {
    add({!result, l});
    reversed.push_back(!l);
  }
  add(std::move(reversed));
  return result;
}

Literal Formula::any_of(Literals literals) {
  for (Literal& l : literals) l = !l;
  return !all_of(std::move(literals));
}

}  // namespace swizzle
