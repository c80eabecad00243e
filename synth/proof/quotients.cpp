#include "synth/proof/quotients.h"

#include <algorithm>

namespace swizzle {

std::optional<Polynomial> unknown_quotient(const Polynomial& a, const Polynomial& by, SizeRegion& region,
                                           Elements& elements) {
  constexpr std::size_t kMostAtoms = 200;
  const auto is_known = [&](const Polynomial& p) {
    return std::ranges::all_of(p.terms(), [&](const Polynomial::Term& t) {
      return std::ranges::none_of(atoms_of(t.monomial), [&](Atom atom) { return region.is_unsplit(atom); });
    });
  };
  if (const auto known = elements.quotient(a, by)) return Polynomial::atom(*known);
  if (region.atoms() > kMostAtoms || region.least(a).value_or(-1) < 0 || region.least(by).value_or(0) < 1 ||
      !is_known(a) || !is_known(by))
    return std::nullopt;
  const Atom atom = region.unknown();
  elements.know_quotient(a, by, atom);
  const Polynomial rest = a - by * Polynomial::atom(atom);
  for (const Polynomial& p : {rest, by - Polynomial(1) - rest}) elements.guards().define(atom, p);
  return Polynomial::atom(atom);
}

}  // namespace swizzle
