#include "frontend/source_tree.h"

#include <algorithm>
#include <regex>

#include <clang/AST/ASTContext.h>
#include <clang/Basic/SourceManager.h>
#include <fmt/format.h>

#include "frontend/included_headers.h"
#include "frontend/prelude.h"

namespace swizzle {
namespace {

constexpr const char* kMacrosPath = "/swizzle-prelude/command_line.h";

std::vector<std::string> arguments_of(const Surroundings& in) {
  // Ours come before the user's folders: the toolkit's headers are none that can be read.
  std::vector<std::string> arguments = {
      "-xc++",   "-std=" + in.flags.standard, "-nostdinc", "-fsyntax-only", "-w",       "-fno-exceptions",
      "-iquote", in.include_folder,           "-I",        kHeaderFolder,   "-include", kPreludePath};
  for (const std::string& folder : in.flags.include_folders) arguments.insert(arguments.end(), {"-I", folder});
  if (!in.flags.macros.empty()) arguments.insert(arguments.end(), {"-include", kMacrosPath});
  for (const std::string& header : in.flags.forced_headers) arguments.insert(arguments.end(), {"-include", header});
  const bool has_host_code = in.around == Around::kHostCode;
  arguments.push_back(has_host_code ? "-ferror-limit=0" : "-ferror-limit=8");
  if (has_host_code) arguments.push_back("-fno-spell-checking");
  return arguments;
}

// `text` without comments, strings and characters.
std::string code_of(const std::string& text) {
  std::string code;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t next = skip_non_code(text, at);
    code += next == at ? text[at] : ' ';
    at = std::max(next, at + 1);
  }
  return code;
}

// `template __global__ void f<4>(…);` instantiates one.
std::ptrdiff_t kernels_in(const std::string& code) {
  static const std::regex kernel(R"((\btemplate\s+)?__global__)");
  return std::count_if(std::sregex_iterator(code.begin(), code.end(), kernel), std::sregex_iterator(),
                       [](const std::smatch& found) { return !found[1].matched; });
}

}  // namespace

SyntaxTree source_tree(const SourceText& file, const RewrittenSource& rewritten, const Surroundings& in,
                       ErrorCollector& collector) {
  const bool has_host_code = in.around == Around::kHostCode;
  std::vector<SyntaxTree::Header> headers{{kPreludePath, has_host_code ? prelude_text_with_host() : prelude_text()},
                                          {kMacrosPath, macro_lines(in.flags)}};
  for (const std::string& header : accepted_headers())
    headers.emplace_back(fmt::format("{}/{}", kHeaderFolder, header), header_text(header));
  if (has_host_code)
    for (const std::string& header : missing_headers(file.text(), in))
      headers.emplace_back(fmt::format("{}/{}", kHeaderFolder, header), "");
  return SyntaxTree::parse(rewritten.text, file.path(), arguments_of(in), headers, collector);
}

std::set<std::string> missing_headers(const std::string& text, const Surroundings& in) {
  std::vector<std::string> folders = {in.include_folder};
  folders.insert(folders.end(), in.flags.include_folders.begin(), in.flags.include_folders.end());
  std::set<std::string> missing = headers_elsewhere(text, folders);
  for (const std::string& header : accepted_headers()) missing.erase(header);
  return missing;
}

std::vector<SourceRange> lines_including(const std::string& text, const std::set<std::string>& headers) {
  std::vector<SourceRange> lines;
  for (std::size_t at = 0; (at = text.find("#include", at)) != std::string::npos; ++at) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    const bool is_missing = std::any_of(headers.begin(), headers.end(), [&](const std::string& h) {
      return h.find('.') != std::string::npos &&
             (line.find("<" + h + ">") != std::string::npos || line.find("\"" + h + "\"") != std::string::npos);
    });
    if (is_missing) lines.push_back({static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end)});
  }
  return lines;
}

std::vector<std::string> headers_read(const clang::ASTContext& context) {
  const auto& sources = context.getSourceManager();
  const auto main_file = sources.getFileEntryRefForID(sources.getMainFileID());
  std::set<std::string> read;
  for (auto file = sources.fileinfo_begin(); file != sources.fileinfo_end(); ++file)
    if (!main_file || file->first != *main_file) read.insert(file->first.getName().str());
  std::erase_if(read, [](const std::string& path) { return path.starts_with(kPreludeFolder); });
  return {read.begin(), read.end()};
}

bool is_whole_program(const std::string& text, const Surroundings& in) {
  static const std::regex main_function(R"(\bmain\s*\()");
  const std::set<std::string> missing = missing_headers(text, in);
  const bool has_standard_headers = std::any_of(missing.begin(), missing.end(), [](const std::string& header) {
    return header.find('.') == std::string::npos && is_covered(header);
  });
  const std::string code = code_of(text);
  return has_standard_headers || kernels_in(code) > 1 || code.find("<<<") != std::string::npos ||
         std::regex_search(code, main_function);
}

}  // namespace swizzle
