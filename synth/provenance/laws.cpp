#include "synth/provenance/laws.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <unordered_set>
#include <utility>

#include "synth/provenance/casts.h"
#include "synth/provenance/data_places.h"
#include "synth/provenance/indicators.h"

namespace swizzle {
namespace {

bool is_cast(const Node& n) { return cast_of(n).has_value(); }

bool is_join(const Node& n) { return n.kind == Node::Kind::kOpaque && n.tag >= kOpaqueJoin && n.tag < kOpaquePart; }
bool is_part(const Node& n) { return n.kind == Node::Kind::kOpaque && n.tag >= kOpaquePart; }

// Values of one equation are polynomials, or sets, over *atoms*: input elements, or what one cast makes of each. With
// every element 0 or 1 (0 or ~0 of ^), a polynomial that has no factor twice tells each of its coefficients; so forms
// differ only where values do.
class LawSearch {
  // Places in a buffer that data choose. With every index another one, elements there stand for themselves.
  struct DataIndices {
    std::unordered_set<std::uint32_t> sums;
    std::optional<std::int64_t> factor;  // of all of them: 8 in 8 * idx[i]
    bool is_uniform = true;
    std::int64_t least_offset = 0, greatest_offset = 0;
    double values = std::numeric_limits<double>::infinity();  // that an index has, the fewest

    void note(const Provenance& p, const DataPlace& place) {
      least_offset = sums.empty() ? place.offset : std::min(least_offset, place.offset);
      greatest_offset = sums.empty() ? place.offset : std::max(greatest_offset, place.offset);
      if (!sums.insert(place.sum.aux).second) return;
      const std::vector<Term> terms = p.terms(Ring::kSum, Scalar::kI64, place.sum);
      is_uniform = is_uniform && terms.size() == 1 && (!factor || *factor == terms[0].coefficient.bits);
      for (const Term& term : terms) {
        factor = term.coefficient.bits;
        for (NodeId f : term.factors) values = std::min(values, values_of(p, before_casts(p, Value::node(f))));
      }
    }
    static double values_of(const Provenance& p, Value v) {
      if (!v.is_node() || p.node(v).kind != Node::Kind::kInput) return 1;
      const Node& n = p.node(v);
      const auto range = p.value_ranges().narrowest(n.tag);
      return range ? static_cast<double>(range->high - range->low) + 1 : std::exp2(bit_width(n.scalar));
    }
    // `others`: slots that are used besides.
    bool can_be_apart(std::size_t others) const {
      const auto count = static_cast<double>(sums.size() + others);
      if (count < 2) return true;
      if (!is_uniform || *factor == 0) return false;
      const double reach = static_cast<double>(greatest_offset - least_offset) / std::abs(static_cast<double>(*factor));
      return count * (1 + std::floor(reach)) <= values;
    }
  };

 public:
  explicit LawSearch(const Provenance& provenance) : provenance_(provenance) {}

  std::vector<Lawless> of(std::span<const Value> values) {
    for (const Value& v : values) visit(v, 0);
    for (const auto& [element, how] : carriers_)
      if (how.differ) add_function(how.cast);
    if (indices_meet()) add_function(kOpaqueIndex);
    std::vector<Lawless> found = functions_;
    const std::size_t families = rings_.size() + (is_sliced_ ? 1 : 0) + (functions_.empty() ? 0 : 1);
    std::ranges::sort(rings_, std::ranges::greater());  // + may stand anywhere, among indices too
    if (families > 1 || wraps_ || (powers_ && scalars_.contains(Scalar::kBool)) || masks_meet() || bounds_meet())
      for (const auto& [ring, scalar] : rings_) add({true, ring, 0}, found);
    return found;
  }

 private:
  struct Carrier {
    std::uint32_t cast = 0;  // 0: the element itself
    bool differ = false;
  };

  static void add(Lawless what, std::vector<Lawless>& to) {
    if (std::find(to.begin(), to.end(), what) == to.end()) to.push_back(what);
  }
  void add_function(std::uint32_t code) { add({false, Ring::kSum, code}, functions_); }

  // Through choices, to what stands there; `cast`: the one on the way, if any.
  void visit(Value v, std::uint32_t cast) {
    if (!v.is_node()) {
      has_mask_ = has_mask_ || (v.is_int() && v.bits != 0 && v.bits != -1);
      if ((v.is_int() || v.is_real()) && std::find(constants_.begin(), constants_.end(), v) == constants_.end())
        constants_.push_back(v);
      return;
    }
    if (!seen_.emplace(std::uint64_t{v.aux} << 32 | cast).second) return;
    const Node& n = provenance_.node(v);
    switch (n.kind) {
      case Node::Kind::kInput: return carry(n, cast);
      case Node::Kind::kChoice:
        for (const Value& child : n.children()) visit(child, cast);
        return;
      case Node::Kind::kBit:
      case Node::Kind::kWord:
      case Node::Kind::kDeferred: return;  // of a normal form that tells everything: see words.h
      case Node::Kind::kOpaque: return visit_function(n, cast);
      case Node::Kind::kAppended:
        note_ring(n, cast);
        for (const Value& child : n.children()) visit(child, cast);
        return;
      case Node::Kind::kRing: return visit_ring(n, cast);
    }
  }

  void carry(const Node& input, std::uint32_t cast) {
    if (provenance_.value_ranges().narrowest(input.tag)) add_function(kOpaqueRange);
    if (is_data_place(input.index())) indices_[input.tag].note(provenance_, data_place(input.index()));
    const auto [it, fresh] = carriers_.try_emplace({input.tag, input.index()}, Carrier{cast});
    if (!fresh && it->second.cast != cast) {
      it->second.differ = true;
      if (it->second.cast == 0) it->second.cast = cast;
    }
    is_cast_ = is_cast_ || cast != 0;
    scalars_.insert(input.scalar);
  }

  static bool fills(Scalar input, Scalar ring) {
    return is_real(input) == is_real(ring) && bit_width(input) == bit_width(ring);
  }

  void note_ring(const Node& n, std::uint32_t cast) {
    if (cast != 0) add_function(cast);
    if (std::find(rings_.begin(), rings_.end(), std::pair{n.ring, n.scalar}) == rings_.end())
      rings_.emplace_back(n.ring, n.scalar);
  }

  void visit_ring(const Node& n, std::uint32_t cast) {
    note_ring(n, cast);
    for (const Term& term : n.terms()) {
      if (term.factors.empty() || is_set(n.ring)) {
        if (term.factors.empty()) visit(term.coefficient, 0);
      } else if (n.ring == Ring::kXor) {
        has_mask_ = has_mask_ || wrap(n.scalar, term.coefficient.bits) != wrap(n.scalar, -1);
      }
      note_powers(n, term);
      for (NodeId f : term.factors) visit(Value::node(f), cast);
    }
  }

  // x · x is x where x is 0 or 1, and integers may wrap around: 2^31 · x · x = 2^31 · x.
  void note_powers(const Node& n, const Term& term) {
    const bool repeats = term.factors.size() > 1 &&
                         (std::adjacent_find(term.factors.begin(), term.factors.end()) != term.factors.end() ||
                          std::count_if(term.factors.begin(), term.factors.end(),
                                        [&](NodeId f) { return provenance_.node(f).has_choice; }) > 0);
    powers_ = powers_ || (n.ring == Ring::kSum && repeats);
    if (n.ring != Ring::kSum || is_real(n.scalar) || !repeats) return;
    const double c = std::abs(static_cast<double>(wrap(n.scalar, term.coefficient.bits)));
    const double small = std::min(c, std::exp2(bit_width(n.scalar)) - c);
    wraps_ = wraps_ || bit_width(n.scalar) < 32 || small >= std::exp2(bit_width(n.scalar) / 2);
  }

  void visit_function(const Node& n, std::uint32_t cast) {
    if (is_cast(n) && cast == 0 && is_carried(n.children()[0])) return visit(n.children()[0], n.tag);
    const bool slices = (is_join(n) || is_part(n)) && cast == 0 && slices_alike(n);
    if (!slices) {
      if (cast != 0) add_function(cast);
      if (!is_indicator(n)) add_function(n.tag);  // else what it is the indicator of
    }
    is_sliced_ = is_sliced_ || slices;
    for (const Value& child : n.children()) visit_below(child, slices);
  }

  // Input elements alone.
  bool is_carried(Value v) const {
    const std::vector<Value> leaves = provenance_.leaves(v);
    return std::ranges::all_of(leaves, [&](const Value& leaf) {
      return leaf.is_undefined() || (leaf.is_node() && provenance_.node(leaf).kind == Node::Kind::kInput);
    });
  }

  // Of values side by side: elements, cut everywhere into as many parts.
  bool slices_alike(const Node& n) {
    const auto count = is_join(n) ? static_cast<std::uint32_t>(n.children().size()) : (n.tag - kOpaquePart) % 16;
    if (!parts_) parts_ = count;
    return *parts_ == count && std::ranges::all_of(n.children(), [&](const Value& child) {
      const std::vector<Value> leaves = provenance_.leaves(child);
      return std::ranges::all_of(leaves, [&](const Value& leaf) {
        return !leaf.is_node() || provenance_.node(leaf).kind == Node::Kind::kInput ||
               (is_join(n) && is_part(provenance_.node(leaf)));
      });
    });
  }

  // What is below a function is compared as it stands; what reaches it is of no ring of ours.
  void visit_below(Value v, bool slices) {
    if (slices) return visit(v, 0);
    if (!v.is_node() || !below_.insert(v.aux).second) return;
    const Node& n = provenance_.node(v);
    if (n.kind == Node::Kind::kOpaque && !is_cast(n)) add_function(n.tag);
    n.for_each_part([&](Value part) { visit_below(part, false); });
  }

  // Whether there are fewer indices than would keep all these places apart.
  bool indices_meet() const {
    return std::ranges::any_of(indices_, [&](const auto& of_buffer) {
      const auto others = std::ranges::count_if(carriers_, [&](const auto& carrier) {
        return carrier.first.first == of_buffer.first && !is_data_place(carrier.first.second);
      });
      return !of_buffer.second.can_be_apart(static_cast<std::size_t>(others));
    });
  }

  // A mask of a value that does not fill the word may ask for bits that it does not have.
  bool masks_meet() const {
    return has_mask_ && is_narrow() && std::ranges::any_of(rings_, [](const auto& r) { return r.first == Ring::kXor; });
  }

  // A constant that no value passes, or no narrow one: of those without a sign, 0 is one, too.
  bool bounds_meet() const {
    const bool narrow = is_narrow(),
               has_no_sign = std::ranges::any_of(scalars_, is_unsigned) || scalars_.contains(Scalar::kBool);
    return std::ranges::any_of(rings_, [&](const auto& r) {
      return is_set(r.first) && std::ranges::any_of(constants_, [&](const Value& c) {
               return (narrow && (truth(c) == true || has_no_sign)) || is_extreme(r.first, r.second, c);
             });
    });
  }

  static bool is_extreme(Ring ring, Scalar s, Value c) {
    if (!c.is_int()) return std::isinf(c.as_real());
    if (ring == Ring::kOr) return wrap(s, c.bits) == wrap(s, -1);
    const std::int64_t all =
        is_unsigned(s) ? wrap(s, -1) : static_cast<std::int64_t>(~std::uint64_t{0} >> (65 - bit_width(s)));
    return ring == Ring::kMax ? c.bits == all : c.bits == (is_unsigned(s) ? 0 : -all - 1);
  }

  bool is_narrow() const {
    return is_cast_ || std::ranges::any_of(rings_, [&](const auto& r) {
             return std::ranges::any_of(scalars_, [&](Scalar s) { return !fills(s, r.second); });
           });
  }

  const Provenance& provenance_;
  std::unordered_set<std::uint64_t> seen_;
  std::unordered_set<std::uint32_t> below_;
  std::unordered_set<Scalar> scalars_;
  std::vector<std::pair<Ring, Scalar>> rings_;
  std::vector<Lawless> functions_;
  std::map<std::pair<std::uint32_t, std::int64_t>, Carrier> carriers_;  // by element: the one way it comes in
  std::optional<std::uint32_t> parts_;
  std::vector<Value> constants_;
  std::map<std::uint32_t, DataIndices> indices_;  // by buffer
  bool has_mask_ = false, is_cast_ = false, is_sliced_ = false;
  bool powers_ = false, wraps_ = false;  // some product has a factor twice; and may wrap around
};

}  // namespace

std::vector<Lawless> lawless(const Provenance& provenance, std::span<const Value> values) {
  return LawSearch(provenance).of(values);
}

}  // namespace swizzle
