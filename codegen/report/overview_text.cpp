#include "codegen/report/overview_text.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <numeric>
#include <set>

#include <fmt/format.h>

namespace swizzle {
namespace {

struct KernelRow {
  const ReportedKernel* kernel = nullptr;
  const ReportedConflict* worst = nullptr;  // of those that are not accepted, if there are any
  bool is_accepted = true;                  // all of its conflicts are

  double share() const {
    return kernel->wavefronts > 0 ? static_cast<double>(kernel->lost) / static_cast<double>(kernel->wavefronts) : 0;
  }
  std::int64_t excess() const { return worst != nullptr ? worst->worst - worst->ideal : 0; }
};

bool is_worse(const ReportedConflict& a, const ReportedConflict& b) {
  if (a.is_accepted() != b.is_accepted()) return b.is_accepted();
  return std::pair(a.lost(), a.worst - a.ideal) > std::pair(b.lost(), b.worst - b.ideal);
}

std::vector<KernelRow> kernel_rows(const Overview& overview, const OverviewStyle& style) {
  std::vector<KernelRow> rows;
  for (const ReportedKernel& kernel : overview.kernels) rows.push_back({&kernel});
  for (const ReportedConflict& c : overview.conflicts) {
    KernelRow& row = rows[c.kernel];
    if (row.worst == nullptr || is_worse(c, *row.worst)) row.worst = &c;
    row.is_accepted &= c.is_accepted();
  }
  if (!style.all_kernels) std::erase_if(rows, [](const KernelRow& r) { return r.worst == nullptr; });
  std::stable_sort(rows.begin(), rows.end(), [&](const KernelRow& a, const KernelRow& b) {
    switch (style.sort) {
      case OverviewSort::kLost: return a.kernel->lost > b.kernel->lost;
      case OverviewSort::kShare: return a.share() > b.share();
      case OverviewSort::kWorst: return a.excess() > b.excess();
      case OverviewSort::kKernel: return a.kernel->name < b.kernel->name;
      case OverviewSort::kFile:
        return std::tie(a.kernel->path, a.kernel->line) < std::tie(b.kernel->path, b.kernel->line);
    }
    return false;
  });
  return rows;
}

std::string place_text(const ReportedPlace& at) {
  if (at.path.empty()) return "";
  return at.line > 0 ? fmt::format("{}:{}:{}", at.path, at.line, at.column) : at.path;
}

// "(2, 2) x (32, 8)"
std::string launch_text(const ReportedKernel& kernel) {
  const auto dimensions_of = [](const std::array<int, 3>& d) {
    if (d[2] != 1) return fmt::format("({}, {}, {})", d[0], d[1], d[2]);
    return d[1] != 1 ? fmt::format("({}, {})", d[0], d[1]) : fmt::format("({})", d[0]);
  };
  return fmt::format("{} x {}", dimensions_of(kernel.grid), dimensions_of(kernel.block));
}

std::string why_accepted(const ReportedConflict& c) {
  return c.ignored ? "ignored: " + *c.ignored : c.is_known ? "in the baseline" : "";
}

std::vector<std::string> cells_of(const KernelRow& row) {
  const ReportedConflict* w = row.worst;
  if (w == nullptr)
    return {row.kernel->name,
            launch_text(*row.kernel),
            fmt::format("{}:{}", row.kernel->path, row.kernel->line),
            "-",
            "-",
            "0",
            "0%",
            ""};
  return {row.kernel->name,
          launch_text(*row.kernel),
          fmt::format("{} {} of {}", place_text(w->at), w->access, w->array.empty() ? "several" : w->array),
          std::to_string(w->worst),
          std::to_string(w->ideal),
          std::to_string(row.kernel->lost),
          fmt::format("{:.0f}%", 100 * row.share()),
          row.is_accepted ? why_accepted(*w) : ""};
}

std::string table_of_kernels(const std::vector<KernelRow>& rows) {
  constexpr std::size_t kLeftColumns = 3;
  std::vector<std::vector<std::string>> cells = {
      {"kernel", "grid x block", "worst access", "worst", "ideal", "lost", "share", ""}};
  for (const KernelRow& row : rows) cells.push_back(cells_of(row));
  std::vector<std::size_t> widths(cells[0].size(), 0);
  for (const auto& line : cells)
    for (std::size_t c = 0; c < line.size(); ++c) widths[c] = std::max(widths[c], line[c].size());
  std::string text;
  for (const auto& line : cells) {
    std::string out;
    for (std::size_t c = 0; c < line.size(); ++c) {
      const bool is_left = c < kLeftColumns || c + 1 == line.size();
      out += is_left ? fmt::format("{:<{}}  ", line[c], widths[c]) : fmt::format("{:>{}}  ", line[c], widths[c]);
    }
    out.erase(out.find_last_not_of(' ') + 1);
    text += out + "\n";
  }
  return text;
}

// 'f' and 'g' are quoted alike, 3 and 4 counted alike.
std::string reason_key(const std::string& message) {
  std::string key;
  for (std::size_t i = 0; i < message.size(); ++i) {
    const std::size_t end = message[i] == '\'' ? message.find('\'', i + 1) : std::string::npos;
    if (end != std::string::npos) {
      key += "'…'";
      i = end;
    } else if (std::isdigit(static_cast<unsigned char>(message[i])) != 0) {
      if (key.empty() || key.back() != '#') key += '#';
    } else {
      key += message[i];
    }
  }
  return key;
}

std::string number_text(std::size_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string gaps_text(const Overview& overview, const OverviewStyle& style) {
  std::vector<GapsOfAReason> reasons;
  if (style.all_gaps)
    for (const ReportedGap& gap : overview.not_counted) reasons.push_back({&gap, 1, 1});
  else reasons = gaps_by_reason(overview.not_counted);
  if (reasons.empty()) return "";
  std::string text = "not counted:\n";
  for (const GapsOfAReason& r : reasons) {
    const std::string at = place_text(r.first->at);
    text += fmt::format("{:>5} x  {}{}", r.count, at.empty() ? "" : at + ": ", r.first->why);
    if (r.count > 1) text += fmt::format(" (and {} more, in {})", r.count - 1, number_text(r.files, "file", "files"));
    if (r.count == 1 && r.first->is_accepted())
      text += r.first->ignored ? fmt::format(" (ignored: {})", *r.first->ignored) : " (in the baseline)";
    text += "\n";
  }
  return text;
}

std::string closing_line(const Overview& overview) {
  std::set<std::size_t> with_conflicts;
  std::size_t ignored = 0, known = 0;
  for (const ReportedConflict& c : overview.conflicts) {
    with_conflicts.insert(c.kernel);
    ignored += c.ignored.has_value();
    known += c.is_known;
  }
  std::int64_t lost = 0, wavefronts = 0;
  for (const ReportedKernel& k : overview.kernels) lost += k.lost, wavefronts += k.wavefronts;
  const std::string where =
      fmt::format("{} of {}", number_text(overview.kernels.size(), "kernel launch", "kernel launches"),
                  number_text(overview.files, "file", "files"));
  std::string text;
  if (overview.kernels.empty())
    text = fmt::format("no kernel was counted, of {}", number_text(overview.files, "file", "files"));
  else if (!with_conflicts.empty())
    text = fmt::format("bank conflicts in {} of {}: {} of {} wavefronts are lost", with_conflicts.size(), where, lost,
                       wavefronts);
  else
    text = fmt::format("no bank conflicts in {}{}", overview.not_counted.empty() ? "" : "what was counted of ", where);
  if (ignored + known > 0) text += fmt::format("; {} ignored, {} in the baseline", ignored, known);
  if (const std::size_t open = overview.not_counted.size(); open > 0)
    text += fmt::format("; {} not counted", number_text(open, "thing was", "things were"));
  if (overview.files_without_kernel > 0)
    text += fmt::format("; {} no kernel", number_text(overview.files_without_kernel, "file has", "files have"));
  return text + "\n";
}

}  // namespace

std::vector<GapsOfAReason> gaps_by_reason(const std::vector<ReportedGap>& gaps) {
  struct Group {
    GapsOfAReason gaps;
    std::set<std::string> files;
  };
  std::map<std::string, Group> groups;
  std::vector<std::string> order;
  for (const ReportedGap& gap : gaps) {
    const auto [at, is_new] = groups.try_emplace(reason_key(gap.why));
    if (is_new) {
      order.push_back(at->first);
      at->second.gaps.first = &gap;
    }
    ++at->second.gaps.count;
    at->second.files.insert(gap.at.path);
  }
  std::vector<GapsOfAReason> out;
  for (const std::string& key : order) {
    Group& group = groups[key];
    group.gaps.files = group.files.size();
    out.push_back(group.gaps);
  }
  std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.count > b.count; });
  return out;
}

std::string to_text(const Overview& overview, const OverviewStyle& style) {
  const std::vector<KernelRow> rows = kernel_rows(overview, style);
  std::string text;
  if (!rows.empty()) text += table_of_kernels(rows);
  for (const ReportedViolation& v : overview.violations)
    if (!v.is_accepted())
      text += fmt::format("{}: {}: {} [{}]\n", place_text(v.at), overview.kernels[v.kernel].name, v.why, v.rule);
  for (const std::string& fix : overview.fixes) text += fix;
  return text + gaps_text(overview, style) + closing_line(overview);
}

}  // namespace swizzle
