// The interpreter behind trace_warp(): private to the room.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "synth/timing/warp_trace.h"

namespace swizzle {

// What a slot holds in all lanes: a value, or a place: an object, and the offset in it, in bytes.
struct WarpValue {
  NodeIndex node = kNoNode;
  int object = -1;
  bool is_place() const { return object >= 0; }
  friend bool operator==(const WarpValue&, const WarpValue&) = default;
};
using WarpValues = std::vector<WarpValue>;  // by slot

struct TimedObject {
  enum class Space { kLocal, kGlobal, kShared, kConstant };
  struct Cell {
    WarpValue value;
    int bytes = 0;  // 0: nothing begins here
  };
  Space space = Space::kLocal;
  std::vector<Cell> cells = {};  // by byte
  std::size_t depth = 0;         // guards that there were when it was declared
  bool is_read_only = false;
  int parameter = -1;           // kGlobal
  std::int64_t base_bytes = 0;  // kShared
};

class WarpTracer {
 public:
  WarpTracer(const Program& program, const WarpToTrace& warp);
  TracedWarp run();

 private:
  using Space = TimedObject::Space;

  // warp_tracer.cpp: the launch, statements
  void bind_parameters();
  void exec(StmtId id);
  void exec_declare(const Stmt& stmt);
  void exec_if(const Stmt& stmt);
  void exec_loop(const Stmt& stmt);
  bool goes_on(const Stmt& stmt, bool& is_unrolled);
  void exec_switch(const Stmt& stmt);
  void exec_return(const Stmt& stmt);
  void run_under(std::uint32_t mask, NodeIndex guard, const std::function<void()>& body);
  std::vector<std::uint32_t> changed_in(const Stmt& loop) const;  // objects of the variables
  void blur(const std::vector<std::uint32_t>& objects);
  std::uint32_t lanes_where(NodeIndex condition, bool wanted) const;
  void control(NodeIndex condition);

  // warp_tracer_expressions.cpp
  WarpValues eval(ExprId id);
  WarpValues eval_kind(const Expr& e);
  WarpValue eval_one(ExprId id);
  WarpValues eval_literal(const Expr& e);
  WarpValue builtin(Builtin which);
  WarpValue compute(Operator op, TypeId type, TypeId result, WarpValue a, WarpValue b);
  WarpValues eval_binary(const Expr& e);
  WarpValues eval_assign(const Expr& e);
  WarpValues eval_inc_dec(const Expr& e);
  WarpValues eval_conditional(const Expr& e, bool of_places);
  WarpValues eval_logical(const Expr& e);
  WarpValues eval_cast(const Expr& e);
  WarpValues eval_construct(const Expr& e);
  WarpValues eval_call(const Expr& e);
  NodeIndex truth_of(const WarpValue& v, TypeId type);
  WarpValue place(ExprId id);
  WarpValue offset_place(const Expr& e);
  WarpValue moved(WarpValue place, NodeIndex bytes);

  // warp_tracer_intrinsics.cpp
  WarpValues eval_intrinsic(const Expr& e);
  WarpValues eval_shuffle(const Expr& e);
  WarpValues eval_collective(const Expr& e);
  WarpValues eval_function(const Expr& e);
  WarpValues eval_matrices(const Expr& e);
  WarpValues eval_copies(const Expr& e);

  // warp_tracer_memory.cpp
  int object_of(VariableId variable);
  WarpValues read(WarpValue place, TypeId type);
  void write(WarpValue place, const WarpValues& values, TypeId type);
  WarpValue read_cells(TimedObject& object, std::int64_t offset, int bytes, Scalar s);
  void write_cells(TimedObject& object, std::int64_t offset, int bytes, WarpValue value, Scalar s);
  void split_cells(TimedObject& object, std::int64_t offset, int bytes);
  WarpValue packed(const std::vector<WarpValue>& parts, int bytes, Scalar s);
  WarpValue part_of(WarpValue whole, std::int64_t from_byte, int bytes, Scalar s);
  std::optional<std::int64_t> known_offset(const WarpValue& place) const;
  std::size_t memory_instruction(WarpValue place, std::int64_t offset, int bytes, bool is_store,
                                 SharedOperation operation);
  void note_accesses(MemoryInstruction& m, WarpValue place, std::int64_t offset, SharedOperation operation) const;
  NodeIndex address(WarpValue place);
  WarpValue load(WarpValue place, std::int64_t offset, int bytes, Scalar s);

  int slots_of(TypeId type) const { return std::max(1, program_.type(type).slots); }
  Scalar scalar_of(TypeId type) const;
  int leaf_bytes(TypeId type) const;  // of a slot; 0: they are of several sizes
  NodeIndex integer(std::int64_t value) { return graph_.constant(Scalar::kI64, value); }
  bool charge();
  void give_up(std::string why);
  bool stopped() const { return !why_.empty(); }
  WarpValues blank(int slots = 1) const { return WarpValues(static_cast<std::size_t>(slots)); }

  const Program& program_;
  const WarpToTrace& warp_;
  WarpTrace trace_;
  WarpGraph& graph_ = trace_.graph;
  std::vector<TimedObject> objects_;
  std::vector<int> variable_object_;   // by VariableId; -1: not yet
  std::map<ExprId, int> temporaries_;  // objects of values that something refers to
  std::vector<NodeIndex> guards_;      // conditions that are not known when the kernel is compiled
  bool is_predicated_ = false;         // what stands under the last of them
  std::map<std::tuple<int, NodeIndex, std::int64_t, int, std::int64_t>, std::size_t> loads_;  // that may be repeated
  std::uint32_t mask_ = 0, returned_ = 0, broken_ = 0, continued_ = 0;                        // lanes
  WarpValues return_value_;
  NodeIndex return_guard_ = kNoNode;  // when it was returned
  std::size_t call_depth_ = 0;        // guards at the call
  std::int64_t epoch_ = 0;            // stores and barriers so far
  std::int64_t shared_bytes_ = 0, names_ = 0, steps_ = 0;
  int calls_ = 0;
  std::string why_;
};

}  // namespace swizzle
