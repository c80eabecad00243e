#include "synth/ptx/control_flow.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

namespace swizzle::ptx {
namespace {

using Edges = std::function<const std::vector<int>&(int)>;

// Blocks in reverse post-order from `root`, along `next`.
std::vector<int> reverse_post_order(int root, std::size_t count, const Edges& next) {
  std::vector<int> order;
  std::vector<char> seen(count, 0);
  std::vector<std::pair<int, std::size_t>> path{{root, 0}};
  seen[static_cast<std::size_t>(root)] = 1;
  while (!path.empty()) {
    auto& [block, at] = path.back();
    if (at == next(block).size()) {
      order.push_back(block);
      path.pop_back();
      continue;
    }
    const int to = next(block)[at++];
    if (!std::exchange(seen[static_cast<std::size_t>(to)], 1)) path.emplace_back(to, 0);
  }
  std::reverse(order.begin(), order.end());
  return order;
}

// Of each block that `root` reaches, the immediate dominator; -1 of others. (Cooper, Harvey, Kennedy 2001.)
std::vector<int> dominators(int root, std::size_t count, const Edges& next, const Edges& before) {
  const std::vector<int> order = reverse_post_order(root, count, next);
  std::vector<int> rank(count, -1), dominator(count, -1);
  for (std::size_t r = 0; r < order.size(); ++r) rank[static_cast<std::size_t>(order[r])] = static_cast<int>(r);
  const auto at = [](std::vector<int>& v, int i) -> int& { return v[static_cast<std::size_t>(i)]; };
  const auto common = [&](int a, int b) {
    while (a != b) (at(rank, a) > at(rank, b) ? a : b) = at(dominator, at(rank, a) > at(rank, b) ? a : b);
    return a;
  };
  at(dominator, root) = root;
  for (bool changed = true; changed;) {
    changed = false;
    for (const int block : order) {
      if (block == root) continue;
      int now = -1;
      for (const int p : before(block))
        if (at(rank, p) >= 0 && at(dominator, p) >= 0) now = now < 0 ? p : common(p, now);
      changed |= std::exchange(at(dominator, block), now) != now;
    }
  }
  return dominator;
}

bool may_access_shared(const Instruction& i) {
  switch (i.opcode) {
    case Opcode::kLd:
    case Opcode::kSt:
    case Opcode::kAtom:
    case Opcode::kRed:
      return !i.has(Modifier::kGlobal) && !i.has(Modifier::kLocal) && !i.has(Modifier::kConst) &&
             !i.has(Modifier::kParam);
    case Opcode::kCp:
    case Opcode::kLdmatrix:
    case Opcode::kStmatrix:
    case Opcode::kWmma: return true;
    default: return false;
  }
}

}  // namespace

bool ends_block(const Instruction& i) {
  return i.opcode == Opcode::kBra || i.opcode == Opcode::kBrx || i.opcode == Opcode::kRet ||
         i.opcode == Opcode::kExit || i.opcode == Opcode::kTrap;
}

std::vector<int> registers_written_by(const Instruction& i) {
  if (i.operands.empty() || i.opcode == Opcode::kSt || i.opcode == Opcode::kRed || ends_block(i)) return {};
  std::vector<int> written;
  const auto add = [&](const Operand& operand) {
    if (operand.is_register()) written.push_back(operand.id);
  };
  add(i.operands[0]);
  for (const Operand& part : i.operands[0].parts)
    if (i.operands[0].kind == Operand::Kind::kVector) add(part);
  // setp p|q, shfl d|p
  const bool has_two = i.opcode == Opcode::kSetp || i.opcode == Opcode::kShfl || i.opcode == Opcode::kElect;
  if (has_two && i.operands.size() > 1) add(i.operands[1]);
  return written;
}

bool falls_through(const Instruction& i) { return !ends_block(i) || i.is_guarded(); }

ControlFlow::ControlFlow(const Function& function) {
  find_blocks(function);
  connect(function);
  const int end = static_cast<int>(blocks_.size()) - 1;
  const Edges next = [&](int b) -> const auto& { return blocks_[static_cast<std::size_t>(b)].successors; };
  const Edges before = [&](int b) -> const auto& { return blocks_[static_cast<std::size_t>(b)].predecessors; };
  dominator_ = dominators(0, blocks_.size(), next, before);
  post_dominator_ = dominators(end, blocks_.size(), before, next);
  find_loops(function);
}

void ControlFlow::find_blocks(const Function& function) {
  const auto count = function.instructions.size();
  std::vector<char> begins(count + 1, 0);
  begins[0] = begins[count] = 1;
  for (std::size_t i = 0; i < count; ++i) {
    if (!ends_block(function.instructions[i])) continue;
    begins[i + 1] = 1;
    for (const int target : function.instructions[i].targets) begins[static_cast<std::size_t>(target)] = 1;
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (begins[i]) blocks_.push_back({static_cast<int>(i), 0, {}, {}});
    blocks_.back().end = static_cast<int>(i) + 1;
    block_of_.push_back(static_cast<int>(blocks_.size()) - 1);
  }
  blocks_.push_back({static_cast<int>(count), static_cast<int>(count), {}, {}});
  block_of_.push_back(static_cast<int>(blocks_.size()) - 1);
}

void ControlFlow::connect(const Function& function) {
  const int end = static_cast<int>(blocks_.size()) - 1;
  const auto add = [&](int from, int to) {
    blocks_[static_cast<std::size_t>(from)].successors.push_back(to);
    blocks_[static_cast<std::size_t>(to)].predecessors.push_back(from);
  };
  for (int b = 0; b < end; ++b) {
    const Instruction& last =
        function.instructions[static_cast<std::size_t>(blocks_[static_cast<std::size_t>(b)].end) - 1];
    for (const int target : last.targets) add(b, block_of(target));
    if (falls_through(last)) add(b, b + 1);
    else if (last.targets.empty()) add(b, end);
  }
  end_what_runs_forever();
}

// So that every block has a post-dominator.
void ControlFlow::end_what_runs_forever() {
  const int end = static_cast<int>(blocks_.size()) - 1;
  const Edges before = [&](int b) -> const auto& { return blocks_[static_cast<std::size_t>(b)].predecessors; };
  std::vector<char> ends(blocks_.size(), 0);
  const auto find_those_that_end = [&] {
    for (const int block : reverse_post_order(end, blocks_.size(), before)) ends[static_cast<std::size_t>(block)] = 1;
  };
  find_those_that_end();
  for (int b = end - 1; b >= 0; --b) {
    if (ends[static_cast<std::size_t>(b)]) continue;
    blocks_[static_cast<std::size_t>(b)].successors.push_back(end);
    blocks_[static_cast<std::size_t>(end)].predecessors.push_back(b);
    find_those_that_end();
  }
}

// One for each header, inner ones first.
void ControlFlow::find_loops(const Function& function) {
  std::map<int, Loop> by_header;
  for (std::size_t b = 0; b + 1 < blocks_.size(); ++b)
    for (const int header : blocks_[b].successors) {
      if (!dominates(header, static_cast<int>(b))) continue;
      Loop& loop = by_header[header];
      loop.header = blocks_[static_cast<std::size_t>(header)].begin;
      loop.holds.resize(blocks_.size(), 0);
      loop.holds[static_cast<std::size_t>(header)] = 1;
      add_blocks_before(static_cast<int>(b), loop);
    }
  for (auto& [header, loop] : by_header) {
    find_what_it_does(function, loop);
    loops_.push_back(std::move(loop));
  }
  const auto size = [](const Loop& loop) { return std::count(loop.holds.begin(), loop.holds.end(), 1); };
  std::stable_sort(loops_.begin(), loops_.end(), [&](const Loop& a, const Loop& b) { return size(a) < size(b); });
}

void ControlFlow::add_blocks_before(int back, Loop& loop) const {
  std::vector<int> open{back};
  while (!open.empty()) {
    const auto block = static_cast<std::size_t>(open.back());
    open.pop_back();
    if (std::exchange(loop.holds[block], 1)) continue;
    open.insert(open.end(), blocks_[block].predecessors.begin(), blocks_[block].predecessors.end());
  }
}

void ControlFlow::find_what_it_does(const Function& function, Loop& loop) const {
  std::set<int> written;
  for (std::size_t b = 0; b < blocks_.size(); ++b)
    for (int i = blocks_[b].begin; loop.holds[b] && i < blocks_[b].end; ++i) {
      const Instruction& instruction = function.instructions[static_cast<std::size_t>(i)];
      loop.may_access_shared |= may_access_shared(instruction);
      for (const int r : registers_written_by(instruction)) written.insert(r);
    }
  loop.written.assign(written.begin(), written.end());
}

bool ControlFlow::dominates(int a, int b) const {
  if (dominator_[static_cast<std::size_t>(b)] < 0) return false;  // nothing leads there
  while (b != a && dominator_[static_cast<std::size_t>(b)] != b) b = dominator_[static_cast<std::size_t>(b)];
  return b == a;
}

int ControlFlow::join_of(int branch) const {
  return blocks_[static_cast<std::size_t>(post_dominator_[static_cast<std::size_t>(block_of(branch))])].begin;
}

bool ControlFlow::goes_back(int branch, int target) const { return dominates(block_of(target), block_of(branch)); }

bool ControlFlow::stays_in(const Loop& loop, int target) const {
  return loop.holds[static_cast<std::size_t>(block_of(target))] != 0;
}

const Loop* ControlFlow::loop_around(int instruction) const {
  const auto it = std::find_if(loops_.begin(), loops_.end(), [&](const Loop& l) { return stays_in(l, instruction); });
  return it != loops_.end() ? &*it : nullptr;
}

const Loop* ControlFlow::loop_left_at(int branch) const {
  const Loop* const loop = loop_around(branch);
  if (loop == nullptr) return nullptr;
  const auto& sides = blocks_[static_cast<std::size_t>(block_of(branch))].successors;
  const auto staying = std::count_if(sides.begin(), sides.end(),
                                     [&](int side) { return loop->holds[static_cast<std::size_t>(side)] != 0; });
  return staying > 0 && staying < std::ssize(sides) ? loop : nullptr;
}

}  // namespace swizzle::ptx
