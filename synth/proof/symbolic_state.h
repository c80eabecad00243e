// What a symbolic run knows while it goes on: where its threads are, and what they have. Private to this room.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "synth/proof/rounds.h"

namespace swizzle {

// By thread; undefined, where data do not decide it.
struct DataCondition {
  std::vector<Value> condition;
  bool holds = true;
};

struct SymbolicState {
  using Lanes = SymbolicLanes;
  using Mask = std::vector<char>;
  using Paths = std::vector<Value>;  // by thread: the condition under which something is so
  using Object = SymbolicObject;

  SymbolicState(const Program& program, SizeRegion& region, Elements& elements,
                const std::map<std::string, Polynomial>& sizes, const SpecRun* spec, const Extents* extents,
                const Deadline& deadline);

  bool stopped() const { return split_ || !reason_.empty(); }
  void give_up(std::string reason) {
    if (!stopped()) reason_ = std::move(reason);
  }
  bool is_for_all() const { return spec_ != nullptr && !spec_->iterations; }
  int depth() const { return static_cast<int>(loops_.size() + rounds_.size()); }
  int slots_of(TypeId type) const { return std::max(1, program_.type(type).slots); }
  Lanes blank(int slots = 1) const { return Lanes(threads_, slots); }
  Lanes splat(const Symbol& s) const { return Lanes(threads_, 1, s); }
  bool any() const { return std::find(mask_.begin(), mask_.end(), 1) != mask_.end(); }
  template <typename F>
  void for_active(F&& f) {
    for (int t = 0; t < threads_ && !stopped(); ++t)
      if (mask_[static_cast<std::size_t>(t)]) f(thread_ = t), look_at_time();
  }
  static std::size_t at(int thread, int slots = 1, int slot = 0) {
    return static_cast<std::size_t>(thread * slots + slot);
  }
  // f(condition, holds) of those that data decide, the innermost first.
  template <typename F>
  void for_each_condition(int thread, F&& f) const {
    for (std::size_t k = data_conditions_.size(); k-- > 0;)
      if (const Value condition = data_conditions_[k].condition[at(thread)]; !condition.is_undefined())
        f(condition, data_conditions_[k].holds);
  }
  bool are_in_one_place();  // all of them under the same condition
  bool is_computed_once(std::initializer_list<const Lanes*> operands);
  // values = f(values, operands…): once, where that is the same for all threads.
  template <typename F, typename... Operands>
  void compute(Lanes& values, F&& f, const Operands&... operands) {
    if (is_computed_once({&values, &operands...})) values.of_all(0) = f(values.of_all(0), operands[0]...);
    else for_active([&](int t) { values[at(t)] = f(values[at(t)], operands[at(t)]...); });
  }
  Paths here() const;  // kNowhere, where a thread has not come
  Paths nobody() const { return Paths(mask_.size(), kNowhere); }
  bool is_guard(const Symbol& s) { return s.kind == Symbol::Kind::kData && guards().is_condition(s.data); }
  Guards& guards() { return elements_.guards(); }
  void only_of_blocks() {  // not of threads that are looked at one by one
    if (spec_ == nullptr && region_.looks_at_threads()) give_up("what threads share that are looked at one by one");
  }
  Lanes pointers_in(const SymbolicCells& cells) const;
  std::set<std::uint32_t> changed_in(StmtId body) const;
  void forget(Object& object, bool knows_indices);
  const Symbol* same_everywhere(const Lanes& values) const;
  void judge_reads_in_place();  // symbolic_statements.cpp
  // After so many steps, or what they made, since the last time.
  void look_at_time() {
    if (steps_ >= next_look_ || elements_.provenance().size() >= next_made_) look_at_deadline();
  }
  void look_at_deadline();
  // symbolic_control.cpp
  void push_condition(const Lanes& condition, const Mask& by_data);
  void come_back(const std::vector<Paths>& finished, const Paths& entered, const Paths& returned);
  Symbol symbol_of(Value v) const;                                         // symbolic_arithmetic.cpp
  Symbol chosen(const Symbol& from, Value number) const;                   // symbolic_cases.cpp
  Symbol stepped(const CarriedSymbol& c, const Polynomial& rounds) const;  // symbolic_carried.cpp
  bool adds(Value v, CarriedSymbol& c);
  Symbol left_in(const CarriedSymbol& c);
  CarriedSymbol::Kind other_kind(CarriedSymbol& c, const Symbol& after, Atom round);
  bool stores_in(StmtId body) const;  // symbolic_turns.cpp
  bool find_turn(SymbolicTurn& turn, const Lanes& first);
  SymbolicRounds turns_before(const SymbolicTurn& turn);
  Scalar scalar_of(TypeId type) const;
  std::int64_t slots_per_scalar(const Symbol& pointer, TypeId type) const;
  std::optional<Symbol> read_back(int thread, const Object& object, const Polynomial& slot);  // symbolic_stores.cpp
  void store(int thread, const Object& object, const Polynomial& slot, Value value, SourceRange range);
  const Object& buffer(std::size_t parameter) const {
    return *std::ranges::find_if(
        objects_, [&](const Object& o) { return o.space == Object::Space::kGlobal && o.buffer == parameter; });
  }
  void use_shared(Object& object, std::int64_t slot, Object::SharedUse use);  // symbolic_memory.cpp
  // symbolic_rounds.cpp
  std::vector<SymbolicCells> outer_cells() const;
  void check_the_others(const std::vector<CarriedSymbol>& carried, const std::vector<SymbolicCells>& before);
  SymbolicEffects effects_so_far() const;
  void take_back(const SymbolicEffects& effects);
  void keep_uses(const SymbolicEffects& effects, std::int64_t least_rounds);
  std::optional<Polynomial> greatest(Polynomial p) const;
  Value in_rounds(Value path);
  Symbol unknown() const { return Symbol::integer(Polynomial::atom(unknown_)); }

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
  std::vector<SymbolicRounds> rounds_;               // … and rounds of others
  bool is_rehearsed_ = false;                        // a turn, for what it leaves in variables alone
  std::set<std::uint32_t> carried_;                  // … and what turns may change
  std::vector<Polynomial> index_facts_;              // of a run for all: at least 0, as conditions around say
  std::set<std::uint32_t> loose_;                    // of a run for all: variables that an iteration changes
  std::set<std::size_t> stored_, read_, updated_;    // buffers
  std::vector<std::vector<std::size_t>> stores_of_;  // by thread, in trace_.stores
  std::vector<DataCondition> data_conditions_;       // around, of those that data decide
  std::set<FunctionId> calling_;
  int epoch_ = 0, uncertain_ = 0, by_data_ = 0, of_call_ = 0, of_loop_ = 0;  // see run_arms()
  std::vector<int> warp_epoch_;
  Lanes return_value_;
  Paths called_;  // where the innermost call is
  std::int64_t steps_ = 0, next_look_ = 0, shared_uses_ = 0;
  std::size_t next_made_ = 0;
  std::optional<Split> split_;
  std::string reason_;
  SymbolicTrace trace_;
};

}  // namespace swizzle
