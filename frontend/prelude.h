// The CUDA that sketches see: declarations parsed before the user's file in place of the toolkit's headers.
#pragma once

#include <string>
#include <vector>

namespace swizzle {

// Where the prelude lies for clang.
inline constexpr const char* kPreludeFolder = "/swizzle-prelude";
inline constexpr const char* kPreludePath = "/swizzle-prelude/prelude.h";
inline constexpr const char* kHeaderFolder = "/swizzle-prelude/include";

// create_accumulator() and its kin, whose operators are called `plus` and `times`.
enum class Accumulators { kNone, kThere };

std::string prelude_text(Accumulators accumulators = Accumulators::kThere);

// For kernels as they are: without what only sketches have; with half types, cooperative groups, matrix fragments and
// asynchronous copies. What has no body there is a value that nothing is known of.
std::string device_prelude_text(bool has_torch = false);  // with PyTorch's namespaces, which others use for functions
std::string device_declarations(bool has_torch);          // its last part
std::string atomic_declarations();
std::string standard_library();                       // std::decay_t, std::numeric_limits, std::plus and their kin
std::string standard_algorithms();                    // std::accumulate and its kin
std::string math_constants();                         // M_PI and its kin
std::string small_real_declarations(bool has_torch);  // of 16 and 8 bits

// What is declared by a header of NVIDIA's samples (cutil.h, helper_math.h), of CUB or of libcu++, where it is not
// read; empty: it is none that is known.
std::string samples_header(const std::string& header);
std::string operators_of_cub();  // cub::Sum and its kin, of before CUDA 13

// For a kernel among host code: prelude_text(), and what tells of launches which instances of templates there are.
std::string prelude_text_with_host(Accumulators accumulators = Accumulators::kThere);
std::string host_declarations();  // its last part

// Headers that a sketch or spec may include; they add nothing to the prelude.
const std::vector<std::string>& accepted_headers();
// What an accepted header declares in a sketch or spec; most add nothing.
std::string header_text(const std::string& header);

}  // namespace swizzle
