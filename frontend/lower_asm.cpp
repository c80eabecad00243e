#include "frontend/lower_asm.h"

#include <cstdlib>
#include <map>
#include <vector>

#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <fmt/format.h>

#include "frontend/ptx.h"

namespace swizzle {

// Of the statement so far: what is known of operands ("%0") and PTX registers, and what it does, in order.
struct AsmLowering::Effects {
  SourceRange range;
  std::map<std::string, ExprId> values;
  std::vector<ExprId> steps;
};

// "[%4 + 16]" is operand %4 and 16.
void AsmLowering::touch_at(Effects& out, const std::string& operand, std::int64_t bytes, Touch touch) {
  const TypeId i64 = tree_.scalar_type(Scalar::kI64);
  const auto address = ptx_address(operand);
  const auto known = address ? out.values.find(address->first) : out.values.end();
  if (known == out.values.end())
    return source_.error(out.range, "this PTX computes an address that is not followed: the access is not counted");
  const ExprId offset = tree_.integer(address->second, i64, out.range);
  const ExprId sum = tree_.binary(Operator::kAdd, known->second, offset, i64, out.range);
  out.steps.push_back(tree_.touch(sum, tree_.integer(bytes, i64, out.range), touch, out.range));
}

void AsmLowering::instruction(Effects& out, const PtxInstruction& p) {
  constexpr int kRowBytes = 16;
  const std::size_t operands = p.operands.size();
  if (p.name.starts_with("ldmatrix") && operands == 2) {
    touch_at(out, p.operands[1], kRowBytes, {MemoryOperation::kLdmatrix, true, p.matrices()});
  } else if (p.name.starts_with("stmatrix") && operands == 2) {
    touch_at(out, p.operands[0], kRowBytes, {MemoryOperation::kStmatrix, true, p.matrices()});
  } else if ((p.name.starts_with("cp.async.ca.shared") || p.name.starts_with("cp.async.cg.shared")) && operands >= 3) {
    const auto given = out.values.find(p.operands[2]);
    const bool is_constant = given != out.values.end() && program_.expr(given->second).kind == ExprKind::kIntLiteral;
    const std::int64_t written =
        is_constant ? program_.expr(given->second).int_value : std::atoll(p.operands[2].c_str());
    const std::int64_t bytes = written > 0 ? written : kRowBytes;
    touch_at(out, p.operands[0], bytes, {MemoryOperation::kStore, true, 0});
    touch_at(out, p.operands[1], bytes, {MemoryOperation::kLoad, false, 0});
  } else if (p.name.starts_with("ld.") && operands == 2) {
    touch_at(out, p.operands[1], p.bytes(), {MemoryOperation::kLoad, p.is_shared(), 0});
  } else if (p.name.starts_with("st.") && operands == 2) {
    touch_at(out, p.operands[0], p.bytes(), {MemoryOperation::kStore, p.is_shared(), 0});
  } else if ((p.name.starts_with("mov") || p.name.starts_with("cvt")) && operands == 2 &&
             out.values.contains(p.operands[1])) {
    out.values[p.operands[0]] = out.values[p.operands[1]];
  } else if (!p.is_quiet()) {
    source_.error(out.range, fmt::format("the PTX instruction '{}' is not followed", p.name));
  }
}

StmtId AsmLowering::statement(const clang::GCCAsmStmt* s) {
  Effects out;
  out.range = source_.range_of(s);
  const unsigned outputs = s->getNumOutputs();
  for (unsigned i = 0; i < outputs; ++i)
    if (s->isOutputPlusConstraint(i)) out.values[fmt::format("%{}", i)] = nodes_.expression(s->getOutputExpr(i));
  for (unsigned i = 0; i < s->getNumInputs(); ++i)
    out.values[fmt::format("%{}", outputs + i)] = nodes_.expression(s->getInputExpr(i));
  for (const PtxInstruction& p : ptx_instructions(s->getAsmString()->getString().str())) instruction(out, p);
  for (unsigned i = 0; i < outputs; ++i) {
    const auto copied = out.values.find(fmt::format("%{}", i));
    const bool is_copy = copied != out.values.end() && !s->isOutputPlusConstraint(i);
    Expr assign;
    assign.kind = ExprKind::kAssign;
    assign.range = source_.range_of(s->getOutputExpr(i));
    assign.type = types_.of(s->getOutputExpr(i)->getType());
    assign.operands = {nodes_.expression(s->getOutputExpr(i)), is_copy ? copied->second : tree_.unknown(out.range)};
    out.steps.push_back(tree_.make(std::move(assign)));
  }
  Stmt block, step;
  step.kind = StmtKind::kExpr;
  block.range = step.range = out.range;
  for (const ExprId e : out.steps) {
    step.expr = e;
    block.body.push_back(tree_.make(step));
  }
  return tree_.make(block);
}

}  // namespace swizzle
