// The interpreter behind run_symbolically(): private to this room.
#pragma once

#include "synth/program/intrinsics.h"
#include "synth/proof/counted_loop.h"
#include "synth/proof/symbolic_state.h"

namespace swizzle {

class SymbolicInterpreter : private SymbolicState {
 public:
  SymbolicInterpreter(const Program& program, SizeRegion& region, Elements& elements,
                      const std::map<std::string, Polynomial>& sizes, const SpecRun* spec, const Extents* extents,
                      const Deadline& deadline);
  SymbolicOutcome run();

 private:
  using Arms = SymbolicArms;
  struct SlotRange {
    std::size_t first = 0, end = 0;
  };
  void bind_parameters();  // symbolic_statements.cpp
  void exec(StmtId id);
  void exec_declare(const Stmt& stmt);
  void declare(Object& object, const Lanes& values);
  bool exec_index_loop(StmtId id, const Stmt& stmt);
  bool exec_turns(StmtId id, const Stmt& stmt);  // symbolic_turns.cpp
  void take_turn(StmtId id, const CountedLoop& loop, StmtId body, const SymbolicTurn& turn);
  bool note_turns(StmtId id, const CountedLoop& loop, const Polynomial& end, const Lanes& first, std::int64_t step,
                  StmtId body);
  bool note_tiles(const CountedLoop& loop, StmtId body);
  bool exec_rounds(const Stmt& stmt);  // symbolic_rounds.cpp
  std::optional<SymbolicRounds> rounds_of(const CountedLoop& loop);
  void check_head(const CountedLoop& loop, const Lanes& end, std::int64_t step);
  bool take_rounds(const SymbolicRounds& rounds, const CountedLoop& loop, const Stmt& stmt);
  void find_carried(std::vector<CarriedSymbol>& carried, const SymbolicRounds& rounds, StmtId body,
                    const SymbolicEffects& effects);
  std::vector<CarriedSymbol> carried_by(StmtId body);
  std::vector<CarriedSymbol> carried_to(const SymbolicRounds& rounds, bool are_all, const CountedLoop& loop,
                                        StmtId body);
  void end_turn(const SymbolicTurn& turn, StmtId body, std::vector<CarriedSymbol>& carried,
                const SymbolicEffects& before);
  void begin_round(std::vector<CarriedSymbol>& carried);
  void run_round(const SymbolicRounds& rounds, StmtId body);
  bool is_as_thought(CarriedSymbol& c, const Symbol& after, const Polynomial& next, Atom round);
  bool learn(std::vector<CarriedSymbol>& carried, const SymbolicRounds& rounds);
  bool follow(std::vector<CarriedSymbol>& carried, const SymbolicRounds& rounds);
  Symbol after_rounds(const CarriedSymbol& c, const std::vector<CarriedSymbol>& carried, const SymbolicRounds& rounds);
  Recurrence recurrence_of(const CarriedSymbol& of, const std::vector<CarriedSymbol>& carried,
                           const SymbolicRounds& rounds);
  void end_rounds(const std::vector<CarriedSymbol>& carried, const SymbolicRounds& rounds);
  // symbolic_statements.cpp
  void loosen(StmtId body);
  void look_once(const Stmt& loop);
  void take_iteration(StmtId id, StmtId body);
  void in_sequence(const Stmt& stmt, const Lanes& firsts, const std::vector<Polynomial>& iteration,
                   const std::function<void(std::int64_t)>& take);
  std::optional<SymbolicRounds> rounds_before(const CountedLoop& loop, const Lanes& firsts,
                                              const std::vector<Polynomial>& iteration);
  std::vector<Polynomial> iteration_of(StmtId id, IndexLoop& loop);
  std::optional<IndexLoop> index_loop(StmtId id, const Stmt& stmt, VariableId& variable, Lanes& firsts);
  // symbolic_control.cpp
  void exec_if(const Stmt& stmt);
  void add_facts(ExprId id);
  Arms arms_of(const Lanes& condition);
  Arms run_arms(const Lanes& condition, const std::function<void()>& then, const std::function<void()>& other);
  void exec_loop(const Stmt& stmt, bool is_begun = false);
  bool test_loop(const Lanes& condition, std::vector<Paths>& finished);
  void leave(Paths& left);
  void rejoin(const Mask& outer, Paths& left);
  void exec_return(const Stmt& stmt);
  void run_under(const Mask& mask, const std::function<void()>& body);
  // symbolic_cases.cpp
  bool has_cases(const Symbol& s);
  bool goes_by_cases(const Symbol& a, const Symbol& b);
  Symbol by_cases(const Symbol& s, const std::function<Symbol(const Symbol&)>& f);
  Symbol by_cases(const Symbol& a, const Symbol& b, const std::function<Symbol(const Symbol&, const Symbol&)>& f);
  // type: of both, where it is known.
  Symbol selected(Value condition, const Symbol& a, const Symbol& b, std::optional<Scalar> type = {});
  // symbolic_expressions.cpp
  Lanes eval(ExprId id);
  Lanes eval_value(const Expr& e);
  Lanes eval_unary(const Expr& e);
  Symbol unary(Operator op, Scalar s, const Symbol& x);
  Lanes eval_binary(const Expr& e);
  Lanes eval_assign(const Expr& e);
  Lanes eval_inc_dec(const Expr& e);
  Lanes eval_conditional(ExprId condition, const std::function<Lanes()>& then, const std::function<Lanes()>& other,
                         int slots, std::optional<Scalar> type = {});
  Lanes eval_cast(const Expr& e), eval_construct(const Expr& e);
  Lanes eval_call(const Expr& e), eval_intrinsic(const Expr& e);
  void eval_atomic(const Expr& e);
  void begin_sums_of_turns(std::vector<CarriedSymbol>& carried), end_sums_of_turns(std::vector<CarriedSymbol>& carried);
  void update(int thread, const Symbol& pointer, const Symbol& value, Ring ring, TypeId type);
  std::optional<Value> ballot_of_conditions(Scalar s, const std::map<int, Value>& predicates);
  Lanes eval_shuffle(const Expr& e), eval_vote(const Expr& e), eval_arithmetic(const Expr& e);
  Symbol function_of(const Expr& e, Scalar s, const std::vector<Symbol>& v);
  Symbol extremum(bool is_min, const Symbol& a, const Symbol& b);
  std::vector<std::uint32_t> warp_masks(ExprId mask);
  void barrier(const Expr& e);
  bool comes_or_exited(int thread, Value path);
  // symbolic_matrices.cpp
  Symbol shared_offset(Operator op, const Symbol& a, const Symbol& b);
  Lanes matrix_rows(const Expr& e), eval_matrices(const Expr& e);
  Symbol matrix_register(int thread, const Lanes& rows, int matrix, const Expr& e);
  void store_matrix(int warp, const Lanes& rows, int matrix, const Lanes& registers, const Expr& e);
  // symbolic_arithmetic.cpp
  Symbol binary(Operator op, TypeId type, const Symbol& a, const Symbol& b);
  Symbol decided(Operator op, TypeId type, const Symbol& a, const Symbol& b);
  Symbol integers(Operator op, Scalar s, const Polynomial& a, const Polynomial& b);
  Symbol divided(Operator op, Scalar s, const Polynomial& a, const Polynomial& by),
      divided_by_size(Operator op, Scalar s, const Polynomial& a, const Polynomial& by);
  Symbol bitwise(Operator op, Scalar s, const Polynomial& a, std::int64_t b);
  std::optional<bool> is_at_least_0(const Polynomial& p);  // nothing: the run has stopped
  Symbol compared(const Polynomial& p);                    // p >= 0
  std::optional<bool> known_of_indices(const Polynomial& p), known_of_rounds(const Polynomial& p);
  void split_at(const std::optional<Split>& split);
  void keep_large(const Polynomial& p);
  Symbol equal_to_0(const Polynomial& p);
  std::optional<bool> truth(const Symbol& s);
  Polynomial fitting(Polynomial p, Scalar s);
  Value data_of(const Symbol& s, Scalar scalar);
  Symbol converted(const Symbol& s, Scalar from, Scalar to);
  // symbolic_memory.cpp
  std::uint32_t object_of(VariableId id);
  Lanes place(ExprId id);
  Symbol element(const Expr& e, const Symbol& p, const Symbol& i);
  Symbol gathered(const Symbol& p, const Symbol& i, std::int64_t stride);
  Symbol read_gathered(const Object& object, const Symbol& pointer, Value path);
  Lanes temporary(ExprId id, const Expr& e);
  std::optional<SlotRange> local_slots(const Lanes& places, TypeId type) const;
  bool is_read_once(const Lanes& places, TypeId type);
  bool is_written_once(const Lanes& places, const Lanes& values, TypeId type);
  Lanes read(const Lanes& places, TypeId type);
  void write(const Lanes& places, const Lanes& values, TypeId type, SourceRange range);
  Symbol read_scalar(int thread, Symbol pointer, int index, TypeId type);
  Scalar held_scalar(const Symbol& pointer, TypeId id) const;
  Symbol seen_as(const Symbol& s, Scalar from, Scalar to);
  Symbol part_of(const Symbol& whole, TypeId type, Scalar scalar, int index, int count);
  Symbol read_slot(int thread, const Symbol& pointer),
      read_element(int thread, const Object& object, const Polynomial& slot);
  Symbol predicated(Value path, Value whole, const Symbol& value, const Symbol& old);
  void write_slot(int thread, const Symbol& pointer, const Symbol& value, SourceRange range);
  Symbol what_was_there(const StoredSymbol& of, std::size_t then);  // symbolic_stores.cpp
  void settle_stores(const Lanes& condition, const Mask& by_data, std::size_t then, std::size_t other);
  bool stays_inside(const Object& object, const Polynomial& slot, Value path);
  bool is_held_as(const Symbol& pointer, TypeId type);
};

}  // namespace swizzle
