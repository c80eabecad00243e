// GuardPatterns: what guards cost at least that share products out among outputs.
//
//   each product a0·b0 is one monomial that one output needs; c0 … c3 are offered it, each under its guard:
//     either one of the four guards is 1 everywhere and the others are 0, or two or more are comparisons
//   c1 on lane 0 needs 33 products:   of the guards that bring it 32 each, no two are 1 everywhere
//
// A pattern says of each guard whether it is 0, 1 or neither; least() is what the cheapest pattern costs.
// Costs are in the machine's issue slots per warp.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <vector>

#include "synth/network/constraint_network.h"

namespace swizzle {

// What a guarding hole costs if it is 0, 1, or neither everywhere; infinite: it cannot be.
struct GuardPrice {
  double nowhere = 0;
  double everywhere = std::numeric_limits<double>::infinity();
  double compared = 0;
  double rank = 0;        // if it is 1 everywhere; it is 0 if it is 0 everywhere, and higher if it is neither
  double comparison = 0;  // of `compared`, without what is issued
};

// By HoleId: no table is left that costs less, or has a lower rank. See table_costs.h.
struct KnownCosts {
  std::vector<double> prices, ranks;
};

// Sets of holes, each once, that share out products: of each product just one takes it, wherever these holes are asked.
std::vector<std::vector<std::size_t>> shared_products(const Problem& problem, const ConstraintNetwork& network);

class GuardPatterns {
 public:
  GuardPatterns() = default;
  // shares: as of shared_products; prices: by HoleId.
  GuardPatterns(std::vector<std::vector<std::size_t>> shares, const std::vector<Capacity>& capacities,
                const std::vector<GuardPrice>& prices);

  const std::vector<std::size_t>& holes() const { return holes_; }
  // Of all guards together, if each hole has at least the price and the rank that are known; what is infinite there is
  // not counted. Infinite: there is no pattern.
  double least(const KnownCosts& known) const;
  // No more than `few` patterns cost less than `below`.
  bool are_few(const KnownCosts& known, double below, std::size_t few) const;

 private:
  // What outputs allow: no more products from guards that are 1 everywhere, and no fewer from those that are not 0.
  struct Limits {
    std::vector<std::int32_t> most_everywhere, least_offered;  // by output
    std::vector<std::vector<std::int32_t>> products;           // by position in holes_ and output
  };
  struct Choice;

  void add_outputs(const std::vector<Capacity>& capacities);

  std::vector<std::size_t> holes_;
  std::vector<GuardPrice> prices_;  // by position in holes_, as is what follows
  std::vector<std::vector<std::size_t>> shares_;
  Limits limits_;
  mutable std::map<std::vector<double>, double> answers_;  // of least(), by what the holes cost
};

}  // namespace swizzle
