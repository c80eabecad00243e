// Doubts: the equations that a completion may fulfil although no normal form says so (laws.h), and what is certain of
// them all the same.
//
//   y[0]: choice P (x[0] | (x[0] & x[4]), x[8])  =  x[0]
//     in form, neither value of P serves: x[0] | (x[0] & x[4]) is not known to be x[0]
//     weakened, the output must be reached by what the spec was seen to depend on, {x[0]}: P = 0 may serve, and P = 1,
//     which x[0] does not reach, does not
//
// A search that finds nothing proves it only if it finds nothing in the weakened problem either, or only completions
// that an input refutes (concrete.h).
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "synth/base/deadline.h"
#include "synth/problem/problem.h"
#include "synth/provenance/laws.h"

namespace swizzle {

struct Doubts {
  std::vector<std::size_t> equations;     // that are not settled by form
  std::vector<std::size_t> requirements;  // that two values be the same, likewise
  std::vector<std::size_t> stores;        // of such values
  std::optional<Lawless> because;         // the first operation that they rest on
  bool are_of_elements = false;           // elements may be one another, or are not any numbers: see data_places.h
  bool any() const { return because.has_value(); }
};

// Why an equation without choices that does not hold by form may hold all the same; nothing: an input refutes it.
std::optional<Lawless> doubt_of(const Equation& equation, const Provenance& provenance);

// Whether the form of a value tells which elements are in it: that of x & (x | y), where y is none, does not.
bool are_told_by_form(const Problem& problem, const std::vector<std::size_t>& equations);

// An equation without choices that an input refutes is no doubt; once the deadline has passed, none is looked for.
Doubts doubts_of(Problem& problem, const Deadline& deadline);

// The problem with what is doubted weakened to what is certain. Nodes and points of the problem keep their ids.
// Nothing: the deadline passed.
std::optional<Problem> weakened(const Problem& problem, const Doubts& doubts, const Deadline& deadline);

// With every point assigned: an input refutes a doubted equation.
bool is_refuted(Problem& problem, const Doubts& doubts, const Assignment& assignment);

}  // namespace swizzle
