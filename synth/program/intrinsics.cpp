#include "synth/program/intrinsics.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <tuple>
#include <type_traits>
#include <utility>

#include "emulation/word_functions.h"

namespace swizzle {
namespace {

using Integers = std::vector<std::int64_t>;
using Names = std::map<std::string, Intrinsic>;

// A function of integers of C++ as one of vectors.
template <auto kFunction>
struct Applied;
template <typename R, typename... A, R (*kFunction)(A...)>
struct Applied<kFunction> {
  using First = std::tuple_element_t<0, std::tuple<A...>>;
  static constexpr int kFirstBits = 8 * static_cast<int>(sizeof(First));
  static constexpr bool kFirstIsUnsigned = std::is_unsigned_v<First>;
  static std::int64_t to(const Integers& v) { return to(v, std::index_sequence_for<A...>()); }

 private:
  template <std::size_t... kIndex>
  static std::int64_t to(const Integers& v, std::index_sequence<kIndex...>) {
    return static_cast<std::int64_t>(kFunction(static_cast<A>(v[kIndex])...));
  }
};

// A kind has a function for each width of its first operand, or one for each type.
struct WordFunction {
  Intrinsic kind;
  int bits;
  bool is_of_unsigned;
  std::int64_t (*apply)(const Integers&);
};

template <auto kFunction>
constexpr WordFunction word_function(Intrinsic kind) {
  return {kind, Applied<kFunction>::kFirstBits, Applied<kFunction>::kFirstIsUnsigned,
          [](const Integers& v) { return Applied<kFunction>::to(v); }};
}

constexpr WordFunction kWordFunctions[] = {
#define SWIZZLE_WORD_FUNCTION(kind, result, name, parameters, value) \
  word_function<+[] parameters -> result { return value; }>(Intrinsic::kind),
#include "emulation/intrinsic_table.inc"
};

static_assert(std::ranges::is_sorted(kWordFunctions, {}, &WordFunction::kind), "each kind precedes its functions");

}  // namespace

LaneBehavior lane_behavior(Intrinsic kind) {
  static constexpr LaneBehavior kBehaviors[] = {
#define SWIZZLE_INTRINSIC(kind, behavior) LaneBehavior::behavior,
#include "emulation/intrinsic_table.inc"
  };
  return kBehaviors[static_cast<std::size_t>(kind)];
}

namespace {

const Names& names_of_intrinsics() {
  static const Names names = {
#define SWIZZLE_SHUFFLE(kind, name, Operand, source) {#name, Intrinsic::kind},
#define SWIZZLE_VOTE(kind, result, name, outcome) {#name, Intrinsic::kind},
#define SWIZZLE_REDUCTION(kind, type, name, combined) {#name, Intrinsic::kind},
#define SWIZZLE_WORD_FUNCTION(kind, result, name, parameters, value) {#name, Intrinsic::kind},
#define SWIZZLE_OPAQUE_FUNCTION(kind, result, name, parameters, value) {#name, Intrinsic::kind},
#define SWIZZLE_DECLARED(kind, result, name, parameters) {#name, Intrinsic::kind},
#define SWIZZLE_NAMED(kind, name) {#name, Intrinsic::kind},
#include "emulation/intrinsic_table.inc"
  };
  return names;
}

}  // namespace

std::optional<Intrinsic> intrinsic_named(const std::string& name) {
  const Names& names = names_of_intrinsics();
  const auto known = names.find(name);
  return known == names.end() ? std::nullopt : std::optional(known->second);
}

std::vector<std::string> intrinsic_names() {
  std::vector<std::string> names;
  for (const auto& [name, kind] : names_of_intrinsics()) names.push_back(name);
  std::ranges::sort(names);
  return names;
}

std::string name_of(Intrinsic kind) {
  std::string shortest;
  for (const auto& [name, named] : names_of_intrinsics())
    if (named == kind && (shortest.empty() || std::pair(name.size(), name) < std::pair(shortest.size(), shortest)))
      shortest = name;
  return shortest;
}

std::optional<Intrinsic> spec_intrinsic_named(const std::string& name) {
  static const Names names = {
#define SWIZZLE_NAMED_IN_SPECS(kind, name) {#name, Intrinsic::kind},
#include "emulation/intrinsic_table.inc"
  };
  const auto known = names.find(name);
  return known == names.end() ? std::nullopt : std::optional(known->second);
}

const std::string& intrinsic_declarations() {
  static const std::string text =
#define SWIZZLE_SHUFFLE(kind, name, Operand, source) \
  "template <class T> T " #name "(unsigned, T, " #Operand ", int = 32);\n"
#define SWIZZLE_VOTE(kind, result, name, outcome) #result " " #name "(unsigned, int);\n"
#define SWIZZLE_REDUCTION(kind, type, name, combined) #type " " #name "(unsigned, " #type ");\n"
#define SWIZZLE_WORD_FUNCTION(kind, result, name, parameters, value) #result " " #name #parameters ";\n"
#define SWIZZLE_OPAQUE_FUNCTION(kind, result, name, parameters, value) #result " " #name #parameters ";\n"
#define SWIZZLE_DECLARED(kind, result, name, parameters) #result " " #name #parameters ";\n"
#define SWIZZLE_FOLLOWED(result, name, parameters, ...) #result " " #name #parameters " { " #__VA_ARGS__ " }\n"
#define SWIZZLE_FOLLOWED_OF_C(result, name, parameters, ...) #result " " #name #parameters " { " #__VA_ARGS__ " }\n"
#include "emulation/intrinsic_table.inc"
      ;
  return text;
}

const std::string& refused_declarations() {
  static const std::string text =
#define SWIZZLE_REFUSED(result, name, parameters, why) #result " " #name #parameters ";\n"
#include "emulation/intrinsic_table.inc"
      ;
  return text;
}

std::string why_refused(const std::string& name) {
  static const std::map<std::string, std::string> reasons = {
#define SWIZZLE_REFUSED(result, name, parameters, why) {#name, why},
#include "emulation/intrinsic_table.inc"
  };
  const auto known = reasons.find(name);
  return known == reasons.end() ? "" : known->second;
}

std::optional<double> evaluate_real(Intrinsic kind, Scalar s, double x) {
  switch (kind) {
    case Intrinsic::kFloor: return std::floor(x);
    case Intrinsic::kCeil: return std::ceil(x);
    case Intrinsic::kTrunc: return std::trunc(x);
    case Intrinsic::kRound: return std::round(x);
    case Intrinsic::kSqrt: return nearest(s, std::sqrt(x));
    case Intrinsic::kAbs: return std::fabs(x);
    default: return std::nullopt;
  }
}

std::optional<std::int64_t> evaluate(Intrinsic kind, Scalar s, const Integers& operands) {
  if (is_real(s)) return std::nullopt;
  bool defined = true;
  const auto holds = [&](Operator op, std::int64_t a, std::int64_t b) { return apply(op, s, a, b, defined) != 0; };
  if (kind == Intrinsic::kMin) return holds(Operator::kLt, operands[0], operands[1]) ? operands[0] : operands[1];
  if (kind == Intrinsic::kMax) return holds(Operator::kGt, operands[0], operands[1]) ? operands[0] : operands[1];
  if (kind == Intrinsic::kAbs)
    return holds(Operator::kLt, operands[0], 0) ? apply(Operator::kSub, s, 0, operands[0], defined) : operands[0];
  const auto of_kind = std::ranges::equal_range(kWordFunctions, kind, {}, &WordFunction::kind);
  const auto of_width = [&](const WordFunction& f) { return f.bits == bit_width(s); };
  auto function = std::ranges::find_if(
      of_kind, [&](const WordFunction& f) { return of_width(f) && f.is_of_unsigned == is_unsigned(s); });
  if (function == of_kind.end()) function = std::ranges::find_if(of_kind, of_width);
  return function == of_kind.end() ? std::nullopt : std::optional(function->apply(operands));
}

std::int64_t outcome(Intrinsic vote, [[maybe_unused]] std::uint32_t votes, [[maybe_unused]] std::uint32_t among) {
  switch (vote) {
#define SWIZZLE_VOTE(kind, result, name, outcome) \
  case Intrinsic::kind: return static_cast<std::int64_t>(static_cast<result>(outcome));
#include "emulation/intrinsic_table.inc"
    default: return votes;  // who is there
  }
}

// The type has no say in how the lowest bits combine, or in which of two values of it is the less.
std::int64_t reduced(Intrinsic reduction, std::int64_t a, std::int64_t b) {
  struct Known {
    Intrinsic kind;
    std::int64_t (*combine)(std::int64_t, std::int64_t);
  };
  static constexpr Known kKnown[] = {
#define SWIZZLE_REDUCTION(kind, type, name, combined) \
  {Intrinsic::kind, [](std::int64_t a, std::int64_t b) -> std::int64_t { return combined; }},
#include "emulation/intrinsic_table.inc"
  };
  const auto known =
      std::find_if(std::begin(kKnown), std::end(kKnown), [&](const Known& k) { return k.kind == reduction; });
  return known == std::end(kKnown) ? a : known->combine(a, b);
}

int source_lane(Intrinsic shuffle, int lane, std::int64_t operand, int width) {
  const int base = lane / width * width;
  switch (shuffle) {
#define SWIZZLE_SHUFFLE(kind, name, Operand, source) \
  case Intrinsic::kind: return source;
#include "emulation/intrinsic_table.inc"
    default: return lane;
  }
}

}  // namespace swizzle
