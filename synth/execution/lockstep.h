// Lockstep: the threads of a block, or of a group, that execute together, and what is noted of their launch. All parts
// of the interpreter act on it.
//
//   4 threads at the body of `if (t < 2 && ?sw_cond(t))`    mask.on 1100, mask.guard: the hole's value for each thread
//     splat(7)               7 for threads 0 and 1
//     for_active(f)          f(0), f(1)
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "synth/execution/execute.h"
#include "synth/execution/group_box.h"
#include "synth/execution/lanes.h"

namespace swizzle {

inline constexpr int kWarpSize = 32;

// Which threads execute, and under which condition on holes or data (1: unconditionally).
struct ThreadMask {
  std::vector<char> on;
  Lanes guard;
  bool any() const {
    for (char c : on)
      if (c) return true;
    return false;
  }
  bool all() const { return std::memchr(on.data(), 0, on.size()) == nullptr; }
};

struct Lockstep {
  Lockstep(const Program& program, const Execution& execution, Provenance& provenance, PointTable& points,
           GroupBox* box);

  const Program& program;
  const Execution& execution;
  Provenance& provenance;
  PointTable& points;
  GroupBox* const box;  // null: all groups are executed
  Trace trace;
  LaunchShape shape;
  int threads = 1;       // of the block, or of the group
  int first_thread = 0;  // of the group
  int block = 0;
  std::int64_t steps = 0;  // see Execution::step_limit
  ThreadMask mask;
  std::vector<char> exited;  // threads that left the kernel
  Diagnostics errors;
  std::optional<BufferId> wants_cases;  // see Execution::by_cases

  void start_threads();  // all of them, unconditionally

  // The first error counts; what follows is mostly its consequence.
  void fail(SourceRange range, std::string message, std::string note = "");
  // What may be right, but is not followed.
  void refuse(SourceRange range, std::string message, std::string note = "");
  // What no kernel may do.
  void break_rule(SourceRange range, std::string message, std::string note = "");
  bool failed() const { return !errors.empty() || (box != nullptr && box->strides.is_lost()); }
  // An error where the violation is certain, a requirement where holes decide about it.
  void violate(Value violation, std::string message, SourceRange range, std::string note = "");
  void lack_lanes(SourceRange range, std::string message);
  // A requirement, also where no choice of the holes meets it.
  void require(Value violation, std::string message, SourceRange range);
  // One step of each thread.
  void charge(SourceRange range);
  void mind_deadline(SourceRange range);

  int slots_of(TypeId type) const { return std::max(1, program.type(type).slots); }
  Scalar scalar_of(TypeId type) const;
  std::uint32_t number_of(int thread) const;  // through the launch
  Value without_stride(Value v);              // lost, if it has one
  // What its registers come to hold is told to Execution::register_writes.
  bool tells_registers_of(int thread) const;

  Lanes blank(int slots = 1) const { return Lanes(static_cast<std::size_t>(threads * slots)); }
  Lanes splat(Value v) const;
  void count_per_warp(double& counter, double amount = 1) const;
  // All threads execute, under one guard: what they do to what is alike is done alike.
  bool act_alike() const { return mask.all() && mask.guard.are_alike(); }
  template <typename F>
  void for_active(F&& f) const {
    for (int t = 0; t < threads; ++t)
      if (mask.on[static_cast<std::size_t>(t)]) f(t);
  }
  // f of what each active thread has: asked once where they are alike.
  template <typename F>
  void change(Lanes& values, F&& f) const {
    if (values.are_alike() && mask.all()) values = Lanes(values.size(), f(values[0]));
    else for_active([&](int t) { values.entry(at(t)) = f(values[at(t)]); });
  }
  template <typename F>
  void combine(Lanes& values, const Lanes& others, F&& f) const {
    if (values.are_alike() && others.are_alike() && mask.all()) {
      values = Lanes(values.size(), f(values[0], others[0]));
      return;
    }
    Value left, right, before;  // of the thread before: lanes mostly have the same indices
    for_active([&](int t) {
      const Value own = values[at(t)], other = others[at(t)];
      if (!(own == left && other == right)) before = f(own, other);
      left = own, right = other;
      values.entry(at(t)) = before;
    });
  }

 private:
  std::unordered_set<std::uint32_t> required_;  // nodes that are violations already
};

}  // namespace swizzle
