// LinearForms: how one argument's share of a linear map over GF(2) is printed, in the fewest operations.
//
// A share says for each bit j of the argument v what it adds (by XOR) to the value: by bit r of that, entries (r, j).
//
//   v in [0, 32), 5 rows     what v adds                            printed as                              operations
//   columns 1 2 4 8 16       v                                      v                                       0
//   columns 0 1 2 4 8        bits moved by one                      v >> 1                                  1
//   columns 16 8 4 2 1       bit j to 4 - j                         int(__brev(v) >> 27)                    2
//   columns 8 16 1 2 4       bits turned by three                   v * 33 >> 2, with & 31 around it        2
//   columns 4 8 1 2 16       bits 0, 1 and 2, 3 change places       v ^ ((v ^ v >> 2) & 3) * 5              5
//
// A share is a XOR of terms. Most move all bits by one distance, `v`, `v >> 1`, `v * 2`, masked where some are to be
// left out; at most one is of another kind: bits in reverse, bits twice (times 2^w + 1), or pairs of bits that change
// places, all that the columns ask for (a delta swap: H. Warren, Hacker's Delight, 7-1). Where `& (2^rows - 1)` stands
// around the sum of all shares, what a term has above these rows does not matter.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "synth/program/index_expr.h"

namespace swizzle {

class LinearForms {
 public:
  using Columns = std::vector<std::uint16_t>;

  // The value has `rows` bits. set: bits that v may have; read: those of the lowest 31 that may stand in the share.
  LinearForms(int rows, std::uint64_t set, std::uint32_t read);

  struct Term {
    enum class Kind : std::uint8_t { kMoved, kReversed, kTwice, kExchanged };
    Kind kind = Kind::kMoved;
    int shift = 0;           // up; down where it is negative
    int width = 0;           // kReversed: of the bits. kTwice, kExchanged: the distance
    std::int64_t mask = -1;  // of the result; kExchanged: of the lower bits. -1: none
    int ops() const;
  };
  struct Form {
    std::vector<Term> terms;
    int ops = 0;  // with one for each term, to join it to what stands before
  };
  // around: whether `& (2^rows - 1)` stands around the sum.
  const Form& cheapest(const Columns& columns, bool around) const;
  static IndexExpr print(const Term& term, const IndexExpr& v);

  int bits() const { return bits_; }  // columns of a share
  int most_ops() const { return 4 * (bits_ + rows_); }

 private:
  friend class LinearShares;
  static constexpr std::size_t kMostDiagonals = 64;

  // A place of the share that a term has, on the diagonal r - j.
  struct Entry {
    int diagonal;
    std::uint32_t bit;  // 2^j
  };
  struct Special {
    Term term;  // without a mask
    std::vector<Entry> entries;
    std::array<bool, 2> is_whole;  // by `around`: without a mask it has these entries and no others
  };
  using Diagonals = std::array<std::uint32_t, kMostDiagonals>;  // entries, by diagonal
  // Those that moved terms must have, and those where another term has what is left.
  struct Wanted {
    Diagonals entries{}, free{};
  };

  std::size_t slot(int diagonal) const { return static_cast<std::size_t>(diagonal + bits_ - 1); }
  int first() const { return 1 - bits_; }  // of the diagonals
  int end() const { return rows_; }
  bool reads(int row, int bit) const { return row >= 0 && row < rows_ && ((read_ >> bit) & 1) != 0; }
  void add(Term term, const std::vector<std::pair<int, int>>& moves);
  void add_specials();
  std::uint32_t on(int diagonal) const;
  std::uint32_t whole(int diagonal, bool around) const { return whole_[around ? 1 : 0][slot(diagonal)]; }
  std::uint32_t compute_whole(int diagonal, bool around) const;
  Diagonals diagonals_of(const Columns& columns) const;
  Columns columns_of(const Diagonals& diagonals) const;
  bool needs_mask(int diagonal, const Wanted& w, bool around) const;
  int moved_ops(const Wanted& w, bool around) const;
  Form moved(const Wanted& w, bool around) const;
  Form with_mask(const Special& special, const Diagonals& all, const Wanted& w, bool around) const;
  void try_specials(const Diagonals& all, bool around, Form& best) const;
  void try_exchanges(const Diagonals& all, bool around, Form& best) const;
  static void toggle_exchange(Diagonals& all, std::size_t diagonal, int distance, std::uint32_t lower);

  int rows_, bits_ = 0;
  std::uint64_t set_;
  std::uint32_t read_;
  std::array<Diagonals, 2> whole_{};  // by `around`: entries of a term without a mask; 0: it has others
  std::vector<Special> specials_;
  struct Hash {
    std::size_t operator()(const Columns& columns) const;
  };
  mutable std::array<std::unordered_map<Columns, Form, Hash>, 2> known_;  // by `around`
};

}  // namespace swizzle
