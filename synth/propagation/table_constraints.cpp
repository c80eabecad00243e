#include "synth/propagation/table_constraints.h"

#include <cassert>

namespace swizzle {

void TableConstraints::add(const HoleSpace& space, std::shared_ptr<const TableList> list) {
  auto table = std::make_unique<CompactTable>(space, std::move(list));
  const CompactTable* const listed = table.get();
  add(std::move(table), listed);
}

void TableConstraints::add(const HoleSpace& space, std::shared_ptr<const TransformFamilies> families) {
  add(std::make_unique<TransformTable>(space, std::move(families)), nullptr);
}

void TableConstraints::add(std::unique_ptr<TableConstraint> constraint, const CompactTable* listed) {
  const auto id = static_cast<std::uint32_t>(tables_.size());
  const HoleSpace& space = constraint->space();
  tables_.push_back(std::move(constraint));
  listed_.push_back(listed);
  queued_.push_back(1);
  (listed ? listed_queue_ : family_queue_).push_back(id);
  table_at_.resize(domains_.points(), {kNone, 0});
  for (std::size_t p = 0; p < space.points.size(); ++p) table_at_[space.points[p].value] = {id, p};
}

void TableConstraints::list(const HoleSpace& space, std::shared_ptr<const TableList> list) {
  const std::uint32_t id = id_of(space);
  assert(id != kNone);
  auto table = std::make_unique<CompactTable>(space, std::move(list));
  listed_[id] = table.get();
  tables_[id] = std::move(table);
  queued_[id] = 1;
  listed_queue_.push_back(id);
}

std::uint32_t TableConstraints::id_of(const HoleSpace& space) const {
  if (space.points.empty() || space.points[0].value >= table_at_.size()) return kNone;
  return table_at_[space.points[0].value].first;
}

bool TableConstraints::has_families(const HoleSpace& space) const {
  const std::uint32_t id = id_of(space);
  return id != kNone && !listed_[id];
}

const CompactTable* TableConstraints::table_of(const HoleSpace& space) const {
  const std::uint32_t id = id_of(space);
  return id == kNone ? nullptr : listed_[id];
}

ImpliedLiterals::Constraints TableConstraints::by_point() const {
  ImpliedLiterals::Constraints constraints(domains_.points(), {nullptr, 0});
  for (std::size_t p = 0; p < table_at_.size(); ++p)
    if (table_at_[p].first != kNone) constraints[p] = {tables_[table_at_[p].first].get(), table_at_[p].second};
  return constraints;
}

void TableConstraints::note_change(PointId point) {
  if (point.value >= table_at_.size() || table_at_[point.value].first == kNone) return;
  const auto [id, position] = table_at_[point.value];
  tables_[id]->note_changed(position);
  if (queued_[id] == 0) (listed_[id] ? listed_queue_ : family_queue_).push_back(id);
  queued_[id] = 1;
}

std::optional<HoleId> TableConstraints::ask(std::vector<std::uint32_t>& queue) {
  const std::uint32_t id = queue.back();
  queue.pop_back();
  queued_[id] = 0;
  return tables_[id]->filter(domains_, id, trail_) ? std::nullopt : std::optional(tables_[id]->space().id);
}

void TableConstraints::forget_changes() {
  for (std::vector<std::uint32_t>* queue : {&listed_queue_, &family_queue_}) {
    for (std::uint32_t t : *queue) {
      queued_[t] = 0;
      tables_[t]->forget_changes();
    }
    queue->clear();
  }
}

void TableConstraints::undo(std::size_t mark) {
  assert(mark <= trail_.size());
  for (; trail_.size() > mark; trail_.pop_back()) tables_[trail_.back().id]->restore(trail_.back());
}

}  // namespace swizzle
