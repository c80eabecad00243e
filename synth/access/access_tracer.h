// Behind trace_accesses(): private to synth/. One object walks one kernel. The threads of a block advance together, as
// far as integers decide. A thread is *in*, *out*, or *perhaps* in: behind a branch that data decide both ways are
// walked, and what is written there becomes unknown unless it does not change.
#pragma once

#include <set>
#include <string>

#include "synth/access/access_recorder.h"
#include "synth/access/address_space.h"
#include "synth/access/departures.h"
#include "synth/access/loop_attempts.h"
#include "synth/access/shared_history.h"

namespace swizzle {

inline constexpr int kPointerBytes = 8;

class AccessTracer {
 public:
  AccessTracer(const Program& program, const TraceOptions& options);
  AccessTrace run();

 private:
  friend class LoopJump;
  struct Mask {
    Presences present;
    std::uint64_t serial = 0;                       // equal serials: equal masks
    bool any = true, all = false, perhaps = false;  // someone is in, or perhaps; everyone is; someone perhaps
    int doubts = 0;                                 // conditions around that data decide
    Presences inside;                               // perhaps: as those see it who are behind all of these
    const Presences& present_to(int behind) const { return perhaps && behind == doubts ? inside : present; }
  };

  // access_tracer.cpp: the launch, and what is said about it
  void bind_parameters();
  void bind(const Type& type, std::int64_t offset, const std::string& name, Parts& parts);
  void walk_block(std::int64_t block);
  std::array<int, 3> block_index(std::int64_t block) const;
  void remark(SourceRange range, std::string message);
  void remark_uncounted(SourceRange range, std::string message);
  bool charge(SourceRange range, std::int64_t steps = 1);

  // access_tracer_statements.cpp
  void exec(StmtId id);
  void exec_declare(const Stmt& stmt);
  void exec_if(const Stmt& stmt);
  void exec_loop(const Stmt& stmt);
  bool goes_on(const Stmt& loop, std::int64_t round, bool& once);
  void tell_of_one_iteration(const Stmt& loop, bool has_shared);
  void leave_out_the_rest(const Stmt& loop), run_round(const Stmt& loop);
  void exec_switch(const Stmt& stmt);
  void exec_return(const Stmt& stmt);
  void leave(Departures::From from);
  Departures::Frame end_frame();
  void run_under(Mask mask, const std::function<void()>& body);
  Mask narrowed(const LaneValue& condition, bool wanted) const;  // those for whom it is, or may be, `wanted`
  Mask make_mask(Presences present, int doubts) const;
  bool decides(const LaneValue& condition) const;  // is known wherever someone is present
  void drop_those_who_left();

  // access_tracer_expressions.cpp
  Item eval(ExprId id);
  LaneValue value_of(ExprId id) { return eval(id).value; }
  Item compute(const Expr& e);
  Item binary_item(const Expr& e);
  Item assign(const Expr& e);
  Item increment(const Expr& e);
  Item conditional(const Expr& e, const std::function<Item(ExprId)>& each);
  Item logical(const Expr& e), cast(const Expr& e);
  Item construct(const Expr& e);
  Item call(const Expr& e);
  Item member_of_value(const Expr& e);
  void hand_over(const LaneValue& pointer, const Expr& from);
  void tell_of_shift(Operator op, TypeId type, const LaneValue& by, SourceRange range);
  LaneValue builtin(const Expr& e) const;
  LaneValue arithmetic(Operator op, TypeId type, const LaneValue& a, const LaneValue& b) const;
  Item joined(const Item& old, const Item& value, const Presences& present);
  Parts parts_of(TypeId type, const Item& item) const;

  // access_tracer_intrinsics.cpp
  Item intrinsic(const Expr& e), of_intrinsic(const Expr& e);
  LaneValue shuffle(const Expr& e);
  LaneValue vote(const Expr& e), reduction(const Expr& e);
  LaneValue bits(const Expr& e);
  LaneValue of_reals(const Expr& e, const std::vector<LaneValue>& operands);
  void touch(const Expr& e);

  // access_tracer_records.cpp
  void record(const LaneValue& address, std::int64_t size_bytes, int alignment_bytes, Touch touch, SourceRange range);
  void record_warp(AccessSite& site, int region_id, const LaneValue& address, std::int64_t shift, int first,
                   int matrices);
  void record_unknown(AccessSite& site, int region_id, int first, int matrices);  // its addresses
  // Of the warp that begins there, or of each warp: whether one lane at most takes part.
  bool is_alone(int first) const, are_all_alone() const;
  void tape_all_rounds(AccessSite& site, int region, const LaneValue& at, std::int64_t shift, int first, int matrices);
  void note_history(const AccessSite& site, const Region& region, int first, int matrices);
  void mind_divergence(SourceRange range);
  void violate(SourceRange range, const char* rule, std::string message);
  void check_places(const AccessSite& site, const Region& region, int first);
  bool is_unsure() const { return mask_.perhaps || gone_.any_perhaps(); }
  void not_counted(SourceRange range, MemorySpace space = MemorySpace::kShared);

  // access_tracer_memory.cpp
  int region_of(VariableId variable);
  LaneValue place(ExprId id);
  LaneValue subscript(const Expr& e);
  void note_passed_row(const Expr& base, const LaneValue& index, int region);
  bool is_place(const Expr& e) const;
  Item load(const LaneValue& address, TypeId type, SourceRange range);
  void add_pointers_outside(const Type& type, std::int64_t offset, Parts& parts);
  void store(const LaneValue& address, TypeId type, const Item& item, SourceRange range);
  bool in_each_region(const LaneValue& address, const std::function<void(const LaneValue&)>& each);
  void tell_of_constants(const LaneValue& address, int region, SourceRange range);
  const Type& type_of(const Expr& e) const { return program_.type(e.type); }
  Scalar scalar_of(TypeId type) const;
  bool is_scalar(TypeId type) const;
  int warps() const { return (threads_ + options_.memory.lanes - 1) / options_.memory.lanes; }

  const Program& program_;
  const TraceOptions& options_;
  AccessTrace trace_;
  AccessRecorder recorder_;
  AddressSpace space_;
  int threads_ = 1;
  std::int64_t block_ = 0;
  std::array<int, 3> block_index_{};  // of block_
  LaneAddresses lane_addresses_;      // of the request under way
  mutable std::array<LaneValue, static_cast<std::size_t>(Builtin::kLaneId) + 1> of_threads_;  // built-in: they differ
  bool keeps_shared_pointers_ = false;       // global memory perhaps holds pointers into shared memory
  std::int64_t steps_ = 0, allowance_ = 0;   // beyond it a loop is left after its first round
  bool stopped_ = false, is_muted_ = false;  // is_muted_: what is walked is neither counted nor told
  SourceRange call_site_;                    // of the function of a header that is under way; empty: none is
  mutable std::uint64_t serials_ = 0;
  Mask mask_;
  Departures gone_;
  Item result_;
  std::vector<int> variable_region_;  // by VariableId; kNoRegion: not yet
  std::vector<char> calling_;         // by FunctionId
  std::map<ExprId, int> temporaries_;
  std::set<std::pair<std::uint32_t, std::string>> remarked_;
  std::set<std::pair<std::uint32_t, std::string_view>> misplaced_;  // places that were told, and why
  std::int64_t departures_ = 0, said_ = 0;           // times that someone left something, that an address is not known
  std::int64_t recorded_ = 0, recorded_shared_ = 0;  // requests so far; those of them to shared memory
  RoundTape* tape_ = nullptr;  // what a loop that may be multiplied does in its rounds; null: nobody asks
  std::map<const Stmt*, LoopAttempts> attempts_;  // to multiply one
  std::optional<SharedHistory> history_;          // of the first block
};

}  // namespace swizzle
