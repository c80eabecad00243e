#include "frontend/lower_copies.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include "synth/program/intrinsics.h"

namespace swizzle {
namespace {

// What of copies an instruction does; nothing: it is not understood.
std::optional<Intrinsic> intrinsic_of(const PtxInstruction& p) {
  const std::size_t count = p.operands.size();
  if (p.name.starts_with("cp.async.ca.shared") || p.name.starts_with("cp.async.cg.shared")) {
    const bool is_plain = p.has("global") && p.name.find("cache_hint") == std::string::npos;
    return is_plain && (count == 3 || count == 4) ? std::optional(Intrinsic::kCopyAsync) : std::nullopt;
  }
  if (p.name == "cp.async.commit_group" && count == 0) return Intrinsic::kCommitCopies;
  const bool waits = (p.name == "cp.async.wait_group" && count == 1) ||
                     (p.name == "cp.async.wait_all" && count == 0);  // behind a commit
  return waits ? std::optional(Intrinsic::kWaitCopies) : std::nullopt;
}

bool is_compared_with_zero(const PtxInstruction& p) {
  return (p.name.starts_with("setp.ne.") || p.name.starts_with("setp.eq.")) && p.operands.size() == 3 &&
         p.operands[2] == "0";
}

}  // namespace

std::optional<CopyLowering::Value> CopyLowering::value(const clang::GCCAsmStmt* s, const std::string& operand) {
  Value out;
  const auto address = ptx_address(operand);
  const std::string name = address ? address->first : operand;
  const SourceRange range = source_.range_of(s);
  const TypeId i64 = tree_.scalar_type(Scalar::kI64);
  if (name.empty()) return std::nullopt;
  if (name[0] != '%') {
    char* end = nullptr;
    out.written.number = std::strtoll(name.c_str(), &end, 0);
    if (address || *end != '\0') return std::nullopt;
    out.value = tree_.integer(out.written.number, i64, range);
    return out;
  }
  const auto number = static_cast<unsigned>(std::strtoul(name.c_str() + 1, nullptr, 10));
  if (s->getNumOutputs() != 0 || number >= s->getNumInputs()) return std::nullopt;
  const clang::Expr* input = s->getInputExpr(number);
  out.value = nodes_.expression(input);
  out.written = {source_.range_of(input), address ? address->second : 0};
  if (out.written.number == 0) return out;
  const ExprId offset = tree_.integer(out.written.number, i64, range);
  out.value = tree_.binary(Operator::kAdd, out.value, offset, i64, range);
  return out;
}

ExprId CopyLowering::instruction(const clang::GCCAsmStmt* s, const PtxInstruction& p,
                                 CopyStatement::Instruction& written) {
  Expr out;
  out.kind = ExprKind::kIntrinsic;
  out.range = source_.range_of(s);
  out.type = tree_.scalar_type(Scalar::kI32);
  const auto intrinsic = intrinsic_of(p);
  if (!intrinsic) return {};
  out.intrinsic = written.intrinsic = *intrinsic;
  for (const std::string& operand : p.name == "cp.async.wait_all" ? std::vector<std::string>{"0"} : p.operands) {
    const auto value = this->value(s, operand);
    if (!value) return {};
    out.operands.push_back(value->value);
    written.operands.push_back(value->written);
  }
  if (*intrinsic != Intrinsic::kCopyAsync) return tree_.make(std::move(out));
  if (written.operands.size() == 3) written.operands.push_back(written.operands[2]);
  if (out.operands.size() == 4)  // bytes that are read; kCopyAsync wants those that are not
    out.operands[3] =
        tree_.binary(Operator::kSub, out.operands[2], out.operands[3], tree_.scalar_type(Scalar::kI64), out.range);
  return tree_.make(std::move(out));
}

// What happens under "p" or "!p"; invalid: nothing set p.
ExprId CopyLowering::predicated(const std::string& predicate, const Predicates& predicates, ExprId effect,
                                CopyStatement::Instruction& written) {
  const bool is_not = predicate[0] == '!';
  const auto known = predicates.find(predicate.substr(is_not ? 1 : 0));
  if (known == predicates.end()) return {};
  written.happens = known->second.value.written;
  written.happens_not = known->second.is_not != is_not;
  ExprId condition = known->second.value.value;
  if (written.happens_not) condition = tree_.logical_not(condition, program_.expr(effect).range);
  return tree_.under(condition, effect, source_.use());
}

StmtId CopyLowering::statement(const clang::GCCAsmStmt* s, const std::vector<PtxInstruction>& instructions) {
  Stmt block, step;
  block.range = step.range = source_.range_of(s);
  step.kind = StmtKind::kExpr;
  CopyStatement written{block.range, {}};
  Predicates predicates;
  const auto refuse = [&] {
    source_.unsupported(
        s,
        "this inline PTX (only cp.async.ca or .cg from global to shared memory, its commit_group, wait_group and wait_all, and a predicate of setp.ne or setp.eq with 0)");
    return tree_.make(step);
  };
  const auto add = [&](ExprId effect, CopyStatement::Instruction instruction) {
    step.expr = effect;
    block.body.push_back(tree_.make(step));
    written.instructions.push_back(std::move(instruction));
  };
  for (const PtxInstruction& p : instructions) {
    if (is_compared_with_zero(p)) {
      const auto value = this->value(s, p.operands[1]);
      if (!value) return refuse();
      predicates[p.operands[0]] = {*value, p.name.starts_with("setp.eq.")};
      continue;
    }
    CopyStatement::Instruction instruction;
    if (p.name == "cp.async.wait_all") {
      CopyStatement::Instruction commit;
      add(this->instruction(s, PtxInstruction{"cp.async.commit_group", {}, ""}, commit), commit);
    }
    ExprId effect = this->instruction(s, p, instruction);
    if (effect.valid() && !p.predicate.empty()) effect = predicated(p.predicate, predicates, effect, instruction);
    if (!effect.valid()) return refuse();
    add(effect, std::move(instruction));
  }
  const auto is_same = [&](const CopyStatement& other) { return other.range == written.range; };
  if (std::none_of(program_.copy_statements.begin(), program_.copy_statements.end(), is_same))
    program_.copy_statements.push_back(std::move(written));
  return tree_.make(block);
}

}  // namespace swizzle
