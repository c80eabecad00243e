// TrialNumber: what a node of a TrialGraph comes to: a number, and the elements that it is made of.
//
// Private to synth/trials/.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace swizzle {

// What real numbers are: see residues.h and doubles.h.
enum class TrialArithmetic : std::uint8_t { kResidues, kDoubles };

struct TrialNumber {
  // Elements are numbered: inputs, and values of functions without laws. The last one stands for those that no output
  // has.
  static constexpr std::size_t kElements = 127, kForeign = kElements;

  std::uint64_t bits = 0;
  // Elements that it has, and those that it has more than once; meaningful while nothing can take away what another
  // brings. In a graph that has signs: elements that it may have with a positive coefficient, and with a negative one.
  // In one that tells inputs: those that it may depend on, at least.
  std::array<std::uint64_t, 2> once = {}, twice = {};
  bool is_defined = true, is_known = true;
  bool is_neutral = false;  // the least or greatest of nothing

  // On doubles, in place of elements: how far it may be from the real number.
  double error() const { return std::bit_cast<double>(once[0]); }
  void set_error(double error) { once[0] = std::bit_cast<std::uint64_t>(error); }

  // Of numbers behind the last one, nothing is known.
  void has(std::size_t element) {
    if (element <= kForeign) once[element / 64] |= std::uint64_t{1} << (element % 64);
  }
};

}  // namespace swizzle
