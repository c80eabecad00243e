#include "tools/project_file.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace swizzle {
namespace {

namespace fs = std::filesystem;
constexpr const char* kProjectFileName = ".swizzle-synth.toml";

bool is_bare(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-'; }

// Reads from the front of the text; an error ends it.
class TomlReader {
 public:
  explicit TomlReader(const SourceText& source) : source_(source), text_(source.text()) {}

  Result<ProjectFile> file() {
    ProjectFile out;
    out.path = source_.path();
    ProjectKernel* kernel = nullptr;
    for (skip_lines(); at_ < text_.size() && !wrong_; skip_lines()) {
      if (text_[at_] == '[') kernel = table(out);
      else entry(kernel);
      skip_blanks();
      if (!wrong_ && at_ < text_.size() && text_[at_] != '\n') fail("expected the end of the line");
    }
    if (wrong_) return *wrong_;
    return out;
  }

 private:
  void fail(const std::string& what) {
    const auto at = static_cast<std::uint32_t>(std::min(at_, text_.size()));
    if (!wrong_) wrong_ = make_error(source_, {at, at + 1}, what);
  }

  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r')) ++at_;
    if (at_ < text_.size() && text_[at_] == '#') at_ = std::min(text_.find('\n', at_), text_.size());
  }
  void skip_lines() {
    for (skip_blanks(); at_ < text_.size() && text_[at_] == '\n'; skip_blanks()) ++at_;
  }

  bool accept(char c) {
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail(fmt::format("expected '{}'", c));
  }

  std::string quoted_text() {
    const char quote = text_[at_++];
    std::string out;
    for (; at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n'; ++at_) {
      const bool is_escape = quote == '"' && text_[at_] == '\\' && at_ + 1 < text_.size();
      if (is_escape) ++at_;
      out += text_[at_];
    }
    if (at_ >= text_.size() || text_[at_] != quote) fail("this string does not end on its line");
    else ++at_;
    return out;
  }

  bool at_quote() {
    skip_blanks();
    return at_ < text_.size() && (text_[at_] == '"' || text_[at_] == '\'');
  }

  std::string key() {
    if (at_quote()) return quoted_text();
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_bare(text_[at_])) ++at_;
    if (begin == at_) fail("expected a key");
    return text_.substr(begin, at_ - begin);
  }

  std::string string_value() {
    if (at_quote()) return quoted_text();
    fail("expected a string");
    return "";
  }

  std::int64_t integer_value() {
    skip_blanks();
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc()) fail("expected an integer");
    else at_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }

  // [kernel.NAME]
  ProjectKernel* table(ProjectFile& out) {
    expect('[');
    if (key() != "kernel") fail("expected [kernel.NAME]");
    expect('.');
    const std::string name = key();
    if (!wrong_ && out.kernels.contains(name)) fail(fmt::format("'{}' has a table already", name));
    expect(']');
    return &out.kernels[name];
  }

  void entry(ProjectKernel* kernel) {
    const std::size_t begin = at_;
    const std::string name = key();
    expect('=');
    if (wrong_) return;
    if (kernel == nullptr || (name != "launch" && name != "sizes" && name != "templates")) {
      at_ = begin;
      return fail(kernel == nullptr ? "expected [kernel.NAME] first" : "expected launch, sizes or templates");
    }
    if (name == "launch") kernel->launch = string_value();
    if (name == "sizes") sizes(kernel->sizes);
    if (name == "templates") strings(kernel->templates);
  }

  void sizes(Sizes& out) {
    expect('{');
    while (!wrong_ && !accept('}')) {
      std::string name = key();
      while (accept('.')) name += "." + key();
      expect('=');
      if (!wrong_) out[name] = integer_value();
      if (!accept(',')) {
        expect('}');
        return;
      }
    }
  }

  void strings(std::vector<std::string>& out) {
    expect('[');
    skip_lines();
    while (!wrong_ && !accept(']')) {
      out.push_back(string_value());
      skip_lines();
      if (!accept(',')) {
        expect(']');
        return;
      }
      skip_lines();
    }
  }

  const SourceText& source_;
  const std::string& text_;
  std::size_t at_ = 0;
  std::optional<Diagnostic> wrong_;
};

std::string key_text(const std::string& name) {
  const bool is_simple = !name.empty() && std::all_of(name.begin(), name.end(), is_bare);
  return is_simple ? name : fmt::format("\"{}\"", name);
}

std::string dimensions_text(const std::array<int, 3>& d) {
  if (d[2] != 1) return fmt::format("({}, {}, {})", d[0], d[1], d[2]);
  return d[1] != 1 ? fmt::format("({}, {})", d[0], d[1]) : fmt::format("({})", d[0]);
}

// { n = 12, "p.rows" = 1024 }  # assumed: p.rows
std::string sizes_entry(const ReportedKernel& kernel) {
  std::vector<std::string> sizes;
  for (const auto& [name, value] : kernel.sizes) sizes.push_back(fmt::format("{} = {}", key_text(name), value));
  return fmt::format("{{ {} }}{}", fmt::join(sizes, ", "),
                     kernel.assumed.empty() ? "" : fmt::format("  # assumed: {}", fmt::join(kernel.assumed, ", ")));
}

}  // namespace

Result<ProjectFile> parse_project_file(const SourceText& text) { return TomlReader(text).file(); }

Result<ProjectFile> project_file_for(const std::string& path) {
  std::error_code ignored;
  if (path == "-") return ProjectFile{};
  for (fs::path folder = fs::absolute(path, ignored).parent_path();; folder = folder.parent_path()) {
    const fs::path file = folder / kProjectFileName;
    if (fs::is_regular_file(file, ignored)) {
      std::ifstream in(file, std::ios::binary);
      return parse_project_file(SourceText(
          file.string(), std::string((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>())));
    }
    if (fs::exists(folder / ".git", ignored) || folder == folder.root_path()) return ProjectFile{};
  }
}

std::string project_text(const Overview& overview) {
  std::string text =
      "# What `swizzle-synth check` is to take for the launches of these kernels. Lines that the code tells already, or\n"
      "# that nothing tells, are comments: take the # away to say otherwise.\n";
  std::set<std::string> written;
  for (const ReportedKernel& kernel : overview.kernels) {
    if (!written.insert(kernel.name).second) continue;
    text += fmt::format("\n[kernel.{}]  # {}, {}\n", key_text(kernel.name), kernel.path, kernel.launch);
    text += fmt::format("# launch = \"grid{} block{}\"\n", dimensions_text(kernel.grid), dimensions_text(kernel.block));
    if (!kernel.sizes.empty()) text += fmt::format("# sizes = {}\n", sizes_entry(kernel));
  }
  for (const ReportedGap& gap : overview.not_counted) {
    if (gap.kernel.empty() || !written.insert(gap.kernel).second) continue;
    const bool is_template = gap.why.find("template arguments") != std::string::npos;
    text += fmt::format("\n[kernel.{}]  # {}: {}\n", key_text(gap.kernel), gap.at.path, gap.why);
    if (is_template) text += "# templates = [\"<32>\"]\n";
    text += "# launch = \"grid(4) block(256)\"\n";
  }
  return text;
}

}  // namespace swizzle
