#include "synth/bits/word_tables.h"

#include <algorithm>

#include "synth/tables/constant_rows.h"

namespace swizzle {
namespace {

constexpr int kSelectorBits = 16;

ConstantForm form_of(const Hole& hole) {
  if (hole.traits().is_constant()) return {};
  if (hole.traits().is_mask()) return {ConstantForm::Kind::kMask, hole.bits};
  return {ConstantForm::Kind::kSelector, kSelectorBits};
}

}  // namespace

HoleTable word_table(const Hole& hole, const HoleSpace& space, const Assignment& assignment) {
  HoleTable table;
  ConstantRows rows;  // without the digit of a word
  for (std::size_t i = 0; i < space.points.size(); ++i) {
    const int value = assignment[space.points[i].value];
    table.values.push_back(static_cast<std::int16_t>(value));
    Arguments arguments = space.arguments[i];
    std::int64_t digit = 0;
    if (hole.traits().is_word()) {
      digit = arguments.back() * (hole.traits().is_mask() ? 1 : 4);
      arguments.pop_back();
    }
    rows[arguments] += hole.traits().is_word() ? static_cast<std::int64_t>(static_cast<std::uint64_t>(value) << digit)
                                               : hole.low + value;
  }
  table.expression = expression_of(rows, form_of(hole));
  return table;
}

bool has_open_words(const Program& sketch, const Problem& problem) {
  return std::ranges::any_of(problem.holes, [&](const HoleSpace& space) {
    return !space.points.empty() && (space.traits().is_word() || sketch.hole(space.id).traits().is_constant());
  });
}

}  // namespace swizzle
