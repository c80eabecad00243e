// Indicators: a condition on data as a number, 1 where it holds and 0 elsewhere.
//
//   (float)(x[0] < x[1])       [x[0] < x[1]]
//   c ? a : b                  b + [c] · a - [c] · b
//   p && q, p || q, !p         [p] · [q], [p] + [q] - [p] · [q], 1 - [p]
//   a <= b, a != b             1 - [b < a], 1 - [a == b]
//
// So conditional arithmetic has the normal form of sums and products, in which [c] · [c] is [c], and [a < b] · [b < a]
// and [a == 1] · [a == 2] are 0. An indicator is a node: the conversion of a truth to the type of the sum.
#pragma once

#include <optional>

#include "synth/provenance/provenance.h"

namespace swizzle {

bool is_indicator(const Node& n);

// An operation, by its code, that makes another form of numbers that are truths once holes are decided.
bool takes_truths_apart(std::uint32_t code);

// [condition] in the algebra of sums of type s.
Value indicator(Provenance& provenance, Value condition, Scalar s);

// A truth, or a number that is 0 or 1 whatever the data are.
bool is_truth(const Provenance& provenance, Value v);

// `condition`, or what it is the indicator of.
Value condition_of(Provenance& provenance, Value condition);

// &, |, ^, ==, != of integers that are indicators, or sums of products of such, and are 0 or 1. Nothing: they are not.
std::optional<Value> operate_on_indicators(Provenance& provenance, Operator op, Scalar s, Value lhs, Value rhs);

// An integer made of indicators, and 0 or 1, as a number of type `to`. Nothing: it is another, or one indicator.
std::optional<Value> convert_indicators(Provenance& provenance, Value v, Scalar from, Scalar to);

// [a < b] · (b - a), which is max(a, b) - a, or [a < b] · (a - b). Nothing: the factor is neither.
std::optional<Value> times_indicator(Provenance& provenance, Scalar s, Value indicator, Value factor);

// No data make both of these indicators 1.
bool exclude_each_other(const Provenance& provenance, const Node& f, const Node& g);

// Takes each indicator of a product, whose factors are sorted, once. False: two of them exclude each other, or one says
// that another factor is 0.
bool reduce_indicators(const Provenance& provenance, Factors& product);

// if_false + [condition] · (if_true - if_false); nothing: the arms are no numbers, or too much to be multiplied out.
// `type`: of the arms, if that is known.
std::optional<Value> select_by_indicator(Provenance& provenance, Value condition, Value if_true, Value if_false,
                                         std::optional<Scalar> type);

}  // namespace swizzle
