// What rounds make anew of what the round before left: see rounds.h.
#include <algorithm>
#include <utility>

#include "synth/proof/element_leaves.h"
#include "synth/provenance/definedness.h"

namespace swizzle {
namespace {

constexpr std::size_t kMostPermuted = 4;  // lines; of more, the order must be one

}  // namespace

// The leaves and placeholders below, each once.
void Elements::find_leaves(Value v, std::set<std::uint32_t>& seen, std::vector<std::uint32_t>& leaves,
                           std::vector<std::uint32_t>& placeholders) {
  if (!v.is_node() || !seen.insert(v.aux).second) return;
  const Node n = provenance_.node(v);
  const bool is_input = n.kind == Node::Kind::kInput;
  if (is_input && n.tag == kPlaceholders.value) return placeholders.push_back(v.aux);
  if (is_input && n.tag == kSums.value && has_placeholder(v))
    return find_leaves(sums_[static_cast<std::size_t>(n.index())].part, seen, leaves, placeholders);
  if (is_input || n.kind == Node::Kind::kBit) leaves.push_back(v.aux);
  n.for_each_part([&](Value part) { find_leaves(part, seen, leaves, placeholders); });
}

bool Elements::has_placeholder(Value v, const std::set<std::uint32_t>& among) {
  std::set<std::uint32_t> seen;
  std::vector<std::uint32_t> leaves, placeholders;
  find_leaves(v, seen, leaves, placeholders);
  return std::ranges::any_of(placeholders, [&](std::uint32_t p) { return among.contains(p); });
}

// Those that decide what the first one is, and which leaves they have: in ascending order.
std::vector<std::size_t> Elements::needed_lines(const Recurrence& all, std::vector<std::uint32_t>& leaves) {
  std::vector<std::size_t> needed{0};
  std::set<std::uint32_t> seen;
  for (std::size_t k = 0; k < needed.size(); ++k) {
    std::vector<std::uint32_t> placeholders;
    find_leaves(all.lines[needed[k]].part, seen, leaves, placeholders);
    for (const std::uint32_t placeholder : placeholders)
      for (std::size_t i = 0; i < all.lines.size(); ++i)
        if (all.lines[i].placeholder.aux == placeholder && std::ranges::find(needed, i) == needed.end())
          needed.push_back(i);
  }
  std::ranges::sort(leaves);
  return needed;
}

// Whether line k of `a` is line_of[k] of `b`, for all of them.
bool Elements::are_alike(const Recurrence& a, const Recurrence& b, const std::vector<std::size_t>& line_of) {
  Placeholders instead;
  for (std::size_t k = 0; k < line_of.size(); ++k) {
    const Recurrence::Line &ours = a.lines[k], &theirs = b.lines[line_of[k]];
    if (ours.scalar != theirs.scalar || !(ours.start == theirs.start)) return false;
    instead[ours.placeholder.aux] = theirs.placeholder;
  }
  for (std::size_t k = 0; k < line_of.size(); ++k) {
    const Value part = with(a.lines[k].part, a.number, Polynomial::atom(a.number), instead);
    if (part.is_undefined() || !(provenance_.normalize(part) == b.lines[line_of[k]].part)) return false;
  }
  return true;
}

Value Elements::after_rounds(const Recurrence& all) {
  std::vector<std::uint32_t> leaves;
  Recurrence own{all.count, all.number, {}};
  for (const std::size_t line : needed_lines(all, leaves)) own.lines.push_back(all.lines[line]);
  if (own.lines.size() > kMostLines) return {};
  for (Recurrence::Line& line : own.lines) {
    if (may_be_undefined(provenance_, line.start) || may_be_undefined(provenance_, line.part)) return {};
    line.start = provenance_.normalize(line.start), line.part = provenance_.normalize(line.part);
  }
  const auto leaf = [&, scalar = own.lines[0].scalar](std::size_t which, std::size_t line) {
    return provenance_.input(kRecurrences, static_cast<std::int64_t>(which * kMostLines + line), scalar);
  };
  for (const std::size_t which : recurrences_of_[leaves]) {
    const Recurrence& known = recurrences_[which];
    if (!(known.count == own.count) || known.number != own.number || known.lines.size() != own.lines.size()) continue;
    std::vector<std::size_t> line_of;
    for (std::size_t i = 0; i < own.lines.size(); ++i) line_of.push_back(i);
    do {
      if (are_alike(own, known, line_of)) return leaf(which, line_of[0]);
    } while (line_of.size() <= kMostPermuted && std::ranges::next_permutation(line_of).found);
  }
  recurrences_of_[leaves].push_back(recurrences_.size());
  recurrences_.push_back(std::move(own));
  return leaf(recurrences_.size() - 1, 0);
}

bool Elements::depends_on(const Recurrence& r, Atom a, std::unordered_map<std::uint32_t, bool>& known) {
  return r.count.has(a) || std::ranges::any_of(r.lines, [&](const Recurrence::Line& line) {
           return depends(line.start, a, known) || (r.number != a && depends(line.part, a, known));
         });
}

bool Elements::has_placeholder_of_others(const Recurrence& r) {
  std::set<std::uint32_t> seen;
  std::vector<std::uint32_t> leaves, placeholders;
  for (const Recurrence::Line& line : r.lines) {
    if (has_placeholder(line.start)) return true;
    find_leaves(line.part, seen, leaves, placeholders);
  }
  const auto is_own = [&](std::uint32_t placeholder) {
    return std::ranges::any_of(r.lines, [&](const Recurrence::Line& l) { return l.placeholder.aux == placeholder; });
  };
  return !std::ranges::all_of(placeholders, is_own) ||
         std::ranges::any_of(leaves, [&](std::uint32_t leaf) { return has_placeholder(Value::node(NodeId(leaf))); });
}

// `leaf`: of a recurrence.
Value Elements::changed_recurrence(const Node& leaf, Change& change) {
  const auto which = static_cast<std::size_t>(leaf.index()) / kMostLines,
             line = static_cast<std::size_t>(leaf.index()) % kMostLines;
  Recurrence other = recurrences_[which];
  std::swap(other.lines[0], other.lines[line]);
  other.count = other.count.with(change.atom, change.value);
  if (other.count.is_broken()) return {};
  for (Recurrence::Line& l : other.lines) {
    l.start = changed(l.start, change);
    if (other.number != change.atom) l.part = changed(l.part, change);  // else the number is its own
    else if (!change.instead.empty()) return {};
  }
  return after_rounds(other);
}

}  // namespace swizzle
