#include "driver/ptx_sources.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "frontend/parse.h"
#include "synth/base/text.h"
#include "synth/ptx/names.h"

namespace swizzle {
namespace {

namespace fs = std::filesystem;

// From here, if it lies below.
std::string path_from_here(const std::string& path) {
  std::error_code ignored;
  const fs::path shown = fs::path(path).lexically_normal().lexically_proximate(fs::current_path(ignored));
  return ignored || shown.empty() || *shown.begin() == ".." ? path : shown.generic_string();
}

bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code ignored;
  return a == b || fs::equivalent(a, b, ignored);
}

// Spaces, so that each line has the columns that are told of: all of a file that is known where it cannot be read.
std::string blank_text(const std::map<int, int>& columns_of_lines) {
  std::string text;
  int line = 1;
  for (const auto& [number, columns] : columns_of_lines) {
    for (; line < number; ++line) text += '\n';
    text += std::string(static_cast<std::size_t>(std::max(1, columns)), ' ');
  }
  return text + '\n';
}

// Of what comes with the compiler, nobody wants to know the lines.
bool is_toolkit_header(const std::string& path) {
  std::error_code ignored;
  for (fs::path folder = fs::path(path).parent_path(); folder.has_relative_path(); folder = folder.parent_path())
    if (fs::exists(folder / "crt" / "host_defines.h", ignored)) return true;
  return false;
}

struct PlacedFile {
  std::uint32_t begin = 0;  // of its offsets
  std::string text;
  std::vector<std::uint32_t> lines;  // where each begins, in the text

  // From the column to the end of the statement, or of the line.
  SourceRange range(int line, int column) const {
    if (line < 1 || static_cast<std::size_t>(line) > lines.size()) return {begin, begin + 1};
    const std::size_t from = lines[static_cast<std::size_t>(line) - 1];
    const std::size_t newline = std::min(text.find('\n', from), text.size());
    const std::size_t first = std::min(text.find_first_not_of(" \t", from), newline);
    const std::size_t at = column > 0 ? std::min(from + static_cast<std::size_t>(column) - 1, newline) : first;
    const std::size_t end = std::min(text.find(';', at), newline);
    return {begin + static_cast<std::uint32_t>(at), begin + static_cast<std::uint32_t>(std::max(end, at + 1))};
  }
};

PlacedFile placed(std::uint32_t begin, std::string text) {
  PlacedFile file{begin, std::move(text), {0}};
  for (std::size_t at = 0; (at = file.text.find('\n', at)) != std::string::npos;)
    file.lines.push_back(static_cast<std::uint32_t>(++at));
  return file;
}

class SourceFiles {
 public:
  SourceFiles(const ptx::Module& module, PtxSources& out) {
    std::map<int, std::map<int, int>> columns;  // by file, by line
    for (const ptx::Place& p : module.places) {
      int& most = columns[p.file][p.line];
      most = std::max(most, p.column);
    }
    for (const auto& [number, columns_of_lines] : columns) {
      const auto path = module.files.find(number);
      if (path == module.files.end()) continue;
      if (is_toolkit_header(path->second)) of_toolkit_.insert(number);
      if (is_same_file(path->second, out.source.path())) {
        files_[number] = placed(0, out.source.text());
        continue;
      }
      const auto read = read_source(path->second);
      std::string text = read.ok() ? read->text() : blank_text(columns_of_lines);
      const std::uint32_t begin = out.source.add_header(SourceText(path_from_here(path->second), text));
      files_[number] = placed(begin, std::move(text));
    }
  }

  bool is_of_toolkit(const ptx::Place& place) const { return of_toolkit_.contains(place.file); }

  SourceRange range_of(const ptx::Place& place) const {
    const auto file = files_.find(place.file);
    return file != files_.end() ? file->second.range(place.line, place.column) : SourceRange{0, 1};
  }

 private:
  std::map<int, PlacedFile> files_;
  std::set<int> of_toolkit_;
};

// In the innermost function that is not of the toolkit. The call site: the outermost, if it is in another file.
ptx::PlaceInSource place_in(const SourceFiles& files, const ptx::Module& module, const ptx::Place& place) {
  ptx::PlaceInSource out{files.range_of(place), {}, {}};
  const ptx::Place *inner = &place, *outer = &place;
  for (; outer->inlined_at >= 0;) {
    const ptx::Place& call = module.places[static_cast<std::size_t>(outer->inlined_at)];
    const bool is_passed = inner == outer && files.is_of_toolkit(*inner);
    if (is_passed) inner = &call;
    else out.inlined.push_back({ptx::function_name(outer->function), files.range_of(call)});
    outer = &call;
  }
  out.range = files.range_of(*inner);
  if (outer->file != inner->file) out.call_site = files.range_of(*outer);
  return out;
}

std::vector<ptx::PlaceInSource> lines_of(const SourceText& ptx_text) {
  const PlacedFile file = placed(0, ptx_text.text());
  std::vector<ptx::PlaceInSource> lines(1);
  for (std::size_t line = 1; line <= file.lines.size(); ++line)
    lines.push_back({file.range(static_cast<int>(line), 0), {}, {}});
  return lines;
}

// The last word of a parameter's declaration, without its default or its extent.
std::string declared_name(std::string_view declaration) {
  declaration = declaration.substr(0, declaration.find('='));
  declaration = trimmed(declaration.substr(0, declaration.find('[')));
  std::size_t at = declaration.size();
  while (at > 0 && is_of_word(declaration[at - 1])) --at;
  return std::string(declaration.substr(at));
}

// What stands between the brackets that open at `open`.
std::optional<std::vector<std::string>> declared_names(std::string_view text, std::size_t open) {
  std::vector<std::string> names;
  int depth = 0;
  std::size_t from = open + 1;
  for (std::size_t at = open; at < text.size(); ++at) {
    const char c = text[at];
    depth += c == '(' || c == '<' || c == '{' ? 1 : c == ')' || c == '>' || c == '}' ? -1 : 0;
    if (depth > 1 || (c != ',' && depth != 0)) continue;
    names.push_back(declared_name(text.substr(from, at - from)));
    from = at + 1;
    if (depth == 0) return names;
  }
  return std::nullopt;
}

// The line of an offset and those behind it, as far as a kernel's head may reach.
std::string text_from_line(const SourceText& source, std::uint32_t offset) {
  constexpr int kLinesOfAHead = 64;
  const std::string& path = source.path_of(offset);
  const int first = source.locate(offset).line;
  std::string text;
  for (int line = first; line < first + kLinesOfAHead; ++line) text += std::string(source.line_at(path, line)) + '\n';
  return text;
}

}  // namespace

PtxSources beside_sources(ptx::Module module, const SourceText& main) {
  PtxSources out;
  out.source = main;
  const SourceFiles files(module, out);
  for (const ptx::Place& place : module.places) out.places.push_back(place_in(files, module, place));
  const bool has_placeless = std::any_of(module.functions.begin(), module.functions.end(), [](const ptx::Function& f) {
    return std::any_of(f.instructions.begin(), f.instructions.end(),
                       [](const ptx::Instruction& i) { return i.place < 0; });
  });
  if (has_placeless && main.path().ends_with(".ptx")) out.lines = lines_of(main);
  out.module = std::move(module);
  return out;
}

KernelInSource kernel_in_source(const PtxSources& sources, const ptx::Function& kernel) {
  const auto line = static_cast<std::size_t>(kernel.line);
  if (kernel.place < 0) return {line < sources.lines.size() ? sources.lines[line].range : SourceRange{0, 1}, {}};
  const SourceRange at = sources.places[static_cast<std::size_t>(kernel.place)].range;
  std::string name = ptx::function_name(kernel.name);
  if (const std::size_t colons = name.rfind("::"); colons != std::string::npos) name.erase(0, colons + 2);
  const std::string text = text_from_line(sources.source, at.begin);
  const std::size_t found = find_word(text, name);
  if (found == std::string::npos) return {at, {}};
  const LineColumn where = sources.source.locate(at.begin);
  const auto begin = at.begin - static_cast<std::uint32_t>(where.column - 1) + static_cast<std::uint32_t>(found);
  KernelInSource out{{begin, begin + static_cast<std::uint32_t>(name.size())}, {}};
  const std::size_t open = text.find('(', found);
  auto names = open != std::string::npos ? declared_names(text, open) : std::nullopt;
  if (names && names->size() == kernel.parameters.size()) out.parameters = std::move(*names);
  return out;
}

}  // namespace swizzle
