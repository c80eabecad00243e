// An expression over sizes, as a directive has it, in terms of a region's atoms. Private to this room.
#pragma once

#include <optional>

#include "synth/program/size_tree.h"
#include "synth/proof/size_region.h"

namespace swizzle {

// Nothing: a name that is no size of the region, or a division that leaves something.
std::optional<Polynomial> polynomial_of(const SizeTree& tree, const SizeRegion& region);

}  // namespace swizzle
