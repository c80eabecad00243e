// Loops over a size: their rounds are looked at once, by induction.
//
//   for (int c = lane; c < w; c += 32) s += x[c];      w = 32·q + 1 + u, u <= 31
//
//   round k of q     s ↦ s ⊕ x[32·k + lane]      the same for every k < q, whatever s was
//   after them       s = 0 ⊕ Σ(k < q) x[32·k + lane],  c = 32·q + lane;  what is left of the loop is executed as it is
//
// How often all threads go on is A = q: the part of (end - first) / step that has no bound. A spec's loop of single
// steps makes 32 of them in each round, so that its sum has the same terms: Σ(k < q) x[32·k + j] for j = 0, …, 31.
//
// A round is executed for an unknown number k with 0 <= k < A. What it changes, of what was there before the loop, must
// be seen to be at its start, for every k, by induction:
//
//   start                      what stays as it is
//   start + k · by             an integer or a pointer that goes on by the same in each round
//   start ⊕ Σ(i < k) part(i)   what a round adds to, whatever it was; part depends on nothing that rounds change
//   value(k)                   what the round before left there: value(0) = start, and round k leaves value(k + 1)
//   recurrence(k)              what a round makes of what was at its start: of several slots together
//   undefined                  anything else
//
// Recurrences are one if their first values, their numbers of rounds, and what they make of placeholders are one, in
// whatever order their slots stand (Elements::after_rounds).
//
// What adds up is one leaf for each term (Elements::over_rounds): equal leaves are equal sums, since their number
// of rounds and their terms for each k are. What does not depend on k stands before it. Two rounds are executed, one
// after the other, so that they are seen not to race; conditions on k do not tell them apart there. No region is split
// at k. A store to a buffer within a round is not followed, nor is one that ends the loop;
// loops that store are looked at by turns (symbolic_turns.cpp), or by iterations of a spec, of which rounds say what is
// there before.
#pragma once

#include "synth/proof/symbolic_object.h"

namespace swizzle {

// What a round leaves besides, which is taken back where it began with what was not so.
struct SymbolicEffects {
  std::size_t reads = 0, in_place = 0;
  std::vector<LargeInteger> large;
  std::unordered_map<LargeInteger, std::size_t, HashOfLargeInteger> large_at;
  int epoch = 0;
  std::vector<int> warp_epoch;
  std::int64_t shared_uses = 0;
  std::vector<std::vector<std::vector<SymbolicObject::SharedUse>>> uses;  // by object and slot
};

// The rounds that all threads make.
struct SymbolicRounds {
  VariableId variable;
  std::vector<Polynomial> first;     // by thread: the variable in the first iteration
  std::int64_t step = 1, chunk = 1;  // how many iterations a round is
  Polynomial count;
  Atom number = 0;
  std::int64_t ahead = 0;  // CountedLoop

  Polynomial index(std::size_t thread, const Polynomial& round, std::int64_t iteration) const {
    return first[thread] + (round * Polynomial(chunk) + Polynomial(iteration)) * Polynomial(step);
  }
  Polynomial left() const { return count - Polynomial(1) - Polynomial::atom(number); }  // at least 0
};

// A slot that rounds may change, of one thread, or of a shared array.
struct CarriedSymbol {
  // kData: an integer that a round has made data of, kAny from the next one on
  enum class Kind { kData, kAny, kSame, kSteps, kAdds, kFollows, kRecurs, kLost } kind = Kind::kAny;
  std::uint32_t object = 0;
  std::size_t thread = 0, slot = 0;
  bool is_shared = false;
  Symbol original, start;  // before the first round; where the thread is
  Value placeholder;       // kAny, kAdds, kRecurs: for what is there at the start of a round
  Polynomial by;           // kSteps
  Ring ring = Ring::kSum;
  Scalar scalar = Scalar::kI32;
  Value part;  // kAdds: what a round adds; kAny, kRecurs: what it leaves; kFollows: what there is at its start
};

}  // namespace swizzle
