// XformWalk: every table of a transformation within some domains. Private to synth/.
//
//   i, k in 0 … 3, modulo 4, where (i, k) = (0, 1) must be 1 and (1, 0) must be 1, all else is open:
//     shape i:     k = 0 allows the rotation 0, k = 1 the rotation 1, k = 2 and 3 any
//     R(k) = k:    all of them allow the constant 0: the table (i + k) & 3
//
// For each shape the allowed rotations are an intersection of rotated sets over i, then, variable by variable, over k.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "synth/base/deadline.h"
#include "synth/tables/rotation_sets.h"
#include "synth/tables/tables.h"
#include "synth/tables/xform_space.h"

namespace swizzle {

struct HashOfValues {
  std::size_t operator()(const std::vector<std::int16_t>& values) const;
};

// A shape and, by key and x, the y that every point of that key allows.
template <typename Set>
struct Fitting {
  const XformShape* shape;
  std::vector<Set> ok;
};

// The points of a hole, by what their rotations depend on.
struct XformKeys {
  XformKeys(const HoleSpace& hole, std::shared_ptr<const XformSpace> of);

  const HoleSpace& space;
  std::shared_ptr<const XformSpace> xform;
  std::vector<std::vector<std::size_t>>
      successor;                     // by variable and key: the class of keys that agree on all variables behind
  std::vector<std::size_t> classes;  // by variable: how many
};

template <typename Set>
class XformWalk {                                      // Set: WordSet or WideSet
  static constexpr std::size_t kMostTested = 200'000;  // tables
  static constexpr std::size_t kTestedOfListed = 10;   // or so many for each that may be listed
  static constexpr std::size_t kSampled = 2;           // points of a key
  static constexpr std::size_t kSeldom = 1024;         // steps, before the time is looked at

 public:
  XformWalk(const XformKeys& keys, const Domains& domains, int max_ops, std::size_t limit, const Deadline& deadline)
      : keys_(keys),
        xform_(*keys.xform),
        domains_(domains),
        max_ops_(max_ops),
        limit_(limit),
        deadline_(deadline) {}

  Enumeration run();
  // Only these shapes fit.
  Enumeration run(const std::vector<Fitting<Set>>& fitting);
  // All that pass.
  Enumeration run(TableTest& test);
  // ok[key · X + x]: the y under which, with x, every point of that key has an allowed value
  bool fits(const XformShape& shape, std::vector<Set>& ok) const;

 private:
  int least(const XformShape& shape, const SpentOnRotation& extra, const SpentOnRotation& turn) const {
    return xform_.least_ops(shape, extra, turn);
  }

  bool narrow_to_points(const XformShape& shape, const XformSpace::ShapeTable& table, std::size_t key, std::size_t x,
                        Set& ok) const;
  bool keep_passing(const XformShape& shape, std::vector<Set>& ok);
  // Decide P and R for variable j; ok: what is still allowed for the rest of the rotations, by class of keys and x.
  void choose(const XformShape& shape, std::size_t j, const std::vector<Set>& ok, const SpentOnRotation& extra,
              const SpentOnRotation& turn);
  // Past the deadline nothing more is listed, as behind the limit; but where all is decided, what there is.
  void look_at_time();
  // alive: by class, the x for which, rotated by p, each key allows some y
  bool any_left(const XformShape& shape, std::size_t j, const std::vector<Set>& ok, const RotationLists::Entry& p,
                std::vector<std::uint64_t>& alive) const;
  std::size_t position(const XformShape& shape, std::size_t j, std::size_t key, int x) const;
  // rest: ok shifted down by the rotations; keys that agree in all later variables must agree on what is left.
  bool narrow(const XformShape& shape, std::size_t j, const std::vector<Set>& ok, const RotationLists::Entry& p,
              const RotationLists::Entry& r, const std::vector<std::uint64_t>& alive, std::vector<Set>& rest) const;
  void finish(const XformShape& shape, const std::vector<Set>& ok, const SpentOnRotation& extra,
              const SpentOnRotation& turn);
  void emit(const XformShape& shape, int x, int y, int least_here);
  bool passes(std::size_t key, const std::vector<std::int16_t>& values);
  void list_positions();
  bool passes(const std::vector<std::int16_t>& values);

  const XformKeys& keys_;
  const XformSpace& xform_;
  const Domains& domains_;
  int max_ops_;
  std::size_t limit_;
  const Deadline deadline_;
  std::size_t steps_ = 0;
  std::vector<Set> ok_;
  std::vector<const RotationLists::Entry*> extras_, turns_;
  std::unordered_multimap<std::size_t, std::size_t> seen_;
  Enumeration result_;
  TableTest* test_ = nullptr;
  std::vector<std::size_t> everywhere_;  // all positions
  std::vector<std::size_t> sample_;      // some of each key
  std::vector<std::int16_t> ordered_;    // values everywhere
  std::size_t tested_ = 0;
  std::vector<std::unordered_map<std::vector<std::int16_t>, bool, HashOfValues>>
      columns_;  // by key: whether its points, with these values, pass
  std::unordered_set<std::vector<std::int16_t>, HashOfValues> refused_;  // values that do not pass
};

}  // namespace swizzle
