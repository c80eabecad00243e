// CellAccess: what one thread reads from a slot, and what it leaves there; what may be read and written when, and by
// whom.
//
//   under the guard g, thread 2 writes 7 to a slot of 3     the slot holds g ? 7 : 3
//   to a slot that a hole decides                           each slot that it may be holds 7 where the hole says so
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "synth/execution/buffer_places.h"
#include "synth/execution/memory_objects.h"
#include "synth/execution/race_detector.h"

namespace swizzle {

class CellAccess {
 public:
  CellAccess(Lockstep& run, MemoryObjects& objects, RaceDetector& races)
      : run_(run),
        program_(run.program),
        provenance_(run.provenance),
        objects_(objects),
        races_(races) {}

  // Under the thread's guard. Errors, and what holes must not choose, are reported.
  Value read_slot(int thread, Value pointer, SourceRange range);
  void write_slot(int thread, Value pointer, Value value, SourceRange range);
  // What becomes of what is there, under a guard.
  using Update = std::function<Value(Value there, Value guard)>;
  // What is there changes by what it is. `use`: an atomic, or kWrite.
  void update_slot(int thread, Value pointer, WordUse use, const Update& update, SourceRange range);
  bool has_cases(Value pointer) const;  // data choose it, and it is gone through by cases
  // Of a local object, as the thread sees it under its guard.
  Value seen(const Object& object, int thread, std::size_t place);
  // To be called last: what some input is seen, in time, to leave unwritten is undefined.
  void settle_unwritten();
  // What a declaration makes has no older value that a guard could keep.
  void make_fresh(Object& object, const Lanes& values, SourceRange range);

 private:
  Value initial(BufferId buffer, std::int64_t offset);  // of a buffer
  Value read_place(int thread, Value pointer, const Access& access, SourceRange range);
  bool is_followed(Value pointer, SourceRange range);  // false: data decide the address, which is reported
  // f of each slot that holes and data may make of a followed pointer, and its access.
  template <typename F>
  void each_place(Value pointer, const Access& access, SourceRange range, F&& f) {
    const auto of_slot = [&](Value slot, const Access& one, Value) { f(slot, one); };
    if (pointer.is_pointer()) return each_case(pointer, access, of_slot);
    stay_inside(access, range);
    for (const Value& leaf : provenance_.leaves(pointer)) {
      run_.mind_deadline(range);
      if (run_.failed()) return;
      if (!leaf.is_pointer()) return run_.fail(range, "this address is undefined");
      if (objects_.in_range(objects_[leaf.aux], leaf)) each_case(leaf, access, of_slot);
    }
  }
  // f of the slot, its access, and when data make it the slot.
  template <typename F>
  void each_case(Value pointer, const Access& access, F&& f) {
    if (!has_cases(pointer)) return f(pointer, access, Value::integer(1));
    const Value guard = races_.condition(access, pointer);
    for (const DataCase& one : objects_.cases_of(pointer)) {
      if (run_.failed()) return;
      const Value slot = Value::pointer(pointer.aux, one.slot);
      f(slot, Access{races_.both(guard, one.when), slot}, one.when);
    }
  }
  Value read_leaf(int thread, Value pointer, const Access& access, SourceRange range);
  void write_leaf(int thread, Value pointer, Value value, const Access& access, SourceRange range);
  Cell& changed_cell(const Object& object, int thread, Value pointer, SourceRange range);
  void update_leaf(int thread, Value pointer, const Access& access, WordUse use, const Update& update,
                   SourceRange range);
  void write_local(Object& object, int thread, std::size_t place, Value value, Value guard);
  void write_arm(Object& object, std::size_t place, Value value, Value guard);
  Value unwritten(Scalar s);  // a number that nobody wrote
  void write_buffer(const Object& object, int thread, Value pointer, Value value, const Access& here,
                    SourceRange range);
  void note_store(int thread, const Access& access, Value value, SourceRange range);
  void mind_data(const Object& object, Value pointer, bool is_write, SourceRange range);
  void stay_inside(const Access& access, SourceRange range);
  void leaves_object(Value violation, const Object& object, std::int64_t offset, SourceRange range);
  std::string buffer_in(Value v) const;
  void note_writer(Cell& cell, std::uint32_t thread);
  void note_written(Cell& cell, Value guard);
  Value either(Value a, Value b);
  std::optional<std::string> longer_than(const Object& object, std::int64_t offset) const;
  void read_repeatedly(const Object& object, Value pointer);
  void write_repeatedly(const Object& object, int thread, Value pointer, Value value, const Access& here,
                        SourceRange range);
  void tell_register(const Object& object, int thread, std::int64_t slot, Value value, SourceRange range);

  Lockstep& run_;
  const Program& program_;
  Provenance& provenance_;
  MemoryObjects& objects_;
  RaceDetector& races_;
  std::vector<BufferPlaces> places_;  // by buffer
  std::int64_t unwritten_ = 0;        // cells that were not certain to be written
};

}  // namespace swizzle
