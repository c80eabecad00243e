#include "synth/proof/polynomial.h"

#include <algorithm>
#include <array>
#include <vector>

#include "synth/base/hashes.h"
#include "synth/base/integers.h"

namespace swizzle {
namespace {

constexpr int kBits = 8, kAllBits = 8 * sizeof(Polynomial::Monomial);

Atom last_of(Polynomial::Monomial m) { return static_cast<Atom>(m & 255); }

// Both have their smallest atom in the last byte.
std::optional<Polynomial::Monomial> product(Polynomial::Monomial a, Polynomial::Monomial b) {
  Polynomial::Monomial m = 0;
  for (int shift = 0; (a | b) != 0; shift += kBits) {
    if (shift == kAllBits) return std::nullopt;
    Polynomial::Monomial& from = b == 0 || (a != 0 && last_of(a) <= last_of(b)) ? a : b;
    m |= Polynomial::Monomial{last_of(from)} << shift;
    from >>= kBits;
  }
  return m;
}

bool has_atom(Polynomial::Monomial m, Atom a) {
  for (; m != 0; m >>= kBits)
    if (last_of(m) == a) return true;
  return false;
}

// A monomial without an atom, and how often it has that.
struct Without {
  Polynomial::Monomial others = 0;
  int times = 0;
};
Without without(Polynomial::Monomial m, Atom a) {
  Without left;
  for (int shift = 0; m != 0; m >>= kBits) {
    if (last_of(m) == a) {
      ++left.times;
      continue;
    }
    left.others |= Polynomial::Monomial{last_of(m)} << shift;
    shift += kBits;
  }
  return left;
}

}  // namespace

boost::container::small_vector<Atom, 4> atoms_of(Polynomial::Monomial m) {
  boost::container::small_vector<Atom, 4> atoms;
  for (; m != 0; m >>= kBits) atoms.push_back(last_of(m));
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
  return std::any_of(terms_.begin(), terms_.end(), [&](const Term& t) { return has_atom(t.monomial, a); });
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
  const std::size_t most = a.terms_.size() + b.terms_.size();
  std::array<Term, kUsual> few;
  std::vector<Term> many(most > kUsual ? most : 0);
  Term* const terms = most > kUsual ? many.data() : few.data();  // more often than not some cancel
  Term* end = terms;
  auto s = a.terms_.begin();
  for (const Term& t : b.terms_) {
    Term more{t.monomial, 0};
    all.is_broken_ |= __builtin_mul_overflow(t.coefficient, factor, &more.coefficient);
    while (s != a.terms_.end() && s->monomial < t.monomial) *end++ = *s++;
    if (s != a.terms_.end() && s->monomial == t.monomial)
      all.is_broken_ |= __builtin_add_overflow(s++->coefficient, more.coefficient, &more.coefficient);
    if (more.coefficient != 0) *end++ = more;
  }
  end = std::copy(s, a.terms_.end(), end);
  all.terms_.assign(terms, end);
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
    const auto [others, times] = without(t.monomial, a);
    Polynomial part;
    part.terms_.push_back({others, t.coefficient});
    for (int i = 0; i < times; ++i) part = part * value;
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
