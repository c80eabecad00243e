// How long the emitted kernel should take on the target, counted on its text as it was re-read.
//
//   auto predicted = predict(reread, "sm_90");
//   predicted->time->time.cycles;       // of a multiprocessor, for a warp
//   predicted_text(*predicted)          // "predicted 71.2 cycles of a multiprocessor a warp, most for memory (…)"
//
// Nothing, if there are no figures for the target.
#pragma once

#include <optional>
#include <string>

#include "driver/completion.h"

namespace swizzle {

std::optional<Report::Predicted> predict(const RereadKernel& reread, const std::string& arch);
std::string predicted_text(const Report::Predicted& predicted);

}  // namespace swizzle
