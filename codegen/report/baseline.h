// What is accepted as it is: conflicts and gaps that a repository has when the check is introduced, so that only new
// ones fail. The tool writes it (`check --write-baseline FILE`), and a reader of the repository may.
//
//   {"schema": 1, "conflicts": [{"file": "src/t.cu", "kernel": "transpose", "access": "shared load", "array": "tile",
//     "bits": 32, "text": "out[i] = tile[threadIdx.x][0];", "excess": 31}], "not_counted": []}
//
// Lines may move: a conflict is known by its file, kernel, array, and the text of its line. Of several that agree in
// these, as many are known as the baseline has; one that became worse is new.
//
// Errors: what is not such a file.
#pragma once

#include <string>
#include <vector>

#include "codegen/report/overview.h"

namespace swizzle {

struct KnownConflict {
  std::string file, kernel, access, array, text;
  int bits = 32;
  std::int64_t excess = 0;  // wavefronts of the worst request beyond the ideal
};

struct KnownGap {
  std::string file, kernel, why, text;
};

struct KnownViolation {
  std::string file, kernel, rule, text;
};

struct Baseline {
  std::vector<KnownConflict> conflicts;
  std::vector<KnownGap> not_counted;
  std::vector<KnownViolation> violations;  // of other rules: as many as there are
};

// Files are relative to `folder`, that of the baseline.
Baseline baseline_of(const Overview& overview, const std::string& folder);
std::string to_json(const Baseline& baseline);
Result<Baseline> read_baseline(const std::string& path, const std::string& text);

// Sets is_known. Returns how many entries of the baseline are found no more.
std::size_t mark_known(const Baseline& baseline, const std::string& folder, Overview& overview);

}  // namespace swizzle
