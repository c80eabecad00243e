// A sketch and its spec, read and parsed: where the pipeline starts.
//
//   Result<Pair> pair = load_pair({"sketches/reverse.cu", "specs/reverse.cpp"});
//   pair->sketch.holes.size();                          // 1
//   Result<PairSizes> sizes = sizes_of(*pair);          // sizes->instances: {n=64}, sizes->checks: {n=128}, …
//
// Errors: what cannot be read or parsed, signatures that do not match, a machine other than the sketch's.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "driver/observer.h"
#include "frontend/variants.h"
#include "synth/program/program.h"

namespace swizzle {

struct PairRequest {
  std::string sketch_path, spec_path;
  std::string kernel = {};         // which __global__ function of the sketch; empty: there is one
  std::string spec_function = {};  // which function is the spec; empty: as parse_spec() chooses
  std::string machine = {};        // whose shared memory counts; empty: as the sketch says
  CompileFlags flags = {};         // of sketch and spec
  Sizes set = {};                  // of the command line: what the launch alone takes
  TuneChoice tuned = {};           // of the sketch's ?sw_tune; empty: the first that parses
  std::optional<SourceText> sketch_text = {}, spec_text = {};  // that were read already
};

struct Pair {
  Program sketch;
  Program spec;
  double parse_seconds = 0;
  std::vector<TuneHole> tunes = {};  // of the sketch
  TuneChoice tuned = {};             // one for each
  SourceText sketch_text = {};       // with its ?sw_tune
  Sizes fixed = {};                  // what the launch takes, and neither kernel nor spec
};

Result<Pair> load_pair(const PairRequest& request, Observer& observer = nobody());

struct PairSizes {
  std::vector<Sizes> instances;  // one at least: `set` alone, where the sketch has no line
  std::vector<Sizes> checks;
  std::set<std::string> chosen = {};  // names of those that neither directives nor the command line tell
};

// Sizes that neither directives nor the command line tell: missing, or chosen where some fit (chosen_sizes.h), and then
// with few elements where the usual ones take too long.
enum class OpenSizes { kMissing, kChosen, kFewChosen };

// The size lines of the sketch; `set` takes the place of what its instances say, and not of its checks.
Result<PairSizes> sizes_of(const Pair& pair, const Sizes& set = {}, OpenSizes open = OpenSizes::kMissing);

// What else a kernel has once its spec is known: sizes that its launch alone takes, buffers that the spec reads as
// something narrower.
void fit_to_spec(Program& kernel, const Program& spec);

// With the words of all arrays followed bit by bit; nothing: some are, or others are not of integers.
std::optional<Pair> with_bits_followed(const Pair& pair);

bool has_shared_memory(const Program& kernel);

std::vector<std::string> headers_of(const Pair& pair);  // paths of those that either includes, each once

std::string machine_name(const Pair& pair);  // whose shared memory counts: "sm_90"

}  // namespace swizzle
