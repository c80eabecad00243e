#include "synth/proof/stores_apart.h"

#include <algorithm>
#include <cstdlib>

#include "synth/base/integers.h"
#include "synth/proof/elements.h"

namespace swizzle {
namespace {

bool is_at_least(const Polynomial& p, std::int64_t bound, const SizeRegion& region) {
  const auto least = region.least(p);
  return least && *least >= bound;
}

// All stores have the same strides, and differ by little, or by more than all indices make up.
class StoresOfOneShape {
 public:
  StoresOfOneShape(const std::vector<SpecIndex>& indices, const SizeRegion& region)
      : indices_(indices),
        region_(region) {}

  std::string why_not_apart(const std::vector<SpecStore>& stores) const {
    std::vector<Polynomial> strides, offsets;
    for (const SpecStore& store : stores) {
      Polynomial rest = store.slot;
      std::vector<Polynomial> these;
      for (const SpecIndex& index : indices_) {
        const auto linear = linear_in(rest, index.atom);
        if (!linear) return "an address of the spec is no linear function of its indices";
        these.push_back(linear->factor);
        rest = linear->rest;
      }
      for (const Polynomial& stride : these)
        for (const SpecIndex& index : indices_)
          if (stride.has(index.atom)) return "an address of the spec is no linear function of its indices";
      if (!offsets.empty() && these != strides) return "stores of the spec have different strides";
      strides = these;
      offsets.push_back(rest);
    }
    if (indices_.empty()) return offsets_apart({}, {}, offsets);
    std::vector<Digit> digits;
    for (std::size_t i = 0; i < strides.size(); ++i) digits.push_back({strides[i], indices_[i].end});
    const auto least = least_of_radix(digits);
    if (!least) return "nothing shows that iterations of the spec store to different elements";
    std::string reason = offsets_apart(strides, *least, offsets);
    if (reason.empty()) return reason;
    if (const auto half = halves(offsets))
      if (digits.push_back({*half, Polynomial(2)}); least_of_radix(digits)) reason.clear();
    return reason;
  }

 private:
  struct Digit {
    Polynomial stride, end;
  };

  bool is_least(const Polynomial& p, std::int64_t bound) const { return is_at_least(p, bound, region_); }

  // The least stride, if each is no less than all digits below make up.
  std::optional<Polynomial> least_of_radix(const std::vector<Digit>& digits) const {
    std::vector<std::size_t> order(digits.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    do {
      bool is_radix = is_least(digits[order.back()].stride, 1);
      for (std::size_t i = 0; i + 1 < order.size(); ++i) {
        const auto& [below, end] = digits[order[i + 1]];
        is_radix = is_radix && is_least(digits[order[i]].stride - below * end, 0);
      }
      if (is_radix) return digits[order.back()].stride;
    } while (std::next_permutation(order.begin(), order.end()));
    return std::nullopt;
  }

  // Stores at two offsets are one at a digit of 0 or 1: v[d] and v[d + size / 2]. The distance between them.
  std::optional<Polynomial> halves(const std::vector<Polynomial>& offsets) const {
    Polynomial distance;
    for (const Polynomial& offset : offsets) {
      const Polynomial from = offset - offsets[0];
      if (from == Polynomial() || from == distance) continue;
      if (!(distance == Polynomial())) return std::nullopt;
      distance = from;
    }
    return is_least(distance, 1) ? distance : Polynomial(0) - distance;
  }

  std::string offsets_apart(const std::vector<Polynomial>& strides, const Polynomial& least_stride,
                            const std::vector<Polynomial>& offsets) const {
    constexpr std::size_t kMostPairs = 64;
    const char* const unseen = "nothing shows that stores of the spec go to different elements";
    bool are_near = true;
    std::int64_t low = 0, high = 0;
    for (const Polynomial& offset : offsets) {
      const auto distance = (offset - offsets[0]).value();
      are_near = are_near && distance;
      low = std::min(low, distance.value_or(0));
      high = std::max(high, distance.value_or(0));
    }
    if (are_near && (indices_.empty() || is_least(least_stride, high - low + 1))) return {};
    Polynomial span(1);
    for (std::size_t i = 0; i < strides.size(); ++i) span = span + strides[i] * (indices_[i].end - Polynomial(1));
    if (offsets.size() > kMostPairs) return unseen;
    for (const Polynomial& a : offsets)
      for (const Polynomial& b : offsets) {
        const Polynomial distance = a - b;
        const auto value = distance.value();
        const bool is_near = value && (indices_.empty() || is_least(least_stride, std::abs(*value) + 1));
        if (!is_near && !is_least(distance - span, 0) && !is_least(Polynomial(0) - distance - span, 0)) return unseen;
      }
    return {};
  }

  const std::vector<SpecIndex>& indices_;
  const SizeRegion& region_;
};

// Each store's address is written in digits, some of which are indices, the others numbers. Two stores meet where all
// digits are equal: that is the same iteration, or what is known of both shows that there is none.
class StoresByDigits {
 public:
  StoresByDigits(const std::vector<SpecIndex>& indices, const std::vector<SpecStore>& stores, const SizeRegion& region)
      : indices_(indices),
        stores_(stores),
        region_(region),
        digits_(stores.size()) {}

  bool are_apart() {
    std::vector<Polynomial> parts;
    for (const SpecStore& store : stores_) parts.push_back(store.slot);
    for (const auto& [name, size] : region_.sizes)
      if (!size.is_constant()) take_rows_of(size, parts);
    for (const SpecIndex& index : indices_)
      if (!index.end.is_constant() && !depends_on_index(index.end)) take_rows_of(index.end, parts);
    if (!add_digits(parts)) return false;
    std::map<std::vector<std::int64_t>, std::vector<std::size_t>> alike;  // stores by the digits that are numbers
    for (std::size_t s = 0; s < stores_.size(); ++s) {
      std::vector<std::size_t> known = digits_[s].indices;
      std::ranges::sort(known);
      if (known.size() != indices_.size() || std::ranges::adjacent_find(known) != known.end()) return false;
      alike[digits_[s].numbers].push_back(s);
    }
    return std::ranges::all_of(alike, [&](const auto& group) {
      const std::vector<std::size_t>& these = group.second;
      return std::ranges::all_of(these, [&](std::size_t a) {
        return std::ranges::all_of(these, [&](std::size_t b) { return b < a || are_one(a, b); });
      });
    });
  }

 private:
  struct Digits {
    std::vector<std::size_t> indices;   // by position, which of indices_ it is
    std::vector<std::int64_t> numbers;  // by part
  };

  bool is_within(const Polynomial& p, const SpecStore& store) {
    Guards& guards = elements_.guards();
    return guards.follows(p, store.facts, region_);
  }

  // Where each part is row · size + column with 0 <= column < size, the rows are a part of their own, and the columns
  // are left.
  void take_rows_of(const Polynomial& size, std::vector<Polynomial>& parts) {
    std::vector<Polynomial> rows, columns;
    for (std::size_t s = 0; s < parts.size(); ++s) {
      Polynomial row, rest = parts[s];
      for (const SpecIndex& index : indices_) {
        const auto linear = linear_in(rest, index.atom);
        if (!linear) return;
        rest = linear->rest;
        row = row + rows_in(linear->factor, size) * Polynomial::atom(index.atom);
      }
      row = row + rows_in(rest, size);
      Polynomial column = parts[s] - row * size;
      if (!is_within(column, stores_[s]) || !is_within(size - column - Polynomial(1), stores_[s])) return;
      rows.push_back(std::move(row));
      columns.push_back(std::move(column));
    }
    if (std::ranges::all_of(rows, [](const Polynomial& row) { return row == Polynomial(); }) || !add_digits(rows))
      return;
    parts = std::move(columns);
  }

  static Polynomial rows_in(const Polynomial& p, const Polynomial& size) {
    const auto& most = size.terms().back();
    return Polynomial(most.coefficient > 0 ? floor_div(p.coefficient(most.monomial), most.coefficient) : 0);
  }

  // The digits of one part of each address: equal strides in all of them, and what is left is below the least one.
  bool add_digits(const std::vector<Polynomial>& parts) {
    std::vector<Polynomial> strides;
    std::vector<Digits> added(parts.size());
    std::int64_t low = 0, high = 0;
    std::optional<Polynomial> one_offset;
    for (std::size_t s = 0; s < parts.size(); ++s) {
      Polynomial offset = parts[s];
      std::vector<std::pair<Polynomial, std::size_t>> digits;  // stride, index
      for (std::size_t i = 0; i < indices_.size(); ++i) {
        const auto linear = linear_in(offset, indices_[i].atom);
        if (!linear || depends_on_index(linear->factor)) return false;
        offset = linear->rest;
        if (!(linear->factor == Polynomial())) digits.emplace_back(linear->factor, i);
      }
      std::ranges::sort(digits, [&](const auto& a, const auto& b) { return is_above(a.first, b.first); });
      std::vector<Polynomial> these;
      for (const auto& [stride, index] : digits) these.push_back(stride), added[s].indices.push_back(index);
      if (s == 0) strides = these, one_offset = offset;
      const auto distance = (offset - *one_offset).value();
      if (!distance || these != strides || !is_radix(digits)) return false;
      low = std::min(low, *distance), high = std::max(high, *distance);
      added[s].numbers.push_back(*distance);
    }
    if (!strides.empty() && !is_at_least(strides.back(), high - low + 1, region_)) return false;
    for (std::size_t s = 0; s < parts.size(); ++s) {
      digits_[s].indices.insert(digits_[s].indices.end(), added[s].indices.begin(), added[s].indices.end());
      digits_[s].numbers.push_back(added[s].numbers[0]);
    }
    return true;
  }

  bool depends_on_index(const Polynomial& p) const {
    return std::ranges::any_of(indices_, [&](const SpecIndex& index) { return p.has(index.atom); });
  }
  bool is_above(const Polynomial& a, const Polynomial& b) const {
    return !(a == b) && is_at_least(a - b, 0, region_) && !is_at_least(b - a, 0, region_);
  }
  bool is_radix(const std::vector<std::pair<Polynomial, std::size_t>>& digits) const {
    for (std::size_t d = 0; d + 1 < digits.size(); ++d) {
      const auto& [below, index] = digits[d + 1];
      if (!is_at_least(digits[d].first - below * indices_[index].end, 0, region_)) return false;
    }
    return true;
  }

  // Stores of equal digits are of one iteration, or one of them is not made.
  bool are_one(std::size_t a, std::size_t b) {
    if (digits_[a].indices == digits_[b].indices) return true;
    // What an index of b's iteration is, by those of a's; the facts of both.
    SizeRegion region = region_;
    std::vector<Polynomial> other(indices_.size());
    std::vector<Atom> apart;
    for (std::size_t p = 0; p < indices_.size(); ++p)
      other[digits_[b].indices[p]] = Polynomial::atom(indices_[digits_[a].indices[p]].atom);
    for (std::size_t i = 0; i < indices_.size(); ++i) apart.push_back(region.fresh());
    std::vector<Polynomial> facts = stores_[a].facts;
    for (Polynomial fact : stores_[b].facts) {
      for (std::size_t i = 0; i < indices_.size(); ++i) fact = fact.with(indices_[i].atom, Polynomial::atom(apart[i]));
      for (std::size_t i = 0; i < indices_.size(); ++i) fact = fact.with(apart[i], other[i]);
      facts.push_back(std::move(fact));
    }
    const auto follows = [&](const Polynomial& p) { return elements_.guards().follows(p, facts, region); };
    if (follows(Polynomial(-1))) return true;
    for (std::size_t i = 0; i < indices_.size(); ++i) {
      const Polynomial between = Polynomial::atom(indices_[i].atom) - other[i];
      if (!follows(between) || !follows(Polynomial(0) - between)) return false;
    }
    return true;
  }

  const std::vector<SpecIndex>& indices_;
  const std::vector<SpecStore>& stores_;
  const SizeRegion& region_;
  std::vector<Digits> digits_;  // by store
  Elements elements_;
};

// Stores of each shape go to elements of their own, which are all below those of the next shape, or above:
// x[i] and x[n - 1 - i] where i < n / 2.
class StoresInRanges {
 public:
  StoresInRanges(const std::vector<SpecIndex>& indices, const SizeRegion& region)
      : indices_(indices),
        region_(region) {}

  bool are_apart(const std::vector<SpecStore>& stores) const {
    std::map<std::vector<Polynomial>, std::vector<SpecStore>> by_strides;
    for (const SpecStore& store : stores) {
      Shape shape;
      if (!take_apart(store.slot, shape)) return false;
      by_strides[shape.strides].push_back({shape.upward, store.facts});
    }
    std::vector<Range> ranges;
    for (const auto& [strides, these] : by_strides) {
      if (!StoresOfOneShape(indices_, region_).why_not_apart(these).empty()) return false;
      for (const SpecStore& store : these) ranges.push_back({store.slot, last_of(store.slot), &strides});
    }
    const auto is_below = [&](const Range& a, const Range& b) {
      return is_at_least(b.first_of(indices_) - a.last, 1, region_);
    };
    return std::ranges::all_of(ranges, [&](const Range& a) {
      return std::ranges::all_of(
          ranges, [&](const Range& b) { return a.strides == b.strides || is_below(a, b) || is_below(b, a); });
    });
  }

 private:
  struct Shape {
    std::vector<Polynomial> strides;
    Polynomial upward;  // the slot, by indices that count from the end where it goes down with them
  };
  struct Range {
    Polynomial slot, last;
    const std::vector<Polynomial>* strides = nullptr;

    Polynomial first_of(const std::vector<SpecIndex>& indices) const {
      Polynomial first = slot;
      for (const SpecIndex& index : indices) first = first.with(index.atom, Polynomial(0));
      return first;
    }
  };

  bool take_apart(const Polynomial& slot, Shape& shape) const {
    shape.upward = slot;
    for (const SpecIndex& index : indices_) {
      const auto linear = linear_in(shape.upward, index.atom);
      if (!linear) return false;
      shape.strides.push_back(linear->factor);
      if (is_at_least(linear->factor, 0, region_)) continue;
      if (!is_at_least(Polynomial(0) - linear->factor, 0, region_)) return false;
      shape.upward = shape.upward.with(index.atom, index.end - Polynomial(1) - Polynomial::atom(index.atom));
    }
    return true;
  }
  Polynomial last_of(Polynomial upward) const {
    for (const SpecIndex& index : indices_) upward = upward.with(index.atom, index.end - Polynomial(1));
    return upward;
  }

  const std::vector<SpecIndex>& indices_;
  const SizeRegion& region_;
};

}  // namespace

std::optional<Linear> linear_in(const Polynomial& p, Atom a) {
  Linear linear{p.with(a, Polynomial(0)), {}};
  linear.factor = p.with(a, Polynomial(1)) - linear.rest;
  if (!(linear.rest + linear.factor * Polynomial::atom(a) == p)) return std::nullopt;
  return linear;
}

std::string why_not_apart(const std::vector<SpecIndex>& indices, const std::vector<SpecStore>& stores,
                          const SizeRegion& region) {
  std::string reason = StoresOfOneShape(indices, region).why_not_apart(stores);
  if (reason.empty()) return reason;
  if (StoresInRanges(indices, region).are_apart(stores) || StoresByDigits(indices, stores, region).are_apart())
    reason.clear();
  return reason;
}

}  // namespace swizzle
