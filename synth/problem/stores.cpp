#include "synth/problem/stores.h"

#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace swizzle {
namespace {

using Slot = std::pair<std::uint32_t, std::int64_t>;  // buffer, slot

Slot slot_of(Value pointer) { return {pointer.aux, pointer.bits}; }

class StorePosing {
 public:
  StorePosing(const Trace& sketch, const Trace& spec, std::size_t instance, Problem& problem)
      : sketch_(sketch),
        spec_(spec),
        instance_(instance),
        problem_(problem),
        provenance_(problem.provenance) {}

  void run() {
    for (std::size_t i = 0; i < sketch_.stores.size(); ++i)
      for (const Slot& slot : slots(sketch_.stores[i])) note(slot, i);
    for (std::size_t i = 0; i < sketch_.stores.size(); ++i) {
      const Store& store = sketch_.stores[i];
      if (is_open(store)) demand(i);
      bool is_shared = false;
      for (const Slot& slot : slots(store)) is_shared = is_shared || shared_.contains(slot);
      if (!is_shared) continue;
      problem_.stores.push_back(store);
      problem_.stores.back().instance = instance_;
    }
  }

 private:
  bool is_open(const Store& store) const {
    return provenance_.has_choice(store.pointer) || provenance_.has_choice(store.guard);
  }

  std::vector<Slot> slots(const Store& store) const {
    std::vector<Slot> slots;
    for (const Value& leaf : provenance_.leaves(store.pointer))
      if (leaf.is_pointer()) slots.push_back(slot_of(leaf));
    return slots;
  }

  void note(const Slot& slot, std::size_t store) {
    const std::uint32_t thread = sketch_.stores[store].thread;
    const auto [first, fresh] = first_thread_.try_emplace(slot, thread);
    if (first->second != thread) shared_.insert(slot);
    last_of_[{slot, thread}] = store;
  }

  // Where the same thread may store to the slot again, its first store may be anything.
  bool is_last(const Slot& slot, std::size_t store) const {
    return last_of_.at({slot, sketch_.stores[store].thread}) == store;
  }

  void demand(std::size_t i) {
    const Store& store = sketch_.stores[i];
    if (!provenance_.is_index(store.guard)) return;
    const Value value = provenance_.normalize(store.value);
    Value first_stray, first_wrong;
    const auto where = [&](const auto& is_bad, Value& first) {
      const Value bad = provenance_.map_leaves(store.pointer, [&](Value leaf) {
        const bool counts = leaf.is_pointer() && is_bad(slot_of(leaf));
        if (counts && first.is_undefined()) first = leaf;
        return Value::integer(counts);
      });
      return provenance_.binary(Operator::kLogicalAnd, Scalar::kBool, store.guard, bad);
    };
    const Value stray = where([&](const Slot& slot) { return expected(slot) == nullptr; }, first_stray);
    require(stray, store, {}, [&] {
      return fmt::format("thread {} stores to '{}', which the spec does not write", store.thread, name(first_stray));
    });
    if (provenance_.has_choice(value)) return;
    std::vector<Value> compared{value};
    const Value wrong = where(
        [&](const Slot& slot) {
          const bool differs = expected(slot) != nullptr && !(*expected(slot) == value) && is_last(slot, i);
          if (differs) compared.push_back(*expected(slot));
          return differs;
        },
        first_wrong);
    require(wrong, store, std::move(compared), [&] {
      return fmt::format("thread {} stores {} to '{}', where the spec has {}", store.thread,
                         provenance_.describe(value, problem_.buffer_names), name(first_wrong),
                         provenance_.describe(*expected(slot_of(first_wrong)), problem_.buffer_names));
    });
  }

  template <typename Message>
  void require(Value violation, const Store& store, std::vector<Value> compared, Message&& message) {
    if (truth(violation) != false)
      problem_.requirements.push_back({violation, message(), store.range, std::move(compared)});
  }

  const Value* expected(const Slot& slot) {
    const auto cell = spec_.cells[slot.first].find(slot.second);
    if (cell == spec_.cells[slot.first].end()) return nullptr;
    const auto [it, fresh] = expected_.try_emplace(slot);
    if (fresh) it->second = provenance_.normalize(cell->second.value);
    return &it->second;
  }

  std::string name(Value leaf) const { return fmt::format("{}[{}]", problem_.buffer_names[leaf.aux], leaf.bits); }

  const Trace& sketch_;
  const Trace& spec_;
  std::size_t instance_;
  Problem& problem_;
  Provenance& provenance_;
  std::map<Slot, std::uint32_t> first_thread_;
  std::set<Slot> shared_;                                          // by several threads, maybe
  std::map<std::pair<Slot, std::uint32_t>, std::size_t> last_of_;  // by slot and thread: the last store
  std::map<Slot, Value> expected_;
};

}  // namespace

void pose_stores(const Trace& sketch, const Trace& spec, std::size_t instance, Problem& problem) {
  StorePosing(sketch, spec, instance, problem).run();
}

std::vector<PointId> points_of_stores(const Problem& problem) {
  std::vector<bool> seen(problem.provenance.size(), false), is_asked(problem.points.size(), false);
  std::vector<std::uint32_t> pending;
  const auto push = [&](Value v) {
    if (!problem.provenance.has_choice(v) || seen[v.aux]) return;
    seen[v.aux] = true;
    pending.push_back(v.aux);
  };
  for (const Store& store : problem.stores)
    for (const Value& v : {store.guard, store.pointer, store.value}) push(v);
  while (!pending.empty()) {
    const Node& node = problem.provenance.node(NodeId(pending.back()));
    pending.pop_back();
    if (node.kind == Node::Kind::kChoice) is_asked[node.tag] = true;
    node.for_each_part(push);
  }
  std::vector<PointId> points;
  for (std::size_t p = 0; p < is_asked.size(); ++p)
    if (is_asked[p]) points.push_back(PointId(p));
  return points;
}

bool stores_agree(Problem& problem, const Assignment& assignment) {
  struct Stored {
    std::uint32_t thread;
    Value last;
    bool differ = false;  // what the thread stored there
    bool shared = false;
  };
  std::map<std::pair<std::size_t, Slot>, Stored> stored;
  PointId blocked;
  for (const Store& store : problem.stores) {
    if (truth(problem.provenance.resolve(store.guard, assignment, blocked)) == false) continue;
    const Value pointer = problem.provenance.resolve(store.pointer, assignment, blocked);
    if (!pointer.is_pointer()) continue;
    const Value value = problem.provenance.normalize(problem.provenance.resolve(store.value, assignment, blocked));
    const auto [it, fresh] = stored.try_emplace({store.instance, slot_of(pointer)}, Stored{store.thread, value});
    Stored& slot = it->second;
    slot.shared = slot.shared || slot.thread != store.thread;
    slot.differ = slot.differ || !(slot.last == value);
    if (slot.shared && slot.differ) return false;
    slot.last = value;
  }
  return true;
}

bool keeps_requirements(Problem& problem, const Assignment& assignment) {
  PointId blocked;
  for (const Requirement& r : problem.requirements)
    if (truth(problem.provenance.resolve(r.violation, assignment, blocked)) != false) return false;
  return stores_agree(problem, assignment);
}

}  // namespace swizzle
