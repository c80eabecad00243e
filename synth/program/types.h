// Types of a Program.
//
//   float4 *       kPointer ─► kRecord float4: 4 slots of kF32, 16 bytes
//   int [8][33]    kArray of 8 ─► kArray of 33 ─► kScalar kI32: 264 slots, 1,056 bytes
//
// Memory is counted in *slots*: a scalar or a pointer takes one, an array or a record the sum of its parts
// (float4 takes 4). Pointer arithmetic is in slots of the scalar element; sizes in bytes serve cost models.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "synth/base/ids.h"
#include "synth/program/operators.h"

namespace swizzle {

// One slot of an item: what it holds, and where.
struct SlotPlace {
  Scalar scalar = Scalar::kI32;
  int offset_bytes = 0;
  friend bool operator==(const SlotPlace&, const SlotPlace&) = default;
};

// struct { char tag; float v[2]; }: {kI8, 0} {kF32, 4} {kF32, 8}, 12 bytes. No slots: it has pointers inside.
struct ItemLayout {
  std::vector<SlotPlace> slots;
  int size_bytes = 0;
  friend bool operator==(const ItemLayout&, const ItemLayout&) = default;
};

// Where a slot of items side by side lies, in bytes: slot_bytes from each to the next; or, if their slots lie unevenly,
// as the item says.
inline std::int64_t offset_of(std::int64_t slot, int slot_bytes, const ItemLayout& uneven) {
  const auto count = static_cast<std::int64_t>(uneven.slots.size());
  if (count == 0) return slot * slot_bytes;
  return slot / count * uneven.size_bytes + uneven.slots[static_cast<std::size_t>(slot % count)].offset_bytes;
}

// `count` scalars side by side.
inline ItemLayout packed_item(Scalar scalar, int count) {
  ItemLayout item{{}, count * swizzle::size_bytes(scalar)};
  for (int i = 0; i < count; ++i) item.slots.push_back({scalar, i * swizzle::size_bytes(scalar)});
  return item;
}

struct Field {
  std::string name;
  TypeId type;
  int offset_bytes = 0;
};

struct Type {
  enum class Form { kVoid, kScalar, kPointer, kArray, kRecord };
  Form form = Form::kVoid;
  Scalar scalar = Scalar::kI32;  // kScalar
  TypeId element;                // kPointer: pointee; kArray: element
  std::int64_t count = 0;        // kArray: number of elements; 0 for `extern __shared__ T a[]`
  ExprId extent;                 // kArray, valid: ?sw_const decides the count, which specialize() fills in
  LayoutId sized_by;             // kArray, valid: as many elements as this layout asks for; `count` has its cells
  int slots = 0;
  int size_bytes = 0;
  int alignment_bytes = 1;
  bool pointee_is_const = false;  // kPointer
  bool is_mixed = false;          // kArray, kRecord: not all scalars inside are of type `scalar`
  std::string spelling;           // as C++ writes it: "const float *", "float4"
  std::vector<SlotPlace> places;  // kRecord: of all its slots; none: it has pointers inside
  std::vector<Field> fields;      // kRecord, of a program that is parsed to be checked
};

}  // namespace swizzle
