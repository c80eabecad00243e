#include "synth/proof/polynomial.h"

#include <algorithm>
#include <functional>

#include "synth/base/hashes.h"
#include "synth/base/integers.h"

namespace swizzle {
namespace {

constexpr std::size_t kMostFactors = sizeof(Polynomial::Monomial);

std::optional<Polynomial::Monomial> product(Polynomial::Monomial a, Polynomial::Monomial b) {
  if (a == 0 || b == 0) return a | b;
  auto atoms = atoms_of(a);
  for (Atom atom : atoms_of(b)) atoms.push_back(atom);
  if (atoms.size() > kMostFactors) return std::nullopt;
  std::sort(atoms.begin(), atoms.end(), std::greater<>());
  Polynomial::Monomial m = 0;
  for (Atom atom : atoms) m = m << 8 | atom;
  return m;
}

}  // namespace

boost::container::small_vector<Atom, 4> atoms_of(Polynomial::Monomial m) {
  boost::container::small_vector<Atom, 4> atoms;
  for (; m != 0; m >>= 8) atoms.push_back(static_cast<Atom>(m & 255));
  return atoms;
}

std::size_t HashOfPolynomial::operator()(const Polynomial& p) const {
  std::size_t hash = p.terms().size();
  for (const Polynomial::Term& t : p.terms())
    hash = mix(mix(hash, t.monomial), static_cast<std::size_t>(t.coefficient));
  return hash;
}

Polynomial::Polynomial(std::int64_t constant) {
  if (constant != 0) terms_.push_back({0, constant});
}

Polynomial Polynomial::atom(Atom a) {
  Polynomial p;
  p.terms_.push_back({a, 1});
  return p;
}

std::int64_t Polynomial::coefficient(Monomial m) const {
  for (const Term& t : terms_)
    if (t.monomial == m) return t.coefficient;
  return 0;
}

bool Polynomial::has(Atom a) const {
  return std::any_of(terms_.begin(), terms_.end(), [&](const Term& t) {
    const auto atoms = atoms_of(t.monomial);
    return std::find(atoms.begin(), atoms.end(), a) != atoms.end();
  });
}

void Polynomial::add(Monomial m, std::int64_t coefficient) {
  const auto at = std::lower_bound(terms_.begin(), terms_.end(), m,
                                   [](const Term& t, Monomial monomial) { return t.monomial < monomial; });
  if (at == terms_.end() || at->monomial != m) {
    if (coefficient != 0) terms_.insert(at, {m, coefficient});
    return;
  }
  is_broken_ |= __builtin_add_overflow(at->coefficient, coefficient, &at->coefficient);
  if (at->coefficient == 0) terms_.erase(at);
}

// a + factor · b. Both are in order.
Polynomial Polynomial::sum(const Polynomial& a, const Polynomial& b, std::int64_t factor) {
  constexpr std::size_t kUsual = 16;
  Polynomial all;
  all.is_broken_ = a.is_broken_ || b.is_broken_;
  boost::container::small_vector<Term, kUsual> terms;  // more often than not some cancel
  auto s = a.terms_.begin();
  for (const Term& t : b.terms_) {
    Term more{t.monomial, 0};
    all.is_broken_ |= __builtin_mul_overflow(t.coefficient, factor, &more.coefficient);
    while (s != a.terms_.end() && s->monomial < t.monomial) terms.push_back(*s++);
    if (s != a.terms_.end() && s->monomial == t.monomial)
      all.is_broken_ |= __builtin_add_overflow(s++->coefficient, more.coefficient, &more.coefficient);
    if (more.coefficient != 0) terms.push_back(more);
  }
  terms.insert(terms.end(), s, a.terms_.end());
  all.terms_.assign(terms.begin(), terms.end());
  return all;
}

Polynomial operator+(const Polynomial& a, const Polynomial& b) { return Polynomial::sum(a, b, 1); }
Polynomial operator-(const Polynomial& a, const Polynomial& b) { return Polynomial::sum(a, b, -1); }

Polynomial operator*(const Polynomial& a, const Polynomial& b) {
  if (a.is_constant()) return Polynomial::sum({}, b, a.constant());
  if (b.is_constant()) return Polynomial::sum({}, a, b.constant());
  Polynomial all;
  all.is_broken_ = a.is_broken_ || b.is_broken_;
  for (const Polynomial::Term& s : a.terms_)
    for (const Polynomial::Term& t : b.terms_) {
      std::int64_t coefficient = 0;
      const auto monomial = product(s.monomial, t.monomial);
      all.is_broken_ |= !monomial || __builtin_mul_overflow(s.coefficient, t.coefficient, &coefficient);
      if (monomial) all.add(*monomial, coefficient);
    }
  return all;
}

Polynomial Polynomial::with(Atom a, const Polynomial& value) const {
  if (!has(a)) return *this;
  Polynomial all;
  all.is_broken_ = is_broken_;
  for (const Term& t : terms_) {
    Polynomial part(t.coefficient);
    for (Atom atom : atoms_of(t.monomial)) part = part * (atom == a ? value : Polynomial::atom(atom));
    all = all + part;
  }
  return all;
}

Polynomial::Division Polynomial::divided(std::int64_t divisor) const {
  Division division;
  division.quotient.is_broken_ = division.rest.is_broken_ = is_broken_;
  for (const Term& t : terms_) {
    const std::int64_t quotient = floor_div(t.coefficient, divisor);
    if (t.monomial == 0) {
      division.quotient.add(0, quotient);
      division.rest.add(0, t.coefficient - quotient * divisor);
    } else if (t.coefficient % divisor == 0) {
      division.quotient.add(t.monomial, quotient);
    } else {
      division.rest.add(t.monomial, t.coefficient);
    }
  }
  return division;
}

}  // namespace swizzle
