// SizeRegion: sizes and blocks that are looked at together, as polynomials over atoms, which are integers of at least
// 0.
//
//   grid(n / 64)             block = b,  n = 64 · (b + s + 1):  all n % 64 == 0, 64 <= n, and all blocks, once each
//   grid((n + 63) / 64)      block = b,  n = 64 · (b + s + 1) - 63 + u,  u <= 63
//   … and assume n % 4 == 0  n = 64 · (b + s + 1) - 63 + 3 + 4 · u,  u <= 15
//   grid(w / 8, h / 4)       likewise for each dimension
//   grid(n / 32, n / 32)     block = (b, c),  n = 32 · (b + s + 1),  assumed: b + s - c >= 0
//   grid(1) block(n / 4)     thread = b, n = 4 · (b + s + 1), up to the most threads that a block may have
//
// b are the blocks before, s those behind. What is asked of a polynomial is its sign: with no negative coefficient it
// is at least its constant. Where the sign differs within the region, the region is split at an atom, a = 0, …, t - 1
// or a = t + a', or by what a leaves when divided by m, or as a = b + a' or b = a + 1 + b'; all parts are looked at
// anew. The parts of a region make up the whole of it, so that what holds in all of them holds for every size and every
// block.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "synth/proof/admissible_sizes.h"
#include "synth/proof/numbered_threads.h"
#include "synth/proof/polynomial.h"
#include "synth/proof/residue_classes.h"

namespace swizzle {

// How to split a region: at a < threshold; with a modulus, by a mod modulus; or at a < than + threshold, which is 0 or
// 1, of two atoms without bounds.
struct Split {
  Atom atom = 0;
  std::int64_t threshold = 0;
  std::int64_t modulus = 0;
  Atom than = 0;
};

// A dimension of the grid that a size decides: size = blocks · unit + offset (+ rest, which is at most unit - 1).
struct Dimension {
  std::string size;
  std::int64_t unit = 1, offset = 0;
  bool is_ragged = false;
  Atom before = 0, behind = 0;
  Polynomial rest;
  std::int64_t finer = 1;  // `behind` counts blocks of another axis, so many times as large
};

// A kernel's loop over a size that the launch does not know, by steps of all of the grid: i = first; i < n; i += unit ·
// blocks. Block b makes the turns b, b + blocks, b + 2 · blocks, …, of `unit` iterations each. As each of them is made
// once, by whatever block, they are looked at like blocks of a dimension of the grid.
struct Turns {
  std::string size;
  std::int64_t unit = 1;
};
// Sizes that the launch does not know, and how many of each a kernel's loop goes on by: see rounds.h.
using Tiles = std::map<std::string, std::int64_t>;
struct LoopSteps {
  std::optional<Turns> turns;
  std::set<StmtId> turn_loops;
  Tiles tiles;
};
// Positions behind the three of the grid.
inline constexpr std::size_t kTurns = 3, kDigits = 4, kMostDigits = 4, kPositions = kDigits + kMostDigits;
inline constexpr std::int64_t kMostThreadsOfBlock = 1024;

class SizeRegion {
 public:
  std::array<Polynomial, kPositions> block, grid;
  std::map<std::string, Polynomial> sizes;
  std::array<int, 3> threads{1, 1, 1};
  // One warp that stands for all of a block, by its number, and dimensions whose iterations the warps may share out
  // evenly: it is the last one of them. Without any, the threads of the whole block are looked at.
  Polynomial warp;
  std::vector<std::size_t> slices;
  int lanes = 32;  // that a shuffle reaches
  // A size decides how many threads a block has: each is looked at by itself, as blocks of a dimension at kDigits.
  bool threads_are_blocks = false;
  std::optional<NumberedThreads> numbered;
  std::array<std::optional<Dimension>, kPositions> dimensions;
  std::array<std::vector<std::size_t>, 3> digits;  // of an axis: the positions of what its number is made of
  std::vector<Dimension> tiled;  // sizes that are no dimension's, in tiles: `before` counts them, but for the last one
  std::set<StmtId> turn_loops;   // that are followed by turns
  bool guards_all = true;        // or conditions on atoms with a bound alone
  bool unrolls = false;          // loops over sizes with a bound are executed, not followed by rounds
  // At least 0: blocks along two axes that one size decides are below one number, of which only one axis tells.
  std::vector<Polynomial> assumed;
  std::vector<Polynomial> carried;  // whatever else is said in terms of the atoms

  bool is_sliced(std::size_t dimension) const { return !slices.empty() && slices.back() == dimension; }
  bool looks_at_threads() const { return threads_are_blocks || numbered.has_value(); }
  // The axis whose number this position is a digit of; the position itself, where it is none.
  std::size_t axis_of(std::size_t position) const;
  int warps() const { return threads[0] * threads[1] * threads[2] / 32; }
  int threads_at_once() const { return slices.empty() ? threads[0] * threads[1] * threads[2] : 32; }
  // What it is in the last block of each dimension, at the same sizes; itself, where the region has but some blocks.
  Polynomial in_last_blocks(Polynomial p) const;
  Polynomial thread_index(int thread, std::size_t dimension) const;  // of a block, or of the warp

  Atom fresh(std::optional<std::int64_t> most = std::nullopt);
  // The number of a round within `depth` others (rounds.h), and one that is not known. Nothing is split at them.
  Atom round(std::size_t depth);
  std::size_t atoms() const { return most_.size(); }
  Atom unknown() { return unsplit_.emplace_back(fresh()); }
  bool is_unsplit(Atom a) const { return std::ranges::find(unsplit_, a) != unsplit_.end(); }
  bool is_bounded(Atom a) const { return most_[a].has_value(); }
  std::optional<std::int64_t> least(const Polynomial& p) const;  // a bound, if there is one; maybe not the tightest
  std::optional<std::int64_t> most(const Polynomial& p) const;
  // Whether p >= 0; where neither it nor p < 0 holds throughout, how to find out.
  std::optional<bool> is_at_least_0(const Polynomial& p, Split& split) const;
  // Whether a condition on the atom is followed both ways (guards.h), rather than at a split.
  bool is_guarded(Atom a) const { return guards_all || most_[a].has_value(); }
  // A split in the middle of an atom with a bound that decides the sign of p.
  std::optional<Split> halves_for(const Polynomial& p) const;
  // What to split so that p is known modulo m; none: it cannot be.
  std::optional<Split> split_for_rest(const Polynomial& p, std::int64_t m) const;

  SizeRegion with_atom(Atom a, const Polynomial& value) const { return part(a, value, {}); }  // of at least 0
  // The parts; together they are this region.
  std::vector<SizeRegion> parts(const Split& split) const;

 private:
  SizeRegion part(Atom a, const Polynomial& value, std::optional<std::int64_t> most) const;
  std::optional<Split> split_between(const Polynomial& p) const;

  std::vector<std::optional<std::int64_t>> most_{std::nullopt};  // by atom
  std::vector<Atom> rounds_, unsplit_;                           // the latter: rounds as well
};

// What is looked at by itself: sizes of these residues at least, with digits in an order of orders_of_digits().
struct SizeClass {
  Residues residues;
  std::size_t order = 0;
  bool all_divide_digits = false;  // numbered_threads.h
  std::int64_t step = 1;           // of loops: what a size leaves of a block is so many of them, and a rest
};

// All sizes of the class that the launch is for, and all blocks. Error: why they are not followed.
Result<SizeRegion> whole_region(const Program& kernel, const AdmissibleSizes& admissible,
                                const std::vector<Sizes>& known, const LoopSteps& steps, const SizeClass& of = {});

}  // namespace swizzle
