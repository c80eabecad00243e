#include "synth/provenance/provenance.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "synth/base/hashes.h"
#include "synth/provenance/casts.h"
#include "synth/provenance/comparisons.h"
#include "synth/provenance/data_places.h"
#include "synth/provenance/indicators.h"
#include "synth/provenance/strides.h"
#include "synth/provenance/words.h"

namespace swizzle {
namespace {

std::size_t hash_of(const Value& v) {
  return (static_cast<std::size_t>(v.stride) << 48 | static_cast<std::size_t>(v.kind) << 32 | v.aux) ^
         static_cast<std::size_t>(v.bits) * 0x9e3779b97f4a7c15ull;
}

std::size_t hash_of(const Node& n) {
  std::size_t h = mix(static_cast<std::size_t>(n.kind), n.tag);
  h = mix(mix(h, static_cast<std::size_t>(n.index())), static_cast<std::size_t>(n.ring));
  const Children children = n.children();
  if (const std::span<const Value> each = children.each(); !each.empty()) {
    for (const Value& v : each) h = mix(h, hash_of(v));
  } else {
    for (const Value& v : children) h = mix(h, hash_of(v));
  }
  for (const Term& t : n.terms()) {
    h = mix(h, hash_of(t.coefficient));
    for (NodeId f : t.factors) h = mix(h, f.value);
  }
  return h;
}

bool same(const Children& a, const Children& b) {
  if (a.size() != b.size()) return false;
  const std::span<const Value> each_a = a.each(), each_b = b.each();
  return each_a.empty() || each_b.empty() ? std::ranges::equal(a, b) : std::ranges::equal(each_a, each_b);
}

bool same(const Node& a, const Node& b) {
  return a.kind == b.kind && a.tag == b.tag && a.index() == b.index() && a.ring == b.ring && a.scalar == b.scalar &&
         same(a.children(), b.children()) && std::ranges::equal(a.terms(), b.terms());
}

}  // namespace

Value Value::real(double v) { return {Kind::kReal, 0, 0, std::bit_cast<std::int64_t>(v == 0 ? 0.0 : v)}; }
double Value::as_real() const { return is_int() ? static_cast<double>(bits) : std::bit_cast<double>(bits); }

std::optional<bool> truth(Value v) {
  if (v.is_int()) return v.bits != 0;
  if (v.is_real()) return v.as_real() != 0;
  if (v.is_pointer()) return true;
  return std::nullopt;
}

Provenance::Provenance(const Provenance& other)
    : nodes_(other.nodes_),
      terms_(other.terms_),
      shared_(other.shared_),
      known_bits_(other.known_bits_),
      computed_(other.computed_),
      canonical_(other.canonical_),
      value_ranges_(other.value_ranges_) {
  std::size_t rings = 0;
  for (Node& n : nodes_) {
    if (n.kind == Node::Kind::kRing) n.set_terms(terms_[rings++]);
    else if (n.stretches_ > 0) n.stretched_ = kept(std::span(n.stretched_, n.stretches_));
    else if (n.has_children()) n.children_ = kept(std::span(n.children_, n.count_));
  }
}

template <typename T>
const T* Provenance::kept(std::span<const T> parts) {
  auto* const copy = static_cast<T*>(children_->allocate(parts.size_bytes(), alignof(T)));
  std::uninitialized_copy(parts.begin(), parts.end(), copy);
  return copy;
}

// How many stretches of like children there are; no more than `most` are counted.
std::size_t stretches_of(std::span<const Value> each, std::size_t most) {
  std::size_t count = each.empty() ? 0 : 1;
  for (std::size_t i = 1; i < each.size() && count <= most; ++i) count += each[i] == each[i - 1] ? 0 : 1;
  return count;
}

void Provenance::keep_children(Node& node) {
  constexpr std::size_t kMany = 16, kLong = 4;  // children, and how many a stretch has on average to pay
  const std::span<const Value> each(node.children_, node.count_);
  const std::size_t most = each.size() / kLong;
  if (each.size() < kMany || stretches_of(each, most) > most) {
    node.children_ = kept(each);
    return;
  }
  std::vector<Children::Stretch> stretches;
  stretches.reserve(most);
  for (std::size_t i = 0; i < each.size(); ++i) {
    if (i == 0 || !(each[i] == each[i - 1])) stretches.push_back({each[i], 0});
    stretches.back().end = static_cast<std::uint32_t>(i + 1);
  }
  node.stretched_ = kept(std::span<const Children::Stretch>(stretches));
  node.stretches_ = static_cast<std::uint32_t>(stretches.size());
}

Value Provenance::intern(const Node& n) {
  const auto is_same = [&](std::uint32_t known) { return same(nodes_[known], n); };
  return Value::node(NodeId(shared_.find_or_add(hash_of(n), is_same, [&] { return add(n).aux; })));
}

Value Provenance::intern_ring(const Node& n, std::vector<Term> terms) {
  const auto is_same = [&](std::uint32_t known) { return same(nodes_[known], n); };
  return Value::node(NodeId(shared_.find_or_add(hash_of(n), is_same, [&] {
    terms_.push_back(std::move(terms));
    Node kept = n;
    kept.set_terms(terms_.back());
    return add(kept).aux;
  })));
}

// What the node says of its parts.
void Provenance::note_parts(Node& n) const {
  const bool is_whole = n.kind == Node::Kind::kWord, is_word_like = is_whole || n.kind == Node::Kind::kDeferred;
  bool has_choice = n.kind == Node::Kind::kChoice || (n.kind == Node::Kind::kDeferred && n.tag >= kDeferredChoice);
  bool is_index_like = n.kind == Node::Kind::kChoice;
  bool selects = n.kind == Node::Kind::kOpaque && (n.tag == kOpaqueSelect || is_indicator(n));
  bool maybe_undefined = n.maybe_undefined, has_data = n.has_data, has_gates = n.has_gates, grows = n.grows;
  n.for_each_part([&](const Value& v) {
    if (!v.is_node()) {
      maybe_undefined |= v.is_undefined();
      grows |= v.stride != 0;
      return;
    }
    const Node& part = node(v);
    has_choice |= part.has_choice;
    maybe_undefined |= part.maybe_undefined;
    selects |= part.selects;
    grows |= part.grows;
    is_index_like &= part.index_like;
    if (is_word_like) has_data |= is_word(*this, v) ? part.has_data : !part.index_like;
    if (is_whole) has_gates |= !part.has_choice && part.kind != Node::Kind::kBit && !is_normal_form(*this, v);
  });
  n.has_choice = has_choice, n.index_like = is_index_like, n.maybe_undefined = maybe_undefined;
  n.has_data = has_data, n.has_gates = has_gates, n.grows = grows;
  n.selects = selects;
}

Value Provenance::add(Node n) {
  note_parts(n);
  if (n.grows && n.kind != Node::Kind::kChoice) strides_->lose();
  if (n.has_children()) keep_children(n);
  const auto id = static_cast<std::uint32_t>(nodes_.size());
  nodes_.push_back(n);
  return Value::node(NodeId(id));
}

Value Provenance::input(BufferId buffer, std::int64_t index, Scalar scalar) {
  Node n;
  n.kind = Node::Kind::kInput;
  n.scalar = scalar;
  n.tag = buffer.value;
  n.index_ = index;
  return intern(n);
}

Value Provenance::choice(PointId point, std::span<const Value> alternatives) {
  if (std::ranges::all_of(alternatives, [&](const Value& v) { return v == alternatives[0]; })) return alternatives[0];
  if (std::ranges::any_of(alternatives, [&](const Value& v) { return is_word(*this, v); }))
    return std::ranges::any_of(alternatives, [](const Value& v) { return v.stride != 0; })
               ? strides_->lose()
               : choice_of_words(*this, point, alternatives);
  Node n;
  n.kind = Node::Kind::kChoice;
  n.tag = point.value;
  n.set_children(alternatives);
  return intern(n);
}

Value Provenance::deferred(std::uint32_t code, Scalar scalar, std::span<const Value> operands, bool maybe_undefined) {
  Node n;
  n.kind = Node::Kind::kDeferred;
  n.scalar = scalar;
  n.tag = code;
  n.maybe_undefined = maybe_undefined;
  n.set_children(operands);
  return intern(n);
}

Value Provenance::opaque(std::uint32_t code, Scalar scalar, std::vector<Value> operands) {
  bool cancelled = false;  // x - x + 1 turns out to be 1
  for (Value& v : operands) {
    if (v.is_undefined()) return {};
    const bool was_node = v.is_node();
    v = normalize(v);
    cancelled |= was_node && !v.is_node();
  }
  if (cancelled && (code < kOpaqueIntrinsic || code >= kOpaqueJoin)) return reapply(code, scalar, operands);
  Node n;
  n.kind = Node::Kind::kOpaque;
  n.scalar = scalar;
  n.tag = code;
  n.set_children(operands);
  return intern(n);
}

Value Provenance::join(Scalar s, std::vector<Value> parts) {
  if (std::ranges::any_of(parts, [&](const Value& v) { return is_word(*this, v); })) return word_join(*this, s, parts);
  const int bits = bit_width(s) / static_cast<int>(parts.size()), count = static_cast<int>(parts.size());
  const auto is_part = [&](int i) {
    const Value p = normalize(parts[static_cast<std::size_t>(i)]);
    return p.is_node() && node(p).kind == Node::Kind::kOpaque &&
           node(p).tag == kOpaquePart + static_cast<std::uint32_t>(i * 16 + count) &&
           node(p).children()[0] == node(normalize(parts[0])).children()[0];
  };
  bool whole = true, constant = !is_real(s);
  for (int i = 0; i < count; ++i) {
    if (parts[static_cast<std::size_t>(i)].is_undefined()) return {};
    whole = whole && is_part(i);
    constant = constant && parts[static_cast<std::size_t>(i)].is_int();
  }
  if (whole) return node(normalize(parts[0])).children()[0];
  if (is_real(s) && std::ranges::all_of(parts, [](const Value& v) { return v == Value::integer(0); }))
    return Value::real(0);
  if (const auto point = shared_point(parts)) return join_by_point(s, *point, parts);
  if (!constant) return opaque(kOpaqueJoin, s, std::move(parts));
  std::uint64_t value = 0;
  for (int i = 0; i < count; ++i)
    value |= (static_cast<std::uint64_t>(parts[static_cast<std::size_t>(i)].bits) & ((std::uint64_t{1} << bits) - 1))
             << (bits * i);
  return Value::integer(wrap(s, static_cast<std::int64_t>(value)));
}

// The point at which all choices among the values are made first, if they agree on it.
std::optional<PointId> Provenance::shared_point(const std::vector<Value>& values) const {
  std::optional<PointId> shared;
  for (const Value& v : values) {
    if (!v.is_node() || node(v).kind != Node::Kind::kChoice) continue;
    if (shared && *shared != PointId(node(v).tag)) return std::nullopt;
    shared = PointId(node(v).tag);
  }
  return shared;
}

// A choice of joins, rather than a join of choices: what lies side by side was chosen together.
Value Provenance::join_by_point(Scalar s, PointId point, const std::vector<Value>& parts) {
  const auto is_at = [&](const Value& v) {
    return v.is_node() && node(v).kind == Node::Kind::kChoice && node(v).tag == point.value;
  };
  const std::size_t count = node(*std::find_if(parts.begin(), parts.end(), is_at)).children().size();
  std::vector<Value> alternatives;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<Value> chosen = parts;
    for (Value& v : chosen)
      if (is_at(v)) v = node(v).children()[i];
    alternatives.push_back(join(s, std::move(chosen)));
  }
  return choice(point, alternatives);
}

Value Provenance::part(Scalar s, Value whole, int index, int count) {
  if (whole.is_undefined()) return {};
  if (is_real(s) && whole == Value::integer(0)) return Value::real(0);
  if (whole.is_int() && !is_real(s)) return Value::integer(wrap(s, whole.bits >> (bit_width(s) * index)));
  if (is_word(*this, whole)) return word_part(*this, s, whole, index, count);
  whole = normalize(whole);
  if (whole.is_node() && node(whole).kind == Node::Kind::kChoice)
    return map_leaves(whole, [&](Value leaf) { return part(s, leaf, index, count); });
  if (whole.is_node() && node(whole).kind == Node::Kind::kOpaque && node(whole).tag == kOpaqueJoin) {
    const Children bytes = node(whole).children();  // or halves
    const std::size_t each = bytes.size() / static_cast<std::size_t>(count),
                      first = static_cast<std::size_t>(index) * each;
    if (each == 1) return bytes[first];
    if (each > 1) {
      std::vector<Value> some;
      for (std::size_t i = first; i < first + each; ++i) some.push_back(bytes[i]);
      return join(s, std::move(some));
    }
  }
  return opaque(kOpaquePart + static_cast<std::uint32_t>(index * 16 + count), s, {whole});
}

Value Provenance::reapply(std::uint32_t code, Scalar s, const std::vector<Value>& operands) {
  if (code < kOpaqueCast && operands.size() == 1) return unary(static_cast<Operator>(code), s, operands[0]);
  if (code < kOpaqueCast) return binary(static_cast<Operator>(code), s, operands[0], operands[1]);
  if (code == kOpaqueSelect) return select(operands[0], operands[1], operands[2], s);
  if (code == kOpaqueJoin) return join(s, operands);
  if (code >= kOpaqueGate) return gate(*this, static_cast<Operator>(code - kOpaqueGate), operands[0], operands[1]);
  if (code >= kOpaquePart)
    return part(s, operands[0], static_cast<int>((code - kOpaquePart) / 16),
                static_cast<int>((code - kOpaquePart) % 16));
  if (const auto cast = cast_of(code)) return convert(operands[0], cast->from, cast->to);
  if (code == kOpaqueIntrinsic + static_cast<std::uint32_t>(Intrinsic::kAbs))
    return absolute_value(*this, s, operands[0]);
  return opaque(code, s, operands);
}

Value Provenance::map_leaves(Value index, const std::function<Value(Value)>& f) {
  if (!index.is_node() || node(index).kind != Node::Kind::kChoice) return f(index);
  std::unordered_map<std::uint32_t, Value> done;
  const std::function<Value(Value)> walk = [&](Value v) -> Value {
    if (!v.is_node() || node(v).kind != Node::Kind::kChoice) return f(v);
    if (auto it = done.find(v.aux); it != done.end()) return it->second;
    const PointId point(node(v).tag);
    std::vector<Value> mapped;
    const std::size_t count = node(v).children().size();
    mapped.reserve(count);
    for (std::size_t i = 0; i < count; ++i) mapped.push_back(walk(node(v).children()[i]));
    const Value result = choice(point, mapped);
    done.emplace(v.aux, result);
    return result;
  };
  return walk(index);
}

std::vector<Value> Provenance::leaves(Value index) const {
  std::vector<Value> found;
  std::vector<Value> pending{index};
  std::unordered_set<std::uint32_t> seen;
  while (!pending.empty()) {
    const Value v = pending.back();
    pending.pop_back();
    const bool is_new =
        v.is_node() ? seen.insert(v.aux).second : std::find(found.begin(), found.end(), v) == found.end();
    if (!is_new) continue;
    if (!v.is_node() || node(v).kind != Node::Kind::kChoice) {
      found.push_back(v);
      continue;
    }
    for (const Value& child : node(v).children()) pending.push_back(child);
  }
  return found;
}

}  // namespace swizzle
