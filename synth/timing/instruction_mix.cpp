#include "synth/timing/instruction_mix.h"

#include <iterator>
#include <numeric>
#include <set>
#include <utility>

namespace swizzle {
namespace {

constexpr double kSectorBytesOfMix = 32;

}  // namespace

const char* name_of(InstructionKind kind) {
  static constexpr const char* kNames[] = {"shuffles", "votes",      "reductions", "logic",  "selects", "compares",
                                           "integers", "multiplies", "reals",      "halves", "doubles", "specials",
                                           "loads",    "stores",     "shared",     "control"};
  static_assert(std::size(kNames) == kInstructionKinds);
  return kNames[static_cast<int>(kind)];
}

double InstructionMix::total() const { return std::accumulate(counts.begin(), counts.end(), 0.0); }

InstructionMix& InstructionMix::operator+=(const InstructionMix& other) {
  for (std::size_t k = 0; k < kInstructionKinds; ++k) counts[k] += other.counts[k];
  shared_wavefronts += other.shared_wavefronts;
  global_wavefronts += other.global_wavefronts;
  read_bytes += other.read_bytes;
  stored_bytes += other.stored_bytes;
  written_bytes += other.written_bytes;
  return *this;
}

InstructionMix& InstructionMix::operator*=(double factor) {
  for (double& count : counts) count *= factor;
  for (double* amount : {&shared_wavefronts, &global_wavefronts, &read_bytes, &stored_bytes, &written_bytes})
    *amount *= factor;
  return *this;
}

WarpLoad load_of(const InstructionMix& mix, double moved_bytes, int warps) {
  WarpLoad load;
  load.issued = mix.total();
  for (const auto kind : {InstructionKind::kLogic, InstructionKind::kSelect, InstructionKind::kCompare,
                          InstructionKind::kInteger, InstructionKind::kVote})
    load.alu += mix[kind];
  load.fma = mix[InstructionKind::kReal];
  load.fma_heavy = mix[InstructionKind::kMultiply];
  load.half = mix[InstructionKind::kHalf];
  load.fp64 = mix[InstructionKind::kDouble];
  load.xu = mix[InstructionKind::kSpecial] + mix[InstructionKind::kReduction];
  load.lsu = mix[InstructionKind::kShuffle] + mix.shared_wavefronts + mix.global_wavefronts;
  load.l2_read_bytes = mix.read_bytes;
  load.l2_written_bytes = mix.written_bytes;
  load.moved_bytes = moved_bytes;
  load.blocks = 1.0 / warps;
  return load;
}

void note_memory(const WarpTrace& trace, const std::vector<char>& used, InstructionMix& mix) {
  std::set<std::pair<int, std::int64_t>> read;
  for (std::size_t m = 0; m < trace.memory.size(); ++m) {
    const MemoryInstruction& access = trace.memory[m];
    if (!used[m]) continue;
    const bool is_shared = access.space == MemoryInstruction::Space::kShared;
    if (is_shared) mix.shared_wavefronts += access.wavefronts;
    else if (access.space == MemoryInstruction::Space::kGlobal) mix.global_wavefronts += access.wavefronts;
    mix.stored_bytes += access.stored_bytes;
    if (access.is_store) mix.written_bytes += kSectorBytesOfMix * static_cast<double>(access.sectors.size());
    else
      for (const std::int64_t sector : access.sectors) read.emplace(access.parameter, sector);
  }
  mix.read_bytes += kSectorBytesOfMix * static_cast<double>(read.size());
}

}  // namespace swizzle
