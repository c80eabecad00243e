// InstructionChoice: which instructions the nodes of a graph become, as a compiler would choose them. Private to the
// room.
//
//   add ─┬─ mul ── w, x        visited from the users down: the sum is an FFMA, and takes the product in, which has no
//        └─ out                other use
//
// Of what no root needs, there is none.
#pragma once

#include <vector>

#include "synth/timing/instruction_mix.h"

namespace swizzle {

class InstructionChoice {
 public:
  explicit InstructionChoice(const WarpTrace& trace);
  const InstructionMix& mix() const { return mix_; }

 private:
  void find_uses();
  void visit(NodeIndex n);
  void visit_arithmetic(const WarpNode& node);
  void visit_real(const WarpNode& node);
  void visit_integer(const WarpNode& node);
  void visit_sum(const WarpNode& node);
  void visit_product(const WarpNode& node);
  void visit_division(const WarpNode& node);
  void visit_truth(const WarpNode& node);
  void visit_logic(const WarpNode& node);
  void visit_convert(const WarpNode& node);
  void visit_function(const WarpNode& node);
  void visit_pack(const WarpNode& node);
  void visit_address(const WarpNode& node);
  void visit_memory(const WarpNode& node);

  bool is_sole(NodeIndex n) const { return uses_[n] == 1; }  // used once
  bool is_power_of_two(NodeIndex n) const;
  const WarpNode& node(NodeIndex n) const { return trace_.graph.node(n); }
  bool is_arithmetic(NodeIndex n, Operator op) const;
  // Takes in an operand that nothing else uses; false: it is no such.
  bool take_in(NodeIndex n, Operator op);
  void count(InstructionKind kind, double amount = 1) { mix_.counts[static_cast<std::size_t>(kind)] += amount; }

  const WarpTrace& trace_;
  std::vector<int> uses_, uses_in_addresses_;  // by NodeIndex
  std::vector<char> taken_in_;                 // by NodeIndex: a part of another's instruction
  std::vector<char> used_memory_;
  InstructionMix mix_;
};

void note_memory(const WarpTrace& trace, const std::vector<char>& used, InstructionMix& mix);

}  // namespace swizzle
