// Logic on words: what one LOP3 computes counts once.
//
//   (a & m) | (c & ~m)     three inputs a, m, c: one instruction; each further two inputs take one more
//
// Source: PTX ISA, lop3.b32: any function of three inputs.
#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>
#include <tuple>

#include "synth/execution/interpreter.h"
#include "synth/provenance/words.h"

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

// Some lane's word depends on data, not on holes alone.
bool Interpreter::has_data_bits(const Lanes& words) const {
  return std::ranges::any_of(words.values(),
                             [&](const Value& v) { return is_word(provenance_, v) && provenance_.node(v).has_data; });
}

bool Interpreter::count_words(const Expr& e, const Lanes& results) {
  const int count = logic_.empty() ? 1 : logic_[static_cast<std::size_t>(&e - program_.exprs.data())];
  const bool is_known = std::ranges::none_of(results.values(), &Value::is_node);  // of a mask of 0
  if (is_known && count == 0) return true;
  if (std::ranges::none_of(results.values(), [&](const Value& v) { return is_word(provenance_, v); })) return false;
  if (!has_data_bits(results)) return true;
  if (count > 0) count_guarded(&Counts::accumulates, count);
  return true;
}

}  // namespace swizzle
