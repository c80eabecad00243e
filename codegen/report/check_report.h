// What `swizzle-synth check` says about a file: a table, and the same as JSON (docs/bank_conflicts.md).
//
//   transpose: grid (32, 32), block (32, 8) from line 21; n = 1024 (assumed)
//     location    access                   bits  worst  ideal   total  ideal
//     t.cu:10:3   shared store  tile         32      1      1      24     24
//     t.cu:12:22  shared load   tile         32     32      1     768     24  32 words of bank 0: lanes 0 to 31, bytes
//     0 to 3968 of tile
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codegen/report/about.h"
#include "synth/access/access_trace.h"

namespace swizzle {

// What is said of a file without any kernel that a recording launches.
inline constexpr const char* kNothingRecordedHere = "no launch of the recording is of a kernel here";

// What a recording calls the kernel, and how often it was launched so.
struct RecordedAs {
  std::string kernel;
  std::int64_t occurrences = 0;
};

struct KernelCheck {
  std::string name;
  SourceRange name_range = {};  // where it is defined
  LaunchShape shape;
  int lanes = 32;            // of a warp
  std::string shape_origin;  // "from line 21", "assumed: …"
  std::optional<RecordedAs> recorded = {};
  std::vector<std::pair<std::string, std::int64_t>> sizes;
  std::vector<std::string> assumed;  // names among `sizes`
  AccessTrace trace;
  Diagnostics skipped;               // by the parser: code that is not followed
  Diagnostics assumed_of_file = {};  // headers that were not read, template arguments that nothing tells
};

// Accesses to shared memory may be there that were not counted, and why.
struct Uncounted {
  std::string kernel;
  Diagnostic why;
};

// A change to an array that leaves fewer conflicts.
struct SuggestedFix {
  std::string kernel, array, location, was, is;
  std::int64_t wavefronts_before = 0, wavefronts_after = 0, ideal = 0;  // of all accesses to the array
  std::int64_t bytes_more = 0;                                          // that the array takes
  std::string swizzle;                                                  // CuTe's name of it; empty: none
  bool is_alternative = false;                                          // to the one before it
  bool is_written = false;
  std::string note;  // why it is not written, or what tells that the kernel computes the same; empty: nothing to say
};
std::string to_text(const SuggestedFix& fix);  // a line

struct CheckReport {
  SourceText source;
  std::vector<KernelCheck> kernels;
  std::vector<Uncounted> left_out;  // kernels of the file that are not among them
  double parse_seconds = 0, check_seconds = 0;
  About about = {};
  std::optional<std::vector<SuggestedFix>> fixes = {};  // nothing: nobody asked
  bool is_error = false;                                // the input or the environment is at fault
};

bool has_conflicts(const CheckReport& report);  // among what was counted

// Kernels that were left out; and of the others: code that was not followed, addresses and loops that data decide,
// what came behind the step limit.
std::vector<Uncounted> uncounted(const CheckReport& report);

std::string to_text(const CheckReport& report);
std::string to_json(const CheckReport& report);

// The warnings of a kernel, in source order.
Diagnostics remarks_of(const KernelCheck& kernel);

}  // namespace swizzle
