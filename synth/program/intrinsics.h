// The intrinsics: device functions of CUDA, and of sketches, that a Program may call. emulation/intrinsic_table.inc
// lists them; what is here reads that list, so that the frontend, the interpreter and the access tracer cannot drift
// from each other or from the emulation.
//
//   "__popcll"                              the frontend meets a call of this name
//   intrinsic_named("__popcll")   = kPopc   and keeps the kind: an Expr of kIntrinsic, whose operand is an unsigned
//   long long lane_behavior(kPopc)          = kOfWords   how the interpreter and the tracer go about it evaluate(kPopc,
//   kU64, {0b1011}) = 3     what both get where the operand is known
//
// On a warp of 4 lanes, `__all_sync(0xf, t < 3)`: votes 0111 among 1111, so that outcome(kAll, 0b0111, 0b1111) = 0;
// `__shfl_up_sync(0xf, v, 1)`: lanes 0, 1, 2, 3 read lanes source_lane(kShflUp, lane, 1, 4) = 0, 0, 1, 2.
//
// Source: CUDA C++ Programming Guide, warp vote and shuffle functions; CUDA Math API, integer intrinsics.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "synth/program/operators.h"

namespace swizzle {

enum class Intrinsic : std::uint16_t {
#define SWIZZLE_INTRINSIC(kind, behavior) kind,
#include "emulation/intrinsic_table.inc"
};

// What lanes do at a call. All that asks for more than this asks for one Intrinsic.
enum class LaneBehavior {
  kShuffle,        // a lane receives what another sends: (mask, value, lane or delta[, width])
  kVote,           // lanes hear what the lanes of a mask say: (mask, predicate), or () for who is there
  kMatch,          // lanes hear which lanes of a mask have what they have: (mask, value)
  kReduction,      // lanes get what the lanes of a mask come to: (mask, value)
  kBarrier,        // lanes wait for each other: (mask), or () for those of the block
  kRead,           // of memory: (pointer)
  kWrite,          // to memory: (pointer, value); a Program has an assignment for it
  kAtomic,         // on memory, in whatever order lanes come: (pointer, value)
  kCopies,         // asynchronous ones, and the waits for them
  kOfWords,        // each lane for itself: an integer, known where the operands are
  kAlgebraic,      // each lane for itself: provenance has rules for it
  kUninterpreted,  // each lane for itself: equal operands give equal results
  kSameBits,       // each lane for itself: the value of another type that has the operand's bits
  kUnrepeatable,   // each lane for itself: another value at each call
  kNoEffect,       // on any value
  kEnd,            // of the launch, with an error: ()
  kOfSketches,     // accumulators, load() and store()
  kMatrix,         // lanes move rows of matrices between shared memory and registers
};
LaneBehavior lane_behavior(Intrinsic kind);

// Lanes wait for each other: all that are to take part must evaluate it.
constexpr bool is_collective(LaneBehavior b) {
  return b == LaneBehavior::kShuffle || b == LaneBehavior::kVote || b == LaneBehavior::kMatch ||
         b == LaneBehavior::kReduction || b == LaneBehavior::kBarrier;
}

// By the name that device code calls.
std::optional<Intrinsic> intrinsic_named(const std::string& name);
std::string name_of(Intrinsic kind);  // the shortest of them
// By the name that a compiler has for it, in a spec: "__builtin_popcount".
std::vector<std::string> intrinsic_names();  // sorted
std::optional<Intrinsic> spec_intrinsic_named(const std::string& name);

// C++ that declares the functions, one a line: "int __popc(unsigned x);". Not those that a header of CUDA declares, or
// that only sketches have.
const std::string& intrinsic_declarations();

// C++ that declares what device code may call and a sketch may not; and why a sketch may not call `name`, empty where
// no reason is known.
const std::string& refused_declarations();
std::string why_refused(const std::string& name);

// What each lane computes from known integers, the first of type s; nothing where that depends on more, or is no
// integer.
std::optional<std::int64_t> evaluate(Intrinsic kind, Scalar s, const std::vector<std::int64_t>& operands);
// Of a number of real type s, where the result is exact, or rounded as IEEE 754 has it. Nothing: it is another one.
std::optional<double> evaluate_real(Intrinsic kind, Scalar s, double x);

// What a vote tells: `votes` has a bit for each lane that says yes, `among` for each that is asked.
std::int64_t outcome(Intrinsic vote, std::uint32_t votes, std::uint32_t among);

// What two lanes come to, as the lowest bits that the reduction's type has.
std::int64_t reduced(Intrinsic reduction, std::int64_t a, std::int64_t b);

// The lane that a shuffle reads from, within segments of `width` lanes, a power of two; out of the segment: the own
// lane.
int source_lane(Intrinsic shuffle, int lane, std::int64_t operand, int width);

}  // namespace swizzle
