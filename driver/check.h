// Checking the kernels of a file as they are: parse, choose a launch, trace the accesses.
//
//   Result<CheckedFile> file = check_kernels({.path = "transpose.cu"}, observer);
//   to_text(file->report);              // wavefronts and sectors of every access: see codegen/report/check_report.h
//   has_conflicts(file->report);
//
// Errors: the file cannot be read or parsed, or has no such kernel. A kernel is checked once for each of its launches;
// of a launch that is not known it is left out, and the observer is told why. It is told the remarks on each, too.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codegen/picture/drawing.h"
#include "codegen/report/check_report.h"
#include "driver/check_launch.h"
#include "driver/observer.h"
#include "driver/recording.h"
#include "frontend/parse_check.h"

namespace swizzle {

enum class PtxUse { kAuto, kAlways, kNever };  // kAuto: where Clang does not follow all of a kernel

struct CheckRequest {
  std::string path;
  std::optional<std::string> text = {};  // in place of what the file holds
  std::string kernel = {};               // "name", "name<32>"; empty: all
  std::string machine = {};              // empty: as the file says
  CompileFlags flags = {};               // headers are read from the file's own folder, too
  LaunchRequest launch = {};
  std::vector<std::string> instances = {};  // "copy<4>": of templates, besides those that the file makes
  bool names_may_be_elsewhere = false;      // those in `launch`, in another file
  bool follows_history = false;             // for the rules race, warp-race, read-before-write and barrier
  bool all_blocks = false;                  // or the first, the middle and the last one
  std::int64_t step_limit = 3'000'000;  // evaluated statements and expressions, in one launch; of many: step_budget.h
  PtxUse ptx = PtxUse::kAuto;           // that nvcc makes of a CUDA file
  std::vector<std::string> nvcc_flags = {};         // for this, besides `flags`
  std::shared_ptr<const Recording> recording = {};  // its launches count, and no others
  std::vector<std::string> only = {};               // instances by their whole names, the others left aside; empty: all
};

struct CheckedFile {
  CheckReport report;                  // launches that are known
  std::vector<CheckedKernel> kernels;  // all
};

// By its text alone.
Result<CheckedFile> check_kernels(const CheckRequest& request, Observer& observer = nobody());

// What of this is done first: the kernels as Clang reads them.
Result<ParsedKernels> parse_kernels(const SourceText& source, const CheckRequest& request);

// The access that conflicts most. Error: none to shared memory.
Result<TilePicture> worst_picture(const CheckedFile& file);

}  // namespace swizzle
