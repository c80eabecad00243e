#include "synth/proof/iterations.h"

#include <algorithm>

#include <fmt/format.h>

#include "synth/program/size_tree.h"

namespace swizzle {
namespace {

// p = rest + factor · a, if a occurs in it so.
struct Linear {
  Polynomial rest, factor;
};
std::optional<Linear> linear_in(const Polynomial& p, Atom a) {
  Linear linear{p.with(a, Polynomial(0)), {}};
  linear.factor = p.with(a, Polynomial(1)) - linear.rest;
  if (!(linear.rest + linear.factor * Polynomial::atom(a) == p)) return std::nullopt;
  return linear;
}

std::optional<Polynomial> polynomial_of(const SizeTree& tree, const SizeRegion& region) {
  if (tree.op == '#') return Polynomial(tree.value);
  if (tree.op == '$') {
    const auto it = region.sizes.find(tree.name);
    return it != region.sizes.end() ? std::optional(it->second) : std::nullopt;
  }
  const auto a = polynomial_of(tree.operands[0], region), b = polynomial_of(tree.operands[1], region);
  if (!a || !b) return std::nullopt;
  if (tree.op == '+') return *a + *b;
  if (tree.op == '-') return *a - *b;
  if (tree.op == '*') return *a * *b;
  const auto divisor = b->value();
  if (tree.op != '/' || !divisor || *divisor <= 0 || !region.least(*a) || *region.least(*a) < 0) return std::nullopt;
  const auto [quotient, rest] = a->divided(*divisor);
  return rest.is_constant() ? std::optional(quotient) : std::nullopt;
}

class Finder {
 public:
  Finder(const Program& kernel, SizeRegion& whole, const SymbolicTrace& trace)
      : kernel_(kernel),
        whole_(whole),
        trace_(trace) {}

  Iterations run() {
    for (const auto& [id, loop] : trace_.loops) found_.loops.insert(id);
    for (const StoredSymbol& store : trace_.stores) nest_of(store).buffers.insert(store.buffer);
    std::set<std::size_t> written;
    for (LoopNest& nest : found_.nests) {
      for (std::size_t buffer : nest.buffers)
        if (!written.insert(buffer).second) give_up("several loops of the spec store to one buffer");
      share_out(nest);
      for (std::size_t buffer : nest.buffers) stores_apart(nest, buffer);
    }
    find_extents();
    return std::move(found_);
  }

 private:
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

  LoopNest& nest_of(const StoredSymbol& store) {
    for (LoopNest& nest : found_.nests)
      if (nest.loops == store.loops) return nest;
    found_.nests.push_back({store.loops, {}, {}});
    return found_.nests.back();
  }

  // Which dimension of the grid a loop's count grows with, and how fast.
  void share_out(LoopNest& nest) {
    if (nest.loops.empty())
      for (const Polynomial& blocks : whole_.grid)
        if (blocks.value() != 1) return give_up("blocks share out stores of the spec that no loop over a size makes");
    for (StmtId id : nest.loops) {
      const IndexLoop& l = loop(id);
      for (const auto& [other, inner] : trace_.loops)
        if (l.count.has(inner.index) || l.first.has(inner.index))
          return give_up("a loop of the spec depends on the index of another");
      std::optional<SharedLoop> shared;
      for (std::size_t d = 0; d < whole_.dimensions.size(); ++d) {
        if (!whole_.dimensions[d] || !l.count.has(whole_.dimensions[d]->behind)) continue;
        const std::int64_t share = l.count.coefficient(whole_.dimensions[d]->behind);
        const bool is_taken =
            std::any_of(nest.shared.begin(), nest.shared.end(), [&](const SharedLoop& s) { return s.dimension == d; });
        if (share > 0 && !is_taken && is_least(whole_.grid[d] * Polynomial(share) - l.count, 0))
          shared = SharedLoop{id, d, carry(l.count), share};
      }
      if (!shared) return give_up("no dimension of the grid shares out a loop of the spec");
      nest.shared.push_back(*shared);
    }
  }

  // Different iterations, and different stores of one, go to different elements.
  void stores_apart(const LoopNest& nest, std::size_t buffer) {
    std::vector<Polynomial> strides, offsets;
    for (const StoredSymbol& store : trace_.stores) {
      if (store.buffer != buffer) continue;
      Polynomial rest = store.slot;
      std::vector<Polynomial> these;
      for (StmtId id : nest.loops) {
        const auto linear = linear_in(rest, loop(id).index);
        if (!linear) return give_up("an address of the spec is no linear function of its indices");
        these.push_back(linear->factor);
        rest = linear->rest;
      }
      for (const Polynomial& stride : these)
        for (StmtId id : nest.loops)
          if (stride.has(loop(id).index)) return give_up("an address of the spec is no linear function of its indices");
      if (!offsets.empty() && these != strides) return give_up("stores of the spec have different strides");
      strides = these;
      offsets.push_back(rest);
    }
    if (nest.loops.empty()) return offsets_apart(nest, {}, {}, offsets);
    std::vector<std::size_t> order(strides.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    do {
      bool is_radix = is_least(strides[order.back()], 1);
      for (std::size_t i = 0; i + 1 < order.size(); ++i)
        is_radix =
            is_radix && is_least(strides[order[i]] - strides[order[i + 1]] * loop(nest.loops[order[i + 1]]).count, 0);
      if (is_radix) return offsets_apart(nest, strides, strides[order.back()], offsets);
    } while (std::next_permutation(order.begin(), order.end()));
    give_up("nothing shows that iterations of the spec store to different elements");
  }

  void offsets_apart(const LoopNest& nest, const std::vector<Polynomial>& strides, const Polynomial& least_stride,
                     std::vector<Polynomial> offsets) {
    constexpr std::size_t kMostPairs = 64;
    bool are_near = true;
    std::int64_t low = 0, high = 0;
    for (const Polynomial& offset : offsets) {
      const auto distance = (offset - offsets[0]).value();
      are_near = are_near && distance;
      low = std::min(low, distance.value_or(0));
      high = std::max(high, distance.value_or(0));
    }
    if (are_near && (nest.loops.empty() || is_least(least_stride, high - low + 1))) return;
    Polynomial span(1);
    for (std::size_t i = 0; i < strides.size(); ++i)
      span = span + strides[i] * (loop(nest.loops[i]).count - Polynomial(1));
    if (offsets.size() > kMostPairs) return give_up("nothing shows that stores of the spec go to different elements");
    for (const Polynomial& a : offsets)
      for (const Polynomial& b : offsets) {
        const Polynomial distance = a - b;
        const auto value = distance.value();
        const bool is_near = value && (nest.loops.empty() || is_least(least_stride, std::abs(*value) + 1));
        if (!is_near && !is_least(distance - span, 0) && !is_least(Polynomial(0) - distance - span, 0))
          return give_up("nothing shows that stores of the spec go to different elements");
      }
  }

  // The address in the last iterations of all loops, if it grows with each of them; and those that may have none.
  std::optional<Polynomial> last(Polynomial slot, const std::vector<StmtId>& around,
                                 std::set<Polynomial>& counts) const {
    for (StmtId id : around)
      if (!is_least(loop(id).count, 1)) counts.insert(loop(id).count);
    for (const auto& [id, l] : trace_.loops) {
      if (!slot.has(l.index)) continue;
      const auto linear = linear_in(slot, l.index);
      if (!linear) return std::nullopt;
      if (is_least(linear->factor, 0)) slot = linear->rest + linear->factor * (l.count - Polynomial(1));
      else if (is_least(Polynomial(0) - linear->factor, 0)) slot = linear->rest;
      else return std::nullopt;
    }
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
      if (end && counts.empty()) ends[read.buffer].insert(*end + Polynomial(1));
      else if (end) uncertain[read.buffer].try_emplace(*end + Polynomial(1), std::move(counts));
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
    for (std::int64_t rows : kRows)
      for (std::size_t end : bounds)
        for (const auto& [name, size] : whole_.sizes)
          if (!size.is_constant() && !(whole_.carried[end] == size))
            found_.wide_bounds.push_back(carry(whole_.carried[end] + size * Polynomial(rows)));
    for (const auto& [name, size] : whole_.sizes)
      for (std::int64_t multiple : kMultiples)
        if (!size.is_constant()) found_.wide_bounds.push_back(carry(size * Polynomial(multiple)));
  }

  const Program& kernel_;
  SizeRegion& whole_;
  const SymbolicTrace& trace_;
  Iterations found_;
};

}  // namespace

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

// What is at least 0 just where the assumption holds: of n > 2 it is n - 3. Nothing of other comparisons.
static std::optional<Polynomial> excess_of(const Assumption& assumption, const Program& kernel,
                                           const SizeRegion& region) {
  const auto left = parse_size(assumption.left, kernel.source), right = parse_size(assumption.right, kernel.source);
  const auto a = left.ok() ? polynomial_of(*left, region) : std::nullopt,
             b = right.ok() ? polynomial_of(*right, region) : std::nullopt;
  const std::string& comparison = assumption.comparison;
  if (!a || !b || comparison.empty() || (comparison[0] != '<' && comparison[0] != '>')) return std::nullopt;
  return (comparison[0] == '<' ? *b - *a : *a - *b) - Polynomial(comparison.size() == 1 ? 1 : 0);
}

std::optional<Split> split_by_assumptions(const Program& kernel, const SizeRegion& region, bool& is_assumed_away) {
  for (const Polynomial& p : region.assumed) is_assumed_away |= region.most(p).value_or(0) < 0;
  if (is_assumed_away) return std::nullopt;
  for (const Assumption& assumption : kernel.directives.assumptions) {
    const auto excess = excess_of(assumption, kernel, region);
    Split split;
    const auto holds = excess ? region.is_at_least_0(*excess, split) : std::optional(true);
    if (!holds && split.atom != 0) return split;
    is_assumed_away |= holds == false;
  }
  return std::nullopt;
}

Iterations iterations_of(const Program& kernel, const Program& spec, SizeRegion& whole,
                         const std::map<std::string, Polynomial>& spec_sizes, const Deadline& deadline) {
  Elements elements;
  const SpecRun for_all;
  SizeRegion with_indices = whole;
  const SymbolicOutcome outcome =
      run_symbolically(spec, with_indices, elements, spec_sizes, &for_all, nullptr, deadline);
  Iterations found;
  if (!outcome.ok()) {
    found.reason =
        "of the spec: " + (outcome.reason.empty() ? "an index decides more than a condition" : outcome.reason);
    return found;
  }
  found = Finder(kernel, with_indices, outcome.trace).run();
  whole.carried = with_indices.carried;
  return found;
}

// A polynomial over the sizes, by their names; nothing, where it is none.
static std::optional<std::string> text_of(const Polynomial& p, std::int64_t scale,
                                          const std::map<Atom, std::string>& names) {
  std::string text;
  for (auto t = p.terms().rbegin(); t != p.terms().rend(); ++t) {
    if (t->coefficient % scale != 0) return std::nullopt;
    const std::int64_t c = t->coefficient / scale;
    std::string part = t->monomial == 0 || std::abs(c) != 1 ? fmt::format("{}", std::abs(c)) : "";
    for (Atom a : atoms_of(t->monomial)) {
      if (!names.contains(a)) return std::nullopt;
      part += (part.empty() ? "" : " * ") + names.at(a);
    }
    text += text.empty() ? (c < 0 ? "-" : "") + part : (c < 0 ? " - " : " + ") + part;
  }
  return text;
}

SizeBound size_bound(const SizeRegion& whole, const Polynomial& bound, std::int64_t more) {
  constexpr std::int64_t kMost = INT32_MAX;
  SizeRegion names = whole;
  std::map<Atom, std::string> name_of;
  Polynomial scaled = bound;  // in terms of the sizes, times `scale`
  std::int64_t scale = 1;
  std::vector<Dimension> dimensions = whole.tiled;
  for (const auto& d : whole.dimensions)
    if (d) dimensions.push_back(*d);
  for (const Dimension& d : dimensions) {
    const Atom name = names.fresh();
    name_of[name] = d.size;
    const auto linear = linear_in(scaled, d.before);
    if (!linear) return {};
    Polynomial blocks = Polynomial::atom(name) - Polynomial(d.offset + d.unit);
    if (d.behind != 0) blocks = blocks - Polynomial(d.unit) * Polynomial::atom(d.behind);
    if (d.is_ragged) blocks = blocks - d.rest;
    scaled = linear->rest * Polynomial(d.unit) + linear->factor * blocks;
    scale *= d.unit;
  }
  const auto text = text_of(scaled, scale, name_of);
  if (!text) return {};
  const auto& terms = scaled.terms();
  const bool is_of_one = !terms.empty() && terms.size() <= 2 && terms.back().monomial > 0 &&
                         terms.back().monomial <= 255 && (terms.size() == 1 || terms[0].monomial == 0) &&
                         terms.back().coefficient > 0;
  if (!is_of_one) return {"", 0, fmt::format("{} <= {}", *text, kMost - more)};
  SizeBound one{name_of[static_cast<Atom>(terms.back().monomial)], 0, ""};
  one.most = (kMost - more - scaled.constant() / scale) / (terms.back().coefficient / scale);
  for (const Dimension& d : dimensions)
    if (d.size == one.size && !d.is_ragged) one.most -= (one.most - d.offset) % d.unit;
  return one;
}

}  // namespace swizzle
