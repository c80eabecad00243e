// LookAhead: what tells of a TrialGraph that some output cannot be made any more, over all that is still open.
//
// Private to synth/trials/.
#pragma once

#include <cstddef>

#include "synth/trials/bit_bounds.h"
#include "synth/trials/element_bounds.h"
#include "synth/trials/input_bounds.h"
#include "synth/trials/order_bounds.h"
#include "synth/trials/signed_bounds.h"

namespace swizzle {

struct LookAhead {
  BitBounds bits;
  OrderBounds orders;
  ElementBounds elements;  // one of these three is in use
  SignedBounds signs;
  InputBounds inputs;

  bool stands(TrialGraph& graph, std::size_t step) {
    return bits.stands(graph, step) && orders.stands(graph, step) && elements.stands(graph, step) &&
           signs.stands(graph, step) && inputs.stands(graph, step);
  }
};

}  // namespace swizzle
