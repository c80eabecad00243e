// Which launches of a recording are of a kernel, and what it was given there.
//
//   recorded: transpose<32> grid (4, 4), block (32, 8), parameters {pointer, pointer, 64}, 12 times
//   of `template <int N> __global__ void transpose(float* y, const float* x, int n)` in the file, as <32>:
//       {shape, integers {n = 64}, origin "recorded 12 times"}
//
// A kernel is known by its mangled name, or else by name and template arguments: compilers' headers may differ.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driver/check_launch.h"
#include "driver/ptx_kernels.h"
#include "driver/recording.h"

namespace swizzle {

// A number among the parameters: itself, or a member of a record.
struct KernelNumber {
  std::string name;  // "n", "p.n"
  std::size_t parameter = 0;
  std::int64_t offset_bytes = 0;
  int size_bytes = 4;
  bool is_signed = true, is_real = false;
};
std::vector<KernelNumber> numbers_among(const Program& kernel);
std::vector<KernelNumber> numbers_among(const std::vector<ptx::Argument>& arguments);

// Launches that are alike in shape and numbers are one. Not known: another number of parameters than here, those that a
// recording does not keep.
KernelLaunches recorded_launches(const CheckedKernel& kernel, const std::vector<KernelNumber>& numbers,
                                 std::size_t parameters, const Recording& recording);

// Whether one of this name was launched, whatever its template arguments.
bool is_recorded(const std::string& name, const Recording& recording);

// Templates as they were launched, in the words of a source: "ns::copy<4>".
std::vector<std::string> recorded_instances(const Recording& recording);

// The launches of kernels that are not among `names` (as recorded, or of kernels that were left out): one each.
std::vector<Uncounted> launches_elsewhere(const std::vector<std::string>& names, const Recording& recording);

// Of each kernel, the launch that loses most wavefronts goes first. An error if the report is of nothing. Null: there
// is no recording, and nothing to do.
std::optional<Diagnostic> finish_recorded(const Recording* recording, CheckReport& report);

}  // namespace swizzle
