// Certificate: what Z3 says of the search's claim. It is asked by an encoding of the posed problem (synth/oracle) that
// shares neither propagation nor tables with the search.
//
//   found, cost 46, proved minimal      is this completion one, at 46 at most? (yes)     is one cheaper? (no)
//   infeasible                          is there any? (no)
//
// Each question is also a stand-alone script for Z3, where that is asked for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driver/synthesis.h"

namespace swizzle {

struct CertificateRequest {
  double seconds = 60;  // for all questions together
  bool scripts = false;
};

struct Certificate {
  struct Script {
    std::string name;  // "this_completion", "cheaper", "any"
    std::string text;  // SMT-LIB 2
  };
  Report::Certified said;
  std::vector<Script> scripts = {};
  std::optional<Ending> ending = {};  // where Z3 and the search disagree
};

// Of what was found or is infeasible; of neither, nothing is certified.
Certificate certify(const PosedPair& posed, Searched& searched, const IssueCosts& machine,
                    const CertificateRequest& request, Observer& observer = nobody());

// "SKETCH: Z3 agrees that this is a completion, and that none is cheaper; 2 questions, 3.100 s"
std::string certificate_text(const Report::Certified& said, Outcome outcome, const std::string& sketch_path);

}  // namespace swizzle
