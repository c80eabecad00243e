#include "frontend/source_tree.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>
#include <utility>

#include <clang/AST/ASTContext.h>
#include <clang/Basic/SourceManager.h>
#include <fmt/format.h>

#include "frontend/included_headers.h"
#include "frontend/prelude.h"
#include "frontend/prelude_parts.h"
#include "synth/base/text.h"

namespace swizzle {
namespace {

constexpr const char* kMacrosPath = "/swizzle-prelude/command_line.h";

std::vector<std::string> arguments_of(const Surroundings& in) {
  // Ours come before the user's folders: the toolkit's headers are none that can be read.
  std::vector<std::string> arguments = {"-xc++",
                                        "-std=" + in.flags.standard,
                                        "-nostdinc",
                                        "-fsyntax-only",
                                        "-w",
                                        "-Wno-register",
                                        "-fno-exceptions",
                                        "-iquote",
                                        in.include_folder,
                                        "-I",
                                        kHeaderFolder,
                                        "-include",
                                        kPreludePath};
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
int kernels_in(std::string_view code) {
  constexpr std::string_view kGlobal = "__global__", kTemplate = "template";
  int kernels = 0;
  for (std::size_t at = code.find(kGlobal); at != std::string_view::npos;
       at = code.find(kGlobal, at + kGlobal.size())) {
    std::string_view before = code.substr(0, at);
    while (!before.empty() && std::isspace(static_cast<unsigned char>(before.back()))) before.remove_suffix(1);
    const bool is_instantiation =
        before.size() < at && before.ends_with(kTemplate) &&
        find_word(before, kTemplate, before.size() - kTemplate.size()) != std::string_view::npos;
    if (!is_instantiation) ++kernels;
  }
  return kernels;
}

bool has_main(std::string_view code) {
  constexpr std::string_view kMain = "main";
  for (std::size_t at = find_word(code, kMain); at != std::string_view::npos; at = find_word(code, kMain, at + 1)) {
    std::string_view behind = code.substr(at + kMain.size());
    while (!behind.empty() && std::isspace(static_cast<unsigned char>(behind.front()))) behind.remove_prefix(1);
    if (behind.starts_with('(')) return true;
  }
  return false;
}

template <Accumulators accumulators>
const PreludeParts& prelude_parts(Around around) {
  static const PreludeParts plain(prelude_text(accumulators));
  if (around == Around::kNothing) return plain;
  static const PreludeParts with_host(prelude_text_with_host(accumulators));
  return with_host;
}

const PreludeParts& prelude_parts(Around around, const std::string& text) {
  const bool are_there = text.find("create_accumulator") != std::string::npos;
  return are_there ? prelude_parts<Accumulators::kThere>(around) : prelude_parts<Accumulators::kNone>(around);
}

std::string place_of(const std::string& header) { return fmt::format("{}/{}", kHeaderFolder, header); }

// The headers that the prelude stands for.
const std::vector<SyntaxTree::Header>& stand_ins() {
  static const std::vector<SyntaxTree::Header> headers = [] {
    std::vector<SyntaxTree::Header> made;
    for (const std::string& header : accepted_headers()) made.emplace_back(place_of(header), header_text(header));
    return made;
  }();
  return headers;
}

// All that clang will read behind the prelude; nothing if that includes files of the user's, or makes names of pieces.
std::optional<std::string> text_behind_prelude(const std::string& text, const Surroundings& in) {
  std::string all = text + '\n' + macro_lines(in.flags);
  std::set<std::string> known = missing_headers(text, in);
  std::vector<std::string> open = included_names(all);
  while (!open.empty()) {
    const std::string header = std::move(open.back());
    open.pop_back();
    if (!known.insert(header).second) continue;
    const auto stand_in = std::find_if(stand_ins().begin(), stand_ins().end(),
                                       [&](const auto& h) { return h.first == place_of(header); });
    if (stand_in == stand_ins().end()) return std::nullopt;
    all += '\n' + stand_in->second;
    const std::vector<std::string> others = included_names(stand_in->second);
    open.insert(open.end(), others.begin(), others.end());
  }
  return in.flags.forced_headers.empty() && !pastes_names(all) ? std::optional(std::move(all)) : std::nullopt;
}

// Those that the user's headers include, too.
std::set<std::string> missing_headers_of_all(const SourceText& file, const Surroundings& in) {
  CompileFlags flags = in.flags;
  flags.include_folders.insert(flags.include_folders.begin(), in.include_folder);
  flags.library_folder.clear();
  std::set<std::string> missing = scan_headers(file.text(), file.path(), flags).missing;
  missing.merge(missing_headers(file.text(), in));
  for (const std::string& header : accepted_headers()) missing.erase(header);
  return missing;
}

}  // namespace

SyntaxTree source_tree(const SourceText& file, const RewrittenSource& rewritten, const Surroundings& in,
                       ErrorCollector& collector) {
  const bool has_host_code = in.around == Around::kHostCode;
  std::vector<SyntaxTree::Header> headers = stand_ins();
  headers.emplace_back(kMacrosPath, macro_lines(in.flags));
  if (has_host_code)
    for (const std::string& header : missing_headers_of_all(file, in)) headers.emplace_back(place_of(header), "");
  const auto parse_behind = [&](const std::string& prelude) {
    headers.emplace_back(kPreludePath, prelude);
    SyntaxTree tree = SyntaxTree::parse(rewritten.text, file.path(), arguments_of(in), headers, collector);
    headers.pop_back();
    return tree;
  };
  const PreludeParts& prelude = prelude_parts(in.around, rewritten.text);
  const auto text = text_behind_prelude(rewritten.text, in);
  if (!text) return parse_behind(prelude.all());
  SyntaxTree tree = parse_behind(prelude.named_in(*text));
  if (has_host_code || collector.found.empty()) return tree;
  collector.forget();  // another name was perhaps meant
  return parse_behind(prelude_parts<Accumulators::kThere>(in.around).nearly_named_in(*text));
}

std::set<std::string> missing_headers(const std::string& text, const Surroundings& in) {
  std::vector<std::string> folders = {in.include_folder, in.file_folder.empty() ? "." : in.file_folder};
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
  const std::set<std::string> missing = missing_headers(text, in);
  const bool has_standard_headers = std::any_of(missing.begin(), missing.end(), [](const std::string& header) {
    return header.find('.') == std::string::npos && is_covered(header);
  });
  const std::string code = code_of(text);
  return has_standard_headers || kernels_in(code) > 1 || code.find("<<<") != std::string::npos || has_main(code);
}

}  // namespace swizzle
