// ElementPropagator: which alternatives of each fetch the domains still allow, as bit sets that can be undone.
//
//   alternatives   0: P = 1, Q = 0 → x[1]     1: P = 2, R = 0 → x[2]     2: P = 2, R = 1 → x[6]
//   supports       P = 1: 001   P = 2: 110   Q = 0: 001   R = 0: 010   R = 1: 100       passes   Q: 001   R: 110
//   P may be 2 only: live = 110;  R must then be something that 110 passes;  Q is not asked any more
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "synth/network/constraint_network.h"

namespace swizzle {

class ElementPropagator {
 public:
  using Word = std::uint64_t;

  ElementPropagator(const ConstraintNetwork& network, Domains& domains) : network_(network), domains_(domains) {
    extend();
  }
  // Takes in the fetches that were added to the network since.
  void extend();

  // A point of the fetch changed (a position in ElementConstraint::points), or any of them.
  void mark_stale(std::uint32_t fetch, std::uint32_t local);
  void mark_stale(std::uint32_t fetch) { stale_[fetch] = std::max(stale_[fetch], kStale); }
  // Sorts out what the domains do not allow any more. False: nothing is left.
  bool refresh(std::uint32_t fetch);
  // Keeps the leaves that serve some monomial in `may`; the same.
  bool restrict(std::uint32_t fetch, const Mask& serves, const Word* may, std::size_t words);
  bool drop(std::uint32_t fetch, NodeId leaf);
  // removes values that no live alternative has, of points that all of them pass. False: a point has none left.
  bool project(std::uint32_t fetch);

  // Changes whenever other alternatives of the fetch are live.
  std::uint64_t version(std::uint32_t fetch) const { return versions_[fetch]; }
  // out |= what the live leaves serve
  void reach(std::uint32_t fetch, const Mask& serves, Word* out, std::size_t words) const;
  std::optional<std::uint32_t> only_leaf(std::uint32_t fetch) const;
  // Of a fetch with few live alternatives, which the value of one point tells apart: the leaf at each value.
  struct Decision {
    PointId point;
    std::vector<std::pair<int, std::uint32_t>> leaves;
  };
  std::optional<Decision> decision(std::uint32_t fetch) const;
  // Paths are without the steps away from some values.
  Path first_live_path(std::uint32_t fetch) const;  // empty if none is
  // With positions in ElementConstraint::points for points: the same for fetches of one shape with the same live
  // alternatives.
  std::vector<Path> live_paths(std::uint32_t fetch) const;
  std::vector<Word> live(std::uint32_t fetch) const {
    return {&live_[first_word_[fetch]], &live_[first_word_[fetch]] + network_.fetches[fetch].shape->words};
  }
  // Sets the flag of every point that some live alternative passes.
  void note_asked(std::vector<bool>& asked) const;

  std::size_t mark() const { return trail_.size(); }
  void undo(std::size_t mark);

 private:
  // Whether dead alternatives have been sorted out. Late: the fetch came after a mark, and undo() knows nothing of it.
  enum Staleness : std::uint8_t { kFresh, kPartly, kStale, kAlways };
  struct Saved {
    std::size_t position;
    Word bits;
    std::uint32_t fetch;
  };
  void set(std::uint32_t fetch, std::size_t word, Word bits);
  bool any(std::uint32_t fetch) const;
  Word allowed_by(const ElementConstraint& fetch, std::size_t local, std::size_t word, Word live) const;
  bool few(std::uint32_t fetch) const;  // so that going through the alternatives costs less than through the sets
  bool project_few(std::uint32_t fetch);
  void note_others(const ElementScheme::Alternative& alternative, const ElementScheme& shape, std::uint32_t local);
  template <typename F>
  void for_each(std::uint32_t fetch, F&& f) const;

  const ConstraintNetwork& network_;
  Domains& domains_;
  std::vector<std::size_t> first_word_;  // by fetch
  std::vector<std::uint64_t> versions_;  // by fetch
  std::vector<Word> live_;
  std::vector<Staleness> stale_;
  static constexpr std::size_t kFewChanges = 6;
  std::vector<boost::container::small_vector<std::uint32_t, kFewChanges>>
      changed_;                            // by fetch that is kPartly stale: locals
  std::vector<std::uint8_t> unprojected_;  // by fetch: fewer are live than when it was last projected
  std::vector<Saved> trail_;
  std::vector<Word> supported_, others_;
};

}  // namespace swizzle
