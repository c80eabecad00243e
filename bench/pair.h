// A sketch with its spec, parsed: what benchmarks start from.
//
//   Result<Pair> pair = load_pair("sketches/stencil1d.cu", "specs/stencil1d.cpp");
//   Result<PosedAssignments> posed = pose_assignments(task_of(*pair));        // at the sketch's instances
//
// Errors: as the phases give them.
#pragma once

#include <string>

#include "frontend/parse.h"
#include "synth/synthesis/constant_search.h"

namespace swizzle::bench {

struct Pair {
  Program sketch;
  Program spec;
  std::vector<Sizes> instances;
  std::vector<Sizes> checks;
};

inline Result<Pair> load_pair(const std::string& sketch_path, const std::string& spec_path) {
  auto sketch_text = read_source(sketch_path);
  if (!sketch_text.ok()) return sketch_text.errors();
  auto spec_text = read_source(spec_path);
  if (!spec_text.ok()) return spec_text.errors();
  auto sketch = parse_kernel(*sketch_text, "");
  if (!sketch.ok()) return sketch.errors();
  auto spec = parse_spec(*spec_text, sketch->function(sketch->entry).name);
  if (!spec.ok()) return spec.errors();
  auto instances = sizes_of(*sketch, sketch->directives.instances, {});
  if (!instances.ok()) return instances.errors();
  auto checks = sizes_of(*sketch, sketch->directives.checks, {});
  if (!checks.ok()) return checks.errors();
  return Pair{std::move(*sketch), std::move(*spec), std::move(*instances), std::move(*checks)};
}

inline SynthesisTask task_of(const Pair& pair) {
  return {pair.sketch, pair.spec, pair.instances, {}, *issue_costs_for("sm_90"), 1};
}

}  // namespace swizzle::bench
