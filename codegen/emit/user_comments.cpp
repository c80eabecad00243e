#include "codegen/emit/user_comments.h"

#include <algorithm>
#include <string_view>

#include "synth/base/non_code.h"

namespace swizzle {

std::vector<SourceEdit> told_apart(const SourceText& source, const std::vector<SourceRange>& directives) {
  constexpr std::string_view kName = "swizzle", kSpaces = " \t\r\v\f\\\n";
  const std::string& text = source.text();
  std::vector<SourceEdit> edits;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t behind = skip_non_code(text, at);
    if (behind != at && text.compare(at, 2, "//") == 0) {
      const std::size_t name = std::min(text.find_first_not_of(kSpaces, at + 2), behind);
      const auto begin = static_cast<std::uint32_t>(name);
      const std::size_t end = name + kName.size();  // `swizzle-ignore` is another one
      const bool is_alike = text.compare(name, kName.size(), kName) == 0 && end < behind &&
                            kSpaces.find(text[end]) != std::string_view::npos;
      const bool is_own =
          std::ranges::any_of(directives, [&](SourceRange r) { return r.begin <= begin && begin < r.end; });
      if (is_alike && !is_own) edits.push_back({{begin, begin}, "- "});
    }
    at = std::max(behind, at + 1);
  }
  return edits;
}

}  // namespace swizzle
