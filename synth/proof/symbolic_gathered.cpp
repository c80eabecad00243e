// Reads at indices that data decide: see gathered.h.
#include "synth/proof/symbolic_interpreter.h"
#include "synth/provenance/definedness.h"

namespace swizzle {

// `p` and an index that data decide.
Symbol SymbolicInterpreter::gathered(const Symbol& p, const Symbol& i, std::int64_t stride) {
  const Value index = guards().within(i.data, path_[at(thread_)]);
  if (objects_[p.object].space != Object::Space::kGlobal || may_be_undefined(elements_.provenance(), index))
    return give_up("data decide an address"), Symbol{};
  GatheredIndex sum = elements_.index_of(index) * GatheredIndex::of(Polynomial(stride));
  if (p.data.is_node()) sum.add(elements_.index_of(p.data));
  Symbol at = p;
  at.data = elements_.value_of(sum);
  if (sum.is_narrow)
    if (const auto range = elements_.range_of(sum, region_)) keep_large(range->high + p.number);
  return at;
}

Symbol SymbolicInterpreter::read_gathered(const Object& object, const Symbol& pointer, Value path) {
  GatheredIndex index = elements_.index_of(pointer.data);
  index.add(GatheredIndex::of(pointer.number));
  const auto range = elements_.range_of(index, region_);
  if (!range) return give_up("nothing bounds an index that data decide"), Symbol{};
  for (const Polynomial& end : {range->low, range->high}) {
    if (!stays_inside(object, end, path)) return {};
    if (spec_ != nullptr)
      trace_.reads.push_back({object.buffer, end,
                              uncertain_ == 0 && (by_data_ == 0 || loose_.empty()) && !end.has(unknown_),
                              in_rounds(path), loops_});
  }
  trace_.gathered.insert(object.buffer);
  return symbol_of(elements_.at_data(object.buffer, index, *object.scalar));
}

}  // namespace swizzle
