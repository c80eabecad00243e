#include "synth/program/matrix_fragments.h"

#include <algorithm>
#include <array>
#include <utility>

namespace swizzle {
namespace {

using Use = MatrixFragment::Use;
using Element = MatrixFragment::Element;

constexpr int kLaneGroups = 8, kLanesOfAGroup = 4;
constexpr int kBlock = 8;  // lines, and elements of 16 bits, of what ldmatrix moves at a time
constexpr int kRowBytes = 16;

// Its lines, and how many elements each has.
struct Lines {
  int lines = 0, width = 0;
};

Lines extent_of(const MatrixFragment& f) {
  const int rows = f.use == Use::kB ? f.k : f.m, columns = f.use == Use::kA ? f.k : f.n;
  return f.is_row_major ? Lines{rows, columns} : Lines{columns, rows};
}

// Each lane of a group takes `step` elements of a line, 8 lines at a time.
std::vector<FragmentAccess> along_lines(const MatrixFragment& f, Lines e, int step) {
  std::vector<FragmentAccess> all;
  for (int line = 0; line < e.lines; line += kLaneGroups)
    for (int element = 0; element < e.width; element += step * kLanesOfAGroup) {
      FragmentAccess a;
      a.operation = f.is_stored ? MemoryOperation::kStore : MemoryOperation::kLoad;
      a.bits = step * bytes_of(f.element) * 8;
      a.line = line, a.line_of_high = 1;
      a.element = element, a.element_of_low = step;
      all.push_back(a);
    }
  return all;
}

// Each lane of a group takes an element of `step` lines, one after the other.
std::vector<FragmentAccess> across_lines(const MatrixFragment& f, Lines e, int step) {
  std::vector<FragmentAccess> all;
  for (int element = 0; element < e.width; element += kLaneGroups)
    for (int line = 0; line < e.lines; line += step * kLanesOfAGroup)
      for (int one = 0; one < step; ++one) {
        FragmentAccess a;
        a.operation = f.is_stored ? MemoryOperation::kStore : MemoryOperation::kLoad;
        a.bits = bytes_of(f.element) * 8;
        a.line = line + one, a.line_of_low = step;
        a.element = element, a.element_of_high = 1;
        all.push_back(a);
      }
  return all;
}

std::vector<FragmentAccess> by_ldmatrix(const MatrixFragment& f, Lines e) {
  const int row = kRowBytes / bytes_of(f.element);  // elements
  const int lines = std::min(e.lines, 2 * kBlock), rows_beside = std::min(e.width / row, 2);
  std::vector<FragmentAccess> all;
  for (int line = 0; line < e.lines; line += lines)
    for (int element = 0; element < e.width; element += rows_beside * row) {
      FragmentAccess a;
      a.operation = MemoryOperation::kLdmatrix;
      a.matrices = lines / kBlock * rows_beside;
      a.bits = kRowBytes * 8;
      a.split = lines;
      a.line = line, a.line_of_low = 1;
      a.element = element, a.element_of_high = row;
      all.push_back(a);
    }
  return all;
}

bool is_known_shape(const MatrixFragment& f) {
  const std::array<int, 3> shape = {f.m, f.n, f.k};
  if (f.element == Element::kTf32) return f.use != Use::kAccumulator && shape == std::array{16, 16, 8};
  const bool is_tf32_sum = f.use == Use::kAccumulator && f.element == Element::kFloat && shape == std::array{16, 16, 8};
  return is_tf32_sum || shape == std::array{16, 16, 16} || shape == std::array{32, 8, 16} ||
         shape == std::array{8, 32, 16};
}

// Whether the elements that a group of lanes shares out lie along a line. Fragments of 8 rows are computed transposed.
bool goes_along(const MatrixFragment& f) {
  if (f.use != Use::kAccumulator) return f.is_row_major == (f.use == Use::kA);
  return f.is_row_major == (f.m != kLaneGroups);
}

}  // namespace

int bytes_of(MatrixFragment::Element element) {
  switch (element) {
    case Element::kHalf:
    case Element::kBfloat16: return 2;
    case Element::kTf32:
    case Element::kFloat:
    case Element::kInt32: return 4;
    case Element::kInt8: return 1;
    case Element::kOther: break;
  }
  return 0;
}

std::optional<MatrixFragment::Element> fragment_element(std::string_view ptx_type) {
  constexpr std::pair<std::string_view, Element> kTypes[] = {
      {"f16", Element::kHalf},  {"bf16", Element::kBfloat16}, {"tf32", Element::kTf32}, {"f32", Element::kFloat},
      {"s32", Element::kInt32}, {"s8", Element::kInt8},       {"u8", Element::kInt8}};
  for (const auto& [name, element] : kTypes)
    if (name == ptx_type) return element;
  return std::nullopt;
}

std::vector<FragmentAccess> fragment_accesses(const MatrixFragment& f) {
  if (!is_known_shape(f)) return {};
  const Lines e = extent_of(f);
  const bool is_operand = f.use != Use::kAccumulator;
  switch (f.element) {
    case Element::kHalf:
      if (is_operand && f.is_in_shared) return by_ldmatrix(f, e);
      return along_lines(f, e, 2);
    case Element::kBfloat16: return is_operand ? along_lines(f, e, 2) : std::vector<FragmentAccess>{};
    case Element::kTf32: return goes_along(f) ? along_lines(f, e, 1) : across_lines(f, e, 1);
    case Element::kFloat:
    case Element::kInt32:
      if (is_operand) return {};
      return goes_along(f) ? along_lines(f, e, 2) : across_lines(f, e, 2);
    case Element::kInt8:
      if (!is_operand) return {};
      if (!goes_along(f)) return across_lines(f, e, 4);
      return f.is_in_shared ? by_ldmatrix(f, e) : along_lines(f, e, 4);
    case Element::kOther: break;
  }
  return {};
}

}  // namespace swizzle
