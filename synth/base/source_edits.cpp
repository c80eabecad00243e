#include "synth/base/source_edits.h"

#include <algorithm>
#include <utility>

namespace swizzle {

bool is_within(SourceRange inner, SourceRange outer) { return inner.begin >= outer.begin && inner.end <= outer.end; }

std::string edited(const SourceText& source, SourceRange range, std::vector<SourceEdit> edits, LineBreaks breaks) {
  std::stable_sort(edits.begin(), edits.end(),
                   [](const SourceEdit& a, const SourceEdit& b) { return a.range.begin < b.range.begin; });
  std::string text;
  std::uint32_t at = range.begin;
  for (const SourceEdit& e : edits) {
    if (e.range.begin < at || e.range.end > range.end) continue;
    text += source.slice({at, e.range.begin});
    text += e.text;
    if (breaks == LineBreaks::kKept) {
      const std::string_view replaced = source.slice(e.range);
      text.append(static_cast<std::size_t>(std::count(replaced.begin(), replaced.end(), '\n')), '\n');
    }
    at = e.range.end;
  }
  return text + std::string(source.slice({at, range.end}));
}

std::string edited(const SourceText& source, std::vector<SourceEdit> edits, LineBreaks breaks) {
  return edited(source, {0, static_cast<std::uint32_t>(source.text().size())}, std::move(edits), breaks);
}

}  // namespace swizzle
