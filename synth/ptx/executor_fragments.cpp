// wmma.load and wmma.store: fragments of matrices, as ptxas moves them.
#include <fmt/format.h>

#include "synth/program/matrix_fragments.h"
#include "synth/ptx/executor.h"
#include "synth/ptx/lane_operations.h"

namespace swizzle::ptx {
namespace {

constexpr int kMatrixRowBytes = 16;

// "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16". Nothing: of other elements.
std::optional<MatrixFragment> fragment_of(const Instruction& i) {
  MatrixFragment f;
  std::optional<MatrixFragment::Element> element;
  f.is_stored = i.has(Modifier::kStore);
  f.is_in_shared = space_of(i) == Space::kShared;
  std::string_view rest = i.name;
  while (!rest.empty()) {
    const std::string_view word = rest.substr(0, rest.find('.'));
    rest.remove_prefix(std::min(rest.size(), word.size() + 1));
    if (word == "a" || word == "b") f.use = word == "a" ? MatrixFragment::Use::kA : MatrixFragment::Use::kB;
    if (word == "c" || word == "d") f.use = MatrixFragment::Use::kAccumulator;
    if (word == "row" || word == "col") f.is_row_major = word == "row";
    if (std::sscanf(std::string(word).c_str(), "m%dn%dk%d", &f.m, &f.n, &f.k) == 3) continue;
    if (const auto known = fragment_element(word)) element = known;
  }
  if (element) f.element = *element;
  return element ? std::optional(f) : std::nullopt;
}

// Of lines without a gap, in elements.
int line_elements(const MatrixFragment& f) {
  if (f.use == MatrixFragment::Use::kA) return f.is_row_major ? f.k : f.m;
  if (f.use == MatrixFragment::Use::kB) return f.is_row_major ? f.n : f.k;
  return f.is_row_major ? f.n : f.m;
}

}  // namespace

// `base` is the same in all lanes of a warp, as is `stride`, in elements.
LaneValue Executor::address_in_fragment(const FragmentAccess& access, const LaneValue& base, std::int64_t stride,
                                        int element_bytes) const {
  std::vector<std::int64_t> values(threads());
  std::vector<char> known(threads());
  for (int t = 0; t < threads_; ++t) {
    const auto at = base.find(t);
    if (!at) continue;
    const int lane = t % options_.memory.lanes, high = lane / access.split, low = lane % access.split;
    const std::int64_t line = access.line + access.line_of_high * high + access.line_of_low * low;
    const std::int64_t element = access.element + access.element_of_high * high + access.element_of_low * low;
    values[static_cast<std::size_t>(t)] = *at + (line * stride + element) * element_bytes;
    known[static_cast<std::size_t>(t)] = 1;
  }
  return LaneValue::partly(std::move(values), std::move(known)).with_region(base.region());
}

void Executor::copy_fragment(const Instruction& i) {
  const bool is_store = i.has(Modifier::kStore);
  const Operand& memory = i.operands[is_store ? 0 : 1];
  const auto fragment = fragment_of(i);
  const auto accesses = fragment ? fragment_accesses(*fragment) : std::vector<FragmentAccess>{};
  const LaneValue stride =
      i.operands.size() > 2 ? value_of(i.operands[2]) : LaneValue::uniform(fragment ? line_elements(*fragment) : 0);
  if (accesses.empty() || !stride.is_uniform()) return leave_uncounted(i);
  const Space space = space_of(i);
  const LaneValue base = address_of(memory, space);
  if (!is_store) write_unknown(i);
  in_each_region(i, base, space, [&](int region, const LaneValue& place) {
    for (const FragmentAccess& a : accesses) {
      const LaneValue address = address_in_fragment(a, place, stride.at(0), bytes_of(fragment->element));
      record(i, region, address, a.bits, a.operation, a.matrices);
      if (is_store) write_memory(region, address, std::min(a.bits / 8, kMatrixRowBytes), LaneValue());
    }
  });
}

}  // namespace swizzle::ptx
