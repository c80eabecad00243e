// One warp of a kernel without holes, executed as far as sizes and indices are known: what it computes, and what it
// reads and writes. Data are unknown; a kernel whose loops or registers they choose is not traced.
//
//   Result: WarpTrace{graph, roots, memory}, or why there is none: "data decide how often a loop runs"
//
// Conditions that are known when the kernel is compiled choose; others become selects, predicates and masks of lanes.
// Of a loop whose count is known then, each turn is part of the graph; what other loops change is no constant in them.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "synth/machine/wavefronts.h"
#include "synth/program/directives.h"
#include "synth/program/program.h"
#include "synth/timing/warp_graph.h"

namespace swizzle {

struct MemoryInstruction {
  enum class Space { kGlobal, kShared, kConstant };
  Space space = Space::kGlobal;
  bool is_store = false;
  int parameter = -1;                   // kGlobal: of the kernel, which the address comes from
  int bytes = 4;                        // of a lane
  double wavefronts = 1;                // of 128 bytes
  std::set<std::int64_t> sectors = {};  // kGlobal: of 32 bytes, from the start of the array
  double stored_bytes = 0;              // by all lanes, to the kernel's arrays
};

struct WarpTrace {
  WarpGraph graph;
  std::vector<NodeIndex> roots;  // what is computed for its own sake; the rest, if it serves them
  std::vector<MemoryInstruction> memory;
};

struct WarpToTrace {
  Sizes sizes;
  LaunchShape shape;
  std::array<int, 3> block{0, 0, 0};
  int warp = 0;  // within the block
  SharedMemoryModel memory = {};
  std::int64_t step_limit = 3'000'000;  // evaluated statements and expressions
};

using TracedWarp = std::variant<WarpTrace, std::string>;
TracedWarp trace_warp(const Program& kernel, const WarpToTrace& warp);

}  // namespace swizzle
