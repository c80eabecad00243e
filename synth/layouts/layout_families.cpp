#include "synth/layouts/layout_families.h"

#include <algorithm>
#include <bit>

namespace swizzle {
namespace {

int log2_ceil(std::int64_t v) { return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(v - 1))); }

class Families {
 public:
  explicit Families(const LayoutShape& shape)
      : shape_(shape),
        line_(std::max(shape.together, shape.line_bytes / shape.element_bytes)),
        word_(std::max(shape.together, shape.word_bytes / shape.element_bytes)),
        low_(log2_ceil(shape.together)),
        high_(log2_ceil(line_)) {}

  std::vector<RankedLayout> run() {
    for (int pitch = rounded(shape_.columns); pitch < rounded(shape_.columns) + line_; pitch += shape_.together)
      with_pitch(pitch);
    if (const int power = 1 << log2_ceil(shape_.columns); power >= rounded(shape_.columns) + line_) with_pitch(power);
    std::stable_sort(found_.begin(), found_.end(), [](const RankedLayout& a, const RankedLayout& b) {
      return a.integer_ops != b.integer_ops ? a.integer_ops < b.integer_ops : a.size < b.size;
    });
    return std::move(found_);
  }

 private:
  int rounded(int columns) const { return (columns + shape_.together - 1) / shape_.together * shape_.together; }

  void add(const Layout& layout) {
    if (!layout.is_injective() || (shape_.capacity && layout.extent() > *shape_.capacity)) return;
    found_.push_back({layout, layout.integer_ops(), layout.size()});
  }

  void with_pitch(int pitch) {
    Layout plain = Layout::plain(shape_.rows, shape_.columns);
    plain.pitch = pitch;
    if (shape_.capacity && plain.extent() > *shape_.capacity) return;
    add(plain);
    if (pitch % word_ != 0 && pitch != rounded(shape_.columns)) return;
    const std::vector<Layout> xors = row_xors(plain);
    for (const Layout& l : xors) add(l);
    for (const Layout& l : rotations(plain)) add(l);
    const bool least = pitch == rounded(shape_.columns);
    if (least)
      for (const Layout& x : xors)
        for (const Layout& l : rotations(x)) add(l);
    if (least || std::has_single_bit(static_cast<unsigned>(pitch))) swizzles(plain);
  }

  std::vector<Layout> row_xors(Layout l) const {
    std::vector<Layout> result;
    for (int down = 0; (shape_.rows - 1) >> down > 0; ++down)
      for (int up = low_; up < high_; ++up)
        for (int bits = 1; (1 << (up + bits - 1)) < l.pitch; ++bits) {
          if (bits > 1 && (shape_.rows - 1) >> down >> (bits - 1) == 0) break;
          const bool all = (shape_.rows - 1) >> down >> bits == 0;  // no mask is printed
          if (bits > high_ - up && !all) continue;
          l.row_xor = {down, up, (1 << bits) - 1};
          if (l.is_injective()) result.push_back(l);
        }
    return result;
  }

  std::vector<Layout> rotations(Layout l) const {
    std::vector<Layout> result;
    for (const int width : {rounded(shape_.columns), l.pitch}) {
      // Of whole lines, what is rotated by a line more moves no bank.
      const int end = width % line_ == 0 ? line_ : width;
      for (int down = 0; (shape_.rows - 1) >> down > 0; ++down)
        for (int factor = word_; factor < end; factor += word_) {
          l.rotation = {factor, down, width};
          result.push_back(l);
        }
      if (width == l.pitch) break;
    }
    return result;
  }

  void swizzles(Layout l) {
    const int top = log2_ceil(std::int64_t{shape_.rows} * l.pitch);
    for (int base = low_; base < top; ++base)
      for (int bits = 1; base + bits <= top; ++bits)
        for (int shift = bits; base + shift < top; ++shift)
          for (const int sign : {1, -1}) {
            l.swizzle = {bits, base, sign * shift};
            // Beyond a line nothing moves a bank, but what takes all bits above needs no mask.
            const bool all = sign > 0 && base + shift + bits == top;
            if (l.swizzle.target_mask() < line_ || (all && 1 << base < line_)) add(l);
          }
  }

  LayoutShape shape_;
  int line_;        // elements of one line of banks
  int word_;        // elements of a word, or of what stays together
  int low_, high_;  // bits of an index that choose among the banks: [low, high)
  std::vector<RankedLayout> found_;
};

}  // namespace

std::vector<RankedLayout> layouts_of(const LayoutShape& shape) { return Families(shape).run(); }

}  // namespace swizzle
