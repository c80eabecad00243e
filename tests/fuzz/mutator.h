// Mutator: texts that are nearly CUDA. A text is cut into tokens, and some of them are taken out, doubled, exchanged or
// replaced by tokens of other texts.
//
//   y[t] = rc[?sw_part(2, t, k)];      y[t] = rc[?sw_part(2, k, t)];      y[t] rc[?sw_part(2, t, k)];
//   y[t] = rc[?sw_xform(2, t, k)];     y[t] = rc[?sw_part(0, t, k)];      y[t] = rc[?sw_part(2, t
//
// The same seed gives the same texts.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace swizzle::fuzz {

std::vector<std::string> tokens_of(const std::string& text);

class Mutator {
 public:
  // Tokens of all these texts take the place of others.
  explicit Mutator(const std::vector<std::string>& texts);

  std::string mutated(const std::string& text, std::mt19937_64& random) const;

 private:
  void mutate_once(std::vector<std::string>& tokens, std::mt19937_64& random) const;
  const std::string& any_token(std::mt19937_64& random) const;

  std::vector<std::string> dictionary_;
};

}  // namespace swizzle::fuzz
