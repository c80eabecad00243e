// MemoryObjects: what pointers point to. Variables, shared arrays, tiles behind a layout, buffers: each has slots.
//
//   float2 v[2] of 4 threads      an object of 4 slots a thread; &v[1].y is slot 3 of it
//   8 halves read as a uint4      2 slots for each of its words: slots_per_scalar()
//   an unsigned read as a half2   both of its scalars in one slot: scalars_per_slot()
#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "synth/execution/arm_write.h"
#include "synth/execution/data_cases.h"
#include "synth/execution/lockstep.h"
#include "synth/execution/warp_order.h"

namespace swizzle {

// A slot is used under `guard`, and, where a hole decides the address, if `pointer` comes out as that slot.
struct Access {
  Value guard, pointer;
  friend bool operator==(const Access&, const Access&) = default;
};

// Reads may meet in a word, and so may atomics of one kind, whose order changes nothing.
enum class WordUse : std::uint8_t { kRead, kWrite, kAdd, kMin, kMax, kAnd, kOr, kXor };
constexpr bool may_meet(WordUse a, WordUse b) { return a == b && a != WordUse::kWrite; }

struct SharedUse {
  std::uint32_t thread = 0;
  WarpOrder::Time time = 0;  // of the thread, in its warp
  Access access;
  Value written;
};

// The uses of one shared slot since the block's last barrier.
struct SharedSlot {
  std::uint32_t epoch = 0;  // barriers that the block had passed
  std::vector<SharedUse> reads, writes;
  std::vector<std::pair<WordUse, SharedUse>> atomics;
};

// A use of one slot of a buffer that the kernel may write.
struct BufferUse {
  std::uint32_t block = 0, thread = 0, epoch = 0, time = 0;
  WordUse use = WordUse::kRead;
  Access access;
};

struct Object {
  enum class Space { kLocal, kShared, kGlobal, kConstant };
  Space space = Space::kLocal;
  std::string name;
  std::int64_t slots = 0;  // kLocal: per thread
  int slot_bytes = 4;
  ItemLayout uneven;                                     // kShared: see offset_of()
  std::int64_t base_bytes = 0;                           // kShared
  SharedObject tile;                                     // kShared behind a layout
  bool is_used = false;                                  // kShared: other than behind a layout
  bool is_extern = false;                                // kShared: as long as the launch makes it
  std::int64_t array_slots = 0;                          // kShared: of the innermost array; 0: extern
  LayoutId sized_by;                                     // kShared: the innermost array, likewise
  std::optional<Scalar> scalar;                          // of all slots, side by side
  BufferId buffer;                                       // kGlobal
  Lanes cells;                                           // kLocal: [thread * slots + slot]; kShared, kConstant: [slot]
  std::unordered_map<std::size_t, ArmWrite> arm_writes;  // kLocal: by cell, which holds what is seen behind the branch
  Lanes declared_under;          // kLocal, declared in a body: the guard of each thread; nobody sees it elsewhere
  std::vector<SharedSlot> uses;  // kShared
  std::unordered_map<std::int64_t, std::vector<BufferUse>> buffer_uses;  // kGlobal: by slot
};

// That a thread accesses at once: what its type is aligned to, up to 16 (float4).
int bytes_at_once(const Type& type);

class MemoryObjects {
 public:
  explicit MemoryObjects(Lockstep& run)
      : run_(run),
        program_(run.program),
        provenance_(run.provenance),
        variable_object_(run.program.variables.size(), kNone) {}

  Object& operator[](std::uint32_t id) { return objects_[id]; }
  const Object& operator[](std::uint32_t id) const { return objects_[id]; }
  std::uint32_t add(Object object);
  std::uint32_t object_of(VariableId variable);  // made where it is first asked for
  void bind(VariableId variable, std::uint32_t object) { variable_object_[variable.value] = object; }
  // The object that has the cells of the array at `place` behind the layout of tile[L(r, c)]; errors are reported.
  std::uint32_t tile_of(Value place, std::int64_t element_slots, const Expr& subscript);
  bool has_tile(std::uint32_t array) const { return tiles_.contains(array); }

  // Every block has its own shared memory.
  void start_block();
  // What there is now is seen by other iterations, and must not be written by this one.
  void start_iteration() { outer_objects_ = objects_.size(); }
  bool is_outer(std::uint32_t id) const { return id < outer_objects_; }

  bool in_range(const Object& object, Value pointer) const;
  bool is_outside(Value slot) const { return slot.is_pointer() && !in_range(objects_[slot.aux], slot); }
  // What a thread accesses at once lies at a multiple of its bytes; of shared memory, SharedWavefronts sees to that.
  void stay_aligned(const Lanes& places, int bytes, SourceRange range);
  bool leaves_array(Value index, std::int64_t count) const;
  std::int64_t end_of(Value pointer) const;  // one past the highest slot, of all groups
  bool is_address(Value v) const;            // or holes choose among such
  bool is_cell(Value place) const;           // of a tile behind a layout
  bool lies_in(Value place, Object::Space space) const;
  // Whether a lane's place is, or may come out to be, in memory of this kind.
  bool meets(const Lanes& places, Object::Space space) const;

  Value scaled(Value index, std::int64_t factor);
  Value shifted(Value pointer, int slots);
  // A pointer to the items of `slots` each, at an index of type `s` that data decide, where `guard` holds.
  Value at_data(Value pointer, Value index, Scalar s, std::int64_t slots, Value guard, SourceRange range);
  ValueRange range_of(const DataPlace& place) const;  // where it may lie, in slots
  // Data choose the slot, and it is gone through by cases.
  bool has_cases(Value pointer) const;
  std::int64_t count_cases(Value pointer) const;  // 1: a number
  const std::vector<DataCase>& cases_of(Value pointer);
  int slots_per_scalar(Value pointer, TypeId type) const;
  int scalars_per_slot(Value pointer, TypeId type) const;
  // Of an object whose scalars are as wide as those of the type, and others.
  std::optional<Scalar> held_as(Value pointer, TypeId type) const;
  std::int64_t item_slots(Value pointer, TypeId type) const;
  // Whose neighbour a cell is depends on the layout.
  void refuse_arithmetic(Value place, SourceRange range);

 private:
  static constexpr std::uint32_t kNone = ~0u;
  bool is_misaligned(Value place, int bytes);
  bool is_below(Value v, std::int64_t end) const;
  std::optional<std::string> first_integers_in(Value index, int depth = 4) const;
  Value place_of(Value pointer, Value index, Scalar s, std::int64_t slots, Value guard, SourceRange range);
  const Object* scalars_at(Value pointer, const Type& type) const;

  Lockstep& run_;
  const Program& program_;
  Provenance& provenance_;
  std::vector<Object> objects_;
  std::vector<std::uint32_t> variable_object_;    // by VariableId; kNone: not yet
  std::map<std::uint32_t, std::uint32_t> tiles_;  // by array: the object that has its cells behind a layout
  std::int64_t shared_bytes_ = 0;                 // of the shared arrays so far
  std::size_t outer_objects_ = 0;
  std::unordered_map<std::uint32_t, DataIndex> sums_;              // of data places, by node
  std::unordered_map<std::int64_t, std::vector<DataCase>> cases_;  // by slot
};

}  // namespace swizzle
