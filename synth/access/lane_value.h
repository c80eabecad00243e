// LaneValue: an integer (or a real number) of every thread of a block, as far as it can be told without data.
//
//   k                       3                    uniform: one number for all threads
//   threadIdx.x * 4         0 4 8 12             varying (a block of 4 threads)
//   x[threadIdx.x]          ? ? ? ?              unknown: data
//   t < 2 ? t : x[t]        0 1 ? ?              known in some threads
//
// Arithmetic is that of C on the scalar type given; what is not defined there is unknown. Of real numbers, so is a
// product that is rounded: a compiler may add to it before it is. A real value is kept as the bits of a double and
// known to be one: as an integer it is unknown. Addresses are such values too. An unknown address may still be known to
// lie in one *region* (an array, a buffer): `hist + x[t]` stays in the region of hist.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "synth/program/operators.h"

namespace swizzle {

inline constexpr int kNoRegion = -1;

class LaneValue {
 public:
  LaneValue() = default;  // unknown
  static LaneValue uniform(std::int64_t value);
  static LaneValue uniform_real(double value);
  static LaneValue varying(std::vector<std::int64_t> values);
  // known[t] is 0 where thread t's value is unknown.
  static LaneValue partly(std::vector<std::int64_t> values, std::vector<char> known);
  static LaneValue in_region(int region);  // unknown, but in there
  // In round q of a loop, 0 <= q < rounds, values[t] + q * slopes[t]: all rounds at a time. Whoever asks for a number
  // finds it unknown, which is true of all of them; arithmetic follows it as far as every round is of that form.
  static LaneValue affine(std::vector<std::int64_t> values, std::vector<std::int64_t> slopes, std::int64_t rounds);

  bool is_unknown() const { return kind_ == Kind::kUnknown || is_affine(); }
  bool is_affine() const { return kind_ == Kind::kAffine; }
  bool says_something() const { return kind_ != Kind::kUnknown || region_ != kNoRegion; }
  std::int64_t rounds() const { return lanes_->rounds; }         // is_affine()
  std::size_t threads() const { return lanes_->values.size(); }  // likewise
  std::int64_t base_of(int thread) const { return lanes_->values[static_cast<std::size_t>(thread)]; }
  std::int64_t slope_of(int thread) const { return lanes_->slopes[static_cast<std::size_t>(thread)]; }
  LaneValue in_round(std::int64_t q) const;  // itself, if it is not affine
  bool is_same(const LaneValue& other) const;
  bool is_uniform() const { return kind_ == Kind::kUniform; }
  bool is_known_everywhere() const { return is_uniform() || (kind_ == Kind::kVarying && lanes_->known.empty()); }
  bool knows(int thread) const;
  std::int64_t at(int thread) const {
    return is_uniform() ? value_ : lanes_->values[static_cast<std::size_t>(thread)];
  }  // knows(thread)
  std::optional<std::int64_t> find(int thread) const {
    return knows(thread) ? std::optional(at(thread)) : std::nullopt;
  }
  bool is_real() const { return is_real_; }
  int region() const { return region_; }
  LaneValue with_region(int region) const;

  friend LaneValue binary(Operator op, Scalar s, const LaneValue& lhs, const LaneValue& rhs);
  friend LaneValue unary(Operator op, Scalar s, const LaneValue& v);
  friend LaneValue convert(const LaneValue& v, Scalar from, Scalar to);

  LaneValue as_real() const;  // its integers are the bits of doubles

 private:
  enum class Kind : std::uint8_t { kUnknown, kUniform, kVarying, kAffine };
  struct Lanes {
    std::vector<std::int64_t> values;
    std::vector<char> known;                // empty: everywhere
    std::vector<std::int64_t> slopes = {};  // kAffine
    std::int64_t rounds = 0;
  };
  template <typename F>
  static LaneValue map(const LaneValue& a, F&& f);
  template <typename F>
  static LaneValue zip(const LaneValue& a, const LaneValue& b, F&& f);
  // f on words, and what a value of type s keeps of that.
  template <typename F>
  static LaneValue zip_words(Scalar s, const LaneValue& a, const LaneValue& b, F f);
  template <typename F>
  static LaneValue defined(const LaneValue& a, const LaneValue& b, F&& f);

  Kind kind_ = Kind::kUnknown;
  bool is_real_ = false;
  int region_ = kNoRegion;
  std::int64_t value_ = 0;
  std::shared_ptr<const Lanes> lanes_;
};

LaneValue binary(Operator op, Scalar s, const LaneValue& lhs,
                 const LaneValue& rhs);  // comparisons: s is the type of the operands
LaneValue unary(Operator op, Scalar s, const LaneValue& v);
LaneValue convert(const LaneValue& v, Scalar from, Scalar to);

// By thread: 0 out, 1 perhaps in (data decide), 2 in.
enum class Presence : char { kOut, kPerhaps, kIn };
using Presences = std::vector<Presence>;

// What a variable holds after threads that are `present` wrote `value` over `old`.
LaneValue overwrite(const LaneValue& old, const LaneValue& value, const Presences& present);

// Likewise of values one of which is affine.
LaneValue binary_of_rounds(Operator op, Scalar s, const LaneValue& lhs, const LaneValue& rhs);
LaneValue convert_rounds(const LaneValue& v, Scalar to);
LaneValue overwrite_rounds(const LaneValue& old, const LaneValue& value, const Presences& present);

}  // namespace swizzle
