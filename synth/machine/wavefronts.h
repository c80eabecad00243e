// Shared memory as the hardware serves it: a warp's access takes as many *wavefronts* as its busiest bank has words to
// give.
//
//   bank(a) = (a / bank_bytes) mod banks        lanes a phase = phase_bytes / bytes a lane, at most all lanes
//   wavefronts = Σ over phases of (the most distinct words in one bank)
//   ideal      = Σ over phases of ⌈distinct words / banks⌉, which no placement of these words can beat
//
// Four lanes, four banks of 4 bytes, one 4×4 tile of floats by rows (pitch 16 bytes):
//
//   tile[0][lane]: bytes 0 4 8 12     banks 0 1 2 3    1 wavefront
//   tile[lane][0]: bytes 0 16 32 48   banks 0 0 0 0    4 wavefronts, ideal 1; witness: bank 0, lanes 0 1 2 3
//   tile[2][2]:    bytes 40 40 40 40  one word         1 wavefront: a broadcast
//
// Loads of 64 and 128 bits merge neighbouring phases in pairs when every two active lanes n and n⊕1 of the warp agree
// on their address, or every two n and n⊕2 do. An 8×8 matrix of ldmatrix or stmatrix is a phase: 8 lanes give the
// addresses of its rows of 16 bytes; lanes that give none are inactive.
//
// The rules are those that the counters l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{ld,st} of an H200 showed, on 720
// patterns of 8- to 128-bit loads and stores (tests/data/wavefronts_h200.csv). Addresses are aligned to the access.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace swizzle {

// One row of the machine table.
struct SharedMemoryModel {
  std::string name = "sm_90";
  int lanes = 32;  // of a warp
  int banks = 32;
  int bank_bytes = 4;
  int phase_bytes = 128;          // what the lanes of a phase ask for at most
  bool merges_wide_loads = true;  // pairs of phases whose lanes agree

  // 8 lanes, 8 banks: small enough to draw.
  static SharedMemoryModel toy8() { return {"toy8", 8, 8, 4, 32, false}; }
};

// "sm_90" (or "h200"), "toy8": the rows of the table. Nothing for any other name.
std::optional<SharedMemoryModel> shared_memory_of(const std::string& name);

inline constexpr std::array kMachineNames = {"sm_90", "h200", "toy8"};

enum class SharedOperation { kLoad, kStore, kLdmatrix, kStmatrix };
const char* name_of(SharedOperation operation);  // "load", "store", "ldmatrix", "stmatrix"

using LaneAddresses = std::vector<std::optional<std::int64_t>>;  // in bytes, by lane; none: inactive

// A bank that has `word_addresses.size()` distinct words to give in one phase: one lane for each, ascending addresses.
struct BankConflict {
  int bank = 0;
  std::vector<int> lanes;
  std::vector<std::int64_t> word_addresses;
};

struct Wavefronts {
  int count = 0;
  int ideal = 0;
  std::optional<BankConflict> witness;  // of the phase furthest from its ideal; none iff count = ideal
};

// The active lanes that are served together, phase by phase; phases without any are left out. `bits`: 8 … 128 a lane;
// 128, a row, for matrices.
std::vector<std::vector<int>> phases_of(const SharedMemoryModel& memory, SharedOperation operation, int bits,
                                        const LaneAddresses& addresses);

Wavefronts count_wavefronts(const SharedMemoryModel& memory, SharedOperation operation, int bits,
                            const LaneAddresses& addresses);

}  // namespace swizzle
