// Polynomial: an integer as a polynomial over atoms, in normal form: equal polynomials are equal for all values.
//
//   block b of 64 threads, thread 5, of n = 64 · (b + s + 1):   i = 64·b + 5,   n - 1 - i = 64·s + 58
//
// Atoms are integers of at least 0 (size_region.h says what they are). A coefficient beyond 64 bits, or a product of
// more than four atoms, makes a polynomial broken: nothing holds of it.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>

#include <boost/container/small_vector.hpp>

namespace swizzle {

using Atom = std::uint8_t;  // from 1 on

class Polynomial {
 public:
  // A product of atoms, a byte for each, largest first; 0 is the product of none.
  using Monomial = std::uint32_t;
  struct Term {
    Monomial monomial = 0;
    std::int64_t coefficient = 0;
    friend auto operator<=>(const Term&, const Term&) = default;
  };
  using Terms = boost::container::small_vector<Term, 3>;

  Polynomial() = default;
  Polynomial(std::int64_t constant);
  static Polynomial atom(Atom a);

  const Terms& terms() const { return terms_; }  // by monomial, none with coefficient 0
  bool is_broken() const { return is_broken_; }
  bool is_constant() const {
    return !is_broken_ && (terms_.empty() || (terms_.size() == 1 && terms_[0].monomial == 0));
  }
  std::int64_t constant() const { return terms_.empty() || terms_[0].monomial != 0 ? 0 : terms_[0].coefficient; }
  std::optional<std::int64_t> value() const { return is_constant() ? std::optional(constant()) : std::nullopt; }
  std::int64_t coefficient(Monomial m) const;
  bool has(Atom a) const;

  friend Polynomial operator+(const Polynomial& a, const Polynomial& b);
  friend Polynomial operator-(const Polynomial& a, const Polynomial& b);
  friend Polynomial operator*(const Polynomial& a, const Polynomial& b);
  friend bool operator==(const Polynomial& a, const Polynomial& b) {
    return !a.is_broken_ && !b.is_broken_ && a.terms_ == b.terms_;
  }
  friend bool operator<(const Polynomial& a, const Polynomial& b) { return a.terms_ < b.terms_; }

  // `a` replaced by a polynomial.
  Polynomial with(Atom a, const Polynomial& value) const;
  // *this = divisor · quotient + rest, where `quotient` takes the coefficients that the divisor divides, and the rest
  // has a constant in [0, divisor).
  struct Division;
  Division divided(std::int64_t divisor) const;

 private:
  static Polynomial sum(const Polynomial& a, const Polynomial& b, std::int64_t factor);
  void add(Monomial m, std::int64_t coefficient);

  Terms terms_;
  bool is_broken_ = false;
};

struct HashOfPolynomial {
  std::size_t operator()(const Polynomial& p) const;
};

struct Polynomial::Division {
  Polynomial quotient, rest;
};

// The atoms of a monomial, with repetitions.
boost::container::small_vector<Atom, 4> atoms_of(Polynomial::Monomial m);

}  // namespace swizzle
