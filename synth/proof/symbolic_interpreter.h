// The interpreter behind run_symbolically(): private to this room.
#pragma once

#include <algorithm>
#include <utility>

#include "synth/program/intrinsics.h"
#include "synth/proof/counted_loop.h"
#include "synth/proof/symbolic_object.h"

namespace swizzle {

class SymbolicInterpreter {
 public:
  SymbolicInterpreter(const Program& program, SizeRegion& region, Elements& elements,
                      const std::map<std::string, Polynomial>& sizes, const SpecRun* spec, const Extents* extents,
                      const Deadline& deadline);
  SymbolicOutcome run();

 private:
  using Lanes = std::vector<Symbol>;  // [thread * slots + slot]
  using Mask = std::vector<char>;
  using Paths = std::vector<Value>;  // by thread: the condition under which something is so
  using Object = SymbolicObject;
  using Arms = SymbolicArms;

  void bind_parameters();  // symbolic_statements.cpp
  void exec(StmtId id);
  void exec_declare(const Stmt& stmt);
  bool exec_index_loop(StmtId id, const Stmt& stmt);
  bool exec_turns(StmtId id, const Stmt& stmt);  // symbolic_turns.cpp
  void take_turn(StmtId id, StmtId body, const SymbolicTurn& turn);
  std::optional<IndexLoop> index_loop(StmtId id, const Stmt& stmt, VariableId& variable);
  const Symbol* same_everywhere(const Lanes& values) const;
  // symbolic_control.cpp
  void exec_if(const Stmt& stmt);
  Arms arms_of(const Lanes& condition);
  Arms run_arms(const Lanes& condition, const std::function<void()>& then, const std::function<void()>& other);
  Symbol selected(Value condition, const Symbol& a, const Symbol& b);
  void exec_loop(const Stmt& stmt);
  bool test_loop(const Lanes& condition, Paths& finished);
  void leave(Paths& left);
  void rejoin(const Mask& outer, Paths& left);
  void exec_return(const Stmt& stmt);
  void run_under(const Mask& mask, const std::function<void()>& body);
  Paths nobody() const { return Paths(mask_.size(), kNowhere); }
  bool is_guard(const Symbol& s) { return s.kind == Symbol::Kind::kData && guards().is_condition(s.data); }
  Guards& guards() { return elements_.guards(); }
  // symbolic_expressions.cpp
  Lanes eval(ExprId id);
  Lanes eval_value(ExprId id, const Expr& e);
  Lanes eval_unary(const Expr& e);
  Lanes eval_binary(const Expr& e);
  Lanes eval_assign(const Expr& e);
  Lanes eval_inc_dec(const Expr& e);
  Lanes eval_conditional(ExprId condition, const std::function<Lanes()>& then, const std::function<Lanes()>& other,
                         int slots);
  Lanes eval_cast(const Expr& e);
  Lanes eval_construct(const Expr& e);
  Lanes eval_call(const Expr& e);
  Lanes eval_intrinsic(const Expr& e);
  Lanes eval_shuffle(const Expr& e);
  Lanes eval_ballot(const Expr& e);
  Lanes eval_arithmetic(const Expr& e);
  Symbol function_of(const Expr& e, Scalar s, const std::vector<Symbol>& v);
  std::vector<std::uint32_t> warp_masks(ExprId mask);
  void barrier(const Expr& e);
  bool comes_or_exited(int thread, Value path);

  // symbolic_arithmetic.cpp
  Symbol binary(Operator op, TypeId type, const Symbol& a, const Symbol& b);
  Symbol decided(Operator op, TypeId type, const Symbol& a, const Symbol& b);
  Symbol unknown() const { return Symbol::integer(Polynomial::atom(unknown_)); }
  Symbol integers(Operator op, Scalar s, const Polynomial& a, const Polynomial& b);
  Symbol divided(Operator op, Scalar s, const Polynomial& a, std::int64_t divisor);
  Symbol bitwise(Operator op, Scalar s, const Polynomial& a, std::int64_t b);
  std::optional<bool> is_at_least_0(const Polynomial& p);  // nothing: the run has stopped
  Symbol compared(const Polynomial& p);                    // p >= 0
  std::optional<bool> known_of_indices(const Polynomial& p);
  Symbol equal_to_0(const Polynomial& p);
  std::optional<bool> truth(const Symbol& s);
  Polynomial fitting(Polynomial p, Scalar s);
  Value data_of(const Symbol& s, Scalar scalar);
  Symbol symbol_of(Value v) const;
  Symbol converted(const Symbol& s, Scalar from, Scalar to);

  // symbolic_memory.cpp
  std::uint32_t object_of(VariableId id);
  Lanes place(ExprId id);
  Lanes temporary(ExprId id, const Expr& e);
  Lanes read(const Lanes& places, TypeId type);
  void write(const Lanes& places, const Lanes& values, TypeId type, SourceRange range);
  std::int64_t slots_per_scalar(const Symbol& pointer, TypeId type) const;
  Symbol read_scalar(int thread, Symbol& pointer, TypeId type);
  Symbol part_of(const Symbol& whole, TypeId type, Scalar scalar, int index, int count);
  Symbol read_slot(int thread, const Symbol& pointer);
  Symbol read_back(int thread, const Object& object, const Polynomial& slot);
  Symbol predicated(Value path, Value whole, const Symbol& value, const Symbol& old);
  void write_slot(int thread, const Symbol& pointer, const Symbol& value, SourceRange range);
  bool stays_inside(const Object& object, const Polynomial& slot, Value path);
  void use_shared(Object& object, std::int64_t slot, int thread, bool is_write);
  bool is_held_as(const Symbol& pointer, TypeId type);
  bool stopped() const { return split_ || !reason_.empty(); }
  void give_up(std::string reason) {
    if (!stopped()) reason_ = std::move(reason);
  }
  bool is_for_all() const { return spec_ != nullptr && !spec_->iterations; }
  int slots_of(TypeId type) const { return std::max(1, program_.type(type).slots); }
  Scalar scalar_of(TypeId type) const;
  Lanes blank(int slots = 1) const { return Lanes(static_cast<std::size_t>(threads_ * slots)); }
  Lanes splat(const Symbol& s) const { return Lanes(static_cast<std::size_t>(threads_), s); }
  bool any() const { return std::find(mask_.begin(), mask_.end(), 1) != mask_.end(); }
  template <typename F>
  void for_active(F&& f) {
    for (int t = 0; t < threads_ && !stopped(); ++t)
      if (mask_[static_cast<std::size_t>(t)]) f(thread_ = t);
  }
  static std::size_t at(int thread, int slots = 1, int slot = 0) {
    return static_cast<std::size_t>(thread * slots + slot);
  }

  const Program& program_;
  SizeRegion& region_;
  Elements& elements_;
  const std::map<std::string, Polynomial>& sizes_;
  const SpecRun* spec_;
  const Extents* extents_;
  const Deadline& deadline_;
  int threads_ = 1, thread_ = 0;  // how many there are, and the one that is looked at
  Atom unknown_ = 0;              // of a run for all: what an index decides
  Mask mask_;
  Paths path_, returned_, broken_, continued_, exited_;  // where it is, and where it left a call, a loop, the kernel
  std::vector<Object> objects_;
  std::map<VariableId, std::uint32_t> object_of_;
  std::map<ExprId, std::uint32_t> temporaries_;
  std::vector<StmtId> loops_;                        // index loops around
  std::set<std::size_t> stored_, read_;              // buffers
  std::vector<std::vector<std::size_t>> stores_of_;  // by thread, in trace_.stores
  std::set<FunctionId> calling_;
  int epoch_ = 0, uncertain_ = 0, by_data_ = 0, of_call_ = 0, of_loop_ = 0;  // see run_arms()
  std::vector<int> warp_epoch_;
  Lanes return_value_;
  Paths called_;  // where the innermost call is
  std::int64_t steps_ = 0, next_look_ = 0;
  std::optional<Split> split_;
  std::string reason_;
  SymbolicTrace trace_;
};

}  // namespace swizzle
