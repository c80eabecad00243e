#include "synth/proof/iterations.h"

#include <algorithm>
#include <ranges>

#include "synth/proof/gathered.h"
#include "synth/proof/size_polynomial.h"
#include "synth/proof/size_products.h"
#include "synth/proof/stores_apart.h"

namespace swizzle {
namespace {

class Finder {
 public:
  Finder(const Program& kernel, const Program& spec, SizeRegion& whole, const SymbolicTrace& trace, HowShared how)
      : kernel_(kernel),
        spec_(spec),
        whole_(whole),
        trace_(trace),
        how_(how) {}

  Iterations run() {
    find_nests();
    std::set<std::size_t> written;
    for (LoopNest& nest : found_.nests) {
      for (std::size_t buffer : nest.buffers)
        if (!written.insert(buffer).second && !how_.are_apart) give_up("several loops of the spec store to one buffer");
      nest.is_sequence =
          !nest.loops.empty() && (trace_.sequences.contains(nest.loops.back()) || has_others_before(nest));
      std::vector<Polynomial> facts;
      const std::vector<SpecIndex> indices = indices_of(nest, facts);
      if (!found_.reason.empty()) return std::move(found_);
      share_out(nest, indices);
      if (!how_.are_apart)
        for (std::size_t buffer : nest.buffers) stores_apart(nest, indices, facts, buffer);
    }
    find_extents();
    return std::move(found_);
  }

  std::string why_stores_meet() {
    find_nests();
    std::set<std::size_t> written;
    for (LoopNest& nest : found_.nests) {
      std::vector<Polynomial> facts;
      const std::vector<SpecIndex> indices = indices_of(nest, facts);
      for (std::size_t buffer : nest.buffers) {
        if (!written.insert(buffer).second) give_up("several loops of the spec store to one buffer");
        if (found_.reason.empty()) stores_apart(nest, indices, facts, buffer);
      }
    }
    return found_.reason;
  }

 private:
  void find_nests() {
    for (const auto& [id, loop] : trace_.loops) found_.loops.insert(id);
    for (const StoredSymbol& store : trace_.stores) nest_of(store.loops).buffers.insert(store.buffer);
    for (const UpdatedSymbol& update : trace_.updates) nest_of(update.loops).has_updates = true;
  }

  void give_up(std::string reason) {
    if (found_.reason.empty()) found_.reason = std::move(reason);
  }
  std::size_t carry(Polynomial p) {
    whole_.carried.push_back(std::move(p));
    return whole_.carried.size() - 1;
  }
  bool is_least(const Polynomial& p, std::int64_t bound) const {
    const auto least = whole_.least(p);
    return least && *least >= bound;
  }
  const IndexLoop& loop(StmtId id) const { return trace_.loops.at(id); }

  LoopNest& nest_of(const std::vector<StmtId>& loops) {
    for (LoopNest& nest : found_.nests)
      if (nest.loops == loops) return nest;
    found_.nests.push_back({loops, {}, {}});
    return found_.nests.back();
  }

  // An index is looked at by its value where its loop begins at that of another one, which its atom then stands for.
  bool is_by_value(const IndexLoop& l) const { return depends_on_index(l.first); }
  Polynomial by_values(Polynomial p, const std::vector<StmtId>& loops) const {
    for (const StmtId id : std::views::reverse(loops))
      if (const IndexLoop& l = loop(id); is_by_value(l)) p = p.with(l.index, Polynomial::atom(l.index) - l.first);
    return p;
  }

  // Other loops stand beside the innermost one: its iterations, side by side, would make them once each.
  bool has_others_before(const LoopNest& nest) const {
    const StmtId innermost = nest.loops.back();
    const auto is_other = [&](StmtId id) { return is_loop(spec_.stmt(id).kind) && !stands_in(innermost, id); };
    return nest.loops.size() > 1 && stands_in_any(nest.loops[nest.loops.size() - 2], is_other);
  }
  template <typename Is>
  bool stands_in_any(StmtId id, Is&& is) const {
    return id.valid() &&
           (is(id) || std::ranges::any_of(spec_.stmt(id).body, [&](StmtId part) { return stands_in_any(part, is); }));
  }
  bool stands_in(StmtId inner, StmtId outer) const {
    return stands_in_any(outer, [&](StmtId id) { return id == inner; });
  }

  // 0 <= atom < end for each index of the nest; and what depends on others.
  std::vector<SpecIndex> indices_of(const LoopNest& nest, std::vector<Polynomial>& facts) {
    std::vector<SpecIndex> indices;
    for (const StmtId id : nest.loops) {
      const IndexLoop& l = loop(id);
      const Polynomial atom = Polynomial::atom(l.index), first = is_by_value(l) ? l.first : Polynomial(),
                       end = by_values(first + l.count, nest.loops);
      if (is_by_value(l)) facts.push_back(atom - by_values(first, nest.loops));
      facts.push_back(end - atom - Polynomial(1));
      const auto most = highest(end, indices);
      if (!most || (is_by_value(l) && l.step != 1))
        return give_up("how the index of a loop of the spec decides another one"), indices;
      indices.push_back({l.index, *most});
    }
    return indices;
  }

  // Whatever the indices are.
  std::optional<Polynomial> highest(Polynomial p, const std::vector<SpecIndex>& indices) const {
    for (const SpecIndex& index : std::views::reverse(indices))
      if (!raise(p, index.atom, index.end)) return std::nullopt;
    return depends_on_index(p) ? std::nullopt : std::optional(p);
  }
  // To what p is at most for 0 <= index < end; false: that is not seen.
  bool raise(Polynomial& p, Atom index, const Polynomial& end) const {
    const auto linear = linear_in(p, index);
    const bool grows = linear && is_least(linear->factor, 0);
    if (!grows && !(linear && is_least(Polynomial(0) - linear->factor, 0))) return false;
    p = grows ? linear->rest + linear->factor * (end - Polynomial(1)) : linear->rest;
    return true;
  }

  // Which dimension of the grid a loop's end grows with, and how fast.
  void share_out(LoopNest& nest, const std::vector<SpecIndex>& indices) {
    nest.is_of_first_blocks = nest.loops.empty();
    const auto is_taken = [&](std::size_t dimension) {
      return std::ranges::find(nest.shared, dimension, &SharedLoop::dimension) != nest.shared.end();
    };
    for (std::size_t k = 0; k < nest.loops.size(); ++k) {
      const IndexLoop& l = loop(nest.loops[k]);
      const Polynomial& end = indices[k].end;
      std::optional<SharedLoop> shared;
      for (std::size_t d = 0; d < whole_.dimensions.size(); ++d) {
        if (!whole_.dimensions[d] || !end.has(whole_.dimensions[d]->behind) || is_taken(whole_.axis_of(d))) continue;
        const std::int64_t share = end.coefficient(whole_.dimensions[d]->behind) / whole_.dimensions[d]->finer;
        if (share <= 0 || is_taken(d) || !is_least(whole_.grid[d] * Polynomial(share) - end, 0)) continue;
        found_.has_other_shares |= shared.has_value();
        if (!shared || how_.takes_last)
          shared = {nest.loops[k], d, carry(is_by_value(l) ? l.first : Polynomial()), carry(l.count), share, l.index};
      }
      if (!shared && whole_.numbered && end == whole_.numbered->count) {
        const auto share = static_cast<std::int64_t>(whole_.numbered->looked_at.size());
        if (nest.is_sequence && share > 1) return give_up("what iterations hand on that one thread each makes");
        shared = {nest.loops[k],  kNumber, carry(is_by_value(l) ? l.first : Polynomial()),
                  carry(l.count), share,   l.index};
      }
      for (std::size_t axis = 0; axis < whole_.digits.size() && !shared; ++axis)
        if (!whole_.digits[axis].empty() && end == whole_.grid[axis] && !is_taken(axis) &&
            std::ranges::none_of(whole_.digits[axis], is_taken))
          shared = {nest.loops[k], axis, carry(is_by_value(l) ? l.first : Polynomial()), carry(l.count), 1, l.index};
      if (!shared) shared = of_each_block(nest.loops[k], end);
      if (!shared) return give_up("no dimension of the grid shares out a loop of the spec");
      nest.shared.push_back(*shared);
    }
    if (!is_taken(kEachBlock)) return;
    whole_.unrolls = true;
    nest.is_sequence |= nest.shared.back().dimension == kEachBlock;
    for (std::size_t d = 0; d < whole_.grid.size(); ++d)
      if (whole_.grid[d].value() != 1 && !is_taken(d))
        give_up("no dimension of the grid shares out a loop of the spec");
  }

  std::optional<SharedLoop> of_each_block(StmtId id, const Polynomial& end) {
    constexpr std::int64_t kMostIterations = 4096;
    const IndexLoop& l = loop(id);
    const auto most = whole_.most(end);
    if (!most || *most < 1 || *most > kMostIterations || is_by_value(l)) return std::nullopt;
    return SharedLoop{id, kEachBlock, carry(Polynomial()), carry(l.count), *most, l.index};
  }

  // Different iterations, and different stores of one, go to different elements.
  void stores_apart(const LoopNest& nest, const std::vector<SpecIndex>& indices, const std::vector<Polynomial>& facts,
                    std::size_t buffer) {
    std::vector<SpecStore> stores;
    for (const StoredSymbol& store : trace_.stores) {
      if (store.buffer != buffer) continue;
      stores.push_back({by_values(store.slot, nest.loops), facts});
      for (const Polynomial& fact : store.facts) stores.back().facts.push_back(by_values(fact, nest.loops));
    }
    if (std::string reason = why_not_apart(indices, stores, whole_); !reason.empty()) give_up(std::move(reason));
  }

  // The address in the last iterations of all loops, if it grows with each of them; and those that may have none.
  std::optional<Polynomial> last(Polynomial slot, const std::vector<StmtId>& around,
                                 std::set<Polynomial>& counts) const {
    for (StmtId id : around)
      if (!is_least(loop(id).count, 1)) counts.insert(loop(id).count);
    for (std::size_t deepest = 0; deepest < trace_.loops.size() && depends_on_index(slot); ++deepest)
      for (const auto& [id, l] : trace_.loops)  // the count of one may depend on another one
        if (slot.has(l.index) && !raise(slot, l.index, l.count)) return std::nullopt;
    return depends_on_index(slot) ? std::nullopt : std::optional(slot);
  }
  bool depends_on_index(const Polynomial& p) const {
    return std::ranges::any_of(trace_.loops, [&](const auto& loop) { return p.has(loop.second.index); });
  }

  void find_extents() {
    const auto& parameters = kernel_.function(kernel_.entry).parameters;
    std::vector<std::set<Polynomial>> ends = given_ends();
    std::vector<std::map<Polynomial, std::set<Polynomial>>> uncertain(parameters.size());  // counts by end
    for (const Touched& read : trace_.reads) {
      if (!read.is_certain || found_.is_given[read.buffer]) continue;
      std::set<Polynomial> counts;
      const auto end = last(read.slot, read.loops, counts);
      if (std::ranges::any_of(counts, [&](const Polynomial& count) { return depends_on_index(count); })) continue;
      if (!end) continue;
      const Polynomial behind = end_of_item(spec_, read.buffer, *end);
      if (counts.empty()) ends[read.buffer].insert(behind);
      else uncertain[read.buffer].try_emplace(behind, std::move(counts));
    }
    for (const auto& [name, size] : whole_.sizes) found_.bounds.push_back(carry(size));
    found_.ends.resize(parameters.size());
    for (std::size_t i = 0; i < parameters.size(); ++i)
      for (const Polynomial& end : longest(ends[i], whole_)) add_end(i, end, {});
    for (std::size_t i = 0; i < parameters.size(); ++i)
      for (const auto& [end, counts] : uncertain[i]) add_end(i, end, counts);
    // A buffer that is stored to is as long as that.
    std::vector<std::set<Polynomial>> stored(parameters.size());
    for (const StoredSymbol& store : trace_.stores) {
      std::set<Polynomial> counts;  // only sizes are bounded by them
      if (const auto end = last(store.slot, {}, counts)) stored[store.buffer].insert(*end + Polynomial(1));
    }
    for (const auto& all : stored)
      for (const Polynomial& end : longest(all, whole_)) found_.bounds.push_back(carry(end));
    add_wide_bounds();
  }

  // As directives say.
  std::vector<std::set<Polynomial>> given_ends() {
    const auto& parameters = kernel_.function(kernel_.entry).parameters;
    std::vector<std::set<Polynomial>> ends(parameters.size());
    std::vector<char>& is_given = found_.is_given;
    is_given.assign(parameters.size(), 0);
    for (const Extent& extent : kernel_.directives.extents)
      for (std::size_t i = 0; i < parameters.size(); ++i) {
        const Variable& variable = kernel_.variable(parameters[i]);
        if (variable.name != extent.buffer || kernel_.type(variable.type).form != Type::Form::kPointer) continue;
        const auto tree = parse_size(extent.elements, kernel_.source);
        const auto elements = tree.ok() ? polynomial_of(*tree, whole_) : std::nullopt;
        is_given[i] = 1;
        ends[i].clear();
        const int slots = std::max(1, kernel_.type(kernel_.type(variable.type).element).slots);
        if (elements) ends[i].insert(*elements * Polynomial(slots));
      }
    return ends;
  }

  void add_end(std::size_t buffer, const Polynomial& end, const std::set<Polynomial>& counts) {
    constexpr std::size_t kMostUncertainEnds = 16;
    if (!counts.empty() && found_.ends[buffer].size() >= kMostUncertainEnds) return;
    BufferEnd known{carry(end), {}};
    found_.bounds.push_back(known.end);
    for (const Polynomial& count : counts) known.counts.push_back(carry(count));
    found_.ends[buffer].push_back(std::move(known));
  }

  void add_wide_bounds() {
    constexpr std::int64_t kRows[] = {16, 64, 256}, kMultiples[] = {2, 4, 8};
    const std::vector<std::size_t> bounds = found_.bounds;
    for (const Polynomial& product : size_products(kernel_, whole_.sizes)) found_.wide_bounds.push_back(carry(product));
    for (const auto& [name, size] : whole_.sizes)
      for (std::int64_t multiple : kMultiples)
        if (!size.is_constant()) found_.wide_bounds.push_back(carry(size * Polynomial(multiple)));
    for (std::int64_t rows : kRows)
      for (std::size_t end : bounds)
        for (const auto& [name, size] : whole_.sizes)
          if (!size.is_constant() && !(whole_.carried[end] == size))
            found_.wide_bounds.push_back(carry(whole_.carried[end] + size * Polynomial(rows)));
  }

  const Program& kernel_;
  const Program& spec_;
  SizeRegion& whole_;
  const SymbolicTrace& trace_;
  const HowShared how_;
  Iterations found_;
};

}  // namespace

static std::string why_not_followed(const SymbolicOutcome& of_spec) {
  return "of the spec: " + (of_spec.reason.empty() ? "an index decides more than a condition" : of_spec.reason);
}

bool LoopNest::takes_all_blocks(const SizeRegion& region, std::optional<std::size_t> turns_over) const {
  const auto is_taken = [&](std::size_t dimension) {
    return std::ranges::find(shared, dimension, &SharedLoop::dimension) != shared.end();
  };
  for (std::size_t d = 0; d < kPositions; ++d) {
    const bool is_of_number = region.numbered && d >= kDigits && is_taken(kNumber);
    const bool is_of_turns = d == turns_over && is_taken(kTurns);
    const bool is_of_digits = (d < region.digits.size() && !region.digits[d].empty()) || is_taken(region.axis_of(d));
    if (region.grid[d].value() != 1 && !is_taken(d) && !is_of_number && !is_of_turns && !is_of_digits) return false;
  }
  return true;
}

Polynomial end_of_item(const Program& spec, std::size_t buffer, const Polynomial& slot) {
  const auto& parameters = spec.function(spec.entry).parameters;
  const Type* type = buffer < parameters.size() ? &spec.type(spec.variable(parameters[buffer]).type) : nullptr;
  const bool is_of_items = type != nullptr && type->form == Type::Form::kPointer && spec.type(type->element).slots > 1;
  if (!is_of_items) return slot + Polynomial(1);
  const std::int64_t slots = spec.type(type->element).slots;
  const Polynomial::Division item = slot.divided(slots);
  return item.rest.is_constant() ? (item.quotient + Polynomial(1)) * Polynomial(slots) : slot + Polynomial(1);
}

std::vector<Polynomial> longest(const std::set<Polynomial>& ends, const SizeRegion& region) {
  const auto covers = [&](const Polynomial& a, const Polynomial& b) {
    const auto least = region.least(a - b);
    return least && *least >= 0;
  };
  std::vector<Polynomial> longest;
  for (const Polynomial& end : ends) {
    if (std::any_of(longest.begin(), longest.end(), [&](const Polynomial& other) { return covers(other, end); }))
      continue;
    std::erase_if(longest, [&](const Polynomial& other) { return covers(end, other); });
    longest.push_back(end);
  }
  return longest;
}

Iterations iterations_of(const Program& kernel, const Program& spec, SizeRegion& whole,
                         const std::map<std::string, Polynomial>& spec_sizes, const Deadline& deadline, HowShared how) {
  Elements elements({}, ranges_of(kernel, whole));
  const SpecRun for_all;
  SizeRegion with_indices = whole;
  const SymbolicOutcome outcome =
      run_symbolically(spec, with_indices, elements, spec_sizes, &for_all, nullptr, deadline);
  Iterations found;
  if (!outcome.ok()) {
    found.reason = why_not_followed(outcome);
    return found;
  }
  found = Finder(kernel, spec, with_indices, outcome.trace, how).run();
  whole = std::move(with_indices);
  return found;
}

std::string why_stores_meet(const Program& kernel, const Program& spec, const SizeRegion& whole,
                            const std::map<std::string, Polynomial>& spec_sizes, const Deadline& deadline) {
  Elements elements({}, ranges_of(kernel, whole));
  const SpecRun for_all;
  SizeRegion with_indices = whole;
  const SymbolicOutcome outcome =
      run_symbolically(spec, with_indices, elements, spec_sizes, &for_all, nullptr, deadline);
  return outcome.ok() ? Finder(kernel, spec, with_indices, outcome.trace, {}).why_stores_meet()
                      : why_not_followed(outcome);
}

}  // namespace swizzle
