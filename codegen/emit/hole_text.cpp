#include "codegen/emit/hole_text.h"

#include <cctype>
#include <vector>

#include <fmt/format.h>

#include "synth/base/source_edits.h"

namespace swizzle {
namespace {

bool stands_in(const Program& sketch, HoleId inner, HoleId outer) {
  const SourceRange in = sketch.hole(inner).range, out = sketch.hole(outer).range;
  return sketch.hole(outer).traits().is_chosen() && in.begin > out.begin && in.end <= out.end;
}

// With a cast, where what is computed with it would be another type's.
std::string as_hole(const Program& sketch, HoleId hole, std::size_t which, std::string text) {
  const Expr& converted = sketch.expr(sketch.hole(hole).arguments[which]);
  const Type &to = sketch.type(converted.type), &from = sketch.type(sketch.expr(converted.operands[0]).type);
  if (to.form != Type::Form::kScalar || from.form != Type::Form::kScalar || to.scalar == from.scalar) return text;
  const bool is_promoted = to.scalar == Scalar::kI32 && !is_real(from.scalar) && bit_width(from.scalar) < 32;
  const std::string_view type = spelling(to.scalar);
  if (is_promoted) return text;
  return type.find(' ') == std::string_view::npos ? fmt::format("{}({})", type, text)
                                                  : fmt::format("({})({})", type, text);
}

// The expression as it was written, with the holes in it filled in.
std::string chosen_text(const Program& sketch, const Completion& completion, HoleId hole, std::size_t which) {
  const SourceRange range = sketch.expr(sketch.hole(hole).arguments[which]).range;
  std::vector<SourceEdit> edits;
  for (std::size_t h = 0; h < sketch.holes.size(); ++h) {
    const SourceRange inner = sketch.holes[h].range;
    if (inner.begin < range.begin || inner.end > range.end || chooser_of(sketch, HoleId(h)) != hole) continue;
    // A hole that is all there is to choose needs no parentheses of its own.
    const bool is_all = inner.begin == range.begin && inner.end == range.end;
    edits.push_back(
        {inner, is_all ? printed(sketch, completion, HoleId(h)) : hole_in_context(sketch, completion, HoleId(h))});
  }
  return as_hole(sketch, hole, which, edited(sketch.source, range, std::move(edits)));
}

}  // namespace

std::optional<HoleId> chooser_of(const Program& sketch, HoleId hole) {
  std::optional<HoleId> innermost;
  for (std::size_t h = 0; h < sketch.holes.size(); ++h)
    if (stands_in(sketch, hole, HoleId(h)) && (!innermost || stands_in(sketch, HoleId(h), *innermost)))
      innermost = HoleId(h);
  return innermost;
}

std::string hole_in_context(const Program& sketch, const Completion& completion, HoleId h) {
  const Hole& hole = sketch.hole(h);
  const IndexExpr& expression = completion.tables[h.value].expression;
  const std::string& source = sketch.source.text();
  std::size_t before = hole.range.begin, after = hole.range.end;
  while (before > 0 && std::isspace(static_cast<unsigned char>(source[before - 1]))) --before;
  while (after < source.size() && std::isspace(static_cast<unsigned char>(source[after]))) ++after;
  const char left = before > 0 ? source[before - 1] : ';', right = after < source.size() ? source[after] : ';';
  const bool free_left =
      left == '(' || left == ',' || left == '[' ||
      (left == '=' && before > 1 && std::string("=!<>").find(source[before - 2]) == std::string::npos);
  const bool free_right = right == ')' || right == ',' || right == ']' || right == ';';
  std::string text = printed(sketch, completion, h);
  if (free_left && free_right) return text;
  if (hole.traits().is_chosen()) return "(" + text + ")";
  if (hole.traits().is_truth() && expression.is_constant()) return text;
  return expression.print_primary(hole.argument_texts);
}

std::string printed(const Program& sketch, const Completion& completion, HoleId hole) {
  const IndexExpr& e = completion.tables[hole.value].expression;
  if (sketch.hole(hole).traits().is_chosen())
    return chosen_text(sketch, completion, hole, static_cast<std::size_t>(e.value));
  if (sketch.hole(hole).traits().is_truth() && e.is_constant()) return e.value != 0 ? "true" : "false";
  return e.print(sketch.hole(hole).argument_texts);
}

}  // namespace swizzle
