// Whether the emitted kernel is the spec at sizes that nobody gave: the step between re-reading and running.
//
//   AllSizes all = judge_all_sizes(reread, posed.task.spec, {.proof = Proof::kAuto});
//   all.outcome          kRefuted: all.counterexample->sizes is {n=96}, all.ending says what is wrong there
//                        kNotProved: all.reason says why; the sizes that were tried agree
//                        kProved: all.counterexample is of a size that nothing excludes, and that it is not proved for
//   with_proof(text, all)  the kernel, whose head says for which sizes it is proved
//
// A proof is that of synth/proof/all_sizes_proof.h. A refutation is an execution of kernel and spec at an admissible
// size (synth/proof), and nothing less.
#pragma once

#include <optional>
#include <string>

#include "driver/completion.h"

namespace swizzle {

enum class Proof { kAuto, kAll, kPosed };  // auto: for two seconds at most; posed: at the given sizes alone

struct AllSizes {
  Report::AllSizes said;
  std::optional<Ending> ending = {};  // of a kernel that is refuted
  std::optional<Sizes> suspect = {};  // where a proof did not succeed
  std::string of_multiples = {};      // what it holds for then, if sizes that are divided leave nothing
};

// Past the limit, nothing is proved and no further size is tried.
AllSizes judge_all_sizes(const RereadKernel& reread, const Program& spec, Proof proof, const Deadline& limit = {},
                         Observer& observer = nobody());

// "a kernel that is not for this size says so: …"
Diagnostic note_of_assumptions();

// Where and at which size a kernel is not the spec.
Report::Counterexample counterexample_of(const Sizes& sizes, const Refutation& refuted, const Program& kernel);

// Of holds_for: "every n that is a multiple of 64, up to 2147483584".
std::string for_which_sizes(const std::string& holds_for);

// Of sizes that nobody gave: "proved for every n from 1 to …"; "proved for every size with K == 8, and wrong at K=2";
// "not proved for other sizes, of which 6 agree (why)"; "… other sizes with n % 8 == 0, as its launch divides, of which
// …": of what has a rest nothing is said.
std::string other_sizes_text(const Report::AllSizes& all);

// Of a proof for some sizes: what the kernel is at others that nothing excludes; empty: nothing is known of them.
// "at K=33, y[0] is …, and nothing says that the kernel is not for this size"
std::string beyond_text(const Report::AllSizes& all);

// "…\n// equal to the spec for every n that is a multiple of 64, up to 2147483584\n…"; as it was, if nothing is proved.
std::string with_proof(std::string kernel, const AllSizes& all);

}  // namespace swizzle
