// A hole and its points: where it is asked, and with what.
//
//   y[t] = x[?sw_xform(t, 4, k)] on 4 lanes, k < 2:   8 points, with arguments (0, 0) (1, 0) … (3, 1); domain 4
#pragma once

#include <compare>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "synth/program/argument_values.h"
#include "synth/program/hole_kinds.h"
#include "synth/provenance/points.h"

namespace swizzle {

// The arguments of a hole's points. Holes that are asked alike may share them.
class ArgumentList {
 public:
  ArgumentList() : ArgumentList(std::vector<Arguments>()) {}
  ArgumentList(std::vector<Arguments> list) : list_(std::make_shared<const std::vector<Arguments>>(std::move(list))) {}

  const Arguments& operator[](std::size_t position) const { return (*list_)[position]; }
  std::size_t size() const { return list_->size(); }
  bool empty() const { return list_->empty(); }
  auto begin() const { return list_->begin(); }
  auto end() const { return list_->end(); }
  friend bool operator==(const ArgumentList& a, const ArgumentList& b) {
    return a.list_ == b.list_ || *a.list_ == *b.list_;
  }
  friend std::strong_ordering operator<=>(const ArgumentList& a, const ArgumentList& b) {
    return a.list_ == b.list_ ? std::strong_ordering::equal : *a.list_ <=> *b.list_;
  }

 private:
  std::shared_ptr<const std::vector<Arguments>> list_;
};

// One hole with its points.
struct HoleSpace {
  HoleId id;
  HoleKind kind = HoleKind::kXform;
  int domain = 0;
  std::int64_t least = 0;  // a table's value v stands for least + v
  std::vector<PointId> points;
  ArgumentList arguments;          // by point
  std::size_t first_argument = 0;  // HoleTraits::first_key
  std::vector<OpenArgument> open;  // of which there may be other values than those of the points
  std::string name;                // for messages: "the ?sw_xor at 8:37"

  const HoleTraits& traits() const { return traits_of(kind); }
};

}  // namespace swizzle
