#include "synth/access/telling_blocks.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <utility>

namespace swizzle {

std::set<std::int64_t> numbers_compared(const Program& program, const Sizes& sizes) {
  std::set<std::int64_t> numbers;
  const std::function<void(ExprId, int)> add = [&](ExprId id, int depth) {
    if (!id.valid() || depth == 0) return;
    const Expr& e = program.expr(id);
    if (e.kind == ExprKind::kIntLiteral) numbers.insert(e.int_value);
    if (e.kind == ExprKind::kVariable)
      if (const auto known = sizes.find(program.variable(e.variable).name); known != sizes.end())
        numbers.insert(known->second);
    for (const ExprId operand : e.operands) add(operand, depth - 1);
  };
  constexpr int kDepth = 4;
  for (const Expr& e : program.exprs)
    if (e.kind == ExprKind::kBinary && is_comparison(e.op))
      for (const ExprId operand : e.operands) add(operand, kDepth);
  for (const Stmt& s : program.stmts) numbers.insert(s.case_values.begin(), s.case_values.end());
  return numbers;
}

std::vector<std::int64_t> blocks_to_look_at(const LaunchShape& shape, const std::set<std::int64_t>& numbers) {
  constexpr std::int64_t kMost = 64;
  constexpr std::size_t kMostNamed = 96;
  const std::int64_t blocks = shape.blocks(), row = shape.grid[0], plane = row * shape.grid[1];
  std::vector<std::int64_t> all;
  const std::set<std::int64_t> sampled = sampled_blocks(blocks);
  const auto add = [&](std::int64_t block) {
    const bool is_new = block >= 0 && block < blocks && !sampled.contains(block);
    if (is_new && std::ranges::find(all, block) == all.end()) all.push_back(block);
  };
  std::array<std::vector<std::int64_t>, 3> named;  // by axis
  for (std::size_t axis = 0; axis < named.size(); ++axis)
    std::ranges::copy_if(numbers, std::back_inserter(named[axis]),
                         [&](std::int64_t number) { return number > 0 && number < shape.grid[axis]; });
  const std::array<std::int64_t, 3> steps{1, row, plane};
  for (std::size_t axis = 0; axis < named.size(); ++axis)
    for (const std::int64_t number : named[axis])
      if (all.size() < kMostNamed) add(number * steps[axis]);
  for (std::vector<std::int64_t>& along : named) along.insert(along.begin(), 0);
  for (const std::int64_t z : named[2])
    for (const std::int64_t y : named[1])
      for (const std::int64_t x : named[0])
        if (all.size() < kMostNamed) add(x + y * row + z * plane);
  for (std::int64_t block = 0; block < std::min(blocks, kMost); ++block)
    add(blocks <= kMost ? block : block * blocks / kMost);
  for (const std::int64_t corner : {std::int64_t{0}, row - 1, plane - row, plane - 1, blocks - plane, blocks - 1})
    for (const std::int64_t distance : {std::int64_t{1}, row, row + 1, row - 1, plane})
      for (const std::int64_t neighbour : {corner - distance, corner + distance}) add(neighbour);
  return all;
}

bool tells_more(const AccessTrace& block, const AccessTrace& seen) {
  const auto is_alike = [](const AccessSite& a, const AccessSite& b) {
    return a.space == b.space && a.operation == b.operation && a.bits == b.bits && a.range.begin == b.range.begin &&
           a.range.end == b.range.end && a.call_site.begin == b.call_site.begin && a.array == b.array;
  };
  return std::ranges::any_of(block.sites, [&](const AccessSite& site) {
    if (site.space != MemorySpace::kShared || site.requests == 0) return false;
    return std::ranges::none_of(seen.sites, [&](const AccessSite& known) {
      return is_alike(site, known) && known.worst - known.worst_ideal >= site.worst - site.worst_ideal &&
             (known.not_counted > 0 || site.not_counted == 0);
    });
  });
}

}  // namespace swizzle
