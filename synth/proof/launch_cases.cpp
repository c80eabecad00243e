#include "synth/proof/launch_cases.h"

#include <algorithm>

#include "synth/program/size_tree.h"

namespace swizzle {
namespace {

constexpr std::size_t kMostLaunches = 4;
constexpr std::int64_t kLeastBound = 4096;  // below, all sizes may be looked at one by one

bool is_literal(const SizeTree& tree) { return tree.op == '#'; }

SizeTree literal(std::int64_t value) { return {'#', value, {}, {}}; }

// By a number: (x + by) / divisor, x being anything.
struct CountQuotient {
  SizeTree x;
  std::int64_t by = 0, divisor = 1;
};

// x + by, or x - by.
CountQuotient as_sum(const SizeTree& tree) {
  const bool is_sum = (tree.op == '+' || tree.op == '-') && is_literal(tree.operands[1]);
  if (!is_sum) return {tree};
  CountQuotient sum = as_sum(tree.operands[0]);
  sum.by += tree.op == '+' ? tree.operands[1].value : -tree.operands[1].value;
  return sum;
}

std::optional<CountQuotient> as_quotient(const SizeTree& tree) {
  if (tree.op != '/' || !is_literal(tree.operands[1]) || tree.operands[1].value < 1) return std::nullopt;
  CountQuotient of = as_sum(tree.operands[0]);
  of.divisor = tree.operands[1].value;
  return of;
}

SizeTree tree_of_quotient(const CountQuotient& of) {
  const SizeTree size = of.by == 0 ? of.x : SizeTree{of.by > 0 ? '+' : '-', 0, {}, {of.x, literal(std::abs(of.by))}};
  return {'/', 0, {}, {size, literal(of.divisor)}};
}

bool rounds_up(const CountQuotient& of) { return of.by == of.divisor - 1; }

// The same number of blocks, wherever there are any.
SizeTree as_one_quotient(const SizeTree& count) {
  if (auto outer = as_quotient(count)) {
    const auto inner = as_quotient(as_one_quotient(outer->x));
    if (!inner || !rounds_up(*inner) || !rounds_up(*outer)) return count;
    const std::int64_t divisor = inner->divisor * outer->divisor;
    return tree_of_quotient({inner->x, divisor - 1, divisor});
  }
  const CountQuotient sum = as_sum(count);
  auto inner = sum.by > 0 ? as_quotient(sum.x) : std::nullopt;
  if (!inner) return count;
  inner->by += sum.by * inner->divisor;
  return tree_of_quotient(*inner);
}

// One of them is the number of blocks.
std::vector<SizeTree> counts_in(const SizeTree& count) {
  const auto is_one = [](const SizeTree& tree) { return is_literal(tree) && tree.value == 1; };
  if (count.op == '>' && is_one(count.operands[0])) return counts_in(count.operands[1]);
  if (count.op == '>' && is_one(count.operands[1])) return counts_in(count.operands[0]);
  if (count.op != '<') return {as_one_quotient(count)};
  std::vector<SizeTree> all = counts_in(count.operands[0]);
  for (SizeTree& other : counts_in(count.operands[1])) all.push_back(std::move(other));
  return all;
}

// n <= 1000000, or n < 1000001
bool take_bound(const Assumption& assumption, const SourceText& source, Sizes& most) {
  const auto left = parse_size(assumption.left, source), right = parse_size(assumption.right, source);
  const bool is_less = assumption.comparison == "<";
  if (!left.ok() || !right.ok() || !(is_less || assumption.comparison == "<=") || left->op != '$' ||
      !is_literal(*right) || right->value < kLeastBound)
    return false;
  std::int64_t& least = most.try_emplace(left->name, right->value).first->second;
  least = std::min(least, right->value - (is_less ? 1 : 0));
  return true;
}

// pitch >= w: of sizes on both sides.
bool compares_sizes(const Assumption& assumption, const SourceText& source) {
  const auto left = parse_size(assumption.left, source), right = parse_size(assumption.right, source);
  return assumption.comparison != "==" && left.ok() && right.ok() && !names_in(*left).empty() &&
         !names_in(*right).empty();
}

}  // namespace

LaunchCases launch_cases(const Program& kernel, bool keeps_bounds) {
  LaunchCases cases;
  std::vector<Assumption> kept = kernel.directives.assumptions;
  if (!keeps_bounds) {
    std::erase_if(kept, [&](const Assumption& a) { return take_bound(a, kernel.source, cases.most); });
    cases.are_wider = std::erase_if(kept, [&](const Assumption& a) { return compares_sizes(a, kernel.source); }) > 0;
  }
  bool is_other = !cases.most.empty() || cases.are_wider;
  std::vector<std::vector<SizeExpr>> grids(1);
  for (const SizeExpr& along : kernel.directives.launch->grid) {
    const auto tree = parse_size(along, kernel.source);
    const bool varies = tree.ok() && !names_in(*tree).empty();
    const std::vector<SizeTree> counts = varies ? counts_in(*tree) : std::vector<SizeTree>();
    is_other |= varies && (counts.size() > 1 || text_of(counts[0]) != text_of(*tree));
    std::vector<std::vector<SizeExpr>> all;
    for (std::vector<SizeExpr>& grid : grids) {
      for (const SizeTree& count : counts) {
        all.push_back(grid);
        all.back().push_back({text_of(count), along.range});
      }
      if (varies) continue;
      grid.push_back(along);
      all.push_back(std::move(grid));
    }
    grids = std::move(all);
  }
  if (!is_other || grids.size() > kMostLaunches) return {};
  for (std::vector<SizeExpr>& grid : grids) {
    Program& one = cases.kernels.emplace_back(kernel);
    one.directives.assumptions = kept;
    one.directives.launch->grid = std::move(grid);
  }
  return cases;
}

}  // namespace swizzle
