// Places, and what is read from and written to them.
#include <algorithm>

#include <fmt/format.h>

#include "synth/access/access_tracer.h"
#include "synth/machine/residency.h"

namespace swizzle {
namespace {

bool is_filled_outside(const Region& r) {
  return r.kind == RegionKind::kGlobal || r.is_constant_memory || r.is_parameter;
}

}  // namespace

int AccessTracer::region_of(VariableId id) {
  int& known = variable_region_[id.value];
  if (known != kNoRegion) return known;
  const Variable& variable = program_.variable(id);
  const Type& type = program_.type(variable.type);
  if (variable.is_shared) {
    const bool is_open = variable.is_extern || type.size_bytes == 0;
    known = space_.allocate(RegionKind::kShared, variable.name, is_open ? kMostSharedBytes : type.size_bytes, is_open);
    if (variable.is_extern) space_.region(known).launched_bytes = options_.dynamic_shared_bytes;
  } else if (variable.is_global) {
    // A scalar, or what is constexpr, needs no memory.
    const bool is_folded = variable.is_constexpr || (variable.is_const && type.form == Type::Form::kScalar);
    const bool is_data = !is_folded && !variable.is_constant_memory && !variable.is_reference;
    known = space_.allocate(is_data ? RegionKind::kGlobal : RegionKind::kConstant, variable.name, type.size_bytes);
    space_.region(known).is_constant_memory = variable.is_constant_memory;
  } else {
    known = space_.allocate(RegionKind::kLocal, variable.name, variable.is_reference ? kPointerBytes : type.size_bytes);
  }
  return known;
}

bool AccessTracer::is_place(const Expr& e) const {
  switch (e.kind) {
    case ExprKind::kVariable:
    case ExprKind::kSubscript:
    case ExprKind::kDereference: return true;
    case ExprKind::kMember: return is_place(program_.expr(e.operands[0]));
    default: return false;
  }
}

LaneValue AccessTracer::place(ExprId id) {
  const Expr& e = program_.expr(id);
  switch (e.kind) {
    case ExprKind::kVariable: {
      const int region = region_of(e.variable);
      const LaneValue address = space_.address_of(region);
      return program_.variable(e.variable).is_reference
                 ? space_.read_own(region, address, kPointerBytes, static_cast<std::size_t>(threads_))
                 : address;
    }
    case ExprKind::kDereference: return value_of(e.operands[0]);
    case ExprKind::kSubscript: return subscript(e);
    case ExprKind::kMember: {
      const LaneValue whole = place(e.operands[0]);
      return binary(Operator::kAdd, Scalar::kI64, whole, LaneValue::uniform(e.member_offset_bytes))
          .with_region(whole.region());
    }
    case ExprKind::kComma: eval(e.operands[0]); return place(e.operands[1]);
    case ExprKind::kConditional: return conditional(e, [&](ExprId branch) { return Item{place(branch), {}}; }).value;
    case ExprKind::kAssign: eval(id); return place(e.operands[0]);
    case ExprKind::kIncDec:
      if (!e.prefix) break;
      eval(id);
      return place(e.operands[0]);
    default: break;
  }
  const Item item = eval(id);
  const auto [known, fresh] = temporaries_.try_emplace(id, 0);
  if (fresh) known->second = space_.allocate(RegionKind::kLocal, "a temporary", type_of(e).size_bytes);
  space_.region(known->second).parts = parts_of(e.type, item);
  return space_.address_of(known->second);
}

// An element of another row is no element of this one once rows are longer: see array_fixes.h.
void AccessTracer::note_passed_row(const Expr& base, const LaneValue& index, int region) {
  const Type& row = type_of(base);
  const bool is_row = base.kind == ExprKind::kSubscript && row.form == Type::Form::kArray;
  if (!is_row || space_.region(region).kind != RegionKind::kShared) return;
  for (std::size_t t = 0; t < mask_.present.size(); ++t)
    if (const auto known = index.find(static_cast<int>(t));
        known && mask_.present[t] == Presence::kIn && (*known < 0 || *known >= row.count)) {
      trace_.passed_rows.insert(space_.region(region).name);
      return;
    }
}

LaneValue AccessTracer::subscript(const Expr& e) {
  const Expr& base = program_.expr(e.operands[0]);
  const LaneValue start = type_of(base).form == Type::Form::kPointer ? value_of(e.operands[0]) : place(e.operands[0]);
  const LaneValue index = value_of(e.operands[1]);
  const LaneValue offset =
      binary(Operator::kMul, Scalar::kI64, index, LaneValue::uniform(std::max(1, type_of(e).size_bytes)));
  const RegionKind kind = start.region() == kNoRegion ? RegionKind::kLocal : space_.region(start.region()).kind;
  if (start.region() != kNoRegion) note_passed_row(base, index, start.region());
  if (!index.is_affine() && !decides(index) && start.region() != kNoRegion && kind >= RegionKind::kShared &&
      !are_all_alone())
    not_counted(program_.expr(e.operands[1]).range,
                kind == RegionKind::kShared ? MemorySpace::kShared : MemorySpace::kGlobal);
  return binary(Operator::kAdd, Scalar::kI64, start, offset).with_region(start.region());
}

// Of a generic pointer each thread may have another region: one after the other, as the hardware does it. False: there
// are no two.
bool AccessTracer::in_each_region(const LaneValue& address, const std::function<void(const LaneValue&)>& each) {
  if (address.region() != kNoRegion || address.is_uniform() || address.is_unknown()) return false;
  std::map<int, Presences> regions;
  for (std::size_t t = 0; t < mask_.present.size(); ++t) {
    if (mask_.present[t] == Presence::kOut) continue;
    const auto known = address.find(static_cast<int>(t));
    Presences& here = regions[known ? space_.region_of(*known) : kNoRegion];
    here.resize(mask_.present.size(), Presence::kOut);
    here[t] = mask_.present[t];
  }
  if (regions.size() < 2) return false;
  for (auto& [region, present] : regions)
    run_under(make_mask(std::move(present), mask_.doubts), [&, id = region] { each(address.with_region(id)); });
  return true;
}

Item AccessTracer::load(const LaneValue& address, TypeId type, SourceRange range) {
  const Type& t = program_.type(type);
  Item of_regions;
  if (in_each_region(address, [&](const LaneValue& part) {
        if (part.region() == kNoRegion) not_counted(range);
        else of_regions = joined(of_regions, load(part, type, range), mask_.present);
      }))
    return of_regions;
  const int region = space_.region_of(address, mask_.present);
  const auto threads = static_cast<std::size_t>(threads_);
  if (region == kNoRegion) {
    not_counted(range);
    return {};
  }
  const RegionKind kind = space_.region(region).kind;
  if (space_.region(region).is_constant_memory && !address.is_uniform()) tell_of_constants(address, region, range);
  if (kind > RegionKind::kConstant) record(address, t.size_bytes, t.alignment_bytes, Touch{}, range);
  if (kind == RegionKind::kShared)
    return is_scalar(type) && !is_real(scalar_of(type))
               ? Item{space_.read_shared(region, address, t.size_bytes, threads), {}}
               : Item{};
  Item item;
  if (is_scalar(type)) item.value = space_.read_own(region, address, t.size_bytes, threads);
  else item.parts = space_.read_own_parts(region, address, t.size_bytes);
  if (!is_filled_outside(space_.region(region))) return item;
  Parts pointers;
  add_pointers_outside(t, 0, pointers);
  if (is_scalar(type) && !pointers.empty() && !item.value.says_something()) item.value = pointers[0].value;
  else if (!is_scalar(type)) item.parts.merge(pointers);
  return item;
}

// What global memory holds was put there by the host, or by kernels before: pointers in it lead to global memory,
// unless this kernel may have put others there.
void AccessTracer::add_pointers_outside(const Type& type, std::int64_t offset, Parts& parts) {
  if (keeps_shared_pointers_) return;
  if (type.form == Type::Form::kPointer) {
    parts[offset] = {kPointerBytes, LaneValue::in_region(space_.outside())};
  } else if (type.form == Type::Form::kRecord) {
    for (const Field& field : type.fields)
      add_pointers_outside(program_.type(field.type), offset + field.offset_bytes, parts);
  }
}

// The constant cache gives one word at a time.
void AccessTracer::tell_of_constants(const LaneValue& address, int region, SourceRange range) {
  bool is_any = false;  // of the warp so far, and
  std::int64_t first = 0;
  for (std::size_t t = 0; t < mask_.present.size(); ++t) {
    const auto known = address.find(static_cast<int>(t));
    const int lane = static_cast<int>(t) % options_.memory.lanes;
    if (lane == 0) is_any = false;
    if (mask_.present[t] != Presence::kIn) continue;
    if (known && (!is_any || first == *known)) {
      is_any = true;
      first = *known;
      continue;
    }
    if (known)
      return remark(
          range, fmt::format("lanes read different words of '{}' in constant memory, one after the other: not counted",
                             space_.region(region).name));
  }
}

void AccessTracer::store(const LaneValue& address, TypeId type, const Item& item, SourceRange range) {
  const Type& t = program_.type(type);
  if (in_each_region(address, [&](const LaneValue& part) {
        if (part.region() == kNoRegion) not_counted(range);
        else store(part, type, item, range);
      }))
    return;
  const int region = space_.region_of(address, mask_.present);
  if (region == kNoRegion) return not_counted(range);
  const int target = item.value.region();
  const bool leads_outside = target != kNoRegion && space_.region(target).kind != RegionKind::kShared;
  keeps_shared_pointers_ |=
      t.form == Type::Form::kPointer && is_filled_outside(space_.region(region)) && !leads_outside;
  if (space_.region(region).kind <= RegionKind::kConstant) {
    const Region& own = space_.region(region);
    return space_.write_own(region, address, t.size_bytes, parts_of(type, item), mask_.present_to(own.doubts),
                            own.mask_serial == mask_.serial);
  }
  Touch touch;
  touch.operation = MemoryOperation::kStore;
  record(address, t.size_bytes, t.alignment_bytes, touch, range);
  const bool is_integer = is_scalar(type) && !is_real(scalar_of(type));
  if (space_.region(region).kind == RegionKind::kShared)
    space_.write_shared(region, address, t.size_bytes, is_integer ? item.value : LaneValue(),
                        gone_.unsure(mask_.present));
}

}  // namespace swizzle
