// What a TrialGraph is made of: nodes, goals, which are equations and requirements, and checks of equations that are
// open.
//
// Private to synth/trials/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "synth/provenance/provenance.h"
#include "synth/trials/trial_number.h"

namespace swizzle {

struct TrialNode {
  enum class Kind : std::uint8_t { kFixed, kChoice, kSum, kProduct, kSet, kFunction };

  Kind kind = Kind::kFixed;
  Ring ring = Ring::kSum;
  Scalar scalar = Scalar::kI32;
  bool is_real = false;
  bool is_negative = false;            // of a product: its coefficient, of words as if they had a sign
  std::uint16_t level = 0;             // 1 + the last step that it depends on; 0: none
  std::uint32_t tag = 0;               // of a function; of a choice: the point
  std::uint32_t first = 0, count = 0;  // operands
  std::uint64_t coefficient = 1;       // of a product
};

struct TrialGoal {
  std::uint32_t actual = 0;  // a node
  TrialNumber expected;
  Scalar scalar = Scalar::kI32;
  bool is_requirement = false;
};

// Terms decided with a step must be within what an equation needs, and later ones must bring what is missing.
struct TrialCheck {
  std::size_t claim;
  bool is_set;      // an element may be there twice
  bool needs_each;  // of the elements that the claim needs
  std::uint16_t level;
  std::vector<std::uint32_t> terms, later;  // nodes; the last decided come first
};

// A value that outputs want.
struct TrialWanted {
  std::uint64_t value;
  std::size_t last;           // the step that decides the last of them
  std::size_t at_hand_until;  // the highest level of a node that may have it whatever is decided; 0: of none
};

}  // namespace swizzle
