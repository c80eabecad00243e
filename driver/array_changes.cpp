#include "driver/array_changes.h"

#include <algorithm>
#include <cctype>
#include <set>

#include <fmt/format.h>

#include "synth/base/integers.h"
#include "synth/base/text.h"
#include "synth/layouts/layout_names.h"
#include "synth/program/moved_bits.h"

namespace swizzle {
namespace {

std::string in_parentheses(std::string_view text) {
  const bool is_simple = std::all_of(text.begin(), text.end(), is_of_word);
  return is_simple ? std::string(text) : fmt::format("({})", text);
}

std::string_view text_of(const SourceText& source, SourceRange range) { return trimmed(source.slice(range)); }

bool is_number(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

int rows_of(const std::vector<std::int64_t>& extents) {
  return extents.size() == 1 ? 1 : static_cast<int>(extents[extents.size() - 2]);
}

// What an extent has to be for a layout to permute elements within it.
struct Demands {
  std::int64_t multiple = 1;                      // of the last extent
  std::int64_t most_rows = 0, most_elements = 0;  // of the extent before, of the last; 0: any, as bits are masked
};

Demands demands_of(const Layout& l) {
  Demands demands;
  if (l.swizzle.bits == 0) {
    const std::int64_t mask = l.row_xor.mask;
    demands.multiple = (mask + 1) << l.row_xor.up;
    const MovedBits moved{l.rows - 1, l.row_xor.down, l.row_xor.up, mask};
    if (!moved.masks()) demands.most_rows = (mask + 1) << l.row_xor.down;
    return demands;
  }
  const std::int64_t mask = (std::int64_t{1} << l.swizzle.bits) - 1;
  const int from = log2_of(l.swizzle.source_mask()) - l.swizzle.bits + 1;
  const int to = log2_of(l.swizzle.target_mask()) - l.swizzle.bits + 1;
  demands.multiple = (mask + 1) << to;
  if (!MovedBits{l.columns - 1, from, to, mask}.masks()) demands.most_elements = (mask + 1) << from;
  return demands;
}

// "DIM % 32 == 0 && DIM <= 32", of what no number in the file says.
std::string asserted(const SourceText& source, const SharedArray& array, const Demands& demands) {
  std::string text;
  const auto demand = [&](SourceRange extent, const char* what, std::int64_t bound) {
    const std::string_view written = text_of(source, extent);
    if (is_number(written)) return;
    text += fmt::format(fmt::runtime(what), text.empty() ? "" : " && ", in_parentheses(written), bound);
  };
  const SourceRange last = array.written.back();
  if (demands.multiple > 1) demand(last, "{}{} % {} == 0", demands.multiple);
  if (demands.most_elements > 0) demand(last, "{}{} <= {}", demands.most_elements);
  if (demands.most_rows > 0) demand(array.written[array.written.size() - 2], "{}{} <= {}", demands.most_rows);
  return text;
}

// The last index of a use, through the layout.
std::string swizzled_index(const Layout& layout, const std::string& row, const std::string& last) {
  const IndexExpr index = layout.swizzle.bits == 0 ? layout.column_expression() : layout.expression();
  return index.print({row, last});
}

// "tile[a][r][c]", "tile[i]"; with the layout in the last one.
std::string with_names(const SharedArray& array, const Layout* layout) {
  std::string text = array.name;
  const std::size_t rank = array.extents.size();
  const std::string row = "r", last = array.is_flat() ? "i" : "c";
  for (std::size_t d = 0; d + 2 < rank; ++d) text += fmt::format("[{}]", static_cast<char>('a' + d));
  if (!array.is_flat()) text += "[r]";
  return text + fmt::format("[{}]", layout == nullptr ? last : swizzled_index(*layout, row, last));
}

std::string name_of_swizzle(const Layout& layout) {
  const auto name = layout.swizzle.bits == 0 ? cute_swizzle(layout) : layout.swizzle;
  return name ? fmt::format("Swizzle<{}, {}, {}>", name->bits, name->base, name->shift) : "";
}

}  // namespace

ArrayChange padded(const SourceText& source, const SharedArray& array, std::int64_t more) {
  ArrayChange change;
  const SourceRange last = array.written.back();
  const std::string_view extent = source.slice(last);
  if (array.is_flat()) {
    const std::string pitch = in_parentheses(source.slice(array.pitches[0]));
    change.edits.push_back({last, fmt::format("{} / {} * ({} + {})", in_parentheses(extent), pitch, pitch, more)});
    std::set<std::uint32_t> done;
    for (const SourceRange p : array.pitches)
      if (done.insert(p.begin).second)
        change.edits.push_back({p, fmt::format("({} + {})", in_parentheses(source.slice(p)), more)});
  } else {
    change.edits.push_back({last, fmt::format("{} + {}", in_parentheses(extent), more)});
  }
  const SourceRange whole{array.declared.begin, last.end + 1};
  change.was = std::string(source.slice(whole));
  change.is = edited(source, whole, {change.edits[0]});
  change.bytes_more = array.elements() / array.pitch * more * array.element_bytes;
  return change;
}

std::vector<RankedLayout> swizzles_of(const SharedArray& array, const SharedMemoryModel& memory) {
  if (!array.can_repeat || array.declaration_end == 0) return {};
  LayoutShape shape;
  shape.rows = rows_of(array.extents);
  shape.columns = static_cast<int>(array.extents.back());
  shape.element_bytes = array.element_bytes;
  shape.together = array.together;
  shape.line_bytes = memory.banks * memory.bank_bytes;
  shape.capacity = std::int64_t{shape.rows} * shape.columns;
  shape.word_bytes = memory.bank_bytes;
  if (shape.columns % shape.together != 0) return {};
  std::vector<RankedLayout> members = layouts_of(shape);
  std::erase_if(members, [&](const RankedLayout& member) {
    const Layout& l = member.layout;
    const bool is_written = array.is_flat() ? l.swizzle.bits != 0 : l.swizzle.bits == 0 && l.row_xor.mask != 0;
    return !is_written || l.pitch != l.columns || l.rotation.factor != 0 || !serves(l, array.extents);
  });
  return members;
}

bool serves(const Layout& layout, const std::vector<std::int64_t>& extents) {
  const Demands demands = demands_of(layout);
  return extents.back() % demands.multiple == 0 && (demands.most_rows == 0 || rows_of(extents) <= demands.most_rows) &&
         (demands.most_elements == 0 || extents.back() <= demands.most_elements);
}

ArrayChange swizzled(const SourceText& source, const SharedArray& array, const Layout& layout) {
  ArrayChange change;
  change.was = with_names(array, nullptr);
  change.is = with_names(array, &layout);
  change.swizzle = name_of_swizzle(layout);
  for (const std::vector<SourceRange>& indices : array.uses) {
    const std::string last(text_of(source, indices.back()));
    const std::string row = array.is_flat() ? "0" : std::string(text_of(source, indices[indices.size() - 2]));
    change.edits.push_back({indices.back(), swizzled_index(layout, row, last)});
  }
  const std::string demand = asserted(source, array, demands_of(layout));
  const SourceRange behind{array.declaration_end, array.declaration_end};
  if (!demand.empty())
    change.edits.push_back({behind, fmt::format(" static_assert({}, \"for the swizzle of {}\");", demand, array.name)});
  return change;
}

}  // namespace swizzle
