// InstructionMix: the instructions of a warp, as a compiler for the machine would choose them from a graph.
//
//   out += w * x               one FFMA, where nothing else uses the product
//   (a & m) | (b & ~m)         one LOP3: logic of three words
//   x[i + 1] beside x[i]       one address, and an offset in the instruction
//   lane < k ? a : b           an ISETP for all selects by that condition, and a SEL for each
//
// Counts are per warp.
#pragma once

#include <array>
#include <cstddef>

#include "synth/machine/throughput.h"
#include "synth/timing/warp_trace.h"

namespace swizzle {

enum class InstructionKind {
  kShuffle,    // SHFL
  kVote,       // VOTE
  kReduction,  // REDUX
  kLogic,      // LOP3, PRMT, SHF
  kSelect,     // SEL, FSEL
  kCompare,    // ISETP, FSETP, PLOP3
  kInteger,    // IADD3, LEA, VIMNMX, I2F
  kMultiply,   // IMAD
  kReal,       // FADD, FMUL, FFMA
  kHalf,       // HADD2, HFMA2
  kDouble,     // DADD, DFMA
  kSpecial,    // MUFU, POPC, FLO, BREV, F2I
  kLoad,       // LDG
  kStore,      // STG
  kShared,     // LDS, STS, LDSM
  kControl,    // BRA, BAR, EXIT, S2R
};
inline constexpr std::size_t kInstructionKinds = 16;
const char* name_of(InstructionKind kind);  // "shuffles", "votes", …

struct InstructionMix {
  std::array<double, kInstructionKinds> counts{};  // by InstructionKind
  double shared_wavefronts = 0, global_wavefronts = 0;
  double read_bytes = 0, stored_bytes = 0;  // by 32-byte sectors, each load once; by all lanes
  double written_bytes = 0;                 // by sectors
  double operator[](InstructionKind kind) const { return counts[static_cast<std::size_t>(kind)]; }
  double total() const;
  InstructionMix& operator+=(const InstructionMix& other);
  InstructionMix& operator*=(double factor);
};

InstructionMix instructions_of(const WarpTrace& trace);

// Moved: `bytes` from and to device memory. `warps`: of a block.
WarpLoad load_of(const InstructionMix& mix, double moved_bytes, int warps);

}  // namespace swizzle
