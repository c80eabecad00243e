// How many steps each launch of a file may take: a file of a hundred instances must end, too.
//
//   StepBudget budget(100, 40);           all 40 launches together 1,200
//   budget.next()                         30: its share of what is left
//   budget.spent(6); budget.next()        30, 31 (1194 / 38), …: what one leaves the others have, each at most 100
#pragma once

#include <algorithm>
#include <cstdint>

namespace swizzle {

class StepBudget {
 public:
  StepBudget(std::int64_t limit_of_launch, std::int64_t launches)
      : limit_(limit_of_launch),
        left_(kLaunchesInFull * limit_of_launch),
        launches_(launches) {}

  std::int64_t next() {
    const std::int64_t share = left_ / std::max<std::int64_t>(1, launches_--);
    return std::clamp(share, std::max<std::int64_t>(1, limit_ / kLeastShare), limit_);
  }
  void spent(std::int64_t steps) { left_ = std::max<std::int64_t>(0, left_ - steps); }

 private:
  static constexpr std::int64_t kLaunchesInFull = 12, kLeastShare = 64;
  std::int64_t limit_, left_, launches_;
};

}  // namespace swizzle
