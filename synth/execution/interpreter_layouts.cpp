// Tiles behind a layout. What they hold does not depend on where the layout puts it: cells are numbered by rows, and
// each access is recorded by the cells that its lanes use.
#include <algorithm>

#include <fmt/format.h>

#include "synth/execution/interpreter.h"

namespace swizzle {
namespace {

constexpr std::int64_t kNoCell = -1;  // outside of every tile

}  // namespace

Value Interpreter::cell_of(const Hole& hole, const std::vector<std::int64_t>& arguments) const {
  const TileLayout& layout = program_.layout(hole.layout);
  const std::int64_t row = arguments[0], column = arguments[1];
  const bool inside = row >= 0 && row < layout.rows && column >= 0 && column < layout.columns;
  return Value::integer(inside ? row * layout.columns + column : kNoCell);
}

void Interpreter::stay_inside_layout(const Expr& e, const std::vector<Value>& arguments, Value guard) {
  const Hole& hole = program_.hole(e.hole);
  if (!arguments[0].is_int() || !arguments[1].is_int() || truth(guard) != true) return;  // else the access is looked at
  if (cell_of(hole, {arguments[0].bits, arguments[1].bits}).bits != kNoCell) return;
  const TileLayout& layout = program_.layout(hole.layout);
  fail(e.range, fmt::format("row {}, column {} is outside of the {} x {} elements of '{}'", arguments[0].bits,
                            arguments[1].bits, layout.rows, layout.columns, layout.name));
}

// tile[L(r, c)], one pointer per thread. The array is named, or pointed to from its start.
Lanes Interpreter::tile_place(const Expr& e, Lanes arrays) {
  const Lanes cells = eval(e.operands[1]);
  if (failed()) return arrays;
  for_active([&](int t) {
    Value& p = arrays.entry(at(t));
    if (failed()) return;
    if (!p.is_pointer() || objects_[p.aux].space != Space::kShared || objects_[p.aux].tile.layout.valid())
      return fail(e.range, "a layout indexes a __shared__ array, by its name or by a pointer to its start");
    const std::int64_t stride = item_slots(p, e.type), offset = p.bits;
    const std::uint32_t tile = tile_of(p, stride, e);
    if (failed()) return;
    p = provenance_.map_leaves(cells[at(t)], [&](Value cell) {
      return cell.is_int() ? Value::pointer(tile, cell.bits == kNoCell ? kNoCell : offset + cell.bits * stride)
                           : Value{};
    });
  });
  return arrays;
}

std::uint32_t Interpreter::tile_of(Value place, std::int64_t element_slots, const Expr& e) {
  const Hole& hole = program_.hole(program_.expr(e.operands[1]).hole);
  const TileLayout& layout = program_.layout(hole.layout);
  const std::uint32_t array = place.aux;
  const std::int64_t cells = std::int64_t{layout.rows} * layout.columns;
  const std::int64_t elements = objects_[array].is_extern ? cells : objects_[array].array_slots / element_slots;
  if (place.bits % std::max<std::int64_t>(1, elements * element_slots) != 0 ||
      (objects_[array].is_extern && place.bits != 0))
    fail(e.range, fmt::format("a layout indexes '{}' from its start", objects_[array].name));
  const auto [known, fresh] = tiles_.try_emplace(array, static_cast<std::uint32_t>(objects_.size()));
  if (!fresh) {
    const SharedObject& other = objects_[known->second].tile;
    if (other.layout != hole.layout)
      fail(e.range, fmt::format("'{}' goes through '{}' here, and through '{}' elsewhere", objects_[array].name,
                                layout.name, program_.layout(other.layout).name));
    else if (other.element_slots != element_slots)
      fail(e.range, fmt::format("'{}' has elements of {} bytes here, and of {} elsewhere", objects_[array].name,
                                element_slots * other.slot_bytes, other.element_slots * other.slot_bytes));
    return known->second;
  }
  if (!objects_[array].uneven.slots.empty())
    fail(e.range, fmt::format("'{}' has members at uneven distances, which no layout places", objects_[array].name));
  if (objects_[array].is_used)
    fail(e.range, fmt::format("'{}' is used with a layout here, and without one elsewhere", objects_[array].name));
  if (elements < cells)
    fail(e.range, fmt::format("'{}' has {} elements, and '{}' places {} x {}", objects_[array].name, elements,
                              layout.name, layout.rows, layout.columns));
  Object object = objects_[array];
  if (object.is_extern) object.slots = cells * element_slots;
  const bool is_sized = object.is_extern || object.sized_by == hole.layout;
  object.tile = {object.name,       0,
                 object.slot_bytes, {},
                 hole.layout,       static_cast<int>(element_slots),
                 elements,          object.slots / std::max<std::int64_t>(1, elements * element_slots),
                 is_sized};
  trace_.shared_objects[known->second] = object.tile;
  objects_.push_back(std::move(object));
  return known->second;
}

bool Interpreter::is_cell(Value place) const {
  while (place.is_node() && provenance_.node(place).kind == Node::Kind::kChoice)
    place = provenance_.node(place).children()[0];
  return place.is_pointer() && objects_[place.aux].tile.layout.valid();
}

// Whose neighbour a cell is depends on the layout.
void Interpreter::refuse_arithmetic(Value place, SourceRange range) {
  if (is_cell(place))
    fail(
        range,
        "this steps from one cell of a tile to another, and a layout decides where that lies; ask the layout: tile[L(r, c)]");
}

}  // namespace swizzle
