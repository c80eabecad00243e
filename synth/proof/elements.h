// Elements of buffers at polynomial addresses, and integers among data, as provenance has them.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "synth/proof/guards.h"

namespace swizzle {

// Elements by polynomial address, shared by the runs that are compared.
class Elements {
 public:
  // has_bits: by parameter, whether its words are followed bit by bit (words.h).
  explicit Elements(std::vector<bool> has_bits = {}) : has_bits_(std::move(has_bits)) {}
  Elements(const Elements&) = delete;
  Elements& operator=(const Elements&) = delete;

  Value at(std::size_t buffer, const Polynomial& slot, Scalar scalar);
  Value number(const Polynomial& p, Scalar scalar);        // an integer that data are computed with
  std::optional<Polynomial> polynomial_of(Value v) const;  // of a constant, or of what number() gave
  // Whether it is a choice of a few integers, by guards: `i < n ? i : n - 1`.
  bool is_choice_of_numbers(Value v);
  Provenance& provenance() { return provenance_; }
  Guards& guards() { return guards_; }

 private:
  std::int64_t id(const Polynomial& p) {
    const auto [known, fresh] = ids_.try_emplace(p, static_cast<std::int64_t>(ids_.size()));
    if (fresh) polynomials_.push_back(p);
    return known->second;
  }
  bool has_few_numbers(Value v, int& left) const;

  const std::vector<bool> has_bits_;
  Provenance provenance_;
  Guards guards_{provenance_};
  std::unordered_map<Polynomial, std::int64_t, HashOfPolynomial> ids_;
  std::vector<Polynomial> polynomials_;  // by id
  std::unordered_map<std::uint32_t, bool> chooses_numbers_;
};

}  // namespace swizzle
