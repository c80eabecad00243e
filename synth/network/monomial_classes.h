// Monomial classes: an equation of polynomials, split by which buffers the factors of its monomials are of.
//
//   (A - B) * (A - B) + …, A a fetch of x and B one of y:
//     x·x   A·A + …        x·y   -2·A·B + …        y·y   B·B + …
//   whatever is fetched, no monomial of one class is of another: the equation holds where it holds in each
//
// Of x·y each product is one that the spec needs, as in a sum of products; that of x·x alone would say much less.
//
// Private to synth/network/.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "synth/network/sum_compiler.h"

namespace swizzle {

class MonomialClasses {
 public:
  explicit MonomialClasses(Provenance& provenance) : provenance_(provenance) {}

  // Of a sum, one part for each class. None: the classes of some term depend on choices, or there is but one.
  std::vector<RingEquation> split(const RingEquation& part);

 private:
  using Class = std::vector<std::uint32_t>;  // buffers, sorted; of what is no input, all nodes are one
  using Classes = std::set<Class>;

  const std::optional<Classes>& classes_of(Value v);
  std::optional<Classes> find_classes(Value v);
  std::optional<Classes> classes_of(const Term& term);
  Value of_class(Value v, const Class& wanted);
  Value of_class(const Term& term, const Class& wanted);

  Provenance& provenance_;
  Scalar scalar_ = Scalar::kI32;  // of the sum at hand
  std::map<std::uint32_t, std::optional<Classes>> known_;
  std::map<std::pair<std::uint32_t, Class>, Value> parts_;
};

}  // namespace swizzle
