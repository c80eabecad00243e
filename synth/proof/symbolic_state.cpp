#include "synth/proof/symbolic_state.h"

#include "synth/proof/assigned_variables.h"

namespace swizzle {

SymbolicState::SymbolicState(const Program& program, SizeRegion& region, Elements& elements,
                             const std::map<std::string, Polynomial>& sizes, const SpecRun* spec,
                             const Extents* extents, const Deadline& deadline)
    : program_(program),
      region_(region),
      elements_(elements),
      sizes_(sizes),
      spec_(spec),
      extents_(extents),
      deadline_(deadline),
      threads_(spec != nullptr ? static_cast<int>(spec->where.size()) : region.threads_at_once()),
      unknown_(is_for_all() ? region.fresh() : Atom{0}) {}

bool SymbolicState::are_in_one_place() {
  const auto first = static_cast<std::size_t>(std::ranges::find(mask_, 1) - mask_.begin());
  if (first == mask_.size()) return false;
  thread_ = static_cast<int>(first);
  for (std::size_t t = first; t < mask_.size(); ++t)
    if (mask_[t] && path_[t] != path_[first]) return false;
  return true;
}

// Of what is the same for all threads; it looks at a thread that is here.
bool SymbolicState::is_computed_once(std::initializer_list<const Lanes*> operands) {
  if (stopped() || !std::ranges::all_of(operands, [](const Lanes* v) { return v->is_same(); })) return false;
  return std::ranges::all_of(operands, [](const Lanes* v) { return v->is_plain(); }) || are_in_one_place();
}

SymbolicState::Paths SymbolicState::here() const {
  Paths here = path_;
  for (std::size_t t = 0; t < here.size(); ++t)
    if (!mask_[t]) here[t] = kNowhere;
  return here;
}

// Variables that there are before the body, which changes them.
std::set<std::uint32_t> SymbolicState::changed_in(StmtId body) const {
  std::set<std::uint32_t> changed;
  for (VariableId id : AssignedVariables::in(program_, body).variables)
    if (const auto it = object_of_.find(id); it != object_of_.end())
      if (const Object& object = objects_[it->second]; object.space == Object::Space::kLocal && object.scalar)
        changed.insert(it->second);
  return changed;
}

void SymbolicState::forget(Object& object, bool knows_indices) {
  const bool is_index = knows_indices && !is_real(*object.scalar);
  const Symbol any = is_index ? unknown() : Symbol{Symbol::Kind::kData, {}, 0, elements_.placeholder(*object.scalar)};
  for (std::size_t slot = 0; slot < object.cells.slots(); ++slot) object.cells.set_all(slot, any);
}

// What all threads that are here have; null, if they differ.
const Symbol* SymbolicState::same_everywhere(const Lanes& values) const {
  const Symbol* same = nullptr;
  for (std::size_t t = 0; t < mask_.size(); ++t) {
    if (!mask_[t]) continue;
    if (same != nullptr && !(*same == values[t])) return nullptr;
    same = &values[t];
  }
  return same;
}

SymbolicState::Lanes SymbolicState::pointers_in(const SymbolicCells& cells) const {
  if (cells.is_same(0)) return splat(cells.at(0, 0));
  Lanes pointers = blank();
  for (std::size_t t = 0; t < mask_.size(); ++t) pointers[t] = cells.at(t, 0);
  return pointers;
}

}  // namespace swizzle
