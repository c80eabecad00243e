// What an expression of a kernel comes to for one thread: a number, a pointer, or a node of provenance (node.h).
//
//   3           kInt, bits 3
//   &s[2]       kPointer, object of s, offset 2
//   x[5] + 1    kNode: see node.h
//
// Where one group of threads stands for many, an integer or pointer may grow from each group to the next: see
// strides.h.
#pragma once

#include <cstdint>
#include <optional>

#include "synth/base/ids.h"

namespace swizzle {

using NodeId = Id<struct NodeTag>;

class Strides;  // strides.h

struct Value {
  enum class Kind : std::uint8_t { kUndefined, kInt, kReal, kPointer, kNode };
  Kind kind = Kind::kUndefined;
  std::uint16_t stride = 0;  // kInt, kPointer: how `bits` grows; 0: it does not
  std::uint32_t aux = 0;     // kPointer: object; kNode: node
  std::int64_t bits = 0;     // kInt: the integer; kReal: the bits of a double; kPointer: offset in slots

  static Value integer(std::int64_t v) { return {Kind::kInt, 0, 0, v}; }
  static Value real(double v);
  static Value pointer(std::uint32_t object, std::int64_t offset) { return {Kind::kPointer, 0, object, offset}; }
  static Value node(NodeId id) { return {Kind::kNode, 0, id.value, 0}; }

  bool is_undefined() const { return kind == Kind::kUndefined; }
  bool is_int() const { return kind == Kind::kInt && stride == 0; }  // the same in all groups
  bool is_real() const { return kind == Kind::kReal; }
  bool is_pointer() const { return kind == Kind::kPointer; }
  bool is_node() const { return kind == Kind::kNode; }
  double as_real() const;
  NodeId as_node() const { return NodeId(aux); }
  friend bool operator==(const Value&, const Value&) = default;
};

// The integer value 1 or 0 of `v`, or nothing while it depends on a point or on data.
std::optional<bool> truth(Value v);

}  // namespace swizzle
