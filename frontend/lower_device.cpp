// Memory instructions that are no C++ expressions: atomics, cached loads and stores, asynchronous copies, inline PTX.
#include <cstdlib>
#include <map>

#include <fmt/format.h>

#include "frontend/lowering.h"
#include "frontend/ptx.h"

namespace swizzle {
namespace {

struct DeviceAccess {
  MemoryOperation operation;
  unsigned pointer;    // which argument
  int bytes_argument;  // -1: the size of what it points to
};

const std::multimap<std::string, DeviceAccess>& device_accesses() {
  static const std::multimap<std::string, DeviceAccess> table = [] {
    std::multimap<std::string, DeviceAccess> t;
    for (const char* name : {"Add", "Sub", "Exch", "Min", "Max", "Inc", "Dec", "And", "Or", "Xor", "CAS"})
      for (const char* scope : {"", "_block", "_system"})
        t.insert({fmt::format("atomic{}{}", name, scope), {MemoryOperation::kAtomic, 0, -1}});
    for (const char* name : {"gpuAtomicAdd", "gpuAtomicAddNoReturn", "gpuAtomicMul", "gpuAtomicMax", "gpuAtomicMin"})
      t.insert({name, {MemoryOperation::kAtomic, 0, -1}});
    for (const char* name : {"__ldg", "__ldcg", "__ldca", "__ldcs", "__ldlu", "__ldcv"})
      t.insert({name, {MemoryOperation::kLoad, 0, -1}});
    for (const char* name : {"__stwb", "__stcg", "__stcs", "__stwt"})
      t.insert({name, {MemoryOperation::kStore, 0, -1}});
    t.insert({"__pipeline_memcpy_async", {MemoryOperation::kStore, 0, 2}});
    t.insert({"__pipeline_memcpy_async", {MemoryOperation::kLoad, 1, 2}});
    for (const char* name : {"memcpy", "memmove"}) {
      t.insert({name, {MemoryOperation::kLoad, 1, 2}});
      t.insert({name, {MemoryOperation::kStore, 0, 2}});
    }
    t.insert({"memset", {MemoryOperation::kStore, 0, 2}});
    return t;
  }();
  return table;
}

}  // namespace

ExprId Lowering::device_call(const clang::CallExpr* expr, const std::string& name) {
  if (const ExprId fragment = fragment_call(expr, name); fragment.valid()) return fragment;
  if (name == "__cvta_generic_to_shared" && expr->getNumArgs() == 1) {  // its low 32 bits are
    Expr out = types_.node(ExprKind::kCast, expr);
    out.operands = {expression(expr->getArg(0))};
    return tree_.make(std::move(out));
  }
  const auto [begin, end] = device_accesses().equal_range(name);
  if (begin == end) return {};
  const SourceRange range = source_.range_of(expr);
  Expr out = program_.expr(tree_.unknown(range));
  if (!expr->getType()->isVoidType()) out.type = types_.of(expr->getType());
  for (auto it = begin; it != end; ++it) {
    const DeviceAccess& access = it->second;
    if (access.pointer >= expr->getNumArgs()) return {};
    const clang::Expr* pointer = expr->getArg(access.pointer);
    ExprId bytes;
    if (access.bytes_argument >= 0) {
      bytes = expression(expr->getArg(static_cast<unsigned>(access.bytes_argument)));
    } else {
      const clang::QualType pointee = pointer->getType()->getPointeeType();
      bytes = tree_.integer(is_opaque(pointee) ? 4 : std::max(1, program_.type(types_.of(pointee)).size_bytes),
                            tree_.scalar_type(Scalar::kI32), range);
    }
    Touch touch;
    touch.operation = access.operation;
    const SourceRange at = begin->second.bytes_argument >= 0 ? source_.range_of(pointer) : range;
    out.operands.push_back(tree_.touch(expression(pointer), bytes, touch, at));
  }
  for (unsigned i = 1; i < expr->getNumArgs() && begin->second.bytes_argument < 0; ++i)
    out.operands.push_back(expression(expr->getArg(i)));
  return tree_.make(std::move(out));
}

// The asm statement under way: what is known of operands ("%0") and PTX registers, and what it does, in order.
struct Lowering::AsmStatement {
  SourceRange range;
  std::map<std::string, ExprId> values;
  std::vector<ExprId> steps;
};

// "[%4 + 16]" is operand %4 and 16.
void Lowering::touch_at(AsmStatement& out, const std::string& operand, std::int64_t bytes, Touch touch) {
  const TypeId i64 = tree_.scalar_type(Scalar::kI64);
  const auto address = ptx_address(operand);
  const auto known = address ? out.values.find(address->first) : out.values.end();
  if (known == out.values.end())
    return source_.error(out.range, "this PTX computes an address that is not followed: the access is not counted");
  const ExprId offset = tree_.integer(address->second, i64, out.range);
  const ExprId sum = tree_.binary(Operator::kAdd, known->second, offset, i64, out.range);
  out.steps.push_back(tree_.touch(sum, tree_.integer(bytes, i64, out.range), touch, out.range));
}

void Lowering::ptx_instruction(AsmStatement& out, const PtxInstruction& p) {
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

StmtId Lowering::asm_statement(const clang::GCCAsmStmt* s) {
  AsmStatement out;
  out.range = source_.range_of(s);
  const unsigned outputs = s->getNumOutputs();
  for (unsigned i = 0; i < outputs; ++i)
    if (s->isOutputPlusConstraint(i)) out.values[fmt::format("%{}", i)] = expression(s->getOutputExpr(i));
  for (unsigned i = 0; i < s->getNumInputs(); ++i)
    out.values[fmt::format("%{}", outputs + i)] = expression(s->getInputExpr(i));
  for (const PtxInstruction& p : ptx_instructions(s->getAsmString()->getString().str())) ptx_instruction(out, p);
  for (unsigned i = 0; i < outputs; ++i) {
    const auto copied = out.values.find(fmt::format("%{}", i));
    const bool is_copy = copied != out.values.end() && !s->isOutputPlusConstraint(i);
    Expr assign;
    assign.kind = ExprKind::kAssign;
    assign.range = source_.range_of(s->getOutputExpr(i));
    assign.type = types_.of(s->getOutputExpr(i)->getType());
    assign.operands = {expression(s->getOutputExpr(i)), is_copy ? copied->second : tree_.unknown(out.range)};
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
