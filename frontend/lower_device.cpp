// Memory instructions that are no C++ expressions: atomics, cached loads and stores, asynchronous copies, inline PTX.
#include <cctype>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "frontend/lowering.h"

namespace swizzle {
namespace {

struct DeviceAccess {
  MemoryOperation operation;
  unsigned pointer;     // which argument
  int bytes_argument;   // -1: the size of what it points to
};

const std::multimap<std::string, DeviceAccess>& device_accesses() {
  static const std::multimap<std::string, DeviceAccess> table = [] {
    std::multimap<std::string, DeviceAccess> t;
    for (const char* name : {"Add", "Sub", "Exch", "Min", "Max", "Inc", "Dec", "And", "Or", "Xor", "CAS"})
      for (const char* scope : {"", "_block", "_system"}) t.insert({fmt::format("atomic{}{}", name, scope), {MemoryOperation::kAtomic, 0, -1}});
    for (const char* name : {"__ldg", "__ldcg", "__ldca", "__ldcs", "__ldlu", "__ldcv"}) t.insert({name, {MemoryOperation::kLoad, 0, -1}});
    for (const char* name : {"__stwb", "__stcg", "__stcs", "__stwt"}) t.insert({name, {MemoryOperation::kStore, 0, -1}});
    t.insert({"__pipeline_memcpy_async", {MemoryOperation::kStore, 0, 2}});
    t.insert({"__pipeline_memcpy_async", {MemoryOperation::kLoad, 1, 2}});
    return t;
  }();
  return table;
}

struct PtxInstruction {
  std::string name;
  std::vector<std::string> operands;  // "%0", "p", "[%4 + 16]", "{%0, %1}"
};

std::string trimmed(std::string text) {
  const auto is_space = [](unsigned char c) { return std::isspace(c) != 0; };
  while (!text.empty() && is_space(static_cast<unsigned char>(text.back()))) text.pop_back();
  std::size_t from = 0;
  while (from < text.size() && is_space(static_cast<unsigned char>(text[from]))) ++from;
  return text.substr(from);
}

PtxInstruction parse_instruction(const std::string& text) {
  PtxInstruction out;
  const std::size_t end = text.find_first_of(" \t\n");
  out.name = text.substr(0, end);
  if (end == std::string::npos) return out;
  std::string operand;
  int depth = 0;
  for (const char c : text.substr(end)) {
    depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
    if (c != ',' || depth > 0) operand += c;
    else out.operands.push_back(trimmed(std::exchange(operand, "")));
  }
  out.operands.push_back(trimmed(operand));
  return out;
}

// The instructions of a string of PTX, without scopes, comments, declarations and predicates.
std::vector<PtxInstruction> instructions_of(const std::string& text) {
  std::vector<PtxInstruction> out;
  std::string statement;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (text.compare(i, 2, "//") == 0) i = std::min(text.find('\n', i), text.size());
    if (i < text.size() && text[i] != ';') {
      statement += text[i];
      continue;
    }
    std::string s = trimmed(std::exchange(statement, ""));
    while (!s.empty() && (s[0] == '{' || s[0] == '}')) s = trimmed(s.substr(1));
    if (!s.empty() && s[0] == '@') s = s.find(' ') == std::string::npos ? "" : trimmed(s.substr(s.find(' ')));
    if (!s.empty() && s[0] != '.') out.push_back(parse_instruction(s));
  }
  return out;
}

bool has(const std::string& name, const std::string& part) { return ("." + name + ".").find("." + part + ".") != std::string::npos; }

int matrices_of(const std::string& name) { return has(name, "x4") ? 4 : has(name, "x2") ? 2 : 1; }

// Of an ld or st: ".v4.f32" is 16.
int bytes_of(const std::string& name) {
  int lanes = has(name, "v2") ? 2 : has(name, "v4") ? 4 : 1;
  for (const auto& [bits, bytes] : {std::pair("8", 1), {"16", 2}, {"32", 4}, {"64", 8}, {"128", 16}})
    for (const char* kind : {"b", "u", "s", "f"})
      if (has(name, kind + std::string(bits))) return lanes * bytes;
  return lanes * 4;
}

// Instructions that move no data of memory, or none by addresses of lanes.
bool is_quiet(const std::string& name) {
  for (const char* start : {"mma", "wgmma.fence", "wgmma.commit", "wgmma.wait", "cp.async.commit", "cp.async.wait", "bar", "fence", "membar", "mov", "cvt", "cvta", "setp", "selp", "add", "sub", "mul",
                            "mad", "fma", "and", "or", "xor", "not", "shl", "shr", "shf", "prmt", "lop3", "bfe", "bfi", "ex2", "lg2", "rcp", "rsqrt", "sqrt", "tanh", "max", "min", "neg", "abs",
                            "griddepcontrol", "nanosleep", "createpolicy", "prefetch", "elect", "popc", "clz", "setmaxnreg", "vote", "shfl", "activemask", "discard"})
    if (name == start || name.starts_with(std::string(start) + ".") || (std::string_view(start).find('.') != std::string_view::npos && name.starts_with(start))) return true;
  return false;
}

}  // namespace

ExprId Lowering::make_touch(ExprId address, ExprId bytes, Touch touch, SourceRange range) {
  Expr out;
  out.kind = ExprKind::kTouch;
  out.type = scalar_type(Scalar::kI32);
  out.range = range;
  out.operands = {address, bytes};
  out.touch = touch;
  return make(std::move(out));
}

ExprId Lowering::device_call(const clang::CallExpr* expr, const std::string& name) {
  if (name == "load_matrix_sync" || name == "store_matrix_sync") error(range_of(expr->getSourceRange()), fmt::format("which lane accesses what is not documented for '{}': it is not counted", name));
  if (name == "__cvta_generic_to_shared" && expr->getNumArgs() == 1) {  // its low 32 bits are
    Expr out = base(ExprKind::kCast, expr);
    out.operands = {expression(expr->getArg(0))};
    return make(std::move(out));
  }
  const auto [begin, end] = device_accesses().equal_range(name);
  if (begin == end) return {};
  const SourceRange range = range_of(expr->getSourceRange());
  Expr out = program_.expr(unknown(range));
  if (!expr->getType()->isVoidType()) out.type = type(expr->getType());
  for (auto it = begin; it != end; ++it) {
    const DeviceAccess& access = it->second;
    if (access.pointer >= expr->getNumArgs()) return {};
    const clang::Expr* pointer = expr->getArg(access.pointer);
    ExprId bytes;
    if (access.bytes_argument >= 0) {
      bytes = expression(expr->getArg(static_cast<unsigned>(access.bytes_argument)));
    } else {
      const clang::QualType pointee = pointer->getType()->getPointeeType();
      bytes = integer(is_opaque(pointee) ? 4 : std::max(1, program_.type(type(pointee)).size_bytes), scalar_type(Scalar::kI32), range);
    }
    Touch touch;
    touch.operation = access.operation;
    const SourceRange at = begin->second.bytes_argument >= 0 ? range_of(pointer->getSourceRange()) : range;
    out.operands.push_back(make_touch(expression(pointer), bytes, touch, at));
  }
  for (unsigned i = 1; i < expr->getNumArgs() && begin->second.bytes_argument < 0; ++i) out.operands.push_back(expression(expr->getArg(i)));
  return make(std::move(out));
}

namespace {

// The PTX of one asm statement: registers that copy operands, and the addresses that instructions use.
struct AsmOperands {
  std::map<std::string, ExprId> values;  // by "%0" or register
  std::optional<std::pair<std::string, std::int64_t>> address(const std::string& text) const {
    if (text.size() < 3 || text[0] != '[' || text.back() != ']') return std::nullopt;
    const std::string inside = text.substr(1, text.size() - 2);
    const std::size_t plus = inside.find('+');
    const std::string offset = plus == std::string::npos ? "" : trimmed(inside.substr(plus + 1));
    if (!offset.empty() && !std::isdigit(static_cast<unsigned char>(offset[0]))) return std::nullopt;
    return std::pair(trimmed(inside.substr(0, plus)), offset.empty() ? 0 : std::strtoll(offset.c_str(), nullptr, 0));
  }
};

}  // namespace

StmtId Lowering::asm_statement(const clang::GCCAsmStmt* s) {
  Stmt block;
  block.range = range_of(s->getSourceRange());
  const TypeId i64 = scalar_type(Scalar::kI64);
  AsmOperands operands;
  const auto add = [&](ExprId expr) {
    Stmt step;
    step.kind = StmtKind::kExpr;
    step.range = block.range;
    step.expr = expr;
    block.body.push_back(make(step));
  };
  const unsigned outputs = s->getNumOutputs();
  for (unsigned i = 0; i < outputs; ++i)
    if (s->isOutputPlusConstraint(i)) operands.values[fmt::format("%{}", i)] = expression(s->getOutputExpr(i));
  for (unsigned i = 0; i < s->getNumInputs(); ++i) operands.values[fmt::format("%{}", outputs + i)] = expression(s->getInputExpr(i));
  const auto touch_at = [&](const std::string& operand, int bytes, Touch touch) {
    const auto address = operands.address(operand);
    const auto known = address ? operands.values.find(address->first) : operands.values.end();
    if (known == operands.values.end()) return error(block.range, "this PTX computes an address that is not followed: the access is not counted");
    Expr sum;
    sum.kind = ExprKind::kBinary;
    sum.type = i64;
    sum.range = block.range;
    sum.operands = {known->second, integer(address->second, i64, block.range)};
    add(make_touch(make(std::move(sum)), integer(bytes, i64, block.range), touch, block.range));
  };
  const std::string text = s->getAsmString()->getString().str();
  for (const PtxInstruction& p : instructions_of(text)) {
    constexpr int kRowBytes = 16;
    const bool shared = has(p.name, "shared") || p.name.find("shared::") != std::string::npos;
    if (p.name.starts_with("ldmatrix") && p.operands.size() == 2) {
      touch_at(p.operands[1], kRowBytes, {MemoryOperation::kLdmatrix, true, matrices_of(p.name)});
    } else if (p.name.starts_with("stmatrix") && p.operands.size() == 2) {
      touch_at(p.operands[0], kRowBytes, {MemoryOperation::kStmatrix, true, matrices_of(p.name)});
    } else if ((p.name.starts_with("cp.async.ca.shared") || p.name.starts_with("cp.async.cg.shared")) && p.operands.size() >= 3) {
      const auto given = operands.values.find(p.operands[2]);
      const auto bytes = given != operands.values.end() && program_.expr(given->second).kind == ExprKind::kIntLiteral ? program_.expr(given->second).int_value : std::atoll(p.operands[2].c_str());
      touch_at(p.operands[0], static_cast<int>(bytes > 0 ? bytes : kRowBytes), {MemoryOperation::kStore, true, 0});
      touch_at(p.operands[1], static_cast<int>(bytes > 0 ? bytes : kRowBytes), {MemoryOperation::kLoad, false, 0});
    } else if (p.name.starts_with("ld.") && p.operands.size() == 2) {
      touch_at(p.operands[1], bytes_of(p.name), {MemoryOperation::kLoad, shared, 0});
    } else if (p.name.starts_with("st.") && p.operands.size() == 2) {
      touch_at(p.operands[0], bytes_of(p.name), {MemoryOperation::kStore, shared, 0});
    } else if ((p.name.starts_with("mov") || p.name.starts_with("cvt")) && p.operands.size() == 2 && operands.values.contains(p.operands[1])) {
      operands.values[p.operands[0]] = operands.values[p.operands[1]];
    } else if (!is_quiet(p.name)) {
      error(block.range, fmt::format("the PTX instruction '{}' is not followed", p.name));
    }
  }
  for (unsigned i = 0; i < outputs; ++i) {
    const auto copied = operands.values.find(fmt::format("%{}", i));
    Expr assign;
    assign.kind = ExprKind::kAssign;
    assign.range = range_of(s->getOutputExpr(i)->getSourceRange());
    assign.type = type(s->getOutputExpr(i)->getType());
    const bool is_copy = copied != operands.values.end() && !s->isOutputPlusConstraint(i);
    assign.operands = {expression(s->getOutputExpr(i)), is_copy ? copied->second : unknown(block.range)};
    add(make(std::move(assign)));
  }
  return make(block);
}

}  // namespace swizzle
