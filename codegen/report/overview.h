// What the checks of several files found together: from the reports that `check --json` writes, one a file.
//
//   Overview all = overview_of({{"a.cu", report_of_a}, {"b.cu", report_of_b}});
//   all.kernels[0].lost;         wavefronts beyond the ideal, in what was counted of a kernel's launch
//   all.conflicts, all.not_counted, all.said
//
// A header's kernel that several files launch alike counts once. What was not counted of it in one file, and was in
// another, was counted.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "codegen/report/about.h"

namespace swizzle {

// A place, columns in characters (1-based, `end_column` behind the last), and the line as it reads there.
struct ReportedPlace {
  std::string path;
  int line = 0, column = 0, end_column = 0;
  std::string text;
};

// An access to shared memory with bank conflicts.
struct ReportedConflict {
  ReportedPlace at;
  std::size_t kernel = 0;  // in Overview::kernels
  std::string access;      // "shared load"
  std::string array;
  int bits = 32;
  std::int64_t worst = 0, ideal = 0, total = 0, total_ideal = 0;
  std::optional<std::string> ignored;
  bool is_known = false;  // it is in the baseline

  std::int64_t lost() const { return total - total_ideal; }
  bool is_accepted() const { return ignored || is_known; }
};

// What another rule says.
struct ReportedViolation {
  std::string
      rule;  // "uncoalesced", "misaligned", "out-of-bounds", "race", "warp-race", "read-before-write", "barrier"
  ReportedPlace at;
  std::size_t kernel = 0;
  std::string why;
  std::optional<std::string> ignored;
  bool is_known = false;

  bool is_accepted() const { return ignored || is_known; }
};

// A launch of a kernel.
struct ReportedKernel {
  std::string name, path;
  int line = 0;
  std::array<int, 3> grid{}, block{};
  std::int64_t wavefronts = 0, lost = 0;  // in shared memory
  std::string launch;                     // what tells it: "from line 21"
  std::vector<std::pair<std::string, std::int64_t>> sizes;
  std::vector<std::string> assumed;  // names among them
};

struct ReportedGap {
  std::string kernel;
  ReportedPlace at;  // path may be empty
  std::string why;
  std::optional<std::string> ignored;
  bool is_known = false;

  bool is_accepted() const { return ignored || is_known; }
};

// A file, and what came of it.
struct FileReport {
  std::string path;
  std::string text;          // as `check --json` writes it; empty: there is none
  std::string trouble = {};  // then, why: "took longer than 60 s"
};

struct Overview {
  std::vector<ReportedKernel> kernels;
  std::vector<ReportedConflict> conflicts;
  std::vector<ReportedViolation> violations;
  std::vector<ReportedGap> not_counted;
  std::vector<Finding> said;          // other errors and warnings
  std::vector<std::string> fixes;     // a line each
  std::vector<std::string> recorded;  // what a recording calls the kernels that are counted
  std::size_t files = 0, files_without_kernel = 0;
};

Overview overview_of(const std::vector<FileReport>& files);

// All there is to tell: what was said, conflicts, what was not counted.
std::vector<Finding> findings_of(const Overview& overview);

// What these rules say, and nothing else.
void keep_rules(const std::set<std::string>& rules, Overview& overview);

// Whether one of them says something that is not accepted.
bool has_open(const Overview& overview, const std::set<std::string>& rules);
std::size_t open_gaps(const Overview& overview);

}  // namespace swizzle
