// Larger sizes of a sketch than can be executed here: how its buffers grow, learnt from small sizes.
//
//   stencil1d, n = 64 and n = 128:  x has 66 and 130 elements, so at n = 2^26 it has 2^26 + 2
//
// What varies between the sketch's size lines is free to grow; an extent is taken to be linear in each of them apart
// (w·h + 8·w is), which every size line must confirm.
#pragma once

#include <cmath>
#include <set>

#include "driver/sources.h"
#include "synth/problem/pose.h"

namespace swizzle::bench {

class Growth {
 public:
  // Errors: as measure() gives them, nothing that varies, an extent that does not grow as assumed.
  static Result<Growth> learn(const Pair& pair, const std::vector<Posed>& posed) {
    Growth growth(pair);
    std::set<std::string> varying;
    for (const Posed& p : posed)
      for (const auto& [name, value] : p.sizes)
        if (value != posed[0].sizes.at(name)) varying.insert(name);
    if (varying.empty()) return make_error("the sketch gives one size only");
    growth.names_.assign(varying.begin(), varying.end());
    growth.base_ = posed[0].sizes;
    for (std::size_t corner = 0; corner < std::size_t{1} << growth.names_.size(); ++corner) {
      Sizes sizes = growth.base_;
      for (std::size_t i = 0; i < growth.names_.size(); ++i)
        if (corner >> i & 1) sizes[growth.names_[i]] *= 2;
      auto at = measure(pair.sketch, pair.spec, sizes);
      if (!at.ok()) return at.errors();
      growth.corners_.push_back(at->extents);
    }
    for (const Posed& p : posed)
      if (growth.extents(p.sizes) != p.extents) return make_error("the buffers do not grow linearly with each size");
    return growth;
  }

  // The first size's, every free name times `factor`.
  Result<Posed> grown(std::int64_t factor) const {
    Sizes sizes = base_;
    for (const std::string& name : names_) sizes[name] *= factor;
    auto shape = evaluate(*pair_->sketch.directives.launch, sizes, pair_->sketch.source);
    if (!shape.ok()) return shape.errors();
    return Posed{sizes, *shape, extents(sizes)};
  }

 private:
  explicit Growth(const Pair& pair) : pair_(&pair) {}

  std::vector<std::int64_t> extents(const Sizes& sizes) const {
    std::vector<std::int64_t> result;
    for (std::size_t parameter = 0; parameter < corners_[0].size(); ++parameter) {
      long double extent = 0;
      for (std::size_t corner = 0; corner < corners_.size(); ++corner) {
        long double part = static_cast<long double>(corners_[corner][parameter]);
        for (std::size_t i = 0; i < names_.size(); ++i) {
          const long double times =
              static_cast<long double>(sizes.at(names_[i])) / static_cast<long double>(base_.at(names_[i]));
          part *= corner >> i & 1 ? times - 1 : 2 - times;
        }
        extent += part;
      }
      result.push_back(std::llround(extent));
    }
    return result;
  }

  const Pair* pair_;
  std::vector<std::string> names_;
  Sizes base_;
  std::vector<std::vector<std::int64_t>> corners_;  // extents in slots; bit i of the position: names_[i] doubled
};

}  // namespace swizzle::bench
