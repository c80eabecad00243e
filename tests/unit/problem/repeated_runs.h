// A program executed by groups that stand for others, beside the same program executed as a whole: whatever the first
// tells, the second does.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "frontend/parse.h"
#include "synth/problem/repetitions.h"

namespace swizzle::test {

// f(const int* x, const int* w, int* y, int n) of this body.
inline Result<Program> parsed_body(const std::string& body, bool is_kernel, const std::string& before = "") {
  const std::string text = before + (is_kernel ? "__global__ void f" : "void f") +
                           "(const int* x, const int* w, int* y, int n) {\n" + body + "\n}\n";
  return is_kernel ? parse_kernel(SourceText("k.cu", text), "f") : parse_spec(SourceText("s.cpp", text), "f");
}

class RepeatedRuns {
 public:
  RepeatedRuns(const Program& program, std::int64_t n, std::optional<LaunchShape> shape = {},
               std::optional<std::int64_t> extent = {}, bool counts_issues = true)
      : counts_issues_(counts_issues) {
    Execution how{.sizes = {{"n", n}},
                  .shape = shape,
                  .counts_issues = counts_issues,
                  .step_limit = 2'000'000,
                  .deadline = {},
                  .memory = {}};
    if (extent) how.extents = std::vector<std::int64_t>{*extent, *extent, *extent, 1};
    whole_ = execute(program, how, provenance_, points_);
    how.groups = Groups::kAlike;
    repeated_ = execute(program, how, provenance_, points_of_groups_);
    if (repeated_->ok()) groups_ = (*repeated_)->repetitions.size();
  }

  // Of how many groups something is known; 0: each was executed.
  std::size_t groups() const { return groups_; }
  std::string error() const { return whole_->ok() ? "" : render(whole_->errors()[0]); }

  void expect_equal() {
    ASSERT_EQ(error(), repeated_->ok() ? "" : render(repeated_->errors()[0]));
    if (!whole_->ok()) return;
    EXPECT_EQ(points_.size(), points_of_groups_.size());
    const Trace& whole = **whole_;
    Trace& repeated = **repeated_;
    EXPECT_EQ(whole.touched, repeated.touched);
    EXPECT_EQ(whole.dynamic_shared_bytes, repeated.dynamic_shared_bytes);
    if (counts_issues_) {
      EXPECT_EQ(text_of(whole.counts), text_of(repeated.counts));
    }
    EXPECT_EQ(whole.hole_executions, repeated.hole_executions);
    EXPECT_EQ(whole.hole_indexed, repeated.hole_indexed);
    if (counts_issues_) {
      EXPECT_EQ(texts_of_issues(whole), texts_of_issues(repeated));
    }
    EXPECT_EQ(texts_of_accesses(whole), texts_of_accesses(repeated));
    EXPECT_EQ(texts_of_requirements(whole), texts_of_requirements(repeated));
    expand(repeated, provenance_);
    for (std::size_t b = 0; b < whole.cells.size(); ++b) {
      ASSERT_EQ(whole.cells[b].size(), repeated.cells[b].size());
      for (const auto& [slot, cell] : whole.cells[b]) {
        ASSERT_TRUE(repeated.cells[b].contains(slot)) << slot;
        EXPECT_EQ(provenance_.normalize(cell.value), provenance_.normalize(repeated.cells[b].at(slot).value)) << slot;
      }
    }
  }

 private:
  static std::string text_of(const Counts& c) {
    return fmt::format("{} shuffles, {} accumulates, {} multiplies, {} wavefronts, {} loads", c.shuffles, c.accumulates,
                       c.multiplies, c.shared_wavefronts, c.loads);
  }
  static std::string text_of(Value v) { return fmt::format("{}:{}:{}", static_cast<int>(v.kind), v.aux, v.bits); }
  static std::vector<std::string> texts_of_issues(const Trace& trace) {
    std::vector<std::string> texts;
    for (const GuardedIssue& issue : trace.guarded) {
      texts.push_back(text_of(issue.counts));
      for (const Value& guard : issue.guards) texts.back() += ", " + text_of(guard);
    }
    return texts;
  }
  static std::vector<std::string> texts_of_accesses(const Trace& trace) {
    std::vector<std::string> texts;
    for (const SharedAccess& access : trace.shared_accesses) {
      texts.push_back(fmt::format("{} bits, {} behind, {} times", access.bits, access.offset_bytes, access.count));
      for (const Value& lane : access.lanes) texts.back() += ", " + text_of(lane);
    }
    return texts;
  }
  static std::vector<std::string> texts_of_requirements(const Trace& trace) {
    std::vector<std::string> texts;
    for (const Requirement& r : trace.requirements) texts.push_back(r.message + " if " + text_of(r.violation));
    return texts;
  }

  bool counts_issues_ = true;
  Provenance provenance_;
  PointTable points_, points_of_groups_;
  std::size_t groups_ = 0;
  std::optional<Result<Trace>> whole_, repeated_;
};

}  // namespace swizzle::test
