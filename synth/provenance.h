// Provenance: what a value is made of, when indices are concrete, data are symbols and holes are unknown.
//
// Executing a sketch on 4 lanes, lane 1 at k = 1 of `out += __shfl_sync(m, rc[?part(2, lane, k)], ?xform(lane, 4, k))`:
//
//   ?xform(1, 4, 1)   choice over point P: (0, 1, 2, 3)              an index: all leaves are integers
//   the shuffle       choice over P: (rc of lane 0, rc of lane 1, …)
//   rc of lane 0      choice over point Q0: (x[0], x[4])             Q0 is the part hole at lane 0: the source lane
//   out               sum of { x[1], choice P (choice Q0 (x[0], x[4]), choice Q1 (x[1], x[5]), …) }
//
// Indices are *lifted*: arithmetic on choices of integers gives a choice of integers (a reduced, ordered decision
// diagram over points). Data are not: a sum keeps its choices as separate terms, so its size stays linear.
//
// Each ⊕ has a normal form of its own (DESIGN section 1), in which equality of nodes is equality of values:
//   kSum       multiset of products with a coefficient; integers modulo 2^width, floating point as real numbers
//   kXor       set of ANDs with a bit-mask coefficient, modulo 2
//   kMin, kMax, kOr   set of operands
// Everything else (division, shifts of data, sqrt, comparisons) is an opaque function of its operands.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <memory_resource>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "synth/ids.h"
#include "synth/operators.h"
#include "synth/slot_table.h"

namespace swizzle {

using NodeId = Id<struct NodeTag>;

struct Value {
  enum class Kind : std::uint8_t { kUndefined, kInt, kReal, kPointer, kNode };
  Kind kind = Kind::kUndefined;
  std::uint32_t aux = 0;   // kPointer: object; kNode: node
  std::int64_t bits = 0;   // kInt: the integer; kReal: the bits of a double; kPointer: offset in slots

  static Value integer(std::int64_t v) { return {Kind::kInt, 0, v}; }
  static Value real(double v);
  static Value pointer(std::uint32_t object, std::int64_t offset) { return {Kind::kPointer, object, offset}; }
  static Value node(NodeId id) { return {Kind::kNode, id.value, 0}; }

  bool is_undefined() const { return kind == Kind::kUndefined; }
  bool is_int() const { return kind == Kind::kInt; }
  bool is_real() const { return kind == Kind::kReal; }
  bool is_pointer() const { return kind == Kind::kPointer; }
  bool is_node() const { return kind == Kind::kNode; }
  double as_real() const;
  NodeId as_node() const { return NodeId(aux); }
  friend bool operator==(const Value&, const Value&) = default;
};

enum class Ring : std::uint8_t { kSum, kXor, kMin, kMax, kOr };

inline bool is_set(Ring ring) { return ring == Ring::kMin || ring == Ring::kMax || ring == Ring::kOr; }

using Factors = boost::container::small_vector<NodeId, 2>;

// coefficient · factors[0] · factors[1] · …   (`·` is × in kSum, & in kXor; one factor at most in the others)
struct Term {
  Value coefficient;
  Factors factors;  // sorted
  friend bool operator==(const Term&, const Term&) = default;
};

// The children of a node. Where long stretches of them are alike, as those of `P = 5 ? a : b` are, each stretch is kept once.
class Children {
 public:
  struct Stretch {
    Value value;
    std::uint32_t end = 0;  // one past the last child
  };
  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = Value;
    using difference_type = std::ptrdiff_t;
    using pointer = const Value*;
    using reference = const Value&;
    Iterator() = default;
    Iterator(const Value* each, const Stretch* stretch, std::size_t at) : each_(each), stretch_(stretch), at_(at) {}
    reference operator*() const { return stretch_ != nullptr ? stretch_->value : each_[at_]; }
    Iterator& operator++() {
      ++at_;
      if (stretch_ != nullptr && at_ == stretch_->end) ++stretch_;
      return *this;
    }
    Iterator operator++(int) {
      const Iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.at_ == b.at_; }

   private:
    const Value* each_ = nullptr;
    const Stretch* stretch_ = nullptr;
    std::size_t at_ = 0;
  };

  Children() = default;
  Children(const Value* each, std::size_t size) : each_(each), size_(size) {}
  Children(std::span<const Stretch> stretches, std::size_t size) : stretches_(stretches), size_(size) {}

  std::size_t size() const { return size_; }
  const Value& operator[](std::size_t i) const { return stretches_.empty() ? each_[i] : stretch_of(i).value; }
  Iterator begin() const { return {each_, stretches_.empty() ? nullptr : stretches_.data(), 0}; }
  Iterator end() const { return {each_, nullptr, size_}; }

 private:
  const Stretch& stretch_of(std::size_t i) const {
    return *std::upper_bound(stretches_.begin(), stretches_.end(), i, [](std::size_t at, const Stretch& s) { return at < s.end; });
  }

  const Value* each_ = nullptr;
  std::span<const Stretch> stretches_;  // instead of each_
  std::size_t size_ = 0;
};

// What it is made of stays where it is for as long as the Provenance does.
class Node {
 public:
  enum class Kind : std::uint8_t { kInput, kChoice, kRing, kOpaque, kAppended };
  Kind kind = Kind::kInput;
  Ring ring = Ring::kSum;
  Scalar scalar = Scalar::kI32;
  bool has_choice : 1 = false;   // some choice below
  bool index_like : 1 = false;   // a choice whose leaves are all integers, reals, pointers or undefined
  std::uint32_t tag = 0;         // kInput: buffer; kChoice: point; kOpaque: function code

  std::int64_t index() const { return kind == Kind::kInput ? index_ : 0; }  // kInput: element (slot) of the buffer
  // kChoice: one per value of the point; kOpaque: operands; kAppended: a sum, and what is added to it, a single term.
  Children children() const {
    if (!has_children()) return {};
    return stretches_ == 0 ? Children(children_, count_) : Children({stretched_, stretches_}, count_);
  }
  std::span<const Term> terms() const { return kind == Kind::kRing ? std::span(terms_, count_) : std::span<const Term>(); }  // sorted by factors
  // All values that it is made of: children, and factors of terms.
  template <typename F>
  void for_each_part(F&& f) const {
    for (const Value& child : children()) f(child);
    for (const Term& term : terms())
      for (NodeId factor : term.factors) f(Value::node(factor));
  }

 private:
  friend class Provenance;
  bool has_children() const { return kind == Kind::kChoice || kind == Kind::kOpaque || kind == Kind::kAppended; }
  void set_children(std::span<const Value> children) {
    children_ = children.data();
    count_ = static_cast<std::uint32_t>(children.size());
    stretches_ = 0;
  }
  void set_terms(std::span<const Term> terms) {
    terms_ = terms.data();
    count_ = static_cast<std::uint32_t>(terms.size());
  }

  std::uint32_t count_ = 0;
  std::uint32_t stretches_ = 0;  // of children, if they are kept so
  union {
    std::int64_t index_ = 0;
    const Value* children_;
    const Children::Stretch* stretched_;
    const Term* terms_;
  };
};
static_assert(sizeof(Node) == 24, "there may be millions");

// Codes of opaque functions beyond the operators (which use their own number).
inline constexpr std::uint32_t kOpaqueCast = 100;      // + from · 16 + to
inline constexpr std::uint32_t kOpaqueSelect = 1000;
inline constexpr std::uint32_t kOpaqueIntrinsic = 2000;  // + intrinsic · 1000 + Expr::int_value

inline constexpr std::uint32_t kOpaqueJoin = 1'000'000;      // of narrow values side by side, the first lowest
inline constexpr std::uint32_t kOpaquePart = 1'100'000;      // + index · 16 + number of parts: one of them

using Assignment = std::vector<int>;  // by PointId: the point's value, or -1 while it is open

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
  Value choice(PointId point, const std::vector<Value>& alternatives);
  Value opaque(std::uint32_t code, Scalar scalar, std::vector<Value> operands);

  // C's operators, computed in type `s` (the operands' type for comparisons). An undefined operand, a division of
  // integers by zero or an over-wide shift gives an undefined value.
  Value binary(Operator op, Scalar s, Value lhs, Value rhs);
  Value unary(Operator op, Scalar s, Value v);
  Value convert(Value v, Scalar from, Scalar to);
  Value select(Value condition, Value if_true, Value if_false);
  Value combine(Ring ring, Scalar s, Value lhs, Value rhs);    // lhs ⊕ rhs
  Value multiply(Ring ring, Scalar s, Value lhs, Value rhs);   // the product that distributes over ⊕

  // A value of type `s` whose bytes are those of the parts, and the part of it at `index` of `count`.
  Value join(Scalar s, std::vector<Value> parts);
  Value part(Scalar s, Value whole, int index, int count);

  // An index: concrete, or a choice whose leaves all are.
  bool is_index(Value v) const { return !v.is_node() || node(v).index_like; }
  bool has_choice(Value v) const { return v.is_node() && node(v).has_choice; }

  // The choice tree `index` with every leaf replaced by f(leaf).
  Value map_leaves(Value index, const std::function<Value(Value)>& f);
  // Every leaf of `index` once.
  std::vector<Value> leaves(Value index) const;

  // `v` with every assigned point decided. If it meets a point that is open, `blocked` names it and the result is
  // undefined.
  Value resolve(Value v, const Assignment& assignment, PointId& blocked);

  // The normal form of a value: combine() appends to a sum in constant time, and leaves sorting to whoever compares.
  Value normalize(Value v);

  // v as a sum (or xor, …) of terms in `ring`; a single term if v is no node of that ring.
  std::vector<Term> terms(Ring ring, Scalar s, Value v) const;
  Value from_terms(Ring ring, Scalar s, std::vector<Term> terms);

  // v ⊕ x = x, for every x of type s.
  bool is_neutral(Ring ring, Scalar s, Value v) const;

  // "x[3] + 2*x[4]", for messages. Buffers print by name.
  std::string describe(Value v, const std::vector<std::string>& buffer_names) const;

 private:
  bool is_truth(Value v) const;
  std::optional<Value> extremum(Value condition, Value if_true, Value if_false);
  // What a node refers to is kept with it; `terms` are those that it refers to, if any.
  Value intern(const Node& node, std::vector<Term> terms = {});
  Value add(Node node, std::vector<Term> terms = {});  // without looking for an equal one: for sums under way, which nothing compares
  void keep_children(Node& node);
  template <typename T>
  const T* kept(std::span<const T> parts);
  bool is_sum(Ring ring, Scalar s, Value v) const;
  std::optional<Term> single_term(Ring ring, Scalar s, Value v) const;
  std::vector<Term> collected(Value v) const;
  std::optional<PointId> shared_point(const std::vector<Value>& values) const;
  Value join_by_point(Scalar s, PointId point, const std::vector<Value>& parts);
  Value apply_leaves(Value a, Value b, const std::function<Value(Value, Value)>& f);
  Value binary_concrete(Operator op, Scalar s, Value lhs, Value rhs) const;
  Value binary_data(Operator op, Scalar s, Value lhs, Value rhs);
  std::optional<Value> truncated(Value v, Scalar from, Scalar to);
  std::optional<Value> widened(Value v, Scalar from, Scalar to);
  Value merge_choices(Value condition, Value if_true, Value if_false);
  Value reapply(std::uint32_t code, Scalar s, const std::vector<Value>& operands);
  Value resolve_node(NodeId id, const Assignment& assignment, PointId& blocked);
  Value resolve_sum(NodeId id, const Assignment& assignment, PointId& blocked);

  std::vector<Node> nodes_;
  std::unique_ptr<std::pmr::monotonic_buffer_resource> children_ = std::make_unique<std::pmr::monotonic_buffer_resource>();
  std::vector<std::vector<Term>> terms_;  // by number of the kRing node
  SlotTable shared_;  // nodes by what they are made of
};

// The integer value 1 or 0 of `v`, or nothing while it depends on a point or on data.
std::optional<bool> truth(Value v);

}  // namespace swizzle
