// Words of flags: integers each of whose bits is 0, 1 or a condition on data, as a ballot makes them.
//
//   __ballot_sync(m, x[lane] > 0)            Σ 2^k · [0 < x[k]], a sum
//   … & 0xf, … >> 4, … | 1u << 3             such sums again
//   __popc(… & 0xf)                          [0 < x[0]] + [0 < x[1]] + [0 < x[2]] + [0 < x[3]]
//
// A word stays a sum of indicators (indicators.h), equal to whatever a spec adds up to the same. Its bits are found
// from the sum: the lowest is the exclusive-or of the products whose coefficients are odd, and without it half of the
// rest is a number whose lowest bit is the next.
#pragma once

#include <map>
#include <optional>

#include "synth/program/intrinsics.h"
#include "synth/provenance/provenance.h"

namespace swizzle {

// What lanes say, put together as a spec would: p0 | p1 | … of kAny, p0 & p1 & … of kAll, p0 + (p1 << 1) + … of
// kBallot, each 0 or 1 as the predicate, of type s, is. `predicates`: by number of the lane in its warp.
Value vote(Provenance& provenance, Intrinsic kind, Scalar s, const std::map<int, Value>& predicates);

// &, |, ^, << and >> of such words and integers, which holes may choose. Nothing: they are others, or none is of data.
std::optional<Value> operate_on_flags(Provenance& provenance, Operator op, Scalar s, Value lhs, Value rhs);

// How many bits of a word of type s are 1, as an int. Nothing: it is another.
std::optional<Value> count_flags(Provenance& provenance, Scalar s, Value v);

// The word as an integer of a wider type. Nothing: it is another.
std::optional<Value> widen_flags(Provenance& provenance, Value v, Scalar from, Scalar to);

}  // namespace swizzle
