#include "synth/execution/logic_instructions.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>
#include <tuple>

namespace swizzle {
namespace {

bool is_logic(Operator op) { return op == Operator::kAnd || op == Operator::kOr || op == Operator::kXor; }

bool is_logic(const Expr& e) {
  return (e.kind == ExprKind::kBinary || (e.kind == ExprKind::kAssign && e.compound)) && is_logic(e.op);
}

// What it is without inversions and conversions.
ExprId bare(const Program& program, ExprId id) {
  const Expr* e = &program.expr(id);
  while (e->kind == ExprKind::kCast || (e->kind == ExprKind::kUnary && e->op == Operator::kBitNot)) {
    id = e->operands[0];
    e = &program.expr(id);
  }
  return id;
}

// A variable is one input, however often it stands there; also a constant one, which stands there as its value.
using Input = std::tuple<bool, std::uint32_t, std::string_view>;

bool is_name(std::string_view text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0 &&
         std::ranges::all_of(text, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

void collect_inputs(const Program& program, ExprId id, std::set<Input>& inputs) {
  id = bare(program, id);
  const Expr& e = program.expr(id);
  if (e.kind == ExprKind::kBinary && is_logic(e))
    for (const ExprId operand : e.operands) collect_inputs(program, operand, inputs);
  else if (e.kind == ExprKind::kVariable) inputs.emplace(true, e.variable.value, "");
  else if (const auto text = program.source.slice(e.range); e.kind == ExprKind::kIntLiteral && is_name(text))
    inputs.emplace(true, 0, text);
  else inputs.emplace(false, id.value, "");
}

}  // namespace

std::vector<int> logic_instructions(const Program& program) {
  std::vector<int> counts(program.exprs.size(), 1);
  for (std::size_t n = 0; n < program.exprs.size(); ++n) {
    const Expr& e = program.exprs[n];
    if (!is_logic(e)) continue;
    std::set<Input> inputs;
    for (const ExprId operand : e.operands) collect_inputs(program, operand, inputs);
    if (counts[n] != 0) counts[n] = std::max(1, static_cast<int>(inputs.size()) / 2);
    const std::size_t first = e.kind == ExprKind::kAssign ? 1 : 0;
    for (std::size_t i = first; i < e.operands.size(); ++i)
      if (const ExprId inner = bare(program, e.operands[i]);
          program.expr(inner).kind == ExprKind::kBinary && is_logic(program.expr(inner)))
        counts[inner.value] = 0;
  }
  return counts;
}

}  // namespace swizzle
