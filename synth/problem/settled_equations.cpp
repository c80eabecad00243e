#include "synth/problem/settled_equations.h"

#include "synth/provenance/data_cases.h"
#include "synth/provenance/fractions.h"
#include "synth/provenance/orders.h"

namespace swizzle {

std::vector<Equation> settled_by_cases(std::vector<Equation> equations, Provenance& provenance) {
  Orders orders;
  CasesLeft left{.cases = 16'384, .steps = 4'000'000};
  Fractions fractions(provenance);
  for (Equation& e : equations)
    if (e.stored && !provenance.has_choice(e.actual) && !e.holds(e.actual) &&
        (orders.are_alike(provenance, e.actual, e.expected) || fractions.are_alike(e.actual, e.expected) ||
         are_alike_by_cases(provenance, e.actual, e.expected, left)))
      e.expected = e.actual;
  return equations;
}

}  // namespace swizzle
