#include "codegen/report/check_report.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "codegen/report/ignored_lines.h"
#include "synth/base/text.h"

namespace swizzle {
namespace {

const char* space_name(MemorySpace space) { return space == MemorySpace::kShared ? "shared" : "global"; }

std::string location(const SourceText& source, SourceRange range) {
  const LineColumn at = source.locate(range.begin);
  return fmt::format("{}:{}:{}", source.path_of(range.begin), at.line, at.column);
}

bool has_call_site(const AccessSite& site) { return site.call_site.end > 0; }

std::string dimensions(const std::array<int, 3>& d) {
  if (d[2] != 1) return fmt::format("({}, {}, {})", d[0], d[1], d[2]);
  return d[1] != 1 ? fmt::format("({}, {})", d[0], d[1]) : fmt::format("({})", d[0]);
}

std::string counted(std::int64_t count, const std::string& what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

// "lanes 0 to 31, bytes 0 to 3968 of tile" for what goes in steps, else the first few.
std::string progression(const char* what, const std::vector<std::int64_t>& values) {
  constexpr std::size_t kShown = 4;
  std::string text = fmt::format("{} {}", what, values[0]);
  const std::int64_t step = values.size() > 1 ? values[1] - values[0] : 0;
  bool regular = values.size() > kShown;
  for (std::size_t i = 1; i < values.size(); ++i) regular &= values[i] - values[i - 1] == step;
  if (regular) return text + fmt::format(", {}, … {}", values[1], values.back());
  for (std::size_t i = 1; i < std::min(values.size(), kShown); ++i) text += fmt::format(", {}", values[i]);
  return values.size() > kShown ? text + ", …" : text;
}

std::string note(const SourceText& source, const AccessSite& site) {
  std::string text;
  const auto add = [&](const std::string& more) { text += (text.empty() ? "" : "; ") + more; };
  if (site.worst_request && site.worst_request->conflict) {
    const BankConflict& c = *site.worst_request->conflict;
    add(fmt::format("bank {} has {} words to give: {}, {} of {}", c.bank, c.lanes.size(),
                    progression("lanes", std::vector<std::int64_t>(c.lanes.begin(), c.lanes.end())),
                    progression("bytes", c.word_addresses), site.worst_request->array));
  }
  for (const InlinedCall& call : site.inlined)
    add(fmt::format("in {}, called at {}", call.function, location(source, call.at)));
  if (has_call_site(site) && site.inlined.empty()) add(fmt::format("called at {}", location(source, site.call_site)));
  if (site.not_counted > 0)
    add(fmt::format("{} not counted: the address depends on data", counted(site.not_counted, "request")));
  if (site.is_conditional) add("under a condition on data");
  if (const auto reason = ignore_reason(source, site); reason && site.excess() > 0) add("ignored: " + *reason);
  return text;
}

using Row = std::vector<std::string>;

Row row_of(const SourceText& source, const AccessSite& site) {
  const bool counts = site.requests > 0;
  const auto number = [&](std::int64_t n) { return counts ? std::to_string(n) : std::string("-"); };
  return {location(source, site.range),
          fmt::format("{} {}", space_name(site.space), name_of(site.operation)),
          site.array.empty() ? "several" : site.array,
          std::to_string(site.bits),
          number(site.requests),
          number(site.worst),
          number(site.worst_ideal),
          number(site.total),
          number(site.total_ideal),
          note(source, site)};
}

std::string table(const std::vector<Row>& rows) {
  constexpr std::size_t kLeft = 3;  // columns of text
  std::vector<std::size_t> widths(rows[0].size(), 0);
  for (const Row& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  std::string text;
  for (const Row& row : rows) {
    std::string line = " ";
    for (std::size_t c = 0; c < row.size(); ++c) {
      const bool is_last = c + 1 == row.size();
      line += c < kLeft ? fmt::format(" {:<{}} ", row[c], widths[c])
              : is_last ? fmt::format("  {}", row[c])
                        : fmt::format(" {:>{}} ", row[c], widths[c]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string heading(const KernelCheck& kernel) {
  std::string text = fmt::format("{}: grid {}, block {} {}", kernel.name, dimensions(kernel.shape.grid),
                                 dimensions(kernel.shape.block), kernel.shape_origin);
  const char* separator = "; ";
  for (const auto& [name, value] : kernel.sizes) {
    const bool is_assumed = std::find(kernel.assumed.begin(), kernel.assumed.end(), name) != kernel.assumed.end();
    text += fmt::format("{}{} = {}{}", std::exchange(separator, ", "), name, value, is_assumed ? " (assumed)" : "");
  }
  return text + "\n";
}

std::string blocks_text(const KernelCheck& kernel) {
  constexpr std::size_t kMostNamed = 16;
  const auto& blocks = kernel.trace.blocks;
  std::string text;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (i + 1 == kMostNamed && blocks.size() > kMostNamed) {
      text += ", …";
      i = blocks.size() - 1;
    }
    const auto& [x, y, z] = blocks[i];
    text += fmt::format("{}({}, {}, {})", text.empty() ? "" : ", ", x, y, z);
  }
  const std::int64_t warps = (kernel.shape.threads_per_block() + kernel.lanes - 1) / kernel.lanes;
  return fmt::format("  counted in {} of {}: {}; {} each\n",
                     counted(static_cast<std::int64_t>(kernel.trace.blocks.size()), "block"), kernel.shape.blocks(),
                     text, counted(warps, "warp"));
}

struct Totals {
  std::int64_t sites = 0, bad = 0, total = 0, excess = 0, open = 0;
};

Totals totals_of(const KernelCheck& kernel, MemorySpace space) {
  Totals t;
  for (const AccessSite& site : kernel.trace.sites) {
    if (site.space != space) continue;
    ++t.sites;
    t.bad += site.excess() > 0;
    t.total += site.total;
    t.excess += site.excess();
    t.open += site.not_counted > 0;
  }
  return t;
}

std::string summary(const KernelCheck& kernel, bool is_whole) {
  const Totals shared = totals_of(kernel, MemorySpace::kShared), global = totals_of(kernel, MemorySpace::kGlobal);
  std::string text;
  if (shared.sites == 0) text += is_whole ? "  no access to shared memory" : "  no access to shared memory was counted";
  else if (shared.bad == 0)
    text += fmt::format("  no bank conflicts in {}{} to shared memory: {}", is_whole ? "" : "what was counted of ",
                        counted(shared.sites, shared.sites == 1 ? "access" : "accesse"),
                        counted(shared.total, "wavefront"));
  else
    text += fmt::format("  bank conflicts in {} of {} accesses to shared memory: {} of {} are conflicts", shared.bad,
                        shared.sites, shared.excess, counted(shared.total, "wavefront"));
  if (global.sites > 0)
    text += fmt::format("; {}, {} more than ideal, in global memory", counted(global.total, "sector"), global.excess);
  if (shared.open + global.open > 0)
    text += fmt::format("; {} with addresses that depend on data",
                        counted(shared.open + global.open, shared.open + global.open == 1 ? "access" : "accesse"));
  return text + "\n";
}

nlohmann::json witness_json(const AccessSite& site) {
  const Request& r = *site.worst_request;
  nlohmann::json out{{"array", r.array}, {"block", r.block}, {"warp", r.warp}, {"addresses", nlohmann::json::array()}};
  for (const auto& a : r.addresses) out["addresses"].push_back(a ? nlohmann::json(*a) : nlohmann::json());
  if (!r.conflict) return out;
  out["bank"] = r.conflict->bank;
  out["lanes"] = r.conflict->lanes;
  out["word_addresses"] = r.conflict->word_addresses;
  return out;
}

// Where it stands, beside its location: what it reads there, its columns in characters, and whether that is ignored.
void add_place(const SourceText& source, const Diagnostic& d, const std::optional<std::string>& ignored,
               nlohmann::json& out) {
  const Columns columns = columns_of(d);
  out["columns"] = {columns.begin, columns.end};
  out["text"] = trimmed(source.line_at(d.path, d.where.line));
  if (ignored) out["ignored"] = *ignored;
}

nlohmann::json access_json(const SourceText& source, const KernelCheck& kernel, const AccessSite& site,
                           std::size_t kernel_number) {
  nlohmann::json out{{"kernel", kernel.name},
                     {"kernel_number", kernel_number},
                     {"launch", kernel.shape_origin},
                     {"location", location(source, site.range)},
                     {"space", space_name(site.space)},
                     {"operation", name_of(site.operation)},
                     {"array", site.array},
                     {"bits", site.bits},
                     {"requests", site.requests},
                     {"depends_on_data", site.not_counted},
                     {"conditional", site.is_conditional}};
  for (const InlinedCall& call : site.inlined)
    out["inlined"].push_back({{"function", call.function}, {"called_from", location(source, call.at)}});
  if (has_call_site(site)) out["called_from"] = location(source, site.call_site);
  add_place(source, make_diagnostic(Severity::kWarning, source, site.range, ""), ignore_reason(source, site), out);
  if (site.requests == 0) return out;
  out[site.space == MemorySpace::kShared ? "wavefronts" : "sectors"] = {{"worst", site.worst}, {"total", site.total}};
  out["ideal"] = site.worst_ideal;
  out["ideal_total"] = site.total_ideal;
  if (site.worst_request && site.excess() > 0) out["witness"] = witness_json(site);
  return out;
}

// In source order; of a line that a remark tells of, its accesses say nothing more.
Diagnostics uncounted_in(const SourceText& source, const KernelCheck& kernel) {
  Diagnostics all = kernel.skipped;
  all.insert(all.end(), kernel.trace.uncounted.begin(), kernel.trace.uncounted.end());
  std::set<std::pair<std::string, int>> lines;
  for (const Diagnostic& d : all) lines.insert({d.path, d.where.line});
  for (const AccessSite& site : kernel.trace.sites)
    if (site.space == MemorySpace::kShared && site.not_counted > 0 &&
        !lines.contains({source.path_of(site.range.begin), source.locate(site.range.begin).line}))
      all.push_back(make_diagnostic(
          Severity::kWarning, source, site.range,
          fmt::format("{} not counted: the address depends on data", counted(site.not_counted, "request"))));
  std::stable_sort(all.begin(), all.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::pair(a.where.line, a.where.column) < std::pair(b.where.line, b.where.column);
  });
  return all;
}

nlohmann::json diagnostic_json(const SourceText& source, const Diagnostic& d) {
  const std::string& path = d.path.empty() ? source.path() : d.path;
  return {{"location", fmt::format("{}:{}:{}", path, d.where.line, d.where.column)}, {"message", d.message}};
}

nlohmann::json kernel_json(const SourceText& source, const KernelCheck& kernel) {
  nlohmann::json out{{"name", kernel.name},
                     {"location", location(source, kernel.name_range)},
                     {"grid", kernel.shape.grid},
                     {"block", kernel.shape.block},
                     {"launch", kernel.shape_origin},
                     {"assumed", kernel.assumed},
                     {"blocks", kernel.trace.blocks},
                     {"complete", kernel.trace.is_complete},
                     {"sizes", nlohmann::json::object()},
                     {"remarks", nlohmann::json::array()}};
  if (kernel.recorded)
    out["recorded"] = {{"kernel", kernel.recorded->kernel}, {"occurrences", kernel.recorded->occurrences}};
  for (const auto& [name, value] : kernel.sizes) out["sizes"][name] = value;
  for (const Diagnostic& d : remarks_of(kernel)) out["remarks"].push_back(diagnostic_json(source, d));
  out["violations"] = nlohmann::json::array();
  for (const Violation& v : kernel.trace.violations) {
    out["violations"].push_back(diagnostic_json(source, v.said));
    out["violations"].back()["rule"] = v.rule;
    add_place(source, v.said, ignore_reason(source, v.said), out["violations"].back());
  }
  return out;
}

}  // namespace

Diagnostics remarks_of(const KernelCheck& kernel) {
  Diagnostics all = kernel.assumed_of_file;
  all.insert(all.end(), kernel.skipped.begin(), kernel.skipped.end());
  all.insert(all.end(), kernel.trace.remarks.begin(), kernel.trace.remarks.end());
  std::stable_sort(all.begin(), all.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::pair(a.where.line, a.where.column) < std::pair(b.where.line, b.where.column);
  });
  return all;
}

std::string to_text(const SuggestedFix& fix) {
  const std::string ideal =
      fix.wavefronts_after == fix.ideal ? ", the ideal" : fmt::format(" ({} are the ideal)", fix.ideal);
  const std::string memory =
      fix.bytes_more == 0 ? ", in the same memory" : fmt::format(", for {} bytes more", fix.bytes_more);
  return fmt::format("{}: {}: {} -> {}{}: {} wavefronts become {}{}{}{}{}\n", fix.location,
                     fix.is_written       ? "fixed"
                     : fix.is_alternative ? "or"
                                          : "fix",
                     fix.was, fix.is, fix.swizzle.empty() ? "" : fmt::format(" ({})", fix.swizzle),
                     fix.wavefronts_before, fix.wavefronts_after, ideal, memory, fix.note.empty() ? "" : "; ",
                     fix.note);
}

bool has_conflicts(const CheckReport& report) {
  return std::any_of(report.kernels.begin(), report.kernels.end(),
                     [](const KernelCheck& k) { return totals_of(k, MemorySpace::kShared).excess > 0; });
}

std::vector<Uncounted> uncounted(const CheckReport& report) {
  std::vector<Uncounted> all = report.left_out;
  for (const KernelCheck& kernel : report.kernels)
    for (Diagnostic& why : uncounted_in(report.source, kernel)) all.push_back({kernel.name, std::move(why)});
  return all;
}

std::string to_text(const CheckReport& report) {
  std::string text;
  for (const KernelCheck& kernel : report.kernels) {
    std::vector<Row> rows = {
        {"location", "access", "array", "bits", "requests", "worst", "ideal", "total", "ideal", ""}};
    for (const AccessSite& site : kernel.trace.sites) rows.push_back(row_of(report.source, site));
    if (!text.empty()) text += '\n';
    text += heading(kernel);
    if (rows.size() > 1) text += table(rows);
    text += blocks_text(kernel) + summary(kernel, uncounted_in(report.source, kernel).empty());
  }
  for (const SuggestedFix& fix : report.fixes.value_or(std::vector<SuggestedFix>{})) text += to_text(fix);
  return text;
}

namespace {

nlohmann::json fix_json(const SuggestedFix& fix) {
  return {{"kernel", fix.kernel},
          {"array", fix.array},
          {"location", fix.location},
          {"was", fix.was},
          {"is", fix.is},
          {"wavefronts_before", fix.wavefronts_before},
          {"wavefronts_after", fix.wavefronts_after},
          {"ideal", fix.ideal},
          {"bytes_more", fix.bytes_more},
          {"swizzle", fix.swizzle},
          {"alternative", fix.is_alternative},
          {"written", fix.is_written},
          {"note", fix.note},
          {"said", to_text(fix)}};
}

}  // namespace

std::string to_json(const CheckReport& report) {
  const std::vector<Uncounted> open = uncounted(report);
  // What was not counted is never free of conflicts.
  nlohmann::json conflicts = has_conflicts(report);
  if ((report.is_error || !open.empty()) && !has_conflicts(report)) conflicts = nullptr;
  nlohmann::ordered_json about;
  add_about(report.about, about);
  nlohmann::json out(about);
  out.update({{"schema", 1},
              {"file", report.source.path()},
              {"conflicts", conflicts},
              {"uncounted", nlohmann::json::array()},
              {"kernels", nlohmann::json::array()},
              {"accesses", nlohmann::json::array()},
              {"seconds", {{"parse", report.parse_seconds}, {"check", report.check_seconds}}}});
  if (report.fixes) out["fixes"] = nlohmann::json::array();
  for (const SuggestedFix& fix : report.fixes.value_or(std::vector<SuggestedFix>{}))
    out["fixes"].push_back(fix_json(fix));
  for (const Uncounted& u : open) {
    out["uncounted"].push_back(diagnostic_json(report.source, u.why));
    out["uncounted"].back()["kernel"] = u.kernel;
    if (u.why.where.line > 0)
      add_place(report.source, u.why, ignore_reason(report.source, u.why), out["uncounted"].back());
  }
  for (std::size_t k = 0; k < report.kernels.size(); ++k) {
    out["kernels"].push_back(kernel_json(report.source, report.kernels[k]));
    for (const AccessSite& site : report.kernels[k].trace.sites)
      out["accesses"].push_back(access_json(report.source, report.kernels[k], site, k));
  }
  return out.dump(2, ' ', /*ensure_ascii=*/false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace swizzle
