// Words: integers that are followed bit by bit, each bit as an exclusive-or of conjunctions of input bits.
//
//   x[0] of 4 bits            {x[0].0, x[0].1, x[0].2, x[0].3}     a node kWord, the lowest bit first
//   x[0] << 1 & 6 | 1         {1, x[0].0, x[0].1, 0}
//   x[0] ^ x[1] & x[2]        {x[0].0 ^ x[1].0 & x[2].0, …}
//
// A bit is 0, 1, a node kBit, a sum of Ring::kXor over such (the algebraic normal form of a Boolean function, which is
// unique: equal functions are equal nodes), or, while holes are open,
//   a choice of bits          of `x << ?`, the bits that may come to stand here
//   a gate                    kOpaqueGate: AND, OR or XOR of bits that different points decide; resolve() computes it
// A word that holes decide is a node kDeferred, whose bits are worked out when somebody asks: see deferred_words.h.
// A word may have more bits than the type that it is used in: the higher ones do not count.
//
// What has no place in that algebra (a carry, a product, a comparison of order) gives an undefined value although no
// operand is undefined: whoever knows the line refuses it.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "synth/program/intrinsics.h"
#include "synth/provenance/provenance.h"

namespace swizzle {

inline constexpr int kMostBits = 64;  // of a word

inline bool is_word(const Provenance& provenance, Value v) {
  return v.is_node() &&
         (provenance.node(v).kind == Node::Kind::kWord || provenance.node(v).kind == Node::Kind::kDeferred);
}

Value input_word(Provenance& provenance, BufferId buffer, std::int64_t index, Scalar s);

// It is a word, an integer or an index.
bool has_bits(const Provenance& provenance, Value v);

// The lowest `width` bits of a word, an integer or an index; none of anything else.
std::vector<Value> bits_of(Provenance& provenance, Value v, std::size_t width);

// The value that has these bits: an integer of type s, if all are known; of one bit that holes decide, an index.
Value word_of(Provenance& provenance, Scalar s, std::span<const Value> bits);
inline Value word_of(Provenance& provenance, Scalar s, std::initializer_list<Value> bits) {
  return word_of(provenance, s, std::span(bits));
}

// a op b of two bits: kAnd, kOr or kXor.
Value gate(Provenance& provenance, Operator op, Value a, Value b);

// What an index chooses among bits: f of each of its leaves.
template <typename F>
Value chosen_bit(Provenance& provenance, Value index, F&& f);

// Whether a bit in which no hole has a say is in normal form: sums of too many terms are left as gates.
bool is_normal_form(const Provenance& provenance, Value bit);
// Whether all such bits of a word are.
bool is_followed(const Provenance& provenance, Value v);

// As the members of Provenance, of words; undefined: it has no place here.
Value choice_of_words(Provenance& provenance, PointId point, std::span<const Value> alternatives);
Value word_binary(Provenance& provenance, Operator op, Scalar s, Value lhs, Value rhs);
Value word_unary(Provenance& provenance, Operator op, Scalar s, Value v);
Value word_convert(Provenance& provenance, Value v, Scalar from, Scalar to);
Value word_select(Provenance& provenance, Value condition, Value if_true, Value if_false);
Value word_count(Provenance& provenance, Scalar s, Value v);  // of the bits that are 1
Value word_combine(Provenance& provenance, Ring ring, Scalar s, Value lhs, Value rhs);
Value word_join(Provenance& provenance, Scalar s, const std::vector<Value>& parts);
Value word_part(Provenance& provenance, Scalar s, Value whole, int index, int count);

// What a function of the table gives, its first operand being of type s.
Value word_intrinsic(Provenance& provenance, Intrinsic kind, Scalar s, const std::vector<Value>& operands);

// Some bit is 1: of a word, an integer or an index.
Value truth_bit(Provenance& provenance, Value v);

// "bit 3 of x[2], bit 4 of x[2], 0, …", the lowest first.
std::string describe_word(const Provenance& provenance, Value v, const std::vector<std::string>& buffer_names);

// A choice of bits, without what its own point excludes below it.
using Alternatives = boost::container::small_vector<Value, 8>;
Value chosen(Provenance& provenance, PointId point, std::span<Value> alternatives);
inline Value chosen(Provenance& provenance, PointId point, Alternatives& alternatives) {
  return chosen(provenance, point, std::span(alternatives.data(), alternatives.size()));
}
inline Value chosen(Provenance& provenance, PointId point, std::initializer_list<Value> alternatives) {
  Alternatives copy(alternatives);
  return chosen(provenance, point, copy);
}

template <typename F>
Value chosen_bit(Provenance& provenance, Value index, F&& f) {
  if (!index.is_node() || provenance.node(index).kind != Node::Kind::kChoice) return f(index);
  const Node node = provenance.node(index);  // a copy: choosing adds nodes
  Alternatives alternatives;
  Value former;
  for (const Value& child : node.children()) {
    const bool repeats = !alternatives.empty() && child == former;
    alternatives.push_back(repeats ? alternatives.back() : chosen_bit(provenance, child, f));
    former = child;
  }
  return chosen(provenance, PointId(node.tag), alternatives);
}

}  // namespace swizzle
