// Provenance: what a value is made of, when indices are concrete, data are symbols and holes are unknown.
// Executing a sketch on 4 lanes, lane 1 at k = 1 of `out += __shfl_sync(m, rc[?part(2, lane, k)], ?xform(lane, 4, k))`:
//
//   ?xform(1, 4, 1)   choice over point P: (0, 1, 2, 3)              an index: all leaves are integers
//   the shuffle       choice over P: (rc of lane 0, rc of lane 1, …)
//   rc of lane 0      choice over point Q0: (x[0], x[4])             Q0 is the part hole at lane 0: the source lane
//   out               sum of { x[1], choice P (choice Q0 (x[0], x[4]), choice Q1 (x[1], x[5]), …) }
// Indices are *lifted*: arithmetic on choices of integers gives a choice of integers (a reduced, ordered decision
// diagram over points). Data are not: a sum keeps its choices as separate terms, so its size stays linear.
// Each ⊕ has a normal form of its own (DESIGN section 1), in which equality of nodes is equality of values:
//   kSum       multiset of products with a coefficient; integers modulo 2^width, floating point as real numbers
//   kXor       set of ANDs with a bit-mask coefficient, modulo 2
//   kMin, kMax, kOr   set of operands
// Words that are followed bit by bit have a normal form of their own: see words.h.
// Everything else (division, shifts of data, sqrt, comparisons) is an opaque function of its operands.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <memory_resource>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "synth/base/slot_table.h"
#include "synth/program/operators.h"
#include "synth/provenance/canonical_forms.h"
#include "synth/provenance/computed_table.h"
#include "synth/provenance/known_bits.h"
#include "synth/provenance/node.h"
#include "synth/provenance/value_ranges.h"

namespace swizzle {

using Assignment = std::vector<int>;  // by PointId: the point's value, or -1 while it is open
using DecidedValues = std::unordered_map<std::uint32_t, Value>;  // by node: what it is under an assignment

class Provenance {
 public:
  Provenance() = default;
  Provenance(const Provenance& other);
  Provenance(Provenance&&) = default;
  Provenance& operator=(const Provenance& other) { return *this = Provenance(other); }
  Provenance& operator=(Provenance&&) = default;

  const Node& node(NodeId id) const { return nodes_[id.value]; }
  const Node& node(Value v) const { return nodes_[v.aux]; }
  std::size_t size() const { return nodes_.size(); }

  Value input(BufferId buffer, std::int64_t index, Scalar scalar);
  Value choice(PointId point, std::span<const Value> alternatives);
  Value choice(PointId p, std::initializer_list<Value> alternatives) { return choice(p, std::span(alternatives)); }
  Value opaque(std::uint32_t code, Scalar scalar, std::vector<Value> operands);
  Value bit(BufferId buffer, std::int64_t index, int position);  // of an input element
  Value word(std::span<const Value> bits);                       // the lowest first: see words.h
  Value word(std::initializer_list<Value> bits) { return word(std::span(bits)); }
  Value deferred(std::uint32_t code, Scalar scalar, std::span<const Value> operands, bool maybe_undefined);

  // C's operators, computed in type `s` (the operands' type for comparisons). An undefined operand, a division of
  // integers by zero or an over-wide shift gives an undefined value.
  Value binary(Operator op, Scalar s, Value lhs, Value rhs);
  Value unary(Operator op, Scalar s, Value v);
  Value convert(Value v, Scalar from, Scalar to);
  // `type` is of the arms, where it is known: it tells what a choice between two numbers is.
  Value select(Value condition, Value if_true, Value if_false, std::optional<Scalar> type = {});
  Value reapply(std::uint32_t code, Scalar s, const std::vector<Value>& operands);  // the function of this code
  Value combine(Ring ring, Scalar s, Value lhs, Value rhs);                         // lhs ⊕ rhs
  Value multiply(Ring ring, Scalar s, Value lhs, Value rhs);  // the product that distributes over ⊕
  // A value of type `s` whose bytes are those of the parts, and the part of it at `index` of `count`.
  Value join(Scalar s, std::vector<Value> parts);
  Value part(Scalar s, Value whole, int index, int count);
  Value same_bits(Value v, Scalar from, Scalar to);  // as wide as each other; undefined of a word of bits as a real

  // An index: concrete, or a choice whose leaves all are.
  bool is_index(Value v) const { return !v.is_node() || node(v).index_like; }
  bool has_choice(Value v) const { return v.is_node() && node(v).has_choice; }
  // The choice tree `index` with every leaf replaced by f(leaf).
  Value map_leaves(Value index, const std::function<Value(Value)>& f);
  std::vector<Value> leaves(Value index) const;  // each once

  // `v` with every assigned point decided. If it meets an open one, `blocked` names it and the result is undefined.
  Value resolve(Value v, const Assignment& assignment, PointId& blocked);
  // `known`: what was resolved under the same assignment before.
  Value resolve(Value v, const Assignment& assignment, PointId& blocked, DecidedValues& known);
  // As far as points are assigned; what other points decide stays a choice.
  Value resolve_known(Value v, const Assignment& assignment, DecidedValues& known);
  Value substitute(Value v, DecidedValues& known);  // where nodes that are known, inputs say, are their values

  // Bits of deferred words that were asked for; what gates of bits, and bits where points are decided, came to.
  KnownBits& known_bits() { return known_bits_; }
  ComputedTable& computed() { return computed_; }
  ValueRanges& value_ranges() { return value_ranges_; }
  const ValueRanges& value_ranges() const { return value_ranges_; }
  void grow_by(Strides* strides) { strides_ = strides; }  // while one group stands for many; null: nothing grows

  // The normal form of a value: combine() appends to a sum in constant time, and leaves sorting to whoever compares.
  Value normalize(Value v);

  // v as a sum (or xor, …) of terms in `ring`; a single term if v is no node of that ring.
  std::vector<Term> terms(Ring ring, Scalar s, Value v) const;
  Value from_terms(Ring ring, Scalar s, std::vector<Term> terms);
  bool is_neutral(Ring ring, Scalar s, Value v) const;  // v ⊕ x = x, for every x of type s

  // "x[3] + 2*x[4]", for messages. Buffers print by name.
  std::string describe(Value v, const std::vector<std::string>& buffer_names) const;

 private:
  friend class Resolution;
  std::optional<Value> extremum(Value condition, Value if_true, Value if_false);
  Value select_by_data(Value condition, Value if_true, Value if_false, std::optional<Scalar> type);
  Value intern(const Node& node);
  Value intern_ring(const Node& node, std::vector<Term> terms);
  Value add(Node node);  // without looking for an equal one: for sums under way, which nothing compares
  void note_parts(Node& node) const;
  void keep_children(Node& node);
  template <typename T>
  const T* kept(std::span<const T> parts);
  bool is_sum(Ring ring, Scalar s, Value v) const;
  std::optional<Term> single_term(Ring ring, Scalar s, Value v) const;
  std::vector<Term> collected(Value v) const;
  Value number_of_data(Ring ring, Scalar s, Value number, Value data);
  Value without_bounds(Ring ring, Scalar s, Value v);
  std::optional<PointId> shared_point(const std::vector<Value>& values) const;
  Value join_by_point(Scalar s, PointId point, const std::vector<Value>& parts);
  Value binary_concrete(Operator op, Scalar s, Value lhs, Value rhs) const;
  Value binary_data(Operator op, Scalar s, Value lhs, Value rhs);
  std::optional<Scalar> narrower_type(Value v) const;
  std::optional<Value> before_widening(Value v, Scalar narrow, Scalar s);
  std::optional<Value> narrow_extremum(const Node& n, Scalar to);
  std::optional<Value> truncated(Value v, Scalar from, Scalar to), widened(Value v, Scalar from, Scalar to);
  Value convert_data(Value v, Scalar from, Scalar to);
  Value merge_choices(Value condition, Value if_true, Value if_false);

  std::vector<Node> nodes_;
  using Storage = std::pmr::monotonic_buffer_resource;
  std::unique_ptr<Storage> children_ = std::make_unique<Storage>();
  std::vector<std::vector<Term>> terms_;  // by number of the kRing node
  SlotTable shared_;                      // nodes by what they are made of
  KnownBits known_bits_;
  ComputedTable computed_;
  CanonicalForms canonical_;
  ValueRanges value_ranges_;
  Strides* strides_ = nullptr;  // of a copy: null
};

}  // namespace swizzle
