#include "tools/check_gate.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "codegen/report/baseline.h"
#include "codegen/run/files.h"

namespace swizzle {
namespace {

Diagnostic about_baseline(const std::string& path, std::string message) {
  Diagnostic d = make_error(std::move(message));
  d.path = path;
  return d;
}

}  // namespace

Result<std::monostate> apply_baseline(const CheckOptions& options, Overview& overview, Observer& observer) {
  if (options.baseline.empty()) return std::monostate{};
  const std::string folder = parent_folder(options.baseline);
  if (options.update_baseline) {
    const Baseline now = baseline_of(overview, folder);
    if (const auto written = write_file_atomically(options.baseline, to_json(now)); !written.ok()) return written;
    observer.say(fmt::format("{}: {} and {} that {} not counted\n", options.baseline,
                             counted(now.conflicts.size(), "conflict"), counted(now.not_counted.size(), "thing"),
                             now.not_counted.size() == 1 ? "was" : "were"));
    mark_known(now, folder, overview);
    return std::monostate{};
  }
  std::ifstream in(options.baseline, std::ios::binary);
  if (!in) return about_baseline(options.baseline, "cannot be read; --update-baseline writes it");
  const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  const auto baseline = read_baseline(options.baseline, text);
  if (!baseline.ok()) return baseline.errors();
  if (const std::size_t gone = mark_known(*baseline, folder, overview); gone > 0)
    observer.say(fmt::format("{}: {} found no more; --update-baseline drops {}\n", options.baseline,
                             gone == 1 ? "an entry is" : fmt::format("{} entries are", gone),
                             gone == 1 ? "it" : "them"));
  return std::monostate{};
}

ExitCode gate(const Overview& overview, const CheckOptions& options, const std::string& name, Observer& observer) {
  const bool may_be_uncounted = options.fail_on_conflicts && options.allow_uncounted && !overview.not_counted.empty();
  if (overview.kernels.empty()) return may_be_uncounted ? kExitFound : kExitBadInput;
  if (!options.fail_on_conflicts) return kExitFound;
  if (has_open(overview, options.fail_on)) return kExitConflicts;
  const std::size_t open = options.allow_uncounted ? 0 : open_gaps(overview);
  if (open == 0) return kExitFound;
  observer.say(fmt::format("{}: unknown: {} not counted, as said above; --allow-uncounted lets that pass\n", name,
                           open == 1 ? "something was" : fmt::format("{} things were", open)));
  return kExitUnknown;
}

}  // namespace swizzle
