#include "frontend/lower_asm.h"

#include <algorithm>
#include <vector>

#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <fmt/format.h>

#include "frontend/asm_integers.h"
#include "frontend/ptx.h"

namespace swizzle {

// Of the statement so far: what is known of operands and registers, and what it does, in order.
struct AsmLowering::Effects {
  SourceRange range;
  AsmIntegers integers;
  std::vector<StmtId> steps;
};

// "[%4 + 16]" is operand %4 and 16.
void AsmLowering::touch_at(Effects& out, const PtxInstruction& p, std::size_t operand, std::int64_t bytes,
                           Touch touch) {
  const TypeId i64 = tree_.scalar_type(Scalar::kI64);
  const auto address = ptx_address(p.operands[operand]);
  const ExprId known = address ? out.integers.operand(address->first, out.range) : ExprId{};
  if (!known.valid())
    return source_.error(out.range, "this PTX computes an address that is not followed: the access is not counted");
  const ExprId offset = tree_.integer(address->second, i64, out.range);
  const ExprId sum = tree_.binary(Operator::kAdd, known, offset, i64, out.range);
  Stmt step;
  step.range = out.range;
  step.kind = StmtKind::kExpr;
  step.expr = tree_.touch(sum, tree_.integer(bytes, i64, out.range), touch, out.range);
  add(out, p, step);
}

void AsmLowering::end_thread(Effects& out, const PtxInstruction& p) {
  Expr end;
  end.kind = ExprKind::kIntrinsic;
  end.intrinsic = Intrinsic::kTrap;
  end.range = out.range;
  Stmt step;
  step.range = out.range;
  step.kind = StmtKind::kExpr;
  step.expr = tree_.make(std::move(end));
  add(out, p, step);
}

// Under its predicate.
void AsmLowering::add(Effects& out, const PtxInstruction& p, Stmt step) {
  if (!p.predicate.empty()) {
    step.body = {tree_.make(step)};
    step.kind = StmtKind::kIf;
    step.expr = out.integers.predicate(p.predicate, out.range);
  }
  out.steps.push_back(tree_.make(step));
}

void AsmLowering::instruction(Effects& out, const PtxInstruction& p) {
  constexpr int kRowBytes = 16;
  const std::size_t operands = p.operands.size();
  ExprId computed;
  if (p.name.starts_with("ldmatrix") && operands == 2) {
    touch_at(out, p, 1, kRowBytes, {MemoryOperation::kLdmatrix, true, p.matrices()});
  } else if (p.name.starts_with("stmatrix") && operands == 2) {
    touch_at(out, p, 0, kRowBytes, {MemoryOperation::kStmatrix, true, p.matrices()});
  } else if ((p.name.starts_with("cp.async.ca.shared") || p.name.starts_with("cp.async.cg.shared")) && operands >= 3) {
    const ExprId given = out.integers.operand(p.operands[2], out.range);
    const bool is_constant = given.valid() && program_.expr(given).kind == ExprKind::kIntLiteral;
    const std::int64_t written = is_constant ? program_.expr(given).int_value : 0;
    const std::int64_t bytes = written > 0 ? written : kRowBytes;
    touch_at(out, p, 0, bytes, {MemoryOperation::kStore, true, 0});
    touch_at(out, p, 1, bytes, {MemoryOperation::kLoad, false, 0});
  } else if (p.name.starts_with("ld.") && operands == 2) {
    touch_at(out, p, 1, p.bytes(), {MemoryOperation::kLoad, p.is_shared(), 0});
  } else if (p.name.starts_with("st.") && operands == 2) {
    touch_at(out, p, 0, p.bytes(), {MemoryOperation::kStore, p.is_shared(), 0});
  } else if ((p.name.starts_with("red.") && operands >= 2) || (p.name.starts_with("atom.") && operands >= 3)) {
    touch_at(out, p, p.name.starts_with("red.") ? 0 : 1, p.bytes(), {MemoryOperation::kAtomic, p.is_shared(), 0});
  } else if (p.name == "exit" || p.name == "trap") {
    end_thread(out, p);
  } else if (const ExprId value = out.integers.value(p, out.range); value.valid()) {
    computed = value;
  } else if (!p.is_quiet()) {
    source_.error(out.range, fmt::format("the PTX instruction '{}' is not followed", p.name));
  }
  write(out, p, computed);
}

// What is written only under a predicate, or is not followed, is not known any more.
void AsmLowering::write(Effects& out, const PtxInstruction& p, ExprId computed) {
  if (p.operands.empty()) return;
  std::string registers = p.operands[0];
  std::erase_if(registers, [](char c) { return c == '{' || c == '}' || c == ' '; });
  for (std::size_t begin = 0; begin <= registers.size();) {
    const std::size_t end = std::min(registers.find_first_of(",|", begin), registers.size());
    out.integers.values.erase(registers.substr(begin, end - begin));
    begin = end + 1;
  }
  if (computed.valid() && p.predicate.empty()) out.integers.values[p.operands[0]] = computed;
}

// All values are taken before the first is assigned: outputs may be inputs, too. The bits of a real number are not
// known.
void AsmLowering::assign_outputs(const clang::GCCAsmStmt* s, const Effects& in, Stmt& block) {
  Stmt step;
  step.range = in.range;
  std::vector<ExprId> assignments;
  for (unsigned i = 0; i < s->getNumOutputs(); ++i) {
    const ExprId target = nodes_.expression(s->getOutputExpr(i));
    const auto known = in.integers.values.find(fmt::format("%{}", i));
    ExprId value = tree_.unknown(in.range);
    if (known != in.integers.values.end() && tree_.is_real(known->second) == tree_.is_real(target)) {
      Variable taken;
      taken.name = known->first;
      taken.type = program_.expr(target).type;
      taken.range = in.range;
      step.kind = StmtKind::kDeclare;
      step.variable = tree_.make(std::move(taken));
      step.expr = tree_.converted(known->second, program_.expr(target).type);
      value = tree_.variable_use(step.variable, in.range);
      block.body.push_back(tree_.make(step));
    }
    assignments.push_back(tree_.assigned(target, value, source_.range_of(s->getOutputExpr(i))));
  }
  step.kind = StmtKind::kExpr;
  for (const ExprId assignment : assignments) {
    step.expr = assignment;
    block.body.push_back(tree_.make(step));
  }
}

StmtId AsmLowering::statement(const clang::GCCAsmStmt* s) {
  Effects out{source_.range_of(s), AsmIntegers(tree_), {}};
  const unsigned outputs = s->getNumOutputs();
  for (unsigned i = 0; i < outputs; ++i)
    if (s->isOutputPlusConstraint(i))
      out.integers.values[fmt::format("%{}", i)] = nodes_.expression(s->getOutputExpr(i));
  for (unsigned i = 0; i < s->getNumInputs(); ++i)
    out.integers.values[fmt::format("%{}", outputs + i)] = nodes_.expression(s->getInputExpr(i));
  for (const PtxInstruction& p : ptx_instructions(s->getAsmString()->getString().str())) instruction(out, p);
  Stmt block;
  block.range = out.range;
  block.body = out.steps;
  assign_outputs(s, out, block);
  return tree_.make(block);
}

}  // namespace swizzle
