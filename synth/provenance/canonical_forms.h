// CanonicalForms: forms that values without choices have in common where no ⊕ alone tells that they are equal.
#pragma once

#include "synth/provenance/logic_forms.h"
#include "synth/provenance/order_forms.h"

namespace swizzle {

struct CanonicalForms {
  OrderForms orders;
  LogicForms logic;
};

}  // namespace swizzle
