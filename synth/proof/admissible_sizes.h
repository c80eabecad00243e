// AdmissibleSizes: the sizes that a kernel is for, as its launch and its assumptions say.
//
//   launch grid(n / 64) block(64)             n % 64 == 0, 64 <= n      a remainder would have no block
//   launch grid((n + 63) / 64) block(64)      1 <= n                    ragged edges are the kernel's to guard
//   launch grid(1) block(32), instance n = 32                           n == 32: nothing says that n may vary
//   assume n % 48 == 0                        n % 48 == 0               what the user asks of n
//
// A parameter that the launch does not name varies if the instances and checks give it several values; if one, it stays
// or varies as the caller asks; one that nobody gave varies.
#pragma once

#include <string>
#include <vector>

#include "synth/program/program.h"
#include "synth/program/size_tree.h"

namespace swizzle {

// Whether it is a parameter of type bool, which is no size.
bool is_truth(const Program& kernel, const std::string& name);

// A parameter that the launch does not name and that has one value everywhere; kHandedStays: where the launch hands it
// a number.
enum class OneValue { kStays, kHandedStays, kVaries };

class AdmissibleSizes {
 public:
  // `known`: the instances and the checks, which all are admissible. Errors: what does not parse.
  static Result<AdmissibleSizes> of(const Program& kernel, const std::vector<Sizes>& known,
                                    OneValue one_value = OneValue::kStays);

  bool admits(const Sizes& sizes) const;
  bool varies(const std::string& parameter) const { return !fixed_.contains(parameter); }
  bool keeps_any() const { return !fixed_.empty(); }
  // {"n % 64 == 0", "64 <= n"}: as C writes them.
  std::vector<std::string> conditions() const;
  // Of these, what the launch divides: {"n % 64 == 0"}.
  std::vector<std::string> divisions() const;

 private:
  explicit AdmissibleSizes(const Program& kernel) : kernel_(&kernel) {}

  const Program* kernel_;
  std::vector<SizeTree> counts_;  // of blocks and threads: each is positive
  std::vector<Divides> exact_;
  Sizes fixed_;
};

}  // namespace swizzle
