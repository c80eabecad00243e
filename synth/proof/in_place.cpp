#include "synth/proof/in_place.h"

#include <algorithm>

namespace swizzle {
namespace {

using StoresAt = std::unordered_map<Polynomial, std::vector<const StoredSymbol*>, HashOfPolynomial>;  // by slot

std::map<std::size_t, StoresAt> stores_by_slot(const SymbolicTrace& trace) {
  std::map<std::size_t, StoresAt> stores;
  if (!trace.in_place.empty())
    for (const StoredSymbol& store : trace.stores) stores[store.buffer][store.slot].push_back(&store);
  return stores;
}

}  // namespace

std::vector<const ReadInPlace*> reads_of_others(const SymbolicTrace& spec) {
  const auto stores = stores_by_slot(spec);
  const auto is_own = [&](const ReadInPlace& read) {
    const auto of_buffer = stores.find(read.buffer);
    if (of_buffer == stores.end()) return true;
    const auto at = of_buffer->second.find(read.slot);
    return at != of_buffer->second.end() && std::ranges::any_of(at->second, [&](const StoredSymbol* store) {
             return store->thread == read.thread && store->loops == read.loops;
           });
  };
  std::vector<const ReadInPlace*> others;
  for (const ReadInPlace& read : spec.in_place)
    if (!is_own(read)) others.push_back(&read);
  return others;
}

bool reads_before_stores(const SymbolicTrace& kernel, const std::function<bool(const ReadInPlace&)>& is_own) {
  const auto stores = stores_by_slot(kernel);
  return std::ranges::all_of(kernel.in_place, [&](const ReadInPlace& read) {
    const auto of_buffer = stores.find(read.buffer);
    if (of_buffer == stores.end()) return true;
    if (!is_own(read)) return false;
    const auto at = of_buffer->second.find(read.slot);
    return at == of_buffer->second.end() || std::ranges::all_of(at->second, [&](const StoredSymbol* store) {
             return store->thread == read.thread || store->epoch > read.epoch;
           });
  });
}

}  // namespace swizzle
