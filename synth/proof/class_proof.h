// prove_class: the proof of all_sizes_proof.h for one class of sizes (size_region.h). Private to this room.
#pragma once

#include "synth/proof/all_sizes_proof.h"

namespace swizzle {

// `undivided`: the spec, if loops of it stand in parts in `spec` (loop_tails.h); else null.
AllSizesProof prove_class(const Program& kernel, const Program& spec, const AdmissibleSizes& admissible,
                          const std::vector<Sizes>& known, const SizeClass& of, const Deadline& deadline,
                          const Program* undivided = nullptr);

}  // namespace swizzle
