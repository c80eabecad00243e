// Drawings in SVG that need nothing but themselves: panels in rows, a legend below that is broken where the drawing
// ends.
//
//   {{before, after},        before | after
//    {steps}}                steps
//                            A cell is an element, …
#pragma once

#include <string>
#include <vector>

namespace swizzle {

inline constexpr int kSvgCell = 22, kSvgGap = 12;  // pixels
inline constexpr double kSvgTitleLetter = 7.5;     // of a title's width, on average

struct SvgPanel {
  std::string body;
  int width = 0, height = 0;  // pixels
};

// `style`: rules for the panels' classes.
std::string svg_document(const std::vector<std::vector<SvgPanel>>& rows, const std::string& style,
                         const std::string& legend);

std::string svg_escaped(const std::string& text);

}  // namespace swizzle
