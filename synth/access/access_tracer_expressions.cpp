// Expressions: integers of all threads at once.
#include <algorithm>

#include <fmt/format.h>

#include "synth/access/access_tracer.h"

namespace swizzle {

Item AccessTracer::eval(ExprId id) {
  const Expr& e = program_.expr(id);
  if (!charge(e.range)) return {};
  if (!is_place(e)) return compute(e);
  const LaneValue address = place(id);
  return stopped_ ? Item{} : load(address, e.type, e.range);
}

Item AccessTracer::compute(const Expr& e) {
  switch (e.kind) {
    case ExprKind::kIntLiteral: return {is_real(scalar_of(e.type)) ? LaneValue() : LaneValue::uniform(e.int_value), {}};
    case ExprKind::kRealLiteral: return {LaneValue::uniform_real(nearest(scalar_of(e.type), e.real_value)), {}};
    case ExprKind::kBuiltin: return {builtin(e), {}};
    case ExprKind::kUnary: return {unary(e.op, scalar_of(e.type), value_of(e.operands[0])), {}};
    case ExprKind::kBinary: return binary_item(e);
    case ExprKind::kAssign: return assign(e);
    case ExprKind::kIncDec: return increment(e);
    case ExprKind::kConditional: return conditional(e, [&](ExprId branch) { return eval(branch); });
    case ExprKind::kComma: eval(e.operands[0]); return eval(e.operands[1]);
    case ExprKind::kAddressOf: return {place(e.operands[0]), {}};
    case ExprKind::kCast: return cast(e);
    case ExprKind::kConstruct: return construct(e);
    case ExprKind::kCall: return call(e);
    case ExprKind::kIntrinsic: return intrinsic(e);
    case ExprKind::kMember: return member_of_value(e);
    case ExprKind::kTouch: touch(e); return {};
    case ExprKind::kUnknown:
    case ExprKind::kHole:
      for (const ExprId operand : e.operands) hand_over(value_of(operand), program_.expr(operand));
      return {};
    default: return {};
  }
}

// To someone who may write there.
void AccessTracer::hand_over(const LaneValue& pointer, const Expr& from) {
  if (type_of(from).form != Type::Form::kPointer) return;
  // Objects of the library hold nothing of the kernel's.
  const bool is_of_library = program_.type(type_of(from).element).spelling.starts_with("cuda::");
  const int region = space_.region_of(pointer, mask_.present);
  if (region != kNoRegion && !is_of_library && space_.region(region).kind == RegionKind::kShared) {
    const auto is_told = [&, at = make_error(program_.source, from.range, "")](const Diagnostic& d) {
      return d.path == at.path && d.where.line == at.where.line;
    };
    if (std::none_of(program_.skipped.begin(), program_.skipped.end(), is_told))
      remark_uncounted(from.range,
                       fmt::format("what is done here with '{}' is not followed", space_.region(region).name));
    space_.write_shared(region, LaneValue(), 1, LaneValue(), mask_.present);
  }
  if (region != kNoRegion && space_.region(region).kind == RegionKind::kLocal)
    space_.write_own(region, LaneValue(), 0, {}, mask_.present, false);
}

LaneValue AccessTracer::builtin(const Expr& e) const {
  const auto& block = options_.shape.block;
  const auto& grid = options_.shape.grid;
  const auto of_threads = [&](auto f) {
    LaneValue& known = of_threads_[static_cast<std::size_t>(e.builtin)];
    if (!known.is_unknown()) return known;
    std::vector<std::int64_t> values(static_cast<std::size_t>(threads_));
    for (int t = 0; t < threads_; ++t) values[static_cast<std::size_t>(t)] = f(t);
    return known = LaneValue::varying(std::move(values));
  };
  const std::array<int, 3>& index = block_index_;
  switch (e.builtin) {
    case Builtin::kThreadIdxX: return of_threads([&](int t) { return t % block[0]; });
    case Builtin::kThreadIdxY:
      return block[1] == 1 ? LaneValue::uniform(0) : of_threads([&](int t) { return t / block[0] % block[1]; });
    case Builtin::kThreadIdxZ:
      return block[2] == 1 ? LaneValue::uniform(0) : of_threads([&](int t) { return t / block[0] / block[1]; });
    case Builtin::kLaneId: return of_threads([&](int t) { return t % options_.memory.lanes; });
    case Builtin::kBlockIdxX: return LaneValue::uniform(index[0]);
    case Builtin::kBlockIdxY: return LaneValue::uniform(index[1]);
    case Builtin::kBlockIdxZ: return LaneValue::uniform(index[2]);
    case Builtin::kBlockDimX: return LaneValue::uniform(block[0]);
    case Builtin::kBlockDimY: return LaneValue::uniform(block[1]);
    case Builtin::kBlockDimZ: return LaneValue::uniform(block[2]);
    case Builtin::kGridDimX: return LaneValue::uniform(grid[0]);
    case Builtin::kGridDimY: return LaneValue::uniform(grid[1]);
    case Builtin::kGridDimZ: return LaneValue::uniform(grid[2]);
    case Builtin::kWarpSize: return LaneValue::uniform(options_.memory.lanes);
  }
  return {};
}

// A sum or a mask of an address stays in its region; so does one with an unknown operand.
LaneValue AccessTracer::arithmetic(Operator op, TypeId type, const LaneValue& a, const LaneValue& b) const {
  const Type& t = program_.type(type);
  LaneValue rhs = b, lhs = a;
  if (t.form == Type::Form::kPointer) {
    const LaneValue stride = LaneValue::uniform(std::max(1, program_.type(t.element).size_bytes));
    const bool left = b.region() == kNoRegion;
    (left ? rhs : lhs) = binary(Operator::kMul, Scalar::kI64, left ? b : a, stride);
  }
  const LaneValue value = binary(op, t.form == Type::Form::kPointer ? Scalar::kI64 : scalar_of(type), lhs, rhs);
  if (is_comparison(op) || (a.region() == kNoRegion) == (b.region() == kNoRegion)) return value;
  return value.with_region(std::max(a.region(), b.region()));
}

Item AccessTracer::binary_item(const Expr& e) {
  if (e.op == Operator::kLogicalAnd || e.op == Operator::kLogicalOr) return logical(e);
  const LaneValue a = value_of(e.operands[0]);
  const LaneValue b = value_of(e.operands[1]);
  const TypeId left = program_.expr(e.operands[0]).type, right = program_.expr(e.operands[1]).type;
  const bool pointers =
      program_.type(left).form == Type::Form::kPointer && program_.type(right).form == Type::Form::kPointer;
  if (pointers) {
    const LaneValue distance = binary(e.op, Scalar::kI64, a, b);
    if (e.op != Operator::kSub) return {distance, {}};
    return {binary(Operator::kDiv, Scalar::kI64, distance,
                   LaneValue::uniform(std::max(1, program_.type(program_.type(left).element).size_bytes))),
            {}};
  }
  tell_of_shift(e.op, e.type, b, e.range);
  return {arithmetic(e.op, is_comparison(e.op) ? left : e.type, a, b), {}};
}

void AccessTracer::tell_of_shift(Operator op, TypeId type, const LaneValue& by, SourceRange range) {
  if ((op != Operator::kShl && op != Operator::kShr) || by.is_unknown()) return;
  const int bits = bit_width(scalar_of(type));
  for (std::size_t t = 0; t < mask_.present.size(); ++t) {
    const auto count = by.find(static_cast<int>(t));
    if (mask_.present[t] != Presence::kIn || !count || (*count >= 0 && *count < bits)) continue;
    return remark(range, fmt::format("thread {} shifts {} bits by {} here, which is undefined", t, bits, *count));
  }
}

// The right side is evaluated by those whom the left side does not settle.
Item AccessTracer::logical(const Expr& e) {
  const bool is_and = e.op == Operator::kLogicalAnd;
  const auto truth = [&](ExprId id) { return convert(value_of(id), scalar_of(program_.expr(id).type), Scalar::kBool); };
  const LaneValue left = truth(e.operands[0]);
  LaneValue right;
  const bool settled = left.is_uniform() && (left.at(0) != 0) != is_and;
  if (settled) return {left, {}};
  run_under(narrowed(left, is_and), [&] { right = truth(e.operands[1]); });
  std::vector<std::int64_t> values(static_cast<std::size_t>(threads_), 0);
  std::vector<char> known(values.size(), 0);
  if (left.is_uniform()) return {right, {}};
  for (int t = 0; t < threads_; ++t) {
    const auto a = left.find(t), b = right.find(t);
    const auto settles = [&](const std::optional<std::int64_t>& v) { return v && (*v != 0) != is_and; };
    const auto i = static_cast<std::size_t>(t);
    known[i] = settles(a) || settles(b) || (a && b);
    values[i] = settles(a) || settles(b) ? !is_and : is_and;
  }
  return {LaneValue::partly(std::move(values), std::move(known)), {}};
}

Item AccessTracer::joined(const Item& old, const Item& item, const Presences& present) {
  Item out{space_.merged(old.value, item.value, present), {}};
  for (const auto& [offset, part] : item.parts) {
    const auto before = old.parts.find(offset);
    const bool same = before != old.parts.end() && before->second.size_bytes == part.size_bytes;
    const LaneValue value = space_.merged(same ? before->second.value : LaneValue(), part.value, present);
    if (value.says_something()) out.parts[offset] = {part.size_bytes, value};
  }
  for (const auto& [offset, part] : old.parts) {
    if (item.parts.contains(offset)) continue;
    const LaneValue value = overwrite(part.value, LaneValue(), present);
    if (!value.is_unknown() || value.is_affine()) out.parts[offset] = {part.size_bytes, value};
  }
  return out;
}

Item AccessTracer::conditional(const Expr& e, const std::function<Item(ExprId)>& each) {
  const LaneValue condition = value_of(e.operands[0]);
  if (condition.is_uniform()) return each(e.operands[condition.at(0) != 0 ? 1 : 2]);
  const bool known = decides(condition);
  const std::int64_t before = recorded_;
  const Mask yes = narrowed(condition, true), no = narrowed(condition, false);
  Item a, b;
  run_under(yes, [&] { a = each(e.operands[1]); });
  run_under(no, [&] { b = each(e.operands[2]); });
  if (!known && recorded_ != before)
    remark(program_.expr(e.operands[0]).range,
           "data decide this condition: what it guards is counted as if all threads took part");
  if (!yes.any) return b;
  if (!no.any) return a;
  return joined(b, a, yes.present);
}

Parts AccessTracer::parts_of(TypeId type, const Item& item) const {
  if (!is_scalar(type)) return item.parts;
  if (!item.value.says_something()) return {};
  return {{0, {program_.type(type).size_bytes, item.value}}};
}

Item AccessTracer::assign(const Expr& e) {
  const Expr& target = program_.expr(e.operands[0]);
  Item item = eval(e.operands[1]);  // before the left side, as C++17 has it
  const LaneValue address = place(e.operands[0]);
  if (stopped_) return item;
  if (e.compound) {
    const LaneValue old = load(address, target.type, target.range).value;
    const TypeId computation = type_of(target).form == Type::Form::kPointer ? target.type : e.computation;
    const Scalar computed = scalar_of(computation), own = scalar_of(target.type);
    tell_of_shift(e.op, computation, item.value, e.range);
    item.value = arithmetic(e.op, computation, convert(old, own, computed).with_region(old.region()), item.value);
    item.value = convert(item.value, computed, own).with_region(item.value.region());
  }
  store(address, target.type, item, target.range);
  return item;
}

Item AccessTracer::increment(const Expr& e) {
  const Expr& target = program_.expr(e.operands[0]);
  const LaneValue address = place(e.operands[0]);
  const Item old = load(address, target.type, target.range);
  const LaneValue one = is_real(scalar_of(target.type)) ? LaneValue::uniform_real(1) : LaneValue::uniform(1);
  const Item changed{arithmetic(e.op, target.type, old.value, one), {}};
  store(address, target.type, changed, target.range);
  return e.prefix ? changed : old;
}

Item AccessTracer::cast(const Expr& e) {
  const Expr& operand = program_.expr(e.operands[0]);
  if (program_.type(operand.type).form == Type::Form::kArray && type_of(e).form == Type::Form::kPointer)
    return {place(e.operands[0]), {}};
  Item item = eval(e.operands[0]);
  if (!is_scalar(e.type) || !is_scalar(operand.type)) return item;
  item.value = convert(item.value, scalar_of(operand.type), scalar_of(e.type)).with_region(item.value.region());
  return item;
}

// Parts in order; what is not named is zero. A value of the same type is taken as it is.
Item AccessTracer::construct(const Expr& e) {
  const Type& type = type_of(e);
  if (e.operands.size() == 1 && (program_.expr(e.operands[0]).type == e.type || is_scalar(e.type)))
    return eval(e.operands[0]);
  if (is_scalar(e.type)) return {is_real(scalar_of(e.type)) ? LaneValue::uniform_real(0) : LaneValue::uniform(0), {}};
  Item out;
  for (std::size_t i = 0; i < e.operands.size(); ++i) {
    const Item item = eval(e.operands[i]);
    const TypeId part = program_.expr(e.operands[i]).type;
    const std::int64_t element_bytes = program_.type(part).size_bytes;
    const bool is_array = type.form == Type::Form::kArray;
    if (!is_array && i >= type.fields.size()) continue;
    const std::int64_t offset = is_array ? static_cast<std::int64_t>(i) * element_bytes : type.fields[i].offset_bytes;
    for (const auto& [at, known] : parts_of(part, item)) out.parts[offset + at] = known;
  }
  constexpr std::int64_t kMostFilled = 4096;
  if (type.form != Type::Form::kArray || !is_scalar(type.element) || type.count > kMostFilled) return out;
  const Type& element = program_.type(type.element);
  const LaneValue zero = is_real(scalar_of(type.element)) ? LaneValue::uniform_real(0) : LaneValue::uniform(0);
  for (auto i = static_cast<std::int64_t>(e.operands.size()); i < type.count; ++i)
    out.parts[i * element.size_bytes] = {element.size_bytes, zero};
  return out;
}

Item AccessTracer::member_of_value(const Expr& e) {
  const Item whole = eval(e.operands[0]);
  Item out;
  const std::int64_t from = e.member_offset_bytes, to = from + type_of(e).size_bytes;
  for (const auto& [offset, part] : whole.parts) {
    if (offset < from || offset + part.size_bytes > to) continue;
    if (is_scalar(e.type) && offset == from && part.size_bytes == type_of(e).size_bytes) out.value = part.value;
    out.parts[offset - from] = part;
  }
  if (is_scalar(e.type)) out.parts.clear();
  return out;
}

Item AccessTracer::call(const Expr& e) {
  const Function& callee = program_.function(e.callee);
  std::vector<Item> arguments;
  for (const ExprId a : e.operands) arguments.push_back(eval(a));
  if (calling_[e.callee.value]) {
    remark_uncounted(e.range, "this recursion is not followed");
    return {};
  }
  for (std::size_t i = 0; i < arguments.size() && i < callee.parameters.size(); ++i) {
    const VariableId parameter = callee.parameters[i];
    Region& own = space_.region(region_of(parameter));
    own.mask_serial = mask_.serial;
    own.doubts = mask_.doubts;
    own.parts = program_.variable(parameter).is_reference ? Parts{{0, {kPointerBytes, arguments[i].value}}}
                                                          : parts_of(program_.variable(parameter).type, arguments[i]);
  }
  calling_[e.callee.value] = 1;
  const SourceText& source = program_.source;
  const SourceRange outer_call = call_site_;
  if (source.is_in_header(callee.range.begin) && !source.is_in_header(e.range.begin)) call_site_ = e.range;
  const Mask outer = mask_;
  gone_.begin(Departures::From::kFunction, mask_.doubts);
  Item result = std::exchange(result_, Item{});
  exec(callee.body);
  std::swap(result, result_);
  end_frame();
  mask_ = outer;
  call_site_ = outer_call;
  calling_[e.callee.value] = 0;
  return result;
}

}  // namespace swizzle
