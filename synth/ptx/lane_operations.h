// What instructions compute on integers, lane by lane: a register holds its bits as an unsigned number of its width.
//
//   shl.b32 of (1 2 ? 4) and 2      4 8 ? 16: a lane whose operand is not known has no known result
//
// Reals are not followed: what is made of them is unknown. Source: PTX ISA 9.0, integer, comparison, logic and shift
// instructions.
#pragma once

#include <optional>
#include <vector>

#include "synth/access/lane_value.h"
#include "synth/ptx/module.h"

namespace swizzle::ptx {

// Of an instruction that has one result: `operands` are its sources, in order. Unknown for what is not followed.
LaneValue computed(const Instruction& instruction, const std::vector<LaneValue>& operands);

// setp's comparison of its first two sources, or set's.
LaneValue compared(const Instruction& instruction, const LaneValue& a, const LaneValue& b);

// The low bits of a value: what a register of so many holds.
LaneValue truncated(const LaneValue& value, int bits);
LaneValue sign_extended(const LaneValue& value, int from_bits, int bits);
// mov.b64 {%r1, %r2}, %rd1, and the other way round.
LaneValue part_of(const LaneValue& value, int part, int bits);
LaneValue packed(const std::vector<LaneValue>& parts, int bits);

// condition ? yes : no, where the condition is known.
LaneValue selected(const LaneValue& condition, const LaneValue& yes, const LaneValue& no, std::size_t threads);

LaneValue plus(const LaneValue& value, std::int64_t more);  // in the same region

// Of predicates. One that is not known does not matter where the other decides.
LaneValue negated(const LaneValue& predicate);
LaneValue different(const LaneValue& a, const LaneValue& b);
LaneValue decided(bool is_and, const LaneValue& a, const LaneValue& b, std::size_t threads);

}  // namespace swizzle::ptx
