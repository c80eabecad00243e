#include "tools/check_fixes.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "codegen/run/files.h"
#include "driver/array_fixes.h"
#include "tools/exit_codes.h"
#include "tools/verify.h"

namespace swizzle {
namespace {

constexpr unsigned kSecondsToVerify = 20;

// The exit code of `verify`, in a process of its own: it may take too long.
int verified(const std::string& fixed, const std::string& original, const ArrayFix& fix, const CheckRequest& request) {
  std::vector<std::string> arguments = {
      fixed, "--spec", original, "--kernel", fix.kernel.substr(0, fix.kernel.find('<')), "--proof=posed", "--run=none"};
  for (const auto& [name, value] : request.launch.set) arguments.push_back(fmt::format("--set={}={}", name, value));
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) return kExitUnknown;
  if (child == 0) {
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    alarm(kSecondsToVerify);
    Options options;
    if (const auto code = parse_verify_options(arguments, options)) _exit(*code);
    options.flags = request.flags;
    _exit(verify(options));
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : kExitUnknown;
}

std::string original_text(const CheckedFile& file) { return file.report.source.text(); }

// Whether a fix may be written, and what tells so.
bool is_safe(const CheckedFile& file, const CheckRequest& request, const ArrayFix& fix, std::string& note) {
  const ScratchFolder scratch;
  const auto fixed = scratch.write("fixed.cu", fixed_text(file, {fix})),
             original = scratch.write("original.cu", original_text(file));
  if (!fixed.ok() || !original.ok()) return false;
  CheckRequest beside = request;
  beside.flags.include_folders.insert(beside.flags.include_folders.begin(), parent_folder(request.path));
  const int code = verified(*fixed, *original, fix, beside);
  if (code == kExitFound) note = "verify: the kernel computes the same";
  else if (code == kExitFailedVerification) note = "not written: verify says that the kernel computes something else";
  else if (fix.needs_proof) note = "not written: that the kernel computes the same could not be shown";
  else if (fix.change.bytes_more > 0) note = "each use of the array names row and column";
  else note = "each use of the array is swizzled";
  return code == kExitFound || (code != kExitFailedVerification && !fix.needs_proof);
}

std::int64_t lost_in(const CheckReport& report) {
  std::int64_t lost = 0;
  for (const KernelCheck& kernel : report.kernels)
    for (const AccessSite& site : kernel.trace.sites)
      if (site.space == MemorySpace::kShared) lost += site.excess();
  return lost;
}

// Of all together: the file is read, and loses no more than with the last alone.
bool is_better(const CheckedFile& file, const CheckRequest& request, const std::vector<ArrayFix>& fixes) {
  CheckRequest changed = request;
  changed.text = fixed_text(file, fixes);
  const auto checked = check_kernels(changed);
  return checked.ok() && checked->report.kernels.size() == file.report.kernels.size() &&
         lost_in(checked->report) < lost_in(file.report) &&
         uncounted(checked->report).size() <= uncounted(file.report).size();
}

SuggestedFix told(const CheckedFile& file, const ArrayFix& fix) {
  const LineColumn at = file.report.source.locate(fix.at.begin);
  SuggestedFix out;
  out.kernel = fix.kernel;
  out.array = fix.array;
  out.location = fmt::format("{}:{}:{}", file.report.source.path(), at.line, at.column);
  out.was = fix.change.was;
  out.is = fix.change.is;
  out.wavefronts_before = fix.wavefronts_before;
  out.wavefronts_after = fix.wavefronts_after;
  out.ideal = fix.ideal;
  out.bytes_more = fix.change.bytes_more;
  out.swizzle = fix.change.swizzle;
  out.is_alternative = fix.is_alternative;
  return out;
}

}  // namespace

std::vector<SuggestedFix> suggested_fixes(const CheckedFile& file, const CheckRequest& request, FixKinds kinds,
                                          bool writes) {
  const bool can_write = writes && request.path != "-";
  std::vector<SuggestedFix> out;
  std::vector<ArrayFix> to_write;
  bool is_done = false;  // what the array needs
  for (const ArrayFix& fix : array_fixes(file, request, kinds)) {
    is_done = is_done && fix.is_alternative;
    if (is_done) continue;
    out.push_back(told(file, fix));
    if (!can_write || !is_safe(file, request, fix, out.back().note)) continue;
    to_write.push_back(fix);
    out.back().is_written = is_done = true;
  }
  if (to_write.empty()) return out;
  const bool is_written =
      is_better(file, request, to_write) && write_file_atomically(request.path, fixed_text(file, to_write)).ok();
  for (SuggestedFix& fix : out) {
    if (!fix.is_written || is_written) continue;
    fix.is_written = false;
    fix.note = "not written: the file cannot be, or is not better with all of the changes";
  }
  return out;
}

}  // namespace swizzle
