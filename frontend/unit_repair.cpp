#include "frontend/unit_repair.h"

#include <algorithm>
#include <string_view>

#include <clang/AST/ASTContext.h>
#include <clang/Basic/SourceManager.h>

namespace swizzle {
namespace {

using Error = CheckErrors::Error;

// That a launched template is no value keeps nothing from having a body.
template <typename Errors>
std::vector<clang::SourceLocation> places_of(const clang::SourceManager& sources, Errors from, Errors to) {
  std::vector<clang::SourceLocation> at;
  for (; from != to; ++from)
    if (!std::string_view(sources.getCharacterData(from->where)).starts_with("$kernel(")) at.push_back(from->where);
  return at;
}

// Instances come last, and only the first error of each says so. What they say may be of no consequence.
std::vector<TextRange> ranges_to_leave_out(const CheckUnit& unit, RepairedCode which) {
  const auto& found = unit.errors().found;
  const auto& sources = unit.context().getSourceManager();
  const auto first = std::find_if(found.begin(), found.end(), [](const Error& e) { return e.in_instance; });
  auto ranges = statements_to_leave_out(unit.context(), which, places_of(sources, first, found.end()));
  if (ranges.empty()) ranges = statements_to_leave_out(unit.context(), which, places_of(sources, found.begin(), first));
  return ranges;
}

}  // namespace

std::string UnitRepair::path_of(clang::FileID file) const {
  return file == unit_.context().getSourceManager().getMainFileID() ? "" : unit_.normal_path(file);
}

void UnitRepair::add_errors_in(const TextRange& range, const RewrittenSource& written) {
  const auto& sources = unit_.context().getSourceManager();
  for (const Error& e : unit_.errors().found) {
    const auto [file, at] = sources.getDecomposedLoc(e.where);
    if (range.holds(file, at))
      left_out_.push_back({{written.original(at), written.original(at + e.length)}, e.message, path_of(range.file)});
  }
}

void UnitRepair::blank(const TextRange& range, std::string& text) {
  const std::string path = path_of(range.file);
  const auto end = std::min(range.end, static_cast<std::uint32_t>(text.size()));
  if (range.begin >= end) return;
  std::string whole = text.substr(range.begin, end - range.begin);  // with what has been left out of it before
  auto inner = blanked_.lower_bound({path, range.begin});
  while (inner != blanked_.end() && inner->first < Place{path, end}) {
    whole += '\n' + inner->second;
    inner = blanked_.erase(inner);
  }
  blanked_.emplace(Place{path, range.begin}, std::move(whole));
  for (std::uint32_t i = range.begin; i < end; ++i)
    if (text[i] != '\n') text[i] = ' ';
  text[range.begin] = ';';
}

// Device code comes last: what is left out of it loses no launch.
void UnitRepair::run(std::string& text, const std::string& path) {
  for (const RepairedCode which : {RepairedCode::kMainFile, RepairedCode::kDevice}) run(which, text, path);
}

void UnitRepair::run(RepairedCode which, std::string& text, const std::string& path) {
  constexpr int kMostRounds = 8;
  for (int round = 0; round < kMostRounds; ++round) {
    const std::vector<TextRange> ranges = ranges_to_leave_out(unit_, which);
    if (ranges.empty()) return;
    for (const TextRange& range : ranges) {
      const bool is_main = path_of(range.file).empty();
      RewrittenSource* header = is_main ? nullptr : &unit_.read_of_header(range.file);
      add_errors_in(range, is_main ? written_ : *header);
      blank(range, is_main ? text : header->text);
    }
    unit_.parse(text, path);
  }
}

LostText UnitRepair::lost_text() const {
  auto& sources = unit_.context().getSourceManager();
  std::map<clang::SourceLocation, std::string> left_out;
  for (unsigned i = 0; !blanked_.empty() && i < sources.local_sloc_entry_size(); ++i) {
    const clang::SrcMgr::SLocEntry& entry = sources.getLocalSLocEntry(i);
    if (!entry.isFile()) continue;
    const clang::SourceLocation start = clang::SourceLocation::getFromRawEncoding(entry.getOffset());
    const std::string path = path_of(sources.getFileID(start));
    for (auto it = blanked_.lower_bound({path, 0}); it != blanked_.end() && it->first.first == path; ++it)
      left_out.emplace(start.getLocWithOffset(static_cast<int>(it->first.second)), it->second);
  }
  return {unit_.context(), unit_.errors().places(), std::move(left_out)};
}

}  // namespace swizzle
