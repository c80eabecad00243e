// FunctionProducts: a function of what fetches bring, as a product of what each of them brings to its place.
//
//   p ^= mul(fetch A of x, fetch B of y), where the spec has mul(x[0], y[1])
//     the function   1·A times 2·B, where 1·A is the choice A of 1·x[0], 1·x[1], …
//     the spec's     1·x[0] times 2·y[1]
//   the same for min(A, B), whose operands may be exchanged: 1·A times 1·B
//
// So functions are matched as products are. This is said only of functions that are what the spec needs for one choice
// of fetches alone, and never a sum; others are left alone. An output that is a function of few fetches as a whole,
// (A - B) * (A - B), may be a sum: it is one value.
//
// Private to synth/network/.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "synth/network/element_builder.h"
#include "synth/network/sum_compiler.h"

namespace swizzle {

class FunctionProducts {
 public:
  enum class Of { kFactors, kOutputs };
  FunctionProducts(Provenance& provenance, ElementBuilder& fetches, Of what)
      : provenance_(provenance),
        fetches_(fetches),
        is_whole_(what == Of::kOutputs) {}

  // An equation in a ring, as a whole. Whatever is asked about afterwards is to be noted first.
  void note(const RingEquation& part);
  bool any() const { return !families_.empty(); }
  void complete();

  // What fetches bring to the places of a function of them. Empty: it is left alone.
  std::span<const NodeId> fetches_of(NodeId function) const;
  // Functions that differ in nothing but their fetches have one number. Nothing: it is left alone.
  std::optional<std::size_t> family_of(NodeId function) const;
  // What they may come to, constants among it.
  std::span<const Value> values_of(std::size_t family) const { return families_[family].values; }
  // Whether one of these is a constant that is not 0.
  bool may_be_constant(NodeId function) const;
  // A monomial, such a value in it as a product. Of two, each of several places, it would not be told which place is
  // whose: they stay as they are.
  Factors as_product(const Factors& monomial) const;

 private:
  using Nodes = std::vector<NodeId>;

  // Functions that differ in nothing but their fetches.
  struct Family {
    Ring ring;
    NodeId function;                   // one of them
    Nodes places;                      // its fetches
    std::vector<std::uint32_t> names;  // of the places: equal where fetches may be exchanged
    std::size_t parts;                 // of the function
    std::set<std::vector<Nodes>> of;   // leaves, by place
    std::vector<Value> values = {};    // each once
    bool may_be_constant = false, fits = true;
  };
  using Order = std::vector<std::size_t>;  // by fetch: its place
  struct Placement {
    NodeId of_symbols;
    Order order;
    std::vector<std::uint32_t> names;  // as a Family's
  };
  struct Use {
    std::size_t family;
    Nodes fetches;  // by place; once complete, as factors
  };

  struct Product {
    std::size_t family;
    Factors factors;
  };

  struct ByContent {
    bool operator()(const Value& a, const Value& b) const {
      return std::tie(a.kind, a.aux, a.bits) < std::tie(b.kind, b.aux, b.bits);
    }
  };

  void visit(Ring ring, Value v);
  void note_function(Ring ring, NodeId function);
  bool find_fetches(Value v, Nodes& fetches, std::set<std::uint32_t>& seen);
  struct Leaves {
    Nodes nodes;  // sorted
    bool has_constants = false;
  };
  const Leaves& leaves_of(NodeId choice);
  void note_what_is_fetched();
  NodeId symbol(std::size_t place, NodeId fetch);
  NodeId in_order(NodeId function, const Nodes& fetches, const Order& order);
  Placement place(NodeId function, const Nodes& fetches);
  const Placement& place_all(NodeId function, Nodes& fetches);
  Value with(NodeId function, const Nodes& fetches, const Nodes& values);
  void go_through(std::size_t number, const std::vector<Nodes>& leaves);
  bool take(std::size_t number, const Nodes& fetched);
  bool take_constant(Family& family, Value v) const;
  bool is_one_term(const Family& family, Value v) const;
  Value brought(std::size_t number, std::size_t place, Value leaf);

  Provenance& provenance_;
  ElementBuilder& fetches_;
  bool is_whole_;
  std::set<std::pair<std::uint32_t, Ring>> visited_;
  std::vector<Value> fetched_;                                       // choices that are factors themselves
  std::set<std::uint32_t> brought_as_they_are_;                      // what stands below them
  std::map<std::pair<std::uint32_t, Ring>, std::size_t> family_of_;  // by the function of symbols
  std::vector<Family> families_;
  std::map<std::uint32_t, Placement> placements_;  // by the function of symbols, fetches as they are found
  std::map<std::uint32_t, Use> uses_;              // by function
  std::map<std::uint32_t, Leaves> leaves_;         // by choice
  std::set<std::uint32_t> needed_;                 // factors, or outputs as a whole
  std::set<Value, ByContent> seen_;                // values of the family at hand
  std::map<std::uint32_t, Product> products_;      // by value
  std::map<Factors, std::uint32_t> values_;        // by product
  std::size_t work_ = 0;                           // parts of functions that were computed
};

}  // namespace swizzle
