// Values of provenance, and the nodes that some of them are: see provenance.h.
//
//   3                        an integer
//   x[5]                     a node kInput
//   P = 0 ? x[0] : x[4]      a node kChoice with two children
//   2 · x[5] + x[6] · x[7]   a node kRing with two terms
//   x[5] & 3, bit by bit     a node kWord of x[5].0, x[5].1, 0, …, the former two being nodes kBit: see words.h
//   x[5] & M, M a hole       a node kDeferred with two children: see deferred_words.h
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "synth/program/operators.h"
#include "synth/provenance/children.h"
#include "synth/provenance/value.h"

namespace swizzle {

// Codes of opaque functions beyond the operators (which use their own number).
inline constexpr std::uint32_t kOpaqueCast = 100;  // + from · 16 + to
inline constexpr std::uint32_t kOpaqueSelect = 1000;
inline constexpr std::uint32_t kOpaqueIntrinsic = 2000;  // + intrinsic

inline constexpr std::uint32_t kOpaqueUnwritten = 480'000;  // of a number: what was there before something was written
inline constexpr std::uint32_t kOpaqueIndex = 490'000;      // for laws: an index that data decide
inline constexpr std::uint32_t kOpaqueRange = 490'001;      // likewise: an element whose range is known
inline constexpr std::uint32_t kOpaqueElement = 495'000;    // + buffer: its element at an index that data decide
inline constexpr std::uint32_t kOpaquePlace = 500'000;      // + place: what is brought there, see function_products.h
inline constexpr std::uint32_t kOpaqueJoin = 1'000'000;     // of narrow values side by side, the first lowest
inline constexpr std::uint32_t kOpaquePart = 1'100'000;     // + index · 16 + number of parts: one of them
inline constexpr std::uint32_t kOpaqueGate = 1'200'000;     // + operator: of two bits, while holes decide what they are
inline constexpr std::uint32_t kDeferredChoice = 2'000'000;  // + point: of words

enum class Ring : std::uint8_t { kSum, kXor, kMin, kMax, kOr };

inline bool is_set(Ring ring) { return ring == Ring::kMin || ring == Ring::kMax || ring == Ring::kOr; }

// With which nothing of type s changes.
Value neutral(Ring ring, Scalar s);

using Factors = boost::container::small_vector<NodeId, 2>;

// coefficient · factors[0] · factors[1] · …   (`·` is × in kSum, & in kXor; one factor at most in the others)
struct Term {
  Value coefficient;
  Factors factors;  // sorted
  friend bool operator==(const Term&, const Term&) = default;
};

// What it is made of stays where it is for as long as the Provenance does.
class Node {
 public:
  enum class Kind : std::uint8_t { kInput, kChoice, kRing, kOpaque, kAppended, kBit, kWord, kDeferred };
  Kind kind = Kind::kInput;
  Ring ring = Ring::kSum;
  Scalar scalar = Scalar::kI32;
  bool has_choice : 1 = false;       // some choice below
  bool index_like : 1 = false;       // a choice whose leaves are all integers, reals, pointers or undefined
  bool maybe_undefined : 1 = false;  // something below is undefined
  bool grows : 1 = false;            // kChoice: a leaf does, from group to group: see strides.h
  bool has_data : 1 = false;         // kWord, kDeferred: not all bits are known once holes are
  bool selects : 1 = false;          // data decide something below: an indicator, or an opaque select
  bool has_gates : 1 = false;        // kWord: some bit in which no hole has a say is no normal form
  std::uint32_t tag = 0;             // kInput, kBit: buffer; kChoice: point; kOpaque, kDeferred: function code

  // Parts by a ring's ⊕: in its normal form, or under way.
  bool combines() const { return kind == Kind::kRing || kind == Kind::kAppended; }
  // a < b, say: C's operator, of its children.
  bool is(Operator op) const { return kind == Kind::kOpaque && tag == static_cast<std::uint32_t>(op); }
  // kInput: element (slot) of the buffer; kBit: 64 · element + position of the bit
  std::int64_t index() const { return kind == Kind::kInput || kind == Kind::kBit ? index_ : 0; }
  // kChoice: one per value of the point; kOpaque: operands; kAppended: a sum, and what is added to it, a single term;
  // kWord: bits, the lowest first; kDeferred: operands.
  Children children() const {
    if (!has_children()) return {};
    return stretches_ == 0 ? Children(children_, count_) : Children({stretched_, stretches_}, count_);
  }
  std::span<const Term> terms() const {
    return kind == Kind::kRing ? std::span(terms_, count_) : std::span<const Term>();
  }  // sorted by factors
  // All values that it is made of: children, and factors of terms.
  template <typename F>
  void for_each_part(F&& f) const {
    const Children children = this->children();
    if (const std::span<const Value> each = children.each(); !each.empty()) {
      for (const Value& child : each) f(child);
    } else {
      for (const Value& child : children) f(child);
    }
    for (const Term& term : terms())
      for (NodeId factor : term.factors) f(Value::node(factor));
  }

 private:
  friend class Provenance;
  bool has_children() const {
    return kind == Kind::kChoice || kind == Kind::kOpaque || kind == Kind::kAppended || kind == Kind::kWord ||
           kind == Kind::kDeferred;
  }
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

}  // namespace swizzle
