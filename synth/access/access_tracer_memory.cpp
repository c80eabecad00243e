// Places, and what is read from and written to them.
#include <algorithm>

#include <fmt/format.h>

#include "synth/access/access_tracer.h"

namespace swizzle {

int AccessTracer::region_of(VariableId id) {
  int& known = variable_region_[id.value];
  if (known != kNoRegion) return known;
  const Variable& variable = program_.variable(id);
  const Type& type = program_.type(variable.type);
  constexpr std::int64_t kMostSharedBytes = 227 * 1024;
  if (variable.is_shared) {
    const bool is_open = variable.is_extern || type.size_bytes == 0;
    known = space_.allocate(RegionKind::kShared, variable.name, is_open ? kMostSharedBytes : type.size_bytes, is_open);
  } else if (variable.is_global) {
    const bool is_data = !variable.is_const && !variable.is_constant_memory && !variable.is_reference;
    known = space_.allocate(is_data ? RegionKind::kGlobal : RegionKind::kConstant, variable.name, type.size_bytes);
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

LaneValue AccessTracer::subscript(const Expr& e) {
  const Expr& base = program_.expr(e.operands[0]);
  const LaneValue start = type_of(base).form == Type::Form::kPointer ? value_of(e.operands[0]) : place(e.operands[0]);
  const LaneValue index = value_of(e.operands[1]);
  const LaneValue offset =
      binary(Operator::kMul, Scalar::kI64, index, LaneValue::uniform(std::max(1, type_of(e).size_bytes)));
  const RegionKind kind = start.region() == kNoRegion ? RegionKind::kLocal : space_.region(start.region()).kind;
  if (!decides(index) && start.region() != kNoRegion && kind >= RegionKind::kShared)
    not_counted(program_.expr(e.operands[1]).range,
                kind == RegionKind::kShared ? MemorySpace::kShared : MemorySpace::kGlobal);
  return binary(Operator::kAdd, Scalar::kI64, start, offset).with_region(start.region());
}

void AccessTracer::not_counted(SourceRange range, MemorySpace space) {
  constexpr const char* kWhy = "this depends on data, or on what is not followed: the access is not counted";
  ++said_;
  if (space == MemorySpace::kShared) remark_uncounted(range, kWhy);
  else remark(range, kWhy);
}

Item AccessTracer::load(const LaneValue& address, TypeId type, SourceRange range) {
  const Type& t = program_.type(type);
  const int region = space_.region_of(address, mask_.present);
  const auto threads = static_cast<std::size_t>(threads_);
  if (region == kNoRegion) {
    not_counted(range);
    return {};
  }
  if (space_.region(region).kind <= RegionKind::kConstant) {
    if (is_scalar(type)) return {space_.read_own(region, address, t.size_bytes, threads), {}};
    return {{}, space_.read_own_parts(region, address, t.size_bytes)};
  }
  record(address, t.size_bytes, t.alignment_bytes, Touch{}, range);
  if (space_.region(region).kind != RegionKind::kShared || !is_scalar(type) || is_real(scalar_of(type))) return {};
  return {space_.read_shared(region, address, t.size_bytes, threads), {}};
}

void AccessTracer::store(const LaneValue& address, TypeId type, const Item& item, SourceRange range) {
  const Type& t = program_.type(type);
  const int region = space_.region_of(address, mask_.present);
  if (region == kNoRegion) return not_counted(range);
  if (space_.region(region).kind <= RegionKind::kConstant) {
    const bool replace = space_.region(region).mask_serial == mask_.serial;
    return space_.write_own(region, address, t.size_bytes, parts_of(type, item), mask_.present, replace);
  }
  Touch touch;
  touch.operation = MemoryOperation::kStore;
  record(address, t.size_bytes, t.alignment_bytes, touch, range);
  const bool is_integer = is_scalar(type) && !is_real(scalar_of(type));
  if (space_.region(region).kind == RegionKind::kShared)
    space_.write_shared(region, address, t.size_bytes, is_integer ? item.value : LaneValue(), mask_.present);
}

// An item goes in pieces of its alignment, 16 bytes at most.
void AccessTracer::record(const LaneValue& address, std::int64_t size_bytes, int alignment_bytes, Touch touch,
                          SourceRange range) {
  constexpr int kWidestBytes = 16;
  const int region = space_.region_of(address, mask_.present);
  if (region == kNoRegion) return not_counted(range);
  const Region& r = space_.region(region);
  if (r.kind <= RegionKind::kConstant || size_bytes <= 0) return;
  const std::int64_t piece = touch.matrices > 0
                                 ? size_bytes
                                 : std::min<std::int64_t>(size_bytes, std::clamp(alignment_bytes, 1, kWidestBytes));
  const MemorySpace space = r.kind == RegionKind::kShared ? MemorySpace::kShared : MemorySpace::kGlobal;
  for (std::int64_t at = 0; at + piece <= size_bytes; at += piece) {
    AccessSite& site = recorder_.site(range, space, touch.operation, static_cast<int>(piece) * 8, r.name);
    for (int w = 0; w < warps(); ++w)
      record_warp(site, address, at - r.base, w * options_.memory.lanes, touch.matrices);
  }
}

void AccessTracer::record_warp(AccessSite& site, const LaneValue& address, std::int64_t shift, int first,
                               int matrices) {
  constexpr int kRowsOfAMatrix = 8;
  const int lanes = std::min(options_.memory.lanes, threads_ - first);
  LaneAddresses& addresses = lane_addresses_;
  const bool is_known = address.is_known_everywhere(),
             is_simple = is_known && mask_.all && matrices == 0 && lanes == options_.memory.lanes;
  bool any = is_simple;
  if (!is_simple || addresses.size() != static_cast<std::size_t>(lanes))
    addresses.assign(static_cast<std::size_t>(options_.memory.lanes), std::nullopt);
  for (int lane = 0; is_simple && lane < lanes; ++lane)
    addresses[static_cast<std::size_t>(lane)] = address.at(first + lane) + shift;
  for (int lane = 0; !is_simple && lane < lanes; ++lane) {
    const Presence present = mask_.present[static_cast<std::size_t>(first + lane)];
    if (present == Presence::kOut) continue;
    site.is_conditional |= present == Presence::kPerhaps;
    if (matrices > 0 && lane >= matrices * kRowsOfAMatrix) continue;
    any = true;
    if (!is_known && !address.knows(first + lane)) {
      ++site.not_counted;
      ++recorded_;
      recorded_shared_ += site.space == MemorySpace::kShared;
      return;
    }
    addresses[static_cast<std::size_t>(lane)] = address.at(first + lane) + shift;
  }
  if (!any) return;
  ++recorded_;
  recorded_shared_ += site.space == MemorySpace::kShared;
  charge(site.range);
  recorder_.count(site, addresses, block_index_, first / options_.memory.lanes, matrices);
}

}  // namespace swizzle
