#include "codegen/picture/svg.h"

#include <algorithm>

#include <fmt/format.h>

namespace swizzle {
namespace {

constexpr int kLegendLine = 16;        // pixels
constexpr double kLegendLetter = 6.2;  // likewise, on average and a little more
constexpr int kLeastWidth = 400;       // of a legend that can be read

// Lines of at most so many letters, broken at spaces.
std::vector<std::string> broken(const std::string& text, std::size_t letters) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = text.size();
    if (end - at > letters) {
      end = text.rfind(' ', at + letters);
      if (end == std::string::npos || end <= at) end = at + letters;
    }
    lines.push_back(text.substr(at, end - at));
    at = end + (end < text.size() && text[end] == ' ');
  }
  return lines;
}

}  // namespace

std::string svg_escaped(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  return out;
}

std::string svg_document(const std::vector<std::vector<SvgPanel>>& rows, const std::string& style,
                         const std::string& legend) {
  int width = kLeastWidth, height = 0;
  std::string body;
  for (const std::vector<SvgPanel>& row : rows) {
    int left = 0, tallest = 0;
    for (const SvgPanel& panel : row) {
      body += fmt::format("<g transform='translate({} {})'>\n{}</g>\n", left, height, panel.body);
      left += panel.width;
      tallest = std::max(tallest, panel.height);
    }
    width = std::max(width, left);
    height += tallest;
  }
  for (const std::string& line : broken(legend, static_cast<std::size_t>((width - 2 * kSvgGap) / kLegendLetter))) {
    height += kLegendLine;
    body += fmt::format("<text x='8' y='{}' text-anchor='start'>{}</text>\n", height - 4, svg_escaped(line));
  }
  height += kSvgGap / 2;
  return fmt::format(
             "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {0} {1}' width='{0}' height='{1}' "
             "font-family='sans-serif' font-size='11' text-anchor='middle'>\n<style>{2}</style>\n"
             "<rect width='{0}' height='{1}' fill='#fff'/>\n",
             width, height, style) +
         body + "</svg>\n";
}

}  // namespace swizzle
