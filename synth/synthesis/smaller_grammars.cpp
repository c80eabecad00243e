#include "synth/synthesis/smaller_grammars.h"

#include <algorithm>
#include <set>
#include <utility>

namespace swizzle {
namespace {

// The argument that takes most values, all of them in [0, n), of those that take a good part of them.
std::optional<std::size_t> index_among(const HoleSpace& space) {
  std::optional<std::size_t> best;
  std::size_t most = static_cast<std::size_t>(space.domain) / 2;
  for (std::size_t a = 0; a < space.arguments[0].size(); ++a) {
    std::set<std::int64_t> values;
    for (const Arguments& point : space.arguments) values.insert(point[a]);
    if (*values.begin() < 0 || *values.rbegin() >= space.domain || values.size() <= most) continue;
    best = a;
    most = values.size();
  }
  return best;
}

// The space of a hole of (i, n, k…), i being that argument. `written`: which position each argument has in `space`.
HoleSpace with_index(const HoleSpace& space, HoleKind kind, std::size_t index, std::vector<std::size_t>& written) {
  HoleSpace narrow = space;
  narrow.kind = kind;
  narrow.first_argument = 1;
  written.push_back(index);
  for (std::size_t a = 0; a < space.arguments[0].size(); ++a)
    if (a != index) written.push_back(a);
  std::vector<Arguments> arguments;
  for (const Arguments& point : space.arguments) {
    Arguments& moved = arguments.emplace_back();
    for (std::size_t a : written) moved.push_back(point[a]);
  }
  narrow.arguments = std::move(arguments);
  for (std::size_t& a : written) a += space.first_argument;
  for (OpenArgument& open : narrow.open)
    open.argument = static_cast<std::size_t>(std::ranges::find(written, open.argument) - written.begin());
  return narrow;
}

IndexExpr over(const IndexExpr& expression, const std::vector<std::size_t>& positions) {
  if (expression.op == IndexExpr::Op::kArgument)
    return IndexExpr::argument(positions[static_cast<std::size_t>(expression.value)]);
  IndexExpr moved = expression;
  for (std::size_t i = 0; i < expression.operands.size(); ++i)
    moved.operands.own(i) = over(expression.operands[i], positions);
  return moved;
}

}  // namespace

SmallerGrammars::SmallerGrammars(Problem& problem, HoleKind of_index)
    : problem_(problem),
      holes_(problem.holes),
      written_(problem.holes.size()) {
  for (std::size_t h = 0; h < holes_.size(); ++h) {
    HoleSpace& space = problem.holes[h];
    if (!space.traits().is_expression() || space.points.empty() || space.least != 0) continue;
    any_ = true;
    if (space.traits().is_truth()) space.kind = HoleKind::kCond;
    else if (const auto index = index_among(space)) space = with_index(holes_[h], of_index, *index, written_[h]);
    else space.kind = HoleKind::kPart;
  }
}

SmallerGrammars::~SmallerGrammars() { problem_.holes = std::move(holes_); }

void SmallerGrammars::restore_arguments(Completion& completion) const {
  for (std::size_t h = 0; h < written_.size(); ++h)
    if (!written_[h].empty()) completion.tables[h].expression = over(completion.tables[h].expression, written_[h]);
}

}  // namespace swizzle
