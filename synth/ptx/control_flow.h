// Where the branches of a function lead, where their sides meet again, and which of them close loops.
//
//   0  setp  @p bra 3       sides 3 and 1, which meet at 3
//   1  add                  instruction 2 closes the loop of 1 and 2; leaving it leads to 3
//   2  @q bra 1
//   3  ret
//
// Sides meet at the immediate post-dominator (Fung et al., MICRO 2007); loops are natural loops.
#pragma once

#include <vector>

#include "synth/ptx/module.h"

namespace swizzle::ptx {

struct Loop {
  int header = 0;            // an instruction
  std::vector<int> written;  // registers
  bool may_access_shared = false;
  std::vector<char> holds;  // by block
};

class ControlFlow {
 public:
  explicit ControlFlow(const Function& function);

  // The instruction where all ways from a branch meet; the number of instructions, if they do not before the end.
  int join_of(int branch) const;
  // The innermost loop of a branch that goes on at one of its sides and is left at another; null: there is none.
  const Loop* loop_left_at(int branch) const;
  bool stays_in(const Loop& loop, int target) const;  // an instruction that begins a block
  // Whether `target` is where a loop around `branch` begins.
  bool goes_back(int branch, int target) const;
  // The innermost loop around an instruction; null: none.
  const Loop* loop_around(int instruction) const;

 private:
  struct Block {
    int begin = 0, end = 0;
    std::vector<int> successors, predecessors;  // blocks; none: to the end
  };

  void find_blocks(const Function& function);
  void connect(const Function& function);
  void find_loops(const Function& function);
  void end_what_runs_forever();
  void add_blocks_before(int back, Loop& loop) const;
  void find_what_it_does(const Function& function, Loop& loop) const;
  bool dominates(int a, int b) const;  // blocks
  int block_of(int instruction) const { return block_of_[static_cast<std::size_t>(instruction)]; }

  std::vector<Block> blocks_;  // the last: the end, which is empty
  std::vector<int> block_of_;  // by instruction
  std::vector<int> post_dominator_, dominator_;
  std::vector<Loop> loops_;  // outer ones behind inner ones
};

// Where control goes behind an instruction, besides to the next one.
bool ends_block(const Instruction& instruction);
bool falls_through(const Instruction& instruction);

// And perhaps more: those that it may write, as far as its form tells.
std::vector<int> registers_written_by(const Instruction& instruction);

}  // namespace swizzle::ptx
