#include "synth/problem/repetitions.h"

#include <algorithm>
#include <map>
#include <utility>

#include "synth/problem/bit_equations.h"
#include "synth/provenance/renaming.h"

namespace swizzle {
namespace {

std::vector<std::int64_t> moves_of(const Repetition& repetition, std::int64_t group) {
  std::vector<std::int64_t> moves(repetition.read_steps.size(), 0);
  for (std::size_t axis = 0; axis < repetition.counts.size(); ++axis) {
    const std::int64_t at = group % repetition.counts[axis];
    group /= repetition.counts[axis];
    for (std::size_t b = 0; at != 0 && b < moves.size(); ++b)
      if (repetition.read_steps[b]) moves[b] += at * (*repetition.read_steps[b])[axis];
  }
  return moves;
}

// Of what a group stores, it is the first to store: what is wrong there is told first, whichever groups are executed.
bool starts_with_groups(const Trace& trace) {
  return std::ranges::all_of(trace.cells, [](const auto& cells) {
    return std::ranges::all_of(cells, [](const auto& at) {
      return std::ranges::all_of(at.second.steps, [](std::int64_t step) { return step >= 0; });
    });
  });
}

}  // namespace

Origins::Origins(const Trace& trace) : trace_(trace), origins_(trace.cells.size()) {
  for (std::size_t b = 0; b < trace.cells.size(); ++b) {
    origins_[b].resize(trace.cells[b].empty() ? 0 : static_cast<std::size_t>(trace.touched[b]));
    for (const auto& [slot, cell] : trace.cells[b]) {
      std::int64_t group = 0;
      each_group(trace.repetitions[*cell.repetition].counts, cell.steps, [&](std::int64_t moved) {
        origins_[b][static_cast<std::size_t>(slot + moved)] = {&cell, group++};
        ++size_;
        return true;
      });
    }
  }
}

const Origins::Origin& Origins::of(std::size_t buffer, std::int64_t slot) const {
  static const Origin none;
  const auto at = static_cast<std::size_t>(slot);
  return at < origins_[buffer].size() ? origins_[buffer][at] : none;
}

std::vector<std::int64_t> Origins::moves(const Origin& origin) const {
  return moves_of(trace_.repetitions[*origin.cell->repetition], origin.group);
}

bool repeat_alike(const Trace& kernel, const Trace& spec, const Origins& origins) {
  const auto alike = [&](std::size_t b, std::int64_t slot, const Cell& cell) {
    const Origins::Origin first = origins.of(b, slot);
    if (first.cell == nullptr) return false;
    const Repetition& ours = kernel.repetitions[*cell.repetition];
    const Repetition& theirs = spec.repetitions[*first.cell->repetition];
    const std::vector<std::int64_t> begin = origins.moves(first);
    std::int64_t group = 0;
    return each_group(ours.counts, cell.steps, [&](std::int64_t moved) {
      const Origins::Origin& here = origins.of(b, slot + moved);
      if (here.cell != first.cell) return false;
      const std::vector<std::int64_t> want = origins.moves(here), have = moves_of(ours, group++);
      for (std::size_t x = 0; x < want.size(); ++x)
        if (ours.read_steps[x] && theirs.read_steps[x] && want[x] - begin[x] != have[x]) return false;
      return true;
    });
  };
  std::size_t stored = 0;
  for (std::size_t b = 0; b < kernel.cells.size(); ++b)
    for (const auto& [slot, cell] : kernel.cells[b]) {
      if (!alike(b, slot, cell)) return false;
      std::size_t groups = 1;
      for (std::int64_t count : kernel.repetitions[*cell.repetition].counts) groups *= static_cast<std::size_t>(count);
      stored += groups;
    }
  return stored == origins.size();
}

bool expand(Trace& trace, Provenance& provenance, const Deadline& deadline) {
  if (trace.repetitions.empty()) return true;
  std::vector<std::map<std::int64_t, Cell>> cells(trace.cells.size());
  for (std::size_t r = 0; r < trace.repetitions.size(); ++r) {
    const Repetition& repetition = trace.repetitions[r];
    std::map<std::vector<std::int64_t>, Renaming> renamings;
    for (std::size_t b = 0; b < trace.cells.size(); ++b)
      for (const auto& [slot, cell] : trace.cells[b]) {
        if (cell.repetition != r) continue;
        std::int64_t group = 0;
        const bool is_whole = each_group(repetition.counts, cell.steps, [&](std::int64_t moved) {
          constexpr std::int64_t kGroupsBetweenLooks = 256;
          if (group % kGroupsBetweenLooks == 0 && deadline.passed()) return false;
          std::vector<std::int64_t> moves = moves_of(repetition, group++);
          Renaming& renaming = renamings.try_emplace(moves, provenance, moves).first->second;
          Cell& copy = cells[b].emplace(slot + moved, cell).first->second;
          copy.value = renaming.of(cell.value);
          copy.repetition.reset();
          copy.steps.clear();
          return true;
        });
        if (!is_whole) return false;
      }
  }
  trace.cells = std::move(cells);
  trace.repetitions.clear();
  return true;
}

Result<std::monostate> SpecTrace::expand(Provenance& provenance, const Deadline& deadline) {
  expanded_ = given_;
  if (swizzle::expand(*expanded_, provenance, deadline)) return std::monostate{};
  expanded_.reset();
  return make_error("the time limit ended the execution of the spec");
}

Result<Trace> execute_beside(const Program& kernel, Execution how, SpecTrace& spec, Provenance& provenance,
                             PointTable& points) {
  if ((*spec).repetitions.empty()) return execute(kernel, how, provenance, points);
  const PointTable known = points;
  how.groups = Groups::kAlike;
  auto actual = execute(kernel, how, provenance, points);
  const bool repeats = actual.ok() && !actual->repetitions.empty();
  if (repeats && (kernel.holes.empty() || starts_with_groups(*actual)) && repeat_alike(*actual, *spec, Origins(*spec)))
    return actual;
  if (const auto expanded = spec.expand(provenance, how.deadline); !expanded.ok()) return expanded.errors();
  if (!repeats) return actual;
  points = known;
  how.groups = Groups::kEach;
  return execute(kernel, how, provenance, points);
}

std::vector<Equation> repeated_equations(const Trace& kernel, const Trace& spec, Provenance& provenance,
                                         std::size_t instance) {
  std::vector<Equation> equations;
  const Origins origins(spec);
  std::map<std::vector<std::int64_t>, Renaming> renamings;
  for (std::size_t b = 0; b < kernel.cells.size(); ++b)
    for (const auto& [slot, cell] : kernel.cells[b]) {
      const Origins::Origin& origin = origins.of(b, slot);
      const std::vector<std::int64_t> moves = origins.moves(origin);
      const Value expected = renamings.try_emplace(moves, provenance, moves).first->second.of(origin.cell->value);
      equations.push_back(
          {cell.value, expected, BufferId(b), slot, cell.thread, instance, true, spec.buffers[b].scalar_at(slot)});
      Equation& e = equations.back();
      for (Value* side : {&e.actual, &e.expected}) *side = trimmed(provenance, e.scalar, provenance.normalize(*side));
    }
  return equations;
}

}  // namespace swizzle
