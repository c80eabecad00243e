// The interpreter behind execute(): private to synth/. One object executes one launch: its statements and expressions,
// of all threads at once. The parts that it consists of, each of which knows those above it:
//   lockstep.h             the threads, their masks, errors and the trace
//   memory_objects.h       what pointers point to
//   issue_counter.h        what a warp issues
//   race_detector.h        uses of a word without a barrier between them
//   shared_wavefronts.h    accesses to shared memory
//   cell_access.h          one thread's reads and writes
//   lane_memory.h          those of all threads
//   value_arithmetic.h     operators and functions
//   hole_points.h, warp_collectives.h, matrix_moves.h, async_copies.h, atomics.h    what they say
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "synth/execution/async_copies.h"
#include "synth/execution/atomics.h"
#include "synth/execution/hole_points.h"
#include "synth/execution/matrix_moves.h"

namespace swizzle {

class Interpreter : private Evaluator {
 public:
  Interpreter(const Program& program, const Execution& execution, Provenance& provenance, PointTable& points,
              GroupBox* box = nullptr);
  Result<Trace> run();
  // Of the first group of the box. What it issues is counted once. Errors: also where the box is lost.
  Result<Trace> run_group();
  std::int64_t steps() const { return run_.steps; }  // see Execution::step_limit
  std::optional<BufferId> wants_cases() const { return run_.wants_cases; }
  // The axes that the loops have where they are reached; nothing: other loops, or no such place.
  std::vector<GroupAxis> axes_of(const std::vector<StmtId>& loops);

 private:
  // interpreter.cpp: the launch
  void bind_parameters();
  void run_block(int block);
  void start_threads();
  void pass_arguments();

  // interpreter_groups.cpp
  bool meets_group(const Stmt& stmt) const;  // a loop of which the group is an iteration
  void exec_iteration(const Stmt& stmt);
  void exec_in_iteration(const Stmt& body);
  std::optional<GroupAxis> bounds_of(const Stmt& stmt);

  // interpreter_statements.cpp
  void exec(StmtId id);
  void exec_block(const Stmt& stmt);
  void exec_declare(const Stmt& stmt);
  void exec_if(const Stmt& stmt);
  void exec_loop(const Stmt& stmt);
  void exec_switch(const Stmt& stmt);
  void exec_return(const Stmt& stmt);
  // `entered`: the guards with which threads came to what they leave; with another one, holes or data decide who
  // leaves.
  void leave(std::vector<char>& set, const Lanes& entered, SourceRange range, const char* what);
  void run_under(const ThreadMask& mask, const std::function<void()>& body);

  // interpreter_expressions.cpp
  Lanes eval(ExprId id) override;
  Lanes eval_scalarwise(const Expr& e);
  Lanes eval_literal(const Expr& e);
  Lanes eval_builtin(const Expr& e);
  Lanes eval_unary(const Expr& e);
  Lanes eval_binary(const Expr& e);
  Lanes moved_by_data(const Expr& e, Lanes pointers, const Lanes& index);
  Lanes eval_assign(const Expr& e);
  Lanes eval_inc_dec(const Expr& e);
  Lanes update_by_cases(const Expr& e, const Lanes& where, const Lanes& given, TypeId computation);
  bool is_statement(const Expr& e) const { return &e == statement_; }
  bool is_extremum(const Expr& e) const;
  void count_select(const Expr& e, const Lanes& condition, const Lanes& result, int slots);
  // `selects`: a `?:`, which selects where data decide; of && and || nothing is left but a predicate.
  Lanes eval_conditional(ExprId condition, const std::function<Lanes()>& then, const std::function<Lanes()>& other,
                         int slots, std::optional<Scalar> type = {}, const Expr* selects = nullptr);
  Lanes eval_cast(const Expr& e);
  Lanes eval_construct(const Expr& e);
  Lanes eval_call(const Expr& e);

  // interpreter_places.cpp
  Lanes place(ExprId id) override;
  bool names_place(const Expr& e) const;         // is_lvalue(), or what comes out as one
  const Object* scalar_variable(const Expr& e);  // that each thread has one of; null: e is none
  Lanes base_place(const Expr& e);
  Lanes member_place(const Expr& e);
  bool stays_in_array(Value index, const Expr& array, int thread, SourceRange range);
  Lanes element_place(const Expr& e);
  Lanes tile_place(const Expr& e, Lanes arrays);
  Lanes temporary_place(ExprId id);

  // interpreter_intrinsics.cpp
  Lanes eval_intrinsic(const Expr& e);
  Lanes eval_of_sketches(const Expr& e);
  Lanes eval_unrepeatable(const Expr& e);
  Lanes eval_arithmetic(const Expr& e);
  Lanes eval_load(const Expr& e);
  Lanes eval_store(const Expr& e);
  Value chunk_pointer(const Expr& chunk, Value base, Value offset, int thread, std::int64_t slice, std::int64_t r,
                      int slots);

  Lockstep run_;
  const Program& program_;
  Provenance& provenance_;
  MemoryObjects objects_{run_};
  IssueCounter issues_{run_};
  RaceDetector races_{run_, objects_};
  SharedWavefronts wavefronts_{run_, objects_, issues_};
  CellAccess cells_{run_, objects_, races_};
  LaneMemory memory_{run_, objects_, cells_, issues_, wavefronts_};
  ValueArithmetic arithmetic_{run_, objects_};
  Atomics atomics_{run_, objects_, cells_, issues_, wavefronts_, arithmetic_, *this};
  HolePoints holes_{run_, *this};
  WarpCollectives collectives_{run_, races_, arithmetic_, *this};
  MatrixMoves matrices_{run_, objects_, cells_, memory_, wavefronts_, *this};
  AsyncCopies copies_{run_, objects_, cells_, issues_, wavefronts_, collectives_, *this};

  std::size_t iteration_level_ = 0;                  // how many of the box's loops are entered
  std::vector<char> returned_, broken_, continued_;  // threads that left the function, loop, iteration
  std::vector<char> calling_;                        // by FunctionId: its call is under way
  int call_depth_ = 0;
  const Expr* statement_ = nullptr;  // whose value nobody asks for
  const Lanes *call_guard_ = nullptr, *break_guard_ = nullptr,
              *continue_guard_ = nullptr;  // with which threads entered the call, the loop or switch, the loop
  Lanes return_value_;
  std::vector<Value> arguments_;                 // by parameter
  std::map<ExprId, std::uint32_t> temporaries_;  // objects of values that something refers to
};

}  // namespace swizzle
