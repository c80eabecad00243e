// FunctionsAsElements: data that only come in through a function, as elements of their own.
//
//   y[2] = abs(x[0]) + abs(x[1]) + abs(x[2])      is searched as    u[0] + u[1] + u[2]
//   y[1] = x[0] + abs(x[0]) + abs(x[1])           x[0] is there by itself, too: only abs(x[1]) becomes u[1]
//   y[1] = abs(x[0]) * abs(x[1])                  stays as it is
//
// That is the same problem: nothing else comes in that tells what such a function is, and where a sum of products, of
// which none has two of them, is another one, it is so for some choice among two values of each. These are two that the
// function was seen to have; of integers, whose difference is odd, and so has an inverse.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "synth/problem/problem.h"

namespace swizzle {

// The equations with such elements, whose buffers are named behind the others; nothing: there is no such function.
std::optional<std::vector<Equation>> with_functions_as_elements(const std::vector<Equation>& equations,
                                                                Provenance& provenance,
                                                                std::vector<std::string>& buffer_names);

// The problem's equations have such elements as long as this lives.
class FunctionsAsElements {
 public:
  explicit FunctionsAsElements(Problem& problem);
  ~FunctionsAsElements();
  FunctionsAsElements(const FunctionsAsElements&) = delete;
  FunctionsAsElements& operator=(const FunctionsAsElements&) = delete;

 private:
  Problem& problem_;
  std::size_t buffers_;                             // as many as there were
  std::optional<std::vector<Equation>> equations_;  // as they were
};

}  // namespace swizzle
