#include "frontend/lower_matrices.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include "frontend/ptx.h"
#include "synth/program/intrinsics.h"

namespace swizzle {
namespace {

// "{%0, %1}": 0, 1. Nothing for anything else.
std::vector<unsigned> operand_numbers(const std::string& list) {
  std::vector<unsigned> numbers;
  if (list.size() < 2 || list.front() != '{' || list.back() != '}') return {};
  for (std::size_t at = 1; at < list.size();) {
    while (at < list.size() && list[at] == ' ') ++at;
    if (at >= list.size() || list[at] != '%') return {};
    char* end = nullptr;
    numbers.push_back(static_cast<unsigned>(std::strtoul(list.c_str() + at + 1, &end, 10)));
    if (end == list.c_str() + at + 1) return {};
    at = static_cast<std::size_t>(end - list.c_str());
    while (at < list.size() && list[at] == ' ') ++at;
    if (at < list.size() && list[at] != ',' && list[at] != '}') return {};
    ++at;
  }
  return numbers;
}

bool moves_matrices(const PtxInstruction& p) {
  const bool is_known = p.name.starts_with("ldmatrix.") || p.name.starts_with("stmatrix.");
  return is_known && p.operands.size() == 2 && p.is_shared() && p.has("sync") && p.has("aligned") && p.has("m8n8") &&
         p.has("b16");
}

}  // namespace

bool MatrixLowering::add_operands(const clang::GCCAsmStmt* s, const PtxInstruction& p, Expr& out,
                                  MatrixStatement& written) {
  const bool loads = out.intrinsic == Intrinsic::kLdmatrix;
  const auto numbers = operand_numbers(p.operands[loads ? 0 : 1]);
  const auto address = ptx_address(p.operands[loads ? 1 : 0]);
  if (static_cast<int>(numbers.size()) != out.touch.matrices || !address || address->first.size() < 2 ||
      address->first[0] != '%')
    return false;
  const auto operand = [&](unsigned n) -> const clang::Expr* {
    if (n < s->getNumOutputs()) return s->getOutputExpr(n);
    return n - s->getNumOutputs() < s->getNumInputs() ? s->getInputExpr(n - s->getNumOutputs()) : nullptr;
  };
  const clang::Expr* pointer = operand(static_cast<unsigned>(std::atoi(address->first.c_str() + 1)));
  if (pointer == nullptr || !pointer->getType()->isIntegerType()) return false;
  out.operands = {nodes_.expression(pointer)};
  written.address = source_.range_of(pointer);
  written.offset_bytes = address->second;
  if (address->second != 0) {
    const TypeId type = program_.expr(out.operands[0]).type;
    const ExprId offset = tree_.integer(address->second, type, written.address);
    out.operands[0] = tree_.binary(Operator::kAdd, out.operands[0], offset, type, written.address);
  }
  for (const unsigned n : numbers) {
    const clang::Expr* r = operand(n);
    const bool is_output = n < s->getNumOutputs();
    if (r == nullptr || is_output != loads || !r->getType()->isIntegerType() || ast_.getTypeSize(r->getType()) != 32)
      return false;
    out.operands.push_back(nodes_.expression(r));
    written.registers.push_back(source_.range_of(r));
  }
  return true;
}

StmtId MatrixLowering::statement(const clang::GCCAsmStmt* s) {
  Stmt step;
  step.range = source_.range_of(s);
  const auto instructions = ptx_instructions(s->getAsmString()->getString().str());
  if (instructions.empty() && s->getNumOutputs() + s->getNumInputs() == 0) return tree_.make(step);
  const auto refuse = [&] {
    source_.unsupported(
        s, "this inline PTX (only one ldmatrix or stmatrix .sync.aligned.m8n8.xN.shared.b16 of 32-bit registers)");
    return tree_.make(step);
  };
  if (instructions.size() != 1 || !moves_matrices(instructions[0])) return refuse();
  const PtxInstruction& p = instructions[0];
  Expr out;
  out.kind = ExprKind::kIntrinsic;
  out.range = step.range;
  out.type = tree_.scalar_type(Scalar::kI32);
  const bool loads = p.name.starts_with("ldmatrix");
  out.intrinsic = loads ? Intrinsic::kLdmatrix : Intrinsic::kStmatrix;
  out.touch = {loads ? MemoryOperation::kLdmatrix : MemoryOperation::kStmatrix, true, p.matrices(), p.has("trans")};
  MatrixStatement written{step.range, out.touch, {}, {}, 0};
  if (!add_operands(s, p, out, written)) return refuse();
  step.kind = StmtKind::kExpr;
  step.expr = tree_.make(std::move(out));
  const auto is_same = [&](const MatrixStatement& other) { return other.range == written.range; };
  if (std::none_of(program_.matrix_statements.begin(), program_.matrix_statements.end(), is_same))
    program_.matrix_statements.push_back(std::move(written));
  return tree_.make(step);
}

}  // namespace swizzle
