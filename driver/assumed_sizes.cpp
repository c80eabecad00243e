#include "driver/assumed_sizes.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace swizzle {
namespace {

constexpr std::int64_t kOtherSizes[] = {1056, 2048};  // an odd number of warps, and a power of two
constexpr std::int64_t kFewer[] = {64, 16};

// Each of those that are assumed is `size`.
Sizes with_assumed(std::int64_t size, const KernelCheck& check) {
  Sizes sizes(check.sizes.begin(), check.sizes.end());
  for (const std::string& name : check.assumed) sizes[name] = size;
  return sizes;
}

bool is_of_places(const Violation& violation) {
  return violation.rule == "out-of-bounds" || violation.rule == "misaligned";
}

bool is_same_place(const AccessSite& a, const AccessSite& b) {
  return a.range.begin == b.range.begin && a.range.end == b.range.end && a.call_site.begin == b.call_site.begin &&
         a.operation == b.operation && a.bits == b.bits;
}

// Null: no request goes there.
const AccessSite* same_site(const AccessTrace& trace, const AccessSite& site) {
  const auto found = std::ranges::find_if(trace.sites, [&](const AccessSite& s) { return is_same_place(s, site); });
  return found == trace.sites.end() || found->requests == 0 ? nullptr : &*found;
}

class Doubts {
 public:
  Doubts(const SourceText& source, KernelCheck& check) : source_(source), check_(check) {}

  void compare(const AccessTrace& other, std::int64_t size) {
    if (!other.is_complete) return;
    for (const AccessSite& site : other.sites) {
      const AccessSite* assumed = same_site(check_.trace, site);
      const bool is_free = assumed == nullptr || (assumed->excess() == 0 && assumed->not_counted == 0);
      if (site.space == MemorySpace::kShared && site.excess() > 0 && is_free && told_.insert(site.range.begin).second)
        tell(site, assumed != nullptr ? assumed->worst : 0, size);
    }
  }

 private:
  void tell(const AccessSite& site, int assumed, std::int64_t size) {
    const std::string names = fmt::format("{}", fmt::join(check_.assumed, ", "));
    Diagnostic d = make_diagnostic(
        Severity::kWarning, source_, site.range,
        fmt::format("this rests on what is assumed of {}: it takes {} at {}, and {} at {}; say it: --set {}=…", names,
                    wavefronts(assumed), check_size(), wavefronts(site.worst), size, check_.assumed[0]));
    check_.trace.remarks.push_back(d);
    check_.trace.uncounted.push_back(std::move(d));
  }
  static std::string wavefronts(int n) { return n == 1 ? "1 wavefront" : fmt::format("{} wavefronts", n); }
  std::int64_t check_size() const {
    return std::ranges::find(check_.sizes, check_.assumed[0], &std::pair<std::string, std::int64_t>::first)->second;
  }

  const SourceText& source_;
  KernelCheck& check_;
  std::set<std::uint32_t> told_;
};

}  // namespace

void assume_fewer(const TraceAtSizes& trace_at, KernelCheck& check) {
  const auto accesses_any = [](const AccessTrace& trace) {
    return std::ranges::any_of(trace.sites, [](const AccessSite& site) { return site.requests > 0; });
  };
  for (const std::int64_t size : kFewer) {
    if (check.assumed.size() < 3 || !check.trace.is_complete || accesses_any(check.trace)) return;
    const Sizes sizes = with_assumed(size, check);
    AccessTrace trace = trace_at(sizes);
    if (!accesses_any(trace)) continue;
    check.trace = std::move(trace);
    for (auto& [name, value] : check.sizes) value = sizes.at(name);
  }
}

void doubt_violations(const TraceAtSizes& trace_at, KernelCheck& check) {
  if (check.assumed.empty() || std::ranges::none_of(check.trace.violations, is_of_places)) return;
  std::vector<std::vector<Violation>> others;
  for (const std::int64_t size : {kFewer[0], kFewer[1], std::int64_t{1}})
    others.push_back(trace_at(with_assumed(size, check)).violations);
  const auto is_same = [](const Violation& a, const Violation& b) {
    return a.rule == b.rule && a.said.where.line == b.said.where.line && a.said.where.column == b.said.where.column;
  };
  std::vector<std::string> assumed;
  for (const auto& [name, value] : check.sizes)
    if (std::ranges::count(check.assumed, name) > 0) assumed.push_back(fmt::format("{} = {}", name, value));
  std::erase_if(check.trace.violations, [&](const Violation& violation) {
    const bool is_always = std::ranges::all_of(others, [&](const std::vector<Violation>& there) {
      return std::ranges::any_of(there, [&](const Violation& v) { return is_same(v, violation); });
    });
    if (!is_of_places(violation) || is_always) return false;
    for (Diagnostic& remark : check.trace.remarks)
      if (remark.message == violation.said.message && remark.where.line == violation.said.where.line)
        remark.message += fmt::format(", with {}, as is assumed: --set {}=… says otherwise", fmt::join(assumed, ", "),
                                      check.assumed[0]);
    return true;
  });
}

void doubt_assumed_sizes(const SourceText& source, const TraceAtSizes& trace_at, KernelCheck& check) {
  if (check.assumed.empty() || !check.trace.is_complete) return;
  Doubts doubts(source, check);
  for (const std::int64_t size : kOtherSizes) doubts.compare(trace_at(with_assumed(size, check)), size);
}

}  // namespace swizzle
