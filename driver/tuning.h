// Variants of a sketch with ?sw_tune: which are better, by the model and by the GPU.
//
//   stencil of 9 points, kOutputs = ?sw_tune(4, 8):
//     4   predicted 139 cycles of a multiprocessor for 1,024 stored bytes       measured 127.1 µs     the best
//     8   predicted 137                                                         measured 150.3 µs
//
// The model knows no occupancy and no latency: where a GPU is there, --tune asks it. All variants are timed at the same
// sizes: those that were given, made larger alike until a launch moves 256 MB.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "driver/completion.h"

namespace swizzle {

// "  sw_tune at 14:26 = 8\n", for each.
std::string tuned_lines(const Pair& pair);
// "8, 128"
std::string choice_text(const std::vector<std::int64_t>& choice);

// Measured before predicted, predicted before not, cheap before dear.
bool is_better(const Report::Variant& a, const Report::Variant& b);

// "variant 8, 128: cost 136, predicted 137.4 cycles of a multiprocessor a kilobyte, measured 150.3 us";
// "variant 8, 128, completion 2: …"; without a choice "completion 2: …"
std::string variant_text(const Report::Variant& variant);

struct SizesToTime {
  Sizes sizes;
  std::int64_t buffer_bytes = 0;
};
std::optional<SizesToTime> sizes_to_time(const RereadKernel& kernel, const KernelTime& time);

// Errors: the sizes do not fit the kernel's launch; as median_microseconds().
Result<double> time_variant(const EmittedKernel& emitted, const RereadKernel& kernel, const SizesToTime& at,
                            const CompletionRequest& request);

}  // namespace swizzle
