#include "synth/problem/stray_stores.h"

#include <fmt/format.h>

#include "synth/provenance/data_places.h"

namespace swizzle {

std::vector<std::string> names_of(const std::vector<Buffer>& buffers) {
  std::vector<std::string> names;
  for (const Buffer& b : buffers) names.push_back(b.name);
  return names;
}

static Diagnostic told(const Program& kernel, const Trace& trace, std::size_t buffer, std::int64_t slot,
                       const Cell& cell, const Provenance& provenance) {
  const std::vector<std::string> names = names_of(trace.buffers);
  Diagnostic stray = make_error(kernel.source, cell.range,
                                fmt::format("thread {} stores to '{}[{}]', which the spec does not write", cell.thread,
                                            names[buffer], slot_text(provenance, slot, names)));
  stray.breaks_rule = true;
  return stray;
}

std::optional<Diagnostic> stray_store(const Program& kernel, const Trace& spec, Trace& actual, Provenance& provenance) {
  for (std::size_t b = 0; b < actual.buffers.size(); ++b)
    for (const auto& [slot, cell] : actual.cells[b]) {
      if (spec.cells[b].contains(slot)) continue;
      if (!is_data_place(slot) &&
          provenance.normalize(cell.value) == provenance.input(BufferId(b), slot, actual.buffers[b].scalar_at(slot)))
        continue;  // what was there before
      if (truth(cell.written) == true) return told(kernel, actual, b, slot, cell, provenance);
      if (truth(cell.written) == false) continue;  // holes decide: see stores.h
      actual.requirements.push_back(
          {cell.written, told(kernel, actual, b, slot, cell, provenance).message, cell.range, {}});
    }
  return std::nullopt;
}

}  // namespace swizzle
