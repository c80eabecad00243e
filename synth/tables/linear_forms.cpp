#include "synth/tables/linear_forms.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "synth/base/hashes.h"

namespace swizzle {
namespace {

constexpr int kMostBits = 31;  // of what is computed on the way

std::int64_t power(int exponent) { return std::int64_t{1} << exponent; }

}  // namespace

int LinearForms::Term::ops() const {
  if (kind == Kind::kExchanged) return 5;
  const int masks = mask == -1 ? 0 : 1, shifts = shift == 0 ? 0 : 1;
  return masks + (kind == Kind::kReversed ? 2 : kind == Kind::kTwice ? 1 + shifts : shifts);
}

std::size_t LinearForms::Hash::operator()(const Columns& columns) const {
  std::size_t hash = 0;
  for (const std::uint16_t column : columns) hash = mix(hash, column);
  return hash;
}

LinearForms::LinearForms(int rows, std::uint64_t set, std::uint32_t read)
    : rows_(rows),
      bits_(std::bit_width(read)),
      set_(set),
      read_(read) {
  for (int d = first(); d < end(); ++d)
    for (const bool around : {false, true}) whole_[around ? 1 : 0][slot(d)] = compute_whole(d, around);
  if (bits_ > 0) add_specials();
}

// Bits that lie on the diagonal and may stand in the share.
std::uint32_t LinearForms::on(int diagonal) const {
  std::uint32_t bits = 0;
  for (int j = 0; j < bits_; ++j)
    if (reads(j + diagonal, j)) bits |= std::uint32_t{1} << j;
  return bits;
}

std::uint32_t LinearForms::compute_whole(int diagonal, bool around) const {
  if (diagonal > 0 && std::bit_width(set_) + diagonal > kMostBits) return 0;
  for (int j = std::max(0, -diagonal); set_ >> j != 0; ++j) {
    if (((set_ >> j) & 1) == 0 || (around && j + diagonal >= rows_)) continue;
    if (j >= bits_ || !reads(j + diagonal, j)) return 0;
  }
  return on(diagonal);
}

// moves: distances, and from which bit on they hold.
void LinearForms::add(Term term, const std::vector<std::pair<int, int>>& moves) {
  Special special{term, {}, {true, true}};
  for (const auto& [bit, row] : moves) {
    if (row < 0 || ((set_ >> bit) & 1) == 0) continue;
    if (bit < bits_ && reads(row, bit)) special.entries.push_back({row - bit, std::uint32_t{1} << bit});
    else special.is_whole = {false, special.is_whole[1] && row >= rows_};
  }
  if (special.entries.size() > 1) specials_.push_back(std::move(special));
}

void LinearForms::add_specials() {
  const int width = static_cast<int>(std::bit_width(set_));
  std::vector<std::pair<int, int>> moves;  // bit, row
  for (int w = 2; w <= std::min(kMostBits, bits_ + rows_); ++w) {
    moves.clear();
    for (int j = 0; j < std::min(w, width); ++j) moves.emplace_back(j, w - 1 - j);
    add({Term::Kind::kReversed, 0, w}, moves);
  }
  for (int w = width; w < width + rows_ && w + width <= kMostBits; ++w)
    for (int down = 0; down < bits_; ++down) {
      if (w - down >= rows_) continue;  // nothing is there twice
      moves.clear();
      for (int j = 0; j < width; ++j) {
        moves.emplace_back(j, j - down);
        moves.emplace_back(j, j + w - down);
      }
      add({Term::Kind::kTwice, -down, w}, moves);
    }
}

LinearForms::Diagonals LinearForms::diagonals_of(const Columns& columns) const {
  Diagonals all{};
  for (int j = 0; j < bits_; ++j)
    for (int r = 0; r < rows_; ++r)
      if (((columns[static_cast<std::size_t>(j)] >> r) & 1) != 0) all[slot(r - j)] |= std::uint32_t{1} << j;
  return all;
}

LinearForms::Columns LinearForms::columns_of(const Diagonals& diagonals) const {
  Columns columns(static_cast<std::size_t>(bits_), 0);
  for (int d = first(); d < end(); ++d)
    for (std::uint32_t left = diagonals[slot(d)]; left != 0; left &= left - 1) {
      const int j = std::countr_zero(left);
      columns[static_cast<std::size_t>(j)] ^= static_cast<std::uint16_t>(1 << (j + d));
    }
  return columns;
}

bool LinearForms::needs_mask(int diagonal, const Wanted& w, bool around) const {
  const std::uint32_t all = whole(diagonal, around);
  return all == 0 || (all & ~(w.entries[slot(diagonal)] | w.free[slot(diagonal)])) != 0;
}

int LinearForms::moved_ops(const Wanted& w, bool around) const {
  int ops = 0;
  for (int d = first(); d < end(); ++d)
    if ((w.entries[slot(d)] & ~w.free[slot(d)]) != 0) ops += 1 + (d == 0 ? 0 : 1) + (needs_mask(d, w, around) ? 1 : 0);
  return ops;
}

LinearForms::Form LinearForms::moved(const Wanted& w, bool around) const {
  Form form;
  for (int d = first(); d < end(); ++d) {
    const std::uint32_t bits = w.entries[slot(d)] & ~w.free[slot(d)];
    if (bits == 0) continue;
    const std::int64_t mask = d < 0 ? std::int64_t{bits} >> -d : std::int64_t{bits} << d;
    form.terms.push_back({Term::Kind::kMoved, d, 0, needs_mask(d, w, around) ? mask : -1});
    form.ops += 1 + form.terms.back().ops();
  }
  return form;
}

// What the moved terms leave of its entries, it has.
LinearForms::Form LinearForms::with_mask(const Special& special, const Diagonals& all, const Wanted& w,
                                         bool around) const {
  Form form = moved(w, around);
  Term term = special.term;
  term.mask = 0;
  for (const Entry& e : special.entries) {
    const std::size_t s = slot(e.diagonal);
    const bool is_moved = (w.entries[s] & ~w.free[s]) != 0 && !needs_mask(e.diagonal, w, around) &&
                          (whole(e.diagonal, around) & e.bit) != 0;
    if (((all[s] & e.bit) != 0) != is_moved) term.mask |= power(std::countr_zero(e.bit) + e.diagonal);
  }
  form.terms.push_back(term);
  form.ops += 1 + term.ops();
  return form;
}

void LinearForms::try_specials(const Diagonals& all, bool around, Form& best) const {
  for (const Special& special : specials_) {
    const int ops = 1 + special.term.ops();
    if (ops >= best.ops) continue;
    Wanted w{all, {}};
    if (special.is_whole[around ? 1 : 0]) {
      for (const Entry& e : special.entries) w.entries[slot(e.diagonal)] ^= e.bit;
      if (ops + moved_ops(w, around) < best.ops) {
        best = moved(w, around);
        best.terms.push_back(special.term);
        best.ops += ops;
      }
      w.entries = all;
    }
    for (const Entry& e : special.entries) w.free[slot(e.diagonal)] |= e.bit;
    if (ops + 1 + moved_ops(w, around) < best.ops) best = with_mask(special, all, w, around);
  }
}

// Of the bit `lower` and the one at the distance: what stays is gone, what moves up and down is there.
void LinearForms::toggle_exchange(Diagonals& all, std::size_t diagonal, int distance, std::uint32_t lower) {
  const auto d = static_cast<std::size_t>(distance);
  all[diagonal] ^= lower | lower << distance;
  all[diagonal + d] ^= lower;
  all[diagonal - d] ^= lower << distance;
}

void LinearForms::try_exchanges(const Diagonals& all, bool around, Form& best) const {
  if (bits_ == 0 || whole(0, around) == 0) return;
  const std::size_t stay = slot(0);
  for (int distance = 1; distance < std::min(bits_, rows_); ++distance) {
    const auto d = static_cast<std::size_t>(distance);
    const std::uint32_t both = on(0) & on(0) >> distance;
    const std::uint32_t lower =
        both & all[stay + d] & all[stay - d] >> distance & ~all[stay] & ~(all[stay] >> distance);
    if (lower == 0 || (lower & lower << distance) != 0) continue;
    Wanted w{all, {}};
    toggle_exchange(w.entries, stay, distance, lower);
    w.entries[stay] ^= whole(0, around);
    const Term term{Term::Kind::kExchanged, 0, distance, lower};
    if (1 + term.ops() + moved_ops(w, around) >= best.ops) continue;
    best = moved(w, around);
    best.terms.push_back(term);
    best.ops += 1 + term.ops();
  }
}

const LinearForms::Form& LinearForms::cheapest(const Columns& columns, bool around) const {
  const auto [known, fresh] = known_[around ? 1 : 0].try_emplace(columns);
  if (!fresh) return known->second;
  const Diagonals all = diagonals_of(columns);
  Form& best = known->second = moved({all, {}}, around);
  try_specials(all, around, best);
  try_exchanges(all, around, best);
  return best;
}

IndexExpr LinearForms::print(const Term& t, const IndexExpr& v) {
  const auto down = [&](IndexExpr e) { return IndexExpr::div(std::move(e), power(-t.shift)); };
  const auto masked = [&](IndexExpr e) { return t.mask == -1 ? e : IndexExpr::mask(std::move(e), t.mask); };
  switch (t.kind) {
    case Term::Kind::kReversed: return masked(IndexExpr::reversed(v, t.width));
    case Term::Kind::kTwice: return masked(down(IndexExpr::mul(v, power(t.width) + 1)));
    case Term::Kind::kExchanged: {
      IndexExpr differ = masked(IndexExpr::bit_xor(v, IndexExpr::div(v, power(t.width))));
      return IndexExpr::bit_xor(v, IndexExpr::mul(std::move(differ), power(t.width) + 1));
    }
    case Term::Kind::kMoved: break;
  }
  if (t.shift <= 0) return masked(down(v));
  return IndexExpr::mul(t.mask == -1 ? v : IndexExpr::mask(v, t.mask >> t.shift), power(t.shift));
}

}  // namespace swizzle
