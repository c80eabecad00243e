// Report: what one run of the tool found, and its JSON form.
//
//   {"schema": 1, "outcome": "found", "reason": "", "holes": [{"id": 0, "kind": "sw_xform",
//    "location": "aos3.cu:14:23", "expression": "(lane + k) & 31"}], "cost": {"shuffles": 2, …}, …}
//
// Times are in seconds, search space sizes are log10, cost.total is in cycles of issue time per warp.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "codegen/report/about.h"
#include "codegen/run/run.h"
#include "synth/base/outcome.h"
#include "synth/machine/wavefronts.h"
#include "synth/timing/kernel_time.h"

namespace swizzle {

struct Report {
  static constexpr int kSchema = 1;  // grows when a key changes its meaning or goes away

  struct Hole {
    int id = 0;
    std::string kind;        // HoleTraits::name
    std::string location;    // "file:line:column"
    std::string expression;  // as printed into the kernel
  };
  struct Layout {
    std::string name, location;
    int rows = 1, columns = 1;
    std::string expression;                        // over r, c
    std::int64_t elements = 0;                     // of the buffer that it asks for
    double wavefronts = 0, ideal = 0;              // per warp, of the accesses through it
    std::size_t members = 0;                       // of the families that it was chosen from
    std::optional<std::string> cute, triton, tma;  // the same under these names
  };
  struct Access {
    std::string location, operation;                   // "load", "store", "ldmatrix", "stmatrix"
    int bits = 0;                                      // per lane
    double executions = 0, wavefronts = 0, ideal = 0;  // per warp
    int worst = 0, worst_ideal = 0;                    // wavefronts of one execution
    std::optional<BankConflict> witness;
  };
  struct Completion {
    double cost = 0;                       // total
    std::vector<std::string> expressions;  // by hole
    std::optional<int> mirror_of;          // counted from 1
  };
  // A choice for every ?sw_tune, and what came of it.
  struct Variant {
    std::vector<std::int64_t> choice;
    std::size_t completion = 1;   // of this choice: with --tune also the second cheapest, …
    std::string outcome, reason;  // "found", "infeasible", "unknown", "error"; why not
    std::optional<double> cost;   // total
    std::optional<Optimality> optimality;
    std::optional<double> cycles_per_kilobyte;  // predicted
    std::optional<double> microseconds;         // measured, with --tune
    bool is_chosen = false;
  };
  struct SearchSpace {
    double raw = 0;                  // log10 of the number of completions
    std::optional<double> distinct;  // log10 of the number of different tables, where they were counted
  };
  struct Counterexample {
    std::map<std::string, std::int64_t> sizes;
    std::optional<std::int64_t> block, thread;  // in the launch; in the block
    std::string output;                         // "y[65]"; empty: it is no output that is wrong
  };
  // Of the sizes that the launch is for.
  struct AllSizes {
    enum class Outcome { kProved, kRefuted, kNotProved } outcome = Outcome::kNotProved;
    std::string holds_for;  // of kProved: "n % 64 == 0, 64 <= n"
    std::string divides;    // what the launch divides without a rest, wherever it is asked: "n % 8 == 0"
    std::string reason;     // of the others
    std::optional<Counterexample> counterexample;
    std::vector<std::string> tried;  // further sizes at which it was executed, and equals the spec
    int queries = 0;
    double seconds = 0;
  };
  // What Z3 confirmed, asked by an encoding of its own.
  struct Certified {
    enum class Claim { kNothing, kFeasibility, kCost } claim = Claim::kNothing;  // each with those before
    std::string reason;                                                          // why no more
    std::size_t queries = 0;
    double seconds = 0;
  };
  // How long the emitted kernel should take: see kernel_time.h.
  struct Predicted {
    std::optional<KernelTime> time;  // none: `reason` says why
    std::string reason;
    Throughput machine;  // whose figures it is predicted by
  };
  static const char* name_of(Certified::Claim claim);     // "nothing", "feasibility", "cost"
  std::string outcome_name() const;                       // "found", …; "equal" or "refuted" of a verification; "error"
  static const char* name_of(AllSizes::Outcome outcome);  // "proved", "refuted", "not_proved"

  struct Checked {
    std::vector<std::string> posed;            // "n=128"
    std::vector<std::string> assumed_extents;  // of a verification: "u(nx * ny)"
    std::vector<std::string> reread;
    std::optional<AllSizes> all_sizes;
    std::optional<RunOutcome> run;
  };
  struct Seconds {
    std::optional<double> parse, pose, search, emit, reread, prove, run;  // of phases that came to their end
    double total = 0;
  };

  About about;
  Outcome outcome = Outcome::kUnknown;
  std::string cached;            // the report of an earlier run that this one repeats; empty: there is none
  bool is_verification = false;  // of a kernel without holes: "equal" or "refuted"
  bool is_error = false;         // there is no outcome: the input or the environment is at fault
  std::string reason;
  std::string arch = "sm_90", costs_of = "sm_90";  // the target, and whose figures it is costed by
  std::optional<std::string> machine;              // whose shared memory counts
  std::vector<Hole> holes;
  std::vector<Layout> layouts;
  std::vector<Access> accesses;          // of shared memory, where holes have a say
  std::vector<Completion> completions;   // with --all
  std::vector<Variant> variants;         // of a sketch with ?sw_tune, the best first
  std::optional<Cost> cost;              // of a completion, if there is one
  std::optional<Optimality> optimality;  // likewise
  std::optional<double> at_least;        // of best_found: no completion costs less
  std::optional<SearchSpace> search_space;
  std::optional<Counterexample> counterexample;  // of a kernel that is verified, and refuted
  Checked checked;
  std::optional<Certified> certified;  // with --certify
  std::optional<Predicted> predicted;  // of a kernel that was re-read, where there are figures for the target
  Seconds seconds;
};

// One object, indented, ending in a newline. What there is not is null: checked.run when nothing was run, cost and
// optimality without a completion, seconds of a phase that did not end.
std::string to_json(const Report& report);

}  // namespace swizzle
