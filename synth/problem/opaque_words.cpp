#include "synth/problem/opaque_words.h"

#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "synth/program/data_flow.h"
#include "synth/program/intrinsics.h"
#include "synth/provenance/casts.h"

namespace swizzle {
namespace {

bool computes(const Expr& e) {
  return e.kind == ExprKind::kBinary || e.kind == ExprKind::kUnary || (e.kind == ExprKind::kAssign && e.compound);
}

bool is_of_ring(const Expr& e, Ring ring) {
  const Operator op = e.op;
  switch (ring) {
    case Ring::kSum:
      return computes(e) && (op == Operator::kAdd || op == Operator::kSub || op == Operator::kMul ||
                             op == Operator::kShl || op == Operator::kNegate);
    case Ring::kXor: return computes(e) && (op == Operator::kXor || op == Operator::kAnd || op == Operator::kBitNot);
    case Ring::kOr: return computes(e) && op == Operator::kOr;
    case Ring::kMin: return e.kind == ExprKind::kIntrinsic && e.intrinsic == Intrinsic::kMin;
    case Ring::kMax: return e.kind == ExprKind::kIntrinsic && e.intrinsic == Intrinsic::kMax;
  }
  return false;
}

// The one operator as which another is kept: a > b is b < a.
Operator kept_as(Operator op) { return op == Operator::kGt ? Operator::kLt : op == Operator::kGe ? Operator::kLe : op; }

bool is_of_function(const Program& program, const Expr& e, std::uint32_t code) {
  if (code < kOpaqueCast) return computes(e) && kept_as(e.op) == static_cast<Operator>(code);
  if (code == kOpaqueSelect) return e.kind == ExprKind::kConditional;
  if (code >= kOpaqueJoin) return false;
  if (code >= kOpaqueIntrinsic)
    return e.kind == ExprKind::kIntrinsic && e.intrinsic == static_cast<Intrinsic>(code - kOpaqueIntrinsic);
  if (e.kind != ExprKind::kCast || e.operands.empty()) return false;
  const Type &from = program.type(program.expr(e.operands[0]).type), &to = program.type(e.type);
  return from.form == Type::Form::kScalar && to.form == Type::Form::kScalar &&
         code == cast_code({from.scalar, to.scalar});
}

// Of data, if it is anywhere: `~` of a constant or `+` of indices is computed.
const Expr* first_of(const Program& program, const Lawless& operation) {
  const std::vector<bool> has_data = with_data(program);
  const Expr* first = nullptr;
  std::pair<bool, std::uint32_t> least;
  for (std::size_t n = 0; n < program.exprs.size(); ++n) {
    const Expr& e = program.exprs[n];
    const bool is_it = operation.is_ring ? is_of_ring(e, operation.ring) : is_of_function(program, e, operation.code);
    const bool is_address = program.type(e.type).form == Type::Form::kPointer;
    const std::pair at(!has_data[n] || is_address, e.range.begin);
    if (!is_it || (first != nullptr && least <= at)) continue;
    first = &e;
    least = at;
  }
  return first;
}

std::string name_of(const Program& program, const Expr& e) {
  if (e.kind == ExprKind::kIntrinsic) {
    const std::string_view text = program.source.slice(e.range);
    return std::string(text.substr(0, text.find('(')));
  }
  if (e.kind == ExprKind::kCast) return fmt::format("the conversion to '{}'", program.type(e.type).spelling);
  return e.kind == ExprKind::kConditional ? "'?:'" : fmt::format("'{}'", spelling(e.op));
}

// Of what is written nowhere as such: the conversion of `a == b` to an int, say.
std::string name_of(const Lawless& operation) {
  if (operation == Lawless{false, Ring::kSum, kOpaqueIndex}) return "an index that data decide";
  if (operation == Lawless{false, Ring::kSum, kOpaqueUnwritten})
    return "what is read under another condition than it was written under";
  if (operation.is_ring || operation.code >= kOpaqueIntrinsic) return "an operation on data";
  if (const auto cast = cast_of(operation.code))
    return fmt::format("a conversion of '{}' to '{}'", spelling(cast->from), spelling(cast->to));
  if (operation.code == kOpaqueSelect) return "a choice by a condition on data";
  return fmt::format("'{}'", spelling(static_cast<Operator>(operation.code)));
}

}  // namespace

std::string told(const Lawless& operation, const Program& sketch, const Program& spec) {
  if (operation.is_rounding) return "they have the same terms, whose constants differ by how they are rounded";
  if (operation == Lawless{false, Ring::kSum, kOpaqueRange})
    return "an element of a known range is compared as any other";
  const char* how = operation.is_ring ? "compared by its own laws alone, not by those that it has with other operators"
                                      : "compared as an opaque function";
  for (const Program* program : {&sketch, &spec}) {
    const Expr* e = first_of(*program, operation);
    if (e == nullptr) continue;
    const LineColumn at = program->source.locate(e->range.begin);
    const std::string file =
        program == &sketch ? "" : std::filesystem::path(program->source.path()).filename().string() + ":";
    return fmt::format("{} at {}{}:{} is {}", name_of(*program, *e), file, at.line, at.column, how);
  }
  return fmt::format("{} is {}", name_of(operation), how);
}

}  // namespace swizzle
