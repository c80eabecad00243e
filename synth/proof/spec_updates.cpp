// What a spec adds to buffers, as the atomics that say so: see updates.h.
//
//   y[e] += v;   y[e]++;   y[e] = y[e] + v;   y[e] = min(v, y[e]);         atomicAdd(&y[e], v); …
#include <algorithm>
#include <map>
#include <ranges>
#include <set>

#include "synth/program/intrinsics.h"
#include "synth/proof/program_edit.h"
#include "synth/proof/updates.h"

namespace swizzle {
namespace {

// place ⊕ value
struct Update {
  ExprId place, value;
  Intrinsic atomic{};
};

class SpecUpdates : public ProgramEdit {
 public:
  using ProgramEdit::ProgramEdit;

  std::optional<Program> run() {
    const std::size_t before = program_.stmts.size();
    for (std::size_t s = 0; s < before; ++s)
      if (const auto update = update_of(StmtId(s))) updates_.emplace(StmtId(s), *update);
    for (const VariableId v : program_.function(program_.entry).parameters)
      if (is_pointer(v) && is_updated_alone(v)) buffers_.insert(v);
    return with_each([this](StmtId id) { return replace(id); });
  }

 private:
  VariableId buffer_of(ExprId id) const {
    const Expr& e = expr(id);
    if (e.kind == ExprKind::kVariable) return is_pointer(e.variable) ? e.variable : VariableId();
    const bool goes_on = e.kind == ExprKind::kSubscript || e.kind == ExprKind::kDereference;
    return goes_on ? buffer_of(e.operands[0]) : VariableId();
  }

  static std::optional<Intrinsic> atomic_of(Operator op) {
    switch (op) {
      case Operator::kAdd: return Intrinsic::kAtomicAdd;
      case Operator::kSub: return Intrinsic::kAtomicSub;
      case Operator::kOr: return Intrinsic::kAtomicOr;
      case Operator::kXor: return Intrinsic::kAtomicXor;
      default: return std::nullopt;
    }
  }

  std::optional<Update> update_of(StmtId id) {
    if (stmt(id).kind != StmtKind::kExpr) return std::nullopt;
    const Expr e = expr(stmt(id).expr);
    if (e.kind != ExprKind::kAssign && e.kind != ExprKind::kIncDec) return std::nullopt;
    const ExprId place = e.operands[0];
    const TypeId type = expr(place).type;
    const auto changes = [](const Expr& part) {
      return part.kind == ExprKind::kAssign || part.kind == ExprKind::kIncDec || part.kind == ExprKind::kCall;
    };
    if (!buffer_of(place).valid() || any_in(place, changes) || program_.type(type).form != Type::Form::kScalar)
      return std::nullopt;
    const auto atomic = atomic_of(e.op);
    if (e.kind == ExprKind::kIncDec)
      return atomic ? std::optional(Update{place, one(type, e.range), *atomic}) : std::nullopt;
    if (e.compound) {
      if (!atomic || !(e.computation == type)) return std::nullopt;
      return Update{place, as(type, e.operands[1]), *atomic};
    }
    return assigned(place, e.operands[1]);
  }

  ExprId one(TypeId type, SourceRange range) {
    if (!is_real(program_.type(type).scalar)) return literal(1, type, range);
    Expr e;
    e.kind = ExprKind::kRealLiteral, e.real_value = 1, e.type = type, e.range = range;
    return made(std::move(e));
  }

  // place = place ⊕ v, or an extremum of both.
  std::optional<Update> assigned(ExprId place, ExprId value) const {
    const Expr& e = expr(value);
    if (!(e.type == expr(place).type) || e.operands.size() != 2) return std::nullopt;
    std::optional<Intrinsic> atomic;
    if (e.kind == ExprKind::kBinary) atomic = atomic_of(e.op);
    if (e.kind == ExprKind::kIntrinsic && e.intrinsic == Intrinsic::kMin) atomic = Intrinsic::kAtomicMin;
    if (e.kind == ExprKind::kIntrinsic && e.intrinsic == Intrinsic::kMax) atomic = Intrinsic::kAtomicMax;
    if (!atomic) return std::nullopt;
    if (is_same(e.operands[0], place)) return Update{place, e.operands[1], *atomic};
    const bool commutes = *atomic != Intrinsic::kAtomicSub;
    return commutes && is_same(e.operands[1], place) ? std::optional(Update{place, e.operands[0], *atomic})
                                                     : std::nullopt;
  }

  // Named in updates of one kind alone, and there as what is updated.
  bool is_updated_alone(VariableId buffer) const {
    std::set<ExprId> places;
    std::optional<Ring> ring;
    for (const auto& [id, update] : updates_) {
      if (buffer_of(update.place) != buffer) continue;
      const auto own = ring_of_updates(update.atomic);
      if (names(update.value, buffer) || (ring && ring != own)) return false;
      ring = own;
      add_places(stmt(id).expr, update.place, places);
    }
    return ring && is_named_in(program_.function(program_.entry).body, buffer, places);
  }
  void add_places(ExprId id, ExprId place, std::set<ExprId>& places) const {
    if (is_same(id, place)) places.insert(id);
    else
      for (const ExprId operand : expr(id).operands) add_places(operand, place, places);
  }
  bool is_named_in(StmtId id, VariableId buffer, const std::set<ExprId>& places) const {
    return !id.valid() ||
           ((!stmt(id).expr.valid() || is_named_in(stmt(id).expr, buffer, places)) &&
            std::ranges::all_of(stmt(id).body, [&](StmtId part) { return is_named_in(part, buffer, places); }));
  }
  bool is_named_in(ExprId id, VariableId buffer, const std::set<ExprId>& places) const {
    if (places.contains(id))
      return std::ranges::none_of(expr(id).operands | std::views::drop(1), [&](ExprId o) { return names(o, buffer); });
    return !is_of(id, buffer) &&
           std::ranges::all_of(expr(id).operands, [&](ExprId o) { return is_named_in(o, buffer, places); });
  }

  bool replace(StmtId id) {
    const auto known = updates_.find(id);
    if (known == updates_.end() || !buffers_.contains(buffer_of(known->second.place))) return false;
    const auto& [place, value, atomic] = known->second;
    Expr e;
    e.kind = ExprKind::kIntrinsic, e.intrinsic = atomic;
    e.type = expr(place).type, e.range = stmt(id).range;
    const ExprId address = TreeBuilder(program_).address_of(place);
    e.operands = {address, value};
    program_.stmts[id.value] = expression(made(std::move(e)));
    return true;
  }

  std::map<StmtId, Update> updates_;
  std::set<VariableId> buffers_;
};

}  // namespace

std::optional<Program> with_updates(const Program& spec) { return SpecUpdates(spec).run(); }

}  // namespace swizzle
