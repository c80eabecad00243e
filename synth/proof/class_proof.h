// prove_class: the proof of all_sizes_proof.h for one class of sizes (size_region.h). Private to this room.
#pragma once

#include "synth/proof/all_sizes_proof.h"

namespace swizzle {

AllSizesProof prove_class(const Program& kernel, const Program& spec, const AdmissibleSizes& admissible,
                          const std::vector<Sizes>& known, const SizeClass& of, const Deadline& deadline);

}  // namespace swizzle
