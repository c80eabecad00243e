// How long a multiprocessor is kept busy: by the instructions of a warp, pipe by pipe, and by the bytes that it moves.
//
//   8 shuffles, 36 additions of floats on sm_90      lsu 8 × 1.0 = 8 cycles      fma 36 × 0.258 = 9.3 cycles
//   both of them, and nothing else                   issue 44 / 4 = 11 cycles
//   predicted: (8³ + 9.3³ + 11³)^⅓ = 13.8 cycles     the 3-norm: a little more than the busiest part
//
// The parts overlap, since a multiprocessor has many warps; the 3-norm orders 96 % of 487 pairs of kernels as their
// measured times do (docs/throughput.md). Units: cycles of a multiprocessor.
#pragma once

#include <array>
#include <optional>
#include <string>

namespace swizzle {

enum class MachinePart { kIssue, kAlu, kFma, kHalf, kXu, kFp64, kLsu, kL2, kMemory, kLaunch };
inline constexpr std::size_t kMachineParts = 10;
const char* name_of(MachinePart part);  // "issue", "alu", …

// One row of the table; 0 of what is not known, and not counted.
struct Throughput {
  enum class Known { kMeasured, kPublished };
  std::string arch;
  Known known = Known::kPublished;
  std::string date, source;
  double alu = 0, fma = 0, fma_heavy = 0, half = 0, xu = 0, fp64 = 0, lsu = 0;  // of a warp instruction
  double l2_read = 0, l2_write = 0;                                             // of 512 bytes
  double block = 0;                                                             // from one block to the next
  int multiprocessors = 0;
  double megahertz = 0, gigabytes_per_second = 0;
  double bytes_per_cycle() const;  // of device memory, for one multiprocessor
};

// The row of "sm_90a" is that of sm_90, of "sm_103" that of sm_100, and so on down to the next that there is. Nothing
// below sm_80.
std::optional<Throughput> throughput_of(const std::string& arch);

// What one warp asks of the machine. Units: warp instructions; wavefronts of 128 bytes for lsu; bytes.
struct WarpLoad {
  double issued = 0;  // all instructions
  double alu = 0, fma = 0, fma_heavy = 0, half = 0, xu = 0, fp64 = 0;
  double lsu = 0;
  double l2_read_bytes = 0, l2_written_bytes = 0, moved_bytes = 0;  // moved: from and to device memory
  double blocks = 0;                                                // the warp's share of its block: 1 ÷ warps
};

struct PredictedTime {
  std::array<double, kMachineParts> parts{};  // by MachinePart
  double cycles = 0;                          // the 3-norm of all
  MachinePart busiest = MachinePart::kIssue;
};

PredictedTime predicted_time(const WarpLoad& load, const Throughput& machine);

}  // namespace swizzle
