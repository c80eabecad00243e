// Expressions of a symbolic run: what all threads of the block compute at once.
#include <algorithm>
#include <bit>

#include "synth/program/places.h"
#include "synth/proof/symbolic_interpreter.h"

namespace swizzle {
namespace {

Symbol builtin_of(Builtin b, const SizeRegion& region, int t) {
  const auto& block = region.threads;
  const auto n = [](std::int64_t v) { return Symbol::integer(Polynomial(v)); };
  if (region.threads_are_blocks) {
    if (b == Builtin::kThreadIdxX) return Symbol::integer(region.block[kDigits]);
    if (b == Builtin::kBlockDimX) return Symbol::integer(region.grid[kDigits]);
  }
  if (const auto& numbered = region.numbered) {
    const NumberedThreads::Thread& thread = numbered->looked_at[static_cast<std::size_t>(t)];
    if (b == Builtin::kThreadIdxX) return Symbol::integer(numbered->in_block(thread));
    if (b == Builtin::kBlockDimX) return n(numbered->threads);
    if (b == Builtin::kBlockIdxX) return Symbol::integer(thread.block);
    if (b == Builtin::kGridDimX) return {};
  }
  switch (b) {
    case Builtin::kThreadIdxX: return Symbol::integer(region.thread_index(t, 0));
    case Builtin::kThreadIdxY: return Symbol::integer(region.thread_index(t, 1));
    case Builtin::kThreadIdxZ: return Symbol::integer(region.thread_index(t, 2));
    case Builtin::kBlockIdxX: return Symbol::integer(region.block[0]);
    case Builtin::kBlockIdxY: return Symbol::integer(region.block[1]);
    case Builtin::kBlockIdxZ: return Symbol::integer(region.block[2]);
    case Builtin::kBlockDimX: return n(block[0]);
    case Builtin::kBlockDimY: return n(block[1]);
    case Builtin::kBlockDimZ: return n(block[2]);
    case Builtin::kGridDimX: return Symbol::integer(region.grid[0]);
    case Builtin::kGridDimY: return Symbol::integer(region.grid[1]);
    case Builtin::kGridDimZ: return Symbol::integer(region.grid[2]);
    case Builtin::kWarpSize: return n(32);
    case Builtin::kLaneId: return n(t % 32);
  }
  return {};
}

}  // namespace

SymbolicInterpreter::Lanes SymbolicInterpreter::eval(ExprId id) {
  const Expr& e = program_.expr(id);
  steps_ += threads_;
  if (stopped()) return blank(slots_of(e.type));
  Lanes result = is_lvalue(program_, e) ? read(place(id), e.type) : eval_value(e);
  if (stopped() || result.size() != at(threads_, slots_of(e.type))) return blank(slots_of(e.type));
  return result;
}

SymbolicInterpreter::Lanes SymbolicInterpreter::eval_value(const Expr& e) {
  switch (e.kind) {
    case ExprKind::kIntLiteral:
      if (!is_real(scalar_of(e.type))) return splat(Symbol::integer(Polynomial(e.int_value)));
      return splat({Symbol::Kind::kData, {}, 0, Value::real(static_cast<double>(e.int_value))});
    case ExprKind::kRealLiteral: return splat({Symbol::Kind::kData, {}, 0, Value::real(e.real_value)});
    case ExprKind::kBuiltin: {
      if (e.builtin == Builtin::kLaneId) only_of_blocks();
      Lanes result = blank();
      for_active([&](int t) { result[at(t)] = builtin_of(e.builtin, region_, t); });
      return result;
    }
    case ExprKind::kUnary: return eval_unary(e);
    case ExprKind::kBinary: return eval_binary(e);
    case ExprKind::kAssign: return eval_assign(e);
    case ExprKind::kIncDec: return eval_inc_dec(e);
    case ExprKind::kConditional:
      return eval_conditional(
          e.operands[0], [&] { return eval(e.operands[1]); }, [&] { return eval(e.operands[2]); }, slots_of(e.type),
          packed_scalar(program_.type(e.type)));
    case ExprKind::kComma: return eval(e.operands[0]), eval(e.operands[1]);
    case ExprKind::kAddressOf: return place(e.operands[0]);
    case ExprKind::kCast: return eval_cast(e);
    case ExprKind::kConstruct: return eval_construct(e);
    case ExprKind::kCall: return eval_call(e);
    case ExprKind::kIntrinsic: return eval_intrinsic(e);
    case ExprKind::kMember: {
      const Lanes whole = eval(e.operands[0]);
      const int slots = slots_of(e.type), all = slots_of(program_.expr(e.operands[0]).type);
      Lanes part = blank(slots);
      for_active([&](int t) {
        for (int s = 0; s < slots; ++s) part[at(t, slots, s)] = whole[at(t, all, e.member_slot + s)];
      });
      return part;
    }
    default: give_up("an expression of this kind"); return blank(slots_of(e.type));
  }
}

SymbolicInterpreter::Lanes SymbolicInterpreter::eval_unary(const Expr& e) {
  Lanes v = eval(e.operands[0]);
  const Scalar s = scalar_of(e.type);
  compute(v, [&](const Symbol& x) { return unary(e.op, s, x); });
  return v;
}

Symbol SymbolicInterpreter::unary(Operator op, Scalar s, const Symbol& x) {
  if (has_cases(x) && !is_guard(x)) return by_cases(x, [&](const Symbol& number) { return unary(op, s, number); });
  if (!x.is_integer() || is_real(s)) return symbol_of(elements_.provenance().unary(op, s, data_of(x, s)));
  if (is_for_all() && x.number.has(unknown_)) return unknown();
  if (op == Operator::kNegate) return integers(Operator::kSub, s, Polynomial(), x.number);
  if (op == Operator::kLogicalNot) return integers(Operator::kEq, s, x.number, Polynomial());
  if (const auto value = x.number.value())
    return symbol_of(elements_.provenance().unary(op, s, Value::integer(*value)));
  return give_up("bits of an integer that depends on the sizes"), Symbol{};
}

SymbolicInterpreter::Lanes SymbolicInterpreter::eval_binary(const Expr& e) {
  if (e.op == Operator::kLogicalAnd || e.op == Operator::kLogicalOr) {
    const auto right = [&] { return eval(e.operands[1]); };
    const bool is_and = e.op == Operator::kLogicalAnd;
    const auto constant = [&] { return splat(Symbol::integer(Polynomial(is_and ? 0 : 1))); };
    return is_and ? eval_conditional(e.operands[0], right, constant, 1, Scalar::kBool)
                  : eval_conditional(e.operands[0], constant, right, 1, Scalar::kBool);
  }
  Lanes a = eval(e.operands[0]);
  const Lanes b = eval(e.operands[1]);
  const TypeId left = program_.expr(e.operands[0]).type;
  const bool pointers = program_.type(left).form == Type::Form::kPointer &&
                        program_.type(program_.expr(e.operands[1]).type).form == Type::Form::kPointer;
  if (pointers && slots_of(program_.type(left).element) != 1) give_up("pointers to several elements are subtracted");
  const TypeId type = is_comparison(e.op) || pointers ? left : e.type;
  compute(a, [&](const Symbol& x, const Symbol& y) { return binary(e.op, type, x, y); }, b);
  return a;
}

SymbolicInterpreter::Lanes SymbolicInterpreter::eval_conditional(ExprId id, const std::function<Lanes()>& then,
                                                                 const std::function<Lanes()>& other, int slots,
                                                                 std::optional<Scalar> type) {
  const Lanes condition = eval(id);
  if (const auto known = condition.plain_integer(); known && !stopped()) return *known != 0 ? then() : other();
  Lanes a = blank(slots), b = blank(slots), result = blank(slots);
  const Arms arms = run_arms(condition, [&] { a = then(); }, [&] { b = other(); });
  for_active([&](int t) {
    for (int s = 0; s < slots; ++s) {
      const std::size_t k = at(t, slots, s);
      if (!arms.no[at(t)] || !arms.yes[at(t)]) result[k] = arms.no[at(t)] ? b[k] : a[k];
      else if (arms.is_uncertain) result[k] = a[k].kind == Symbol::Kind::kData ? a[k] : unknown();
      else result[k] = selected(condition[at(t)].data, a[k], b[k], type);
    }
  });
  return result;
}

SymbolicInterpreter::Lanes SymbolicInterpreter::eval_assign(const Expr& e) {
  const Expr& target = program_.expr(e.operands[0]);
  Lanes value = eval(e.operands[1]);
  const Lanes where = place(e.operands[0]);
  if (e.compound && !stopped()) {
    const Lanes old = read(where, target.type);
    const bool pointer = program_.type(target.type).form == Type::Form::kPointer;
    const TypeId computation = pointer ? target.type : e.computation;
    const Scalar inside = scalar_of(computation), outside = scalar_of(target.type);
    const auto changed = [&](const Symbol& by, const Symbol& before) {
      return pointer ? binary(e.op, computation, before, by)
                     : converted(binary(e.op, computation, converted(before, outside, inside), by), inside, outside);
    };
    compute(value, changed, old);
  }
  if (!stopped()) write(where, value, target.type, target.range);
  return value;
}

SymbolicInterpreter::Lanes SymbolicInterpreter::eval_inc_dec(const Expr& e) {
  const Expr& target = program_.expr(e.operands[0]);
  const Lanes where = place(e.operands[0]);
  if (stopped()) return blank();
  const Lanes old = read(where, target.type);
  Lanes changed = old;
  const bool real = is_real(scalar_of(target.type));
  const Symbol one = real ? Symbol{Symbol::Kind::kData, {}, 0, Value::real(1)} : Symbol::integer(Polynomial(1));
  compute(changed, [&](const Symbol& x) { return binary(e.op, target.type, x, one); });
  if (!stopped()) write(where, changed, target.type, target.range);
  return e.prefix ? changed : old;
}

SymbolicInterpreter::Lanes SymbolicInterpreter::eval_cast(const Expr& e) {
  const Type& from = program_.type(program_.expr(e.operands[0]).type);
  const Type& to = program_.type(e.type);
  if (from.form == Type::Form::kArray && to.form == Type::Form::kPointer) return place(e.operands[0]);
  Lanes v = eval(e.operands[0]);
  if (to.form == Type::Form::kVoid) return blank();
  if (from.form == Type::Form::kScalar && to.form == Type::Form::kScalar) {
    compute(v, [&](const Symbol& x) { return converted(x, from.scalar, to.scalar); });
  } else if (from.form == Type::Form::kScalar || to.form == Type::Form::kScalar) {
    if (to.form != Type::Form::kScalar) return give_up("an address is cast"), v;
    for_active([&](int t) {
      const Symbol& address = v[at(t)];
      if (address.is_pointer() && objects_[address.object].space == Object::Space::kShared)
        converted(address, Scalar::kU64, to.scalar);
      else give_up("an address is cast");
    });
  }
  return v;
}

SymbolicInterpreter::Lanes SymbolicInterpreter::eval_construct(const Expr& e) {
  const int slots = slots_of(e.type);
  const bool real = is_real(scalar_of(e.type));
  Lanes result(threads_, slots,
               real ? Symbol{Symbol::Kind::kData, {}, 0, Value::real(0)} : Symbol::integer(Polynomial()));
  int next = 0;
  for (ExprId part : e.operands) {
    const int count = slots_of(program_.expr(part).type);
    const Lanes v = eval(part);
    if (stopped() || next + count > slots) break;
    for_active([&](int t) {
      for (int s = 0; s < count; ++s) result[at(t, slots, next + s)] = v[at(t, count, s)];
    });
    next += count;
  }
  return result;
}

SymbolicInterpreter::Lanes SymbolicInterpreter::eval_call(const Expr& e) {
  const Function& callee = program_.function(e.callee);
  std::vector<Lanes> arguments;
  for (ExprId a : e.operands) arguments.push_back(eval(a));
  if (!callee.body.valid() || !calling_.insert(e.callee).second) give_up("a call of '" + callee.name + "'");
  if (stopped()) return blank(slots_of(e.type));
  for (std::size_t i = 0; i < arguments.size() && i < callee.parameters.size(); ++i) {
    Object& object = objects_[object_of(callee.parameters[i])];
    declare(object, arguments[i]);
  }
  const Mask mask = mask_;
  Paths outer = std::exchange(called_, path_), returned = std::exchange(returned_, nobody()),
        broken = std::exchange(broken_, nobody()), continued = std::exchange(continued_, nobody());
  Lanes value = std::exchange(return_value_, blank(slots_of(e.type)));
  const int of_outer_call = std::exchange(of_call_, by_data_);
  exec(callee.body);
  of_call_ = of_outer_call;
  std::swap(value, return_value_);
  returned_ = std::move(returned);
  broken_ = std::move(broken);
  continued_ = std::move(continued);
  mask_ = mask;
  path_ = std::exchange(called_, std::move(outer));
  calling_.erase(e.callee);
  return value;
}

}  // namespace swizzle
