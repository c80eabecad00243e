// Repetitions: sketch and spec were executed by groups that stand for others (repetition.h), and are
// compared likewise.
//
//   kernel   y[0 … 3], steps {4} over 3 blocks, of x steps {4}        spec   y[0], step 1 over i = 0 … 11, of x step 1
//     y[1] of block 2 is y[9]. The spec's y[9] is its y[1] with x moved by 8, and so is the kernel's: what is asked of
//     y[1] is what is asked of y[9], and need be asked once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "synth/execution/execute.h"
#include "synth/problem/problem.h"

namespace swizzle {

// What each slot comes from, of a program that repeats itself.
class Origins {
 public:
  explicit Origins(const Trace& trace);

  struct Origin {
    const Cell* cell = nullptr;  // null: nothing is stored there
    std::int64_t group = 0;      // of its repetition: by axis, the first one the fastest
  };
  const Origin& of(std::size_t buffer, std::int64_t slot) const;
  std::size_t size() const { return size_; }
  // By how much the elements of each buffer lie further along than the cell's own.
  std::vector<std::int64_t> moves(const Origin& origin) const;

 private:
  const Trace& trace_;
  std::vector<std::vector<Origin>> origins_;  // by buffer, by slot
  std::size_t size_ = 0;
};

// Every group of the kernel stores what the first of its repetition does, moved as the spec moves it: equations of the
// cells are equations of all slots.
bool repeat_alike(const Trace& kernel, const Trace& spec, const Origins& origins);

// With a cell for each slot, and no repetitions. False, and as it was, where the deadline passes first.
bool expand(Trace& trace, Provenance& provenance, const Deadline& deadline = {});

// A spec's trace: as given, or expanded, once it was found that a kernel does not repeat itself as it does.
class SpecTrace {
 public:
  explicit SpecTrace(const Trace& given) : given_(given) {}
  const Trace& operator*() const { return expanded_ ? *expanded_ : given_; }
  // Errors: the deadline.
  Result<std::monostate> expand(Provenance& provenance, const Deadline& deadline);

 private:
  const Trace& given_;
  std::optional<Trace> expanded_;
};

// The kernel's trace: with repetitions where the spec has them and both are alike. Otherwise `spec` is expanded.
// Errors: those of execute().
Result<Trace> execute_beside(const Program& kernel, Execution how, SpecTrace& spec, Provenance& provenance,
                             PointTable& points);

// Of one group for all that it stands for, of what repeats itself alike.
std::vector<Equation> repeated_equations(const Trace& kernel, const Trace& spec, Provenance& provenance,
                                         std::size_t instance);

}  // namespace swizzle
