// What the spec stores in the iterations that a block shares, or a warp: private to this room.
//
//   y[i] ↦ x[i] + x[i + 1] for i = 64·b + 0, …, 64·b + 63, where i < n
//
// They run side by side, like threads, but for those of a loop that hand something on, which each thread makes in
// order.
#pragma once

#include "synth/proof/iterations.h"

namespace swizzle {

// An element that the spec stores to, the value, where it does, and where the kernel does.
struct Expected {
  Value value, where = kNowhere, made = kNowhere;
};
using Stored = std::unordered_map<Polynomial, Expected, HashOfPolynomial>;  // by slot

// What is looked at together.
struct SizeCase {
  SizeRegion region;
  std::map<std::string, Polynomial> spec_sizes;
  Elements elements;
  std::vector<Stored> expected;  // by parameter
  std::vector<UpdatedSymbol> updates;
  Extents extents;

  Guards& guards() { return elements.guards(); }
};

class ExpectedStores {
 public:
  ExpectedStores(const Program& spec, const Iterations& iterations, const Deadline& deadline, SizeCase& here)
      : spec_(spec),
        iterations_(iterations),
        deadline_(deadline),
        here_(here) {}

  // Puts them into the case, and what is read. How to split the region, if something is open there.
  std::optional<Split> add();
  const std::string& reason() const { return reason_; }  // why they are not followed, if they are not
  const std::vector<LargeInteger>& large() const { return large_; }

 private:
  void give_up(std::string reason) {
    if (reason_.empty()) reason_ = std::move(reason);
  }
  std::optional<Split> add(const LoopNest& nest);
  std::optional<Split> enter(const LoopNest& nest, const std::vector<std::int64_t>& offset,
                             const std::vector<std::int64_t>& count, SpecRun& run);
  std::optional<Split> narrow(Value& where, const Polynomial& p);
  std::optional<Split> execute(const LoopNest& nest, const SpecRun& run);
  bool is_inside(const Touched& read) const;

  const Program& spec_;
  const Iterations& iterations_;
  const Deadline& deadline_;
  SizeCase& here_;
  std::vector<LargeInteger> large_;
  std::string reason_;
};

}  // namespace swizzle
