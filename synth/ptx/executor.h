// Behind trace_accesses(): private to this room. One object executes one kernel.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>

#include "synth/access/access_recorder.h"
#include "synth/access/address_space.h"
#include "synth/ptx/control_flow.h"
#include "synth/ptx/trace.h"

namespace swizzle {
struct FragmentAccess;
}

namespace swizzle::ptx {

class Executor {
 public:
  Executor(const KernelRun& run, const TraceOptions& how);
  AccessTrace run();

 private:
  struct Mask {
    Presences present;
    Presences writes;  // as present, but kIn for those who run the side of a branch that they perhaps take
    bool any = true, all_write = true, perhaps = false;
  };
  struct Side {
    int at = 0;  // instruction
    Presences present;
  };
  // A branch whose sides have not met yet.
  struct Fork {
    int branch = 0, join = 0;
    std::vector<Side> others;       // still to run
    Presences before;               // who came to the branch
    Presences arrived;              // at the join, so far
    const Loop* loop = nullptr;     // that some perhaps leave here
    bool is_perhaps = false;        // data decide: each side starts from the same registers
    std::vector<LaneValue> start;   // is_perhaps: registers at the branch
    std::vector<LaneValue> merged;  // likewise: those of who arrived
    std::int64_t recorded = 0;
  };

  // executor.cpp: the launch, and what is said about it
  void bind_parameters();
  void declare_variables();
  void run_block(std::int64_t block);
  void step();
  bool charge(const Instruction& i, std::int64_t steps = 1);
  const PlaceInSource& place_of(const Instruction& i) const;
  void remark(const Instruction& i, std::string message);
  void remark_uncounted(const Instruction& i, std::string message);
  void not_counted(const Instruction& i, MemorySpace space);

  // executor_branches.cpp
  Mask make_mask(Presences present) const;
  LaneValue guard_of(const Instruction& i) const;
  void branch(const Instruction& i);
  void branch_by_index(const Instruction& i);
  void split(const Instruction& i, const LaneValue& condition);
  bool leave_loop(const Instruction& i, std::vector<Side>& sides, const Presences& undecided);
  void tell_of_loop(const Instruction& i, const Loop* loop);
  void fork(std::vector<Side> sides, bool is_perhaps, const Loop* loop);
  void arrive();
  void merge_registers(Fork& fork) const;
  void finish(Fork fork);
  void forget(const Loop* loop, const Presences& lanes);
  void leave_kernel(const Instruction& i);
  bool is_forked_at(int branch) const;

  // executor_instructions.cpp
  void execute(const Instruction& i);
  void dispatch(const Instruction& i);
  LaneValue value_of(const Operand& operand) const;
  LaneValue special(Special which) const;
  LaneValue thread_index(int axis) const;
  void write(const Operand& to, const LaneValue& value);
  void write_truncated(const Operand& to, const LaneValue& value);
  void write_unknown(const Instruction& i);
  void compute(const Instruction& i);
  void move(const Instruction& i);
  void compare(const Instruction& i);
  void convert_address(const Instruction& i);
  void tell_space(const Instruction& i);
  void call(const Instruction& i);
  void leave_uncounted(const Instruction& i);

  // executor_warps.cpp
  void shuffle(const Instruction& i);
  void vote(const Instruction& i);
  void reduce(const Instruction& i);
  void tell_who_is_there(const Instruction& i);
  using OfMembers = std::function<std::optional<std::int64_t>(int first, std::uint64_t members)>;
  LaneValue members_of(const Instruction& i) const;
  LaneValue by_members(const LaneValue& members, const OfMembers& f) const;
  bool each_member(int first, std::uint64_t members, const std::function<bool(int thread)>& f) const;

  // executor_memory.cpp
  using InRegion = std::function<void(int region, const LaneValue& address)>;
  void load(const Instruction& i);
  void store(const Instruction& i);
  void change_atomically(const Instruction& i);
  void copy(const Instruction& i);
  void copy_matrices(const Instruction& i, MemoryOperation operation);
  LaneValue address_of(const Operand& memory, Space space) const;
  void in_each_region(const Instruction& i, const LaneValue& address, Space space, const InRegion& each);
  LaneValue read(int region, const LaneValue& address, int size_bytes) const;
  void write_memory(int region, const LaneValue& address, int size_bytes, const LaneValue& value);
  void forget_memory(Space space);
  void record(const Instruction& i, int region, const LaneValue& address, int bits, MemoryOperation operation,
              int matrices = 0);
  void record_warp(const Instruction& i, AccessSite& site, const Region& region, const LaneValue& address, int first,
                   int matrices);
  // executor_fragments.cpp
  void copy_fragment(const Instruction& i);
  LaneValue address_in_fragment(const FragmentAccess& access, const LaneValue& base, std::int64_t stride,
                                int element_bytes) const;
  int region_of_variable(int variable) const { return variable_region_[static_cast<std::size_t>(variable)]; }
  std::size_t threads() const { return static_cast<std::size_t>(threads_); }

  const KernelRun& kernel_;
  const std::vector<Instruction>& code_;
  TraceOptions options_;
  ControlFlow flow_;
  AccessTrace trace_;
  AccessRecorder recorder_;
  AddressSpace space_;
  int threads_ = 1;
  std::array<int, 3> block_index_{};
  std::vector<int> variable_region_;  // by variable; kNoRegion: not of this kernel
  std::vector<LaneValue> registers_;
  Mask mask_;
  int at_ = 0;  // instruction
  std::vector<Fork> forks_;
  std::vector<char> perhaps_gone_;  // by thread: it perhaps left the kernel
  std::int64_t steps_ = 0, allowance_ = 0, recorded_ = 0;
  bool stopped_ = false;
  std::set<std::pair<std::uint32_t, std::string>> remarked_;
};

Space space_of(const Instruction& i);  // as its name says; kGeneric: it does not

}  // namespace swizzle::ptx
