// Order forms: values that the order of others decides, one form each. Minima of maxima and maxima of minima, also
// under conditions, are told apart by the Lattice; which of several values goes with the greatest of their keys, by a
// list of both (Tournament).
//
//   max(min(x[0], x[1]), x[0])                        x[0]
//   x[0] < x[1] ? y[1] : y[0], as m0 and m,
//   m < x[2] ? y[2] : m0                              the first of (x[0], y[0]), (x[1], y[1]), (x[2], y[2]) with the
//   greatest x
//   h[1] == 0 ? max(x[0], x[1]) : x[1]                max(h[1] != 0 ? x[1] : x[0], x[1])
//
// The first value that was made of a function stays its form, so that equal functions are equal nodes. Only values that
// no hole decides any more have such a form: where it fails to tell (too large, other operations), different nodes may
// be equal.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "synth/provenance/lattice.h"
#include "synth/provenance/node.h"

namespace swizzle {

class Provenance;

// The payload of the first of these whose key is the greatest (kMax) or the least (kMin).
struct Tournament {
  struct Entry {
    Value key, payload;
    friend bool operator==(const Entry&, const Entry&) = default;
  };
  Ring ring = Ring::kMax;
  Scalar scalar = Scalar::kI32;  // of keys
  std::vector<Entry> entries;
  friend bool operator==(const Tournament&, const Tournament&) = default;
};

// a < b, a <= b, or a < b || a == b && tie.
struct Precedence {
  Value less, more;
  Scalar scalar = Scalar::kI32;
  bool or_equal = false;
  std::optional<Value> tie;
};
std::optional<Precedence> as_precedence(const Provenance& provenance, Value condition);

class OrderForms {
 public:
  // Of a minimum or maximum without choices.
  Value form(Provenance& provenance, Value v);

  // condition ? if_true : if_false, where one of both is such a minimum or maximum. What is of a known form is found;
  // `made`: makes it. Nothing: it is none, or too large.
  template <typename Make>
  std::optional<Value> guarded(Provenance& provenance, Value condition, Value if_true, Value if_false, Make&& make) {
    return known_or_made(provenance, guarded_function(provenance, condition, if_true, if_false), make);
  }
  // Likewise where the condition compares what both arms are made of.
  template <typename Make>
  std::optional<Value> ordered(Provenance& provenance, Value condition, Value if_true, Value if_false, Make&& make) {
    return known_or_made(provenance, ordered_function(provenance, condition, if_true, if_false), make);
  }

  // condition ? if_true : if_false, where the condition says whether the key of if_true is before that of if_false.
  // What is of a known form is found; `made`: makes it. Nothing: this is no tournament.
  template <typename Make>
  std::optional<Value> selected(Provenance& provenance, Value condition, Value if_true, Value if_false, Scalar type,
                                Make&& make) {
    const std::vector<Tournament> all = tournaments_of(provenance, condition, if_true, if_false);
    if (all.empty()) return std::nullopt;
    for (const Tournament& t : all)
      if (const auto known = known_form(provenance, t, type)) return known;
    const Value made = make();
    for (const Tournament& t : all) keep(t, type, made);
    return made;
  }

 private:
  using Function = std::optional<Lattice::Function>;
  using Entries = std::vector<Tournament::Entry>;
  struct Numbered {  // numbers: the payloads are integers
    const Entries &entries, &numbers;
  };

  struct Guarded {  // of values of type s
    Scalar s;
    Lattice::Function function;
  };
  struct Condition {
    Lattice::Function holds, fails;
  };

  template <typename Make>
  std::optional<Value> known_or_made(Provenance& provenance, const std::optional<Guarded>& function, Make&& make) {
    if (!function) return std::nullopt;
    if (const auto known = value_of(provenance, *function)) return known;
    const Value made = make();
    keep(*function, made);
    return made;
  }
  static std::uint64_t node_key(Scalar s, Value node) {
    return std::uint64_t{node.aux} << 8 | static_cast<std::uint64_t>(s);
  }
  Lattice::Atom atom(Value v, bool is_condition);
  Function function_of(Provenance& provenance, Scalar s, Value v);
  Function function_of_terms(Provenance& provenance, Scalar s, const Node& extremum);
  Function chosen(Provenance& provenance, Scalar s, Value condition, Value if_true, Value if_false);
  Function chosen_by_order(Provenance& provenance, Scalar s, Value condition, Value if_true, Value if_false);
  std::optional<Condition> condition_of(Provenance& provenance, Value condition);
  std::optional<Guarded> guarded_function(Provenance& provenance, Value condition, Value if_true, Value if_false);
  std::optional<Guarded> ordered_function(Provenance& provenance, Value condition, Value if_true, Value if_false);
  std::optional<Value> value_of(Provenance& provenance, const Guarded& of);
  std::optional<Value> extremum_of_atoms(Provenance& provenance, const Guarded& of);
  void keep(const Guarded& of, Value made);
  std::vector<Tournament> tournaments_of(Provenance& provenance, Value condition, Value if_true, Value if_false);
  std::optional<Tournament> merged(Provenance& provenance, const Precedence& precedence, Ring ring, Value if_true,
                                   Value if_false);
  static std::optional<Entries> merged_by_number(const Numbered& a, const Numbered& b, bool takes_lesser);
  Entries entries_of(Provenance& provenance, Ring ring, Scalar s, Value key, Value payload);
  std::optional<Value> known_form(Provenance& provenance, const Tournament& t, Scalar type);
  void keep(const Tournament& t, Scalar type, Value made);

  Lattice lattice_;
  std::unordered_map<std::uint64_t, Function> functions_;  // by node: its order is that of the type
  std::map<std::pair<Scalar, Lattice::Function>, Value> values_;
  std::vector<Value> atoms_;  // undefined: a condition
  std::map<std::tuple<bool, bool, std::int64_t>, Lattice::Atom> atom_of_;
  std::map<std::vector<std::uint64_t>, Value> selected_;
  std::unordered_map<std::uint32_t, std::vector<Tournament>> tournaments_;  // by node
  bool is_joining_ = false;  // selections made to compare with are not joined in turn
};

}  // namespace swizzle
