// The interpreter behind execute(): private to synth/. One object executes one launch.
#pragma once

#include <cstring>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "synth/base/hashes.h"
#include "synth/execution/execute.h"
#include "synth/execution/lanes.h"
#include "synth/machine/wavefronts.h"

namespace swizzle {

inline constexpr int kWarpSize = 32;

// A slot is used under `guard`, and, where a hole decides the address, if `pointer` comes out as that slot.
struct Access {
  Value guard;
  Value pointer;
  friend bool operator==(const Access&, const Access&) = default;
};

struct SharedUse {
  std::uint32_t thread = 0;
  std::uint32_t warp_epoch = 0;  // __syncwarp()s that the warp had passed
  Access access;
};

// The uses of one shared slot since the block's last barrier.
struct SharedSlot {
  std::uint32_t epoch = 0;  // barriers that the block had passed
  std::vector<SharedUse> reads, writes;
};

// A use of one slot of a buffer that the kernel may write.
struct BufferUse {
  std::uint32_t block = 0, thread = 0, epoch = 0, warp_epoch = 0;
  bool write = false;
  Access access;
};

struct Object {
  enum class Space { kLocal, kShared, kGlobal, kConstant };
  Space space = Space::kLocal;
  std::string name;
  std::int64_t slots = 0;  // kLocal: per thread
  int slot_bytes = 4;
  ItemLayout uneven;             // kShared: see offset_of()
  std::int64_t base_bytes = 0;   // kShared
  SharedObject tile;             // kShared behind a layout
  bool is_used = false;          // kShared: other than behind a layout
  bool is_extern = false;        // kShared: as long as the launch makes it
  std::int64_t array_slots = 0;  // kShared: of the innermost array; 0: extern
  LayoutId sized_by;             // kShared: the innermost array, likewise
  std::optional<Scalar> scalar;  // of all slots, side by side
  BufferId buffer;               // kGlobal
  Lanes cells;                   // kLocal: [thread * slots + slot]; kShared, kConstant: [slot]
  Lanes declared_under;          // kLocal, declared in a body: the guard of each thread; nobody sees it elsewhere
  std::vector<SharedSlot> uses;  // kShared
  std::unordered_map<std::int64_t, std::vector<BufferUse>> buffer_uses;  // kGlobal: by slot
};

// cp.async under way: what comes to lie at `to`, slot by slot, when its thread waits for it.
struct AsyncCopy {
  Value to, guard;
  std::vector<Value> values;
  SourceRange range;
};
struct CopiesOfThread {
  std::vector<AsyncCopy> open;                    // since the last commit
  std::vector<std::vector<AsyncCopy>> committed;  // oldest first
};

// What parts the groups of a box from each other: a coordinate of blocks or threads, or the variable of a loop, which
// is first + step · t in group t of the axis.
struct GroupAxis {
  std::optional<Builtin> coordinate;
  StmtId loop;  // otherwise
  std::int64_t first = 0, step = 1, count = 1;
};

// What becomes of an operation, or of a read: it counts as one on data, or on a buffer, or does not; or now this, now
// that.
struct IssuesOfPlace {
  bool counts = false, counts_not = false;
  bool is_shared = false;  // another box meets it, too
};
using IssuesByPlace = std::map<std::pair<bool, std::uint32_t>, IssuesOfPlace>;  // by operation, or where a read begins

// A box of groups, of which the first is executed: those of [begin[a], begin[a] + count) along each axis.
struct GroupBox {
  const std::vector<GroupAxis>& axes;
  bool by_warps = false;  // a group is a warp; otherwise a block, or an iteration
  std::vector<std::int64_t> begin;
  Strides strides;
  std::vector<std::optional<Steps>> read_steps = {};  // by buffer
  std::vector<char> is_written = {};                  // by buffer
  IssuesByPlace issues = {};                          // those of other boxes as well
};

// The loops that a sequential program consists of, from the outside in, each alone in the one around it; how far they
// run is not known yet.
std::vector<StmtId> nested_loops(const Program& program);

// Of all expressions: how many instructions their logic takes, a LOP3 counting once; 0: it is a part of another's.
std::vector<int> logic_instructions(const Program& program);

class Interpreter {
 public:
  Interpreter(const Program& program, const Execution& execution, Provenance& provenance, PointTable& points,
              GroupBox* box = nullptr);
  Result<Trace> run();
  // Of the first group of the box. What it issues is counted once. Errors: also where the box is lost.
  Result<Trace> run_group();
  std::int64_t steps() const { return steps_; }  // see Execution::step_limit
  // The axes that the loops have where they are reached; nothing: other loops, or no such place.
  std::vector<GroupAxis> axes_of(const std::vector<StmtId>& loops);

 private:
  // Which threads execute, and under which condition on holes or data (1: unconditionally).
  struct Mask {
    std::vector<char> on;
    Lanes guard;
    bool any() const {
      for (char c : on)
        if (c) return true;
      return false;
    }
    bool all() const { return std::memchr(on.data(), 0, on.size()) == nullptr; }
  };

  using Space = Object::Space;

  // interpreter.cpp: the launch
  void bind_parameters();
  void run_block(int block);
  void finish_counts();
  void start_threads();
  void pass_arguments();

  // interpreter_groups.cpp
  bool meets_group(const Stmt& stmt) const;  // a loop of which the group is an iteration
  void exec_iteration(const Stmt& stmt);
  void exec_in_iteration(const Stmt& body);
  std::optional<GroupAxis> bounds_of(const Stmt& stmt);
  Value coordinate(Builtin builtin, std::int64_t of_thread);
  std::int64_t begin_of(Builtin builtin) const;
  void read_repeatedly(const Object& object, Value pointer);
  void write_repeatedly(const Object& object, int thread, Value pointer, Value value, const Access& here,
                        SourceRange range);
  void note_issue(std::pair<bool, std::uint32_t> what, bool is_issued);
  Value without_stride(Value v);  // lost, if it has one

  // interpreter_statements.cpp
  void exec(StmtId id);
  void exec_block(const Stmt& stmt);
  void exec_declare(const Stmt& stmt);
  void make_fresh(Object& object, const Lanes& values, SourceRange range);
  void exec_if(const Stmt& stmt);
  void exec_loop(const Stmt& stmt);
  void exec_switch(const Stmt& stmt);
  void exec_return(const Stmt& stmt);
  // `entered`: the guards with which threads came to what they leave; with another one, holes or data decide who
  // leaves.
  void leave(std::vector<char>& set, const Lanes& entered, SourceRange range, const char* what);
  void run_under(const Mask& mask, const std::function<void()>& body);

  // interpreter_expressions.cpp
  Lanes eval(ExprId id);
  Lanes eval_scalarwise(const Expr& e);
  Lanes eval_literal(const Expr& e);
  Lanes eval_binary(const Expr& e);
  Lanes eval_assign(const Expr& e);
  Lanes eval_inc_dec(const Expr& e);
  Lanes eval_conditional(ExprId condition, const std::function<Lanes()>& then, const std::function<Lanes()>& other,
                         int slots);
  void reject_undefined(Value condition, Value guard, SourceRange range);
  Lanes eval_cast(const Expr& e);
  Lanes eval_construct(const Expr& e);
  Lanes eval_call(const Expr& e);
  Lanes eval_builtin(const Expr& e);
  Lanes eval_hole(const Expr& e);
  Value hole_value(const Expr& e, const Hole& hole, const std::vector<Value>& arguments, std::size_t next,
                   std::vector<std::int64_t> known);
  Value open_value(const Expr& e, const Hole& hole, const std::vector<std::int64_t>& known);
  Value digits_of(const Expr& e, const Hole& hole, std::vector<std::int64_t> known);
  Value compute(Operator op, TypeId type, Value a, Value b, SourceRange range);
  bool loses_bits(Value result, std::span<const Value> operands) const;
  void refuse_bits(SourceRange range, std::string_view what, Value result);
  void follow(Value result, std::initializer_list<Value> operands, SourceRange range, std::string_view what) {
    if (loses_bits(result, std::span(operands))) refuse_bits(range, what, result);
  }
  Value as_condition(Value v);
  bool names_place(const Expr& e) const;         // is_lvalue(), or what comes out as one
  Lanes place(ExprId id);                        // one pointer per thread
  const Object* scalar_variable(const Expr& e);  // that each thread has one of; null: e is none
  Lanes offset_place(const Expr& e);

  // interpreter_alike.cpp. Nothing, false: threads may differ, and are to be looked at one by one.
  std::optional<Lanes> read_alike(const Lanes& places, TypeId type, SourceRange range);
  bool write_alike(const Lanes& places, const Lanes& values, TypeId type);
  const Object* registers_at(const Lanes& places, TypeId type) const;
  bool nobody_writes(const Object& object) const;

  // interpreter_memory.cpp
  std::uint32_t object_of(VariableId variable);
  Lanes read(const Lanes& places, TypeId type, SourceRange range);
  void write(const Lanes& places, const Lanes& values, TypeId type, SourceRange range);
  Value shifted(Value pointer, int slots);
  int slots_per_scalar(Value pointer, TypeId type) const;
  int scalars_per_slot(Value pointer, TypeId type) const;
  std::int64_t item_slots(Value pointer, TypeId type) const;
  Value initial(BufferId buffer, std::int64_t offset);  // of a buffer
  Lanes read_each(const Lanes& places, TypeId type, SourceRange range);
  Value read_slot(int thread, Value pointer, SourceRange range);
  Value read_leaf(int thread, Value pointer, const Access& access, SourceRange range);
  void write_slot(int thread, Value pointer, Value value, SourceRange range);
  void write_leaf(int thread, Value pointer, Value value, const Access& access, SourceRange range);
  void write_buffer(const Object& object, int thread, Value pointer, Value value, const Access& here,
                    SourceRange range);
  void note_store(int thread, const Access& access, Value value, SourceRange range);
  Value equals(Value pointer, Value leaf);
  Value both(Value a, Value b);  // of what is 0 or 1
  Value condition(const Access& access, Value pointer);
  bool in_range(const Object& object, Value pointer) const;
  bool is_below(Value v, std::int64_t end) const;
  bool leaves_array(Value index, std::int64_t count) const;
  Value scaled(Value index, std::int64_t factor);
  std::int64_t end_of(Value pointer) const;   // one past the highest slot, of all groups
  std::uint32_t number_of(int thread) const;  // through the launch
  void stay_inside(const Access& access, SourceRange range);
  void break_rule(SourceRange range, std::string message, std::string note);
  void violate(Value violation, std::string message, SourceRange range, std::string note = "");
  void leaves_object(Value violation, const Object& object, std::int64_t offset, SourceRange range);
  bool meets(const Lanes& places, Space space) const;
  double load_instructions(TypeId type) const;

  // interpreter_races.cpp
  void use_shared(Object& object, int thread, Value pointer, bool write, const Access& access, SourceRange range);
  void use_buffer(Object& object, int thread, Value pointer, bool write, const Access& access, SourceRange range);
  std::optional<Value> meeting(const Access& a, const Access& b, Value pointer);

  // interpreter_layouts.cpp
  Lanes tile_place(const Expr& e, Lanes arrays);
  std::uint32_t tile_of(Value array, std::int64_t element_slots, const Expr& e);
  Value cell_of(const Hole& hole, const std::vector<std::int64_t>& arguments) const;
  void stay_inside_layout(const Expr& e, const std::vector<Value>& arguments, Value guard);
  bool is_cell(Value place) const;  // of a tile behind a layout
  void refuse_arithmetic(Value place, SourceRange range);

  // interpreter_wavefronts.cpp
  void count_shared(const Lanes& places, TypeId type, SharedOperation operation, SourceRange range);
  void count_shared(const Lanes& places, int piece_bytes, int size_bytes, SharedOperation operation, SourceRange range);
  std::optional<std::int64_t> shared_address(int thread, Value place) const;  // in bytes; none: inactive, or elsewhere
  bool is_open(int thread, Value place) const;
  // False: what the access costs depends on which of the lanes that holes let take part do.
  bool count_wavefronts_under_guards(int first, SharedOperation operation, int bits, const LaneAddresses& addresses);
  Value where_guarded(int thread, Value place);
  void record_shared(int first, const Lanes& places, SharedOperation operation, int bits, int offset_bytes,
                     SourceRange range);

  // interpreter_matrices.cpp
  Lanes eval_matrices(const Expr& e);
  Lanes matrix_rows(const Expr& e);
  Value matrix_register(int thread, const Lanes& rows, int matrix, const Expr& e);
  void store_matrix(int warp, const Lanes& rows, int matrix, const Lanes& registers, const Expr& e);
  int unit_slots(Value row, SourceRange range);
  Value shared_offset(Operator op, Value a, Value b, SourceRange range);
  bool is_address(Value v) const;

  // interpreter_copies.cpp
  Lanes eval_copies(const Expr& e);
  Lanes copy_async(const Expr& e);
  bool lies_in(Value place, Space space) const;
  std::vector<Value> copied(int thread, Value to, Value from, std::int64_t bytes, Value zeros, SourceRange range);
  void arrive(int thread, const std::vector<AsyncCopy>& group);

  // interpreter_registers.cpp: what Execution::register_writes is told
  bool tells_registers_of(int thread) const;
  void tell_register(const Object& object, int thread, std::int64_t slot, Value value, SourceRange range);
  void tell_shuffle(const Expr& e, int thread, int source, const Lanes& result);

  // interpreter_collectives.cpp
  Lanes eval_shuffle(const Expr& e);
  Lanes eval_vote(const Expr& e);
  Lanes eval_vote_on_data(const Lanes& predicate, const std::vector<std::uint32_t>& masks, const Expr& e);
  Lanes eval_ballot(const Lanes& predicate, const std::vector<std::uint32_t>& masks, const Expr& e);
  Lanes eval_reduction(const Expr& e);
  void barrier(const Expr& e);
  std::vector<std::uint32_t> warp_masks(const Expr& e, ExprId mask);
  void reach_together(const Expr& e);

  // interpreter_intrinsics.cpp
  Lanes eval_intrinsic(const Expr& e);
  Lanes eval_of_sketches(const Expr& e);
  Lanes eval_arithmetic(const Expr& e);
  Value arithmetic(const Expr& e, Scalar s, const std::vector<Value>& v);
  Value extremum(Ring ring, Scalar s, Value a, Value b);
  bool has_constant_leaf(Value v) const;
  Lanes eval_load(const Expr& e);
  Lanes eval_store(const Expr& e);
  Value chunk_pointer(const Expr& chunk, Value base, Value offset, int thread, std::int64_t slice, std::int64_t r,
                      int slots);
  bool is_outside(Value slot) const;

  // shared by all
  int slots_of(TypeId type) const { return std::max(1, program_.type(type).slots); }
  Scalar scalar_of(TypeId type) const;
  void fail(SourceRange range, std::string message, std::string note = "");
  bool failed() const { return !errors_.empty() || (box_ != nullptr && box_->strides.is_lost()); }
  void charge(SourceRange range);
  void mind_deadline(SourceRange range);
  template <typename F>
  void for_active(F&& f) {
    for (int t = 0; t < threads_; ++t)
      if (mask_.on[static_cast<std::size_t>(t)]) f(t);
  }
  // f of what each active thread has: asked once where they are alike.
  template <typename F>
  void change(Lanes& values, F&& f) {
    if (values.are_alike() && mask_.all()) values = Lanes(values.size(), f(values[0]));
    else for_active([&](int t) { values.entry(at(t)) = f(values[at(t)]); });
  }
  template <typename F>
  void combine(Lanes& values, const Lanes& others, F&& f) {
    if (values.are_alike() && others.are_alike() && mask_.all()) {
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
  // All threads execute, under one guard: what they do to what is alike is done alike.
  bool act_alike() const { return mask_.all() && mask_.guard.are_alike(); }
  Lanes blank(int slots = 1) const { return Lanes(static_cast<std::size_t>(threads_ * slots)); }
  Lanes splat(Value v);
  void count_per_warp(double& counter, double amount = 1);
  // interpreter_issues.cpp. Counts under the guards of each warp, unless one of them is true whatever the holes are.
  void count_guarded(double Counts::* counter, double amount = 1);
  // What is issued once one of the guards holds; nothing: whatever the holes are.
  void count_under(const std::optional<std::vector<std::uint32_t>>& guards, double Counts::* counter, double amount);
  // The nodes of the guards of a warp's threads; nothing: some thread takes part whatever the holes are.
  std::optional<std::vector<std::uint32_t>> guards_of_warp(int first);
  std::optional<std::vector<std::uint32_t>> guards_of(int first, const std::vector<int>& lanes);  // active ones
  // 1 where the holes let the condition come out as wanted; else 0.
  Value may_be(Value condition, bool wanted);
  bool meets_data(const Lanes& values);
  // An operation on data, also where what comes out is none: `s ^= v` twice.
  void count_data(const Expr& e, Operator op, bool has_data, const Lanes& results);
  // interpreter_logic.cpp. False: they are no words.
  bool count_words(const Expr& e, const Lanes& results);
  bool has_data_bits(const Lanes& words) const;

  const Program& program_;
  const Execution& execution_;
  GroupBox* box_;  // null: all groups are executed
  Provenance& provenance_;
  PointTable& points_;
  Trace trace_;
  LaunchShape shape_;
  int threads_ = 1;       // of the block, or of the group
  int first_thread_ = 0;  // of the group
  int block_ = 0;
  std::size_t iteration_level_ = 0;  // how many of the box's loops are entered
  std::size_t outer_objects_ = 0;    // those that an iteration must not write: other iterations see them
  std::int64_t steps_ = 0;
  std::uint32_t epoch_ = 0;
  std::vector<std::uint32_t> warp_epoch_;
  std::vector<CopiesOfThread> copies_;  // by thread, if there are any
  Mask mask_;
  std::vector<char> returned_, broken_, continued_;  // threads that left the function, loop, iteration
  std::vector<char> exited_;                         // threads that left the kernel
  std::vector<char> calling_;                        // by FunctionId: its call is under way
  Lanes return_value_;
  std::vector<Object> objects_;
  std::map<std::uint32_t, std::uint32_t> tiles_;  // by array: the object that has its cells behind a layout
  std::map<std::tuple<SharedOperation, int, int, std::uint32_t,
                      std::vector<std::tuple<Value::Kind, std::uint32_t, std::int64_t>>>,
           std::size_t>
      recorded_;
  std::int64_t shared_bytes_ = 0;                // of the shared arrays so far
  std::vector<std::uint32_t> variable_object_;   // by VariableId; ~0u: not yet
  std::vector<Value> arguments_;                 // by parameter
  std::map<ExprId, std::uint32_t> temporaries_;  // objects of values that something refers to
  std::unordered_set<std::uint32_t> required_;   // nodes that are violations already
  std::unordered_map<std::uint32_t, std::map<std::tuple<std::uint32_t, std::uint16_t, std::int64_t>, Value>>
      equals_;  // by pointer, by leaf
  struct HashOfAccesses {
    std::size_t operator()(const std::pair<Access, Access>& accesses) const {
      std::size_t hash = 0;
      for (const Access* a : {&accesses.first, &accesses.second})
        for (std::uint64_t v :
             {std::uint64_t{a->pointer.aux}, std::uint64_t{a->guard.aux}, static_cast<std::uint64_t>(a->guard.bits)})
          hash = mix(hash, v);
      return hash;
    }
  };
  std::unordered_set<std::pair<Access, Access>, HashOfAccesses> met_;  // that meeting() was asked for
  int call_depth_ = 0;
  const Lanes *call_guard_ = nullptr, *break_guard_ = nullptr,
              *continue_guard_ = nullptr;  // with which threads entered the call, the loop or switch, the loop
  std::map<std::vector<std::uint32_t>, Counts> guarded_;  // by guards of a warp
  std::map<std::pair<std::uint32_t, bool>, Value> may_be_;
  std::vector<int> logic_;  // by ExprId: see logic_instructions()
  Diagnostics errors_;
};

}  // namespace swizzle
