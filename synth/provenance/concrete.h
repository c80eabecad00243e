// Concrete: values computed on numbers, to find an input on which two of them differ.
//
//   x[0] | (x[0] & x[4])   against x[0]   the same on all numbers that are tried: nothing is known
//   x[0] | x[4]            against x[0]   differ at x[0] = 0, x[4] = 1: a counterexample
//
// A function that has no evaluation here (erfinv, __fadd_rz) stands for one that depends on all of its operands: it may
// tell what reaches a value, never what the value is. Where the computation is undefined, or its numbers are too close
// to be told apart, nothing is said.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "synth/provenance/provenance.h"
#include "synth/provenance/real_functions.h"

namespace swizzle {

class Concrete {
 public:
  // Of values without choices.
  explicit Concrete(const Provenance& provenance) : provenance_(provenance) {}

  // Values are those on the input of this trial, some of its elements (nodes) changed, until another one is started.
  void start(std::uint64_t trial, std::vector<NodeId> changed = {});
  // Nothing: it is another kind of number there, or is not computed here.
  std::optional<std::int64_t> integer(Value v);
  std::optional<double> real(Value v);

  // Some input that is tried tells them apart: any numbers, and then those that constants are compared with, and their
  // neighbours.
  bool are_seen_apart(Scalar s, Value a, Value b);
  // Some input tells them apart; or both are the same wherever they can be computed, but do not depend on the same
  // elements.
  bool differ(Scalar s, Value a, Value b);

  // The input elements (nodes) that the value was seen to depend on, sorted.
  std::vector<NodeId> needed(Scalar s, Value v) { return needed({{s, v}})[0]; }
  // … that each of several was, which may share what they are made of.
  std::vector<std::vector<NodeId>> needed(const std::vector<std::pair<Scalar, Value>>& values);

 private:
  struct Number {
    bool is_real = false;
    bool is_symbolic = false;  // made by a function that has no evaluation
    std::int64_t integer = 0;
    double real = 0;
    bool operator==(const Number&) const = default;
  };
  using Numbers = std::optional<Number>;  // nothing: undefined

  static constexpr std::uint64_t kTrials = 24;
  static constexpr std::uint64_t kUniform = 1 << 20, kUniformTrials = 24;  // from there on, bits of words are alike

  Numbers number(Value v);
  Numbers compute(NodeId id);
  Numbers input(NodeId id);
  std::optional<std::int64_t> slot_of_element(const Node& input);
  std::int64_t in_range(const ValueRange& range, std::uint64_t bits, std::int64_t slot) const;
  Numbers sum(NodeId id);
  Numbers set(NodeId id);
  Numbers function(const Node& n);
  Numbers operation(const Node& n, const std::vector<Number>& operands);
  std::optional<std::int64_t> bits_of_element(Value v, const Number& number) const;
  Numbers sliced(const Node& n, const std::vector<Number>& operands);
  Number cast(Scalar from, Scalar to, const Number& v) const;
  Number symbolic(const Node& n, const std::vector<Number>& operands) const;
  Number anything(const Node& n, const std::vector<Number>& operands) const;
  static std::optional<Numbers> predicate(const Node& n, const std::vector<Number>& operands);
  Numbers real_function(const Node& n, const std::vector<Number>& operands) const;  // nothing: it is not computed
  static bool are_different(Scalar s, const Number& a, const Number& b, double tolerance = kRealTolerance);
  void for_each_operand(NodeId id, const std::function<void(NodeId)>& f) const;
  std::vector<Value> apart(Value v) const;
  bool depends_on_others(Scalar s, Value a, Value b);
  std::vector<NodeId> nodes_of(const std::vector<Value>& values) const;
  std::vector<double> bounds_in(const std::vector<Value>& values) const;

  const Provenance& provenance_;
  std::uint64_t trial_ = 0;
  bool is_changed(NodeId element) const { return std::ranges::find(changed_, element) != changed_.end(); }
  std::vector<NodeId> changed_;  // elements that are other numbers than the trial has
  std::vector<double> bounds_;   // that elements are near to in this trial; none: any numbers
  friend class ChangedElement;
  std::unordered_map<std::uint32_t, Numbers> known_;
};

}  // namespace swizzle
