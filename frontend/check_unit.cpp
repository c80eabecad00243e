#include "frontend/check_unit.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <clang/AST/ASTContext.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>
#include <fmt/format.h>

#include "frontend/included_headers.h"
#include "frontend/prelude.h"
#include "frontend/prelude_parts.h"

namespace swizzle {
namespace {

constexpr const char* kFlagsPath = "/swizzle-prelude/flags_of_check.h";  // behind the prelude, which is none of theirs

const PreludeParts& prelude_parts(bool has_torch) {
  static const PreludeParts plain(device_prelude_text());
  if (!has_torch) return plain;
  static const PreludeParts torch(device_prelude_text(true));
  return torch;
}

// CUB of CUDA 13 is without what older code hands to it.
std::string missing_operators(const std::string& library_folder) {
  std::ifstream in(std::filesystem::path(library_folder) / "cub/thread/thread_operators.cuh");
  const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  return text.find("struct Max") == std::string::npos ? operators_of_cub() : "";
}

bool names_torch(const std::string& text) {
  return std::ranges::any_of(std::array{"torch", "at::", "AT_DISPATCH"},
                             [&](const char* name) { return text.find(name) != std::string::npos; });
}

}  // namespace

void CheckErrors::HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info) {
  DiagnosticConsumer::HandleDiagnostic(level, info);
  if (level < clang::DiagnosticsEngine::Note) return;
  llvm::SmallString<128> text;
  info.FormatDiagnostic(text);
  std::string message = text.str().str();
  if (level < clang::DiagnosticsEngine::Error) {
    if (!found.empty() && level == clang::DiagnosticsEngine::Note && message.starts_with("in instantiation of"))
      found.back().in_instance = true;
    return;
  }
  constexpr std::string_view kMissing = "' file not found";
  if (message.ends_with(kMissing)) missing.insert(message.substr(1, message.size() - 1 - kMissing.size()));
  if (!info.hasSourceManager() || !info.getLocation().isValid()) return;
  const auto& sources = info.getSourceManager();
  Error error;
  error.where = sources.getExpansionLoc(info.getLocation());
  error.length = std::max(1u, clang::Lexer::MeasureTokenLength(error.where, sources, clang::LangOptions()));
  error.in_main = sources.isInMainFile(error.where);
  error.begin = sources.getFileOffset(error.where);
  error.message = std::move(message);
  found.push_back(std::move(error));
}

std::vector<clang::SourceLocation> CheckErrors::places() const {
  std::vector<clang::SourceLocation> out;
  for (const Error& e : found) out.push_back(e.where);
  return out;
}

bool CheckUnit::is_all_that_is_read(const std::string& text) const {
  const std::vector<std::string> names = included_names(text);
  return flags_.forced_headers.empty() && !pastes_names(text) &&
         std::all_of(names.begin(), names.end(),
                     [&](const std::string& name) { return stubs_.count(name) > 0 && samples_header(name).empty(); });
}

void CheckUnit::scan(const std::string& text, const std::string& path) {
  std::string forced;
  for (const std::string& header : flags_.forced_headers) forced += "#include \"" + header + "\"\n";
  ScannedHeaders scanned = scan_headers(forced + text, path, flags_);
  stubs_ = std::move(scanned.missing);
  headers_ = std::move(scanned.rewritten);
  unread_in_headers_ = std::move(scanned.unread);
  reads_libraries_ = scanned.reads_libraries;
  if (reads_libraries_) missing_operators_ = missing_operators(flags_.library_folder);
}

// Headers that macros name, and that are not there, are found one by one.
void CheckUnit::parse(const std::string& text, const std::string& path) {
  constexpr int kMostTries = 40;
  if (!std::exchange(has_scanned_, true)) scan(text, path);
  std::vector<std::string> arguments = {"-xc++",
                                        "-std=" + flags_.standard,
                                        "--target=nvptx64-nvidia-cuda",
                                        "-nostdinc",
                                        "-fsyntax-only",
                                        "-Wno-register",
                                        "-w",
                                        "-ferror-limit=0",
                                        "-fno-spell-checking",
                                        "-fno-exceptions",
                                        "-isystem",
                                        kHeaderFolder,
                                        "-include",
                                        kPreludePath};
  for (const std::string& folder : flags_.include_folders) arguments.insert(arguments.end(), {"-I", folder});
  if (reads_libraries_) arguments.insert(arguments.end(), {"-idirafter", flags_.library_folder});
  if (!flags_.macros.empty() || reads_libraries_) arguments.insert(arguments.end(), {"-include", kFlagsPath});
  for (const std::string& header : flags_.forced_headers) arguments.insert(arguments.end(), {"-include", header});
  const std::string macros = macro_lines(flags_) + missing_operators_, all = text + '\n' + macros;
  const PreludeParts& prelude = prelude_parts(names_torch(text));
  for (int tries = 0; tries < kMostTries; ++tries) {
    std::vector<SyntaxTree::Header> headers{
        {kPreludePath, is_all_that_is_read(all) ? prelude.named_in(all) : prelude.all()}, {kFlagsPath, macros}};
    for (const std::string& stub : stubs_)
      headers.emplace_back(fmt::format("{}/{}", kHeaderFolder, stub), samples_header(stub));
    for (const auto& [header, as_read] : headers_) headers.emplace_back(header, as_read.read.text);
    errors_ = CheckErrors();
    tree_ = SyntaxTree::parse(text, path, arguments, headers, errors_);
    const std::size_t before = stubs_.size();
    stubs_.insert(errors_.missing.begin(), errors_.missing.end());
    if (stubs_.size() == before) return;
  }
}

std::string CheckUnit::normal_path(clang::FileID header) const {
  const auto& sources = context().getSourceManager();
  const llvm::StringRef name = sources.getFilename(sources.getLocForStartOfFile(header));
  return std::filesystem::path(name.str()).lexically_normal().string();
}

RewrittenSource& CheckUnit::read_of_header(clang::FileID header) {
  const auto& sources = context().getSourceManager();
  const auto [known, is_new] = headers_.try_emplace(normal_path(header));
  if (is_new) known->second = {sources.getBufferData(header).str(), {sources.getBufferData(header).str(), {}, {}}};
  return known->second.read;
}

std::optional<Diagnostic> CheckUnit::unread_in_header(const std::string& header) const {
  const auto found = unread_in_headers_.find(header);
  return found == unread_in_headers_.end() ? std::nullopt : std::optional(found->second);
}

std::set<std::string> CheckUnit::unread() const {
  std::set<std::string> out;
  const std::string folder = fmt::format("{}/", kHeaderFolder);
  const auto& sources = context().getSourceManager();
  for (auto file = sources.fileinfo_begin(); file != sources.fileinfo_end(); ++file)
    if (const llvm::StringRef name = file->first.getName(); name.starts_with(folder))
      out.insert(name.substr(folder.size()).str());
  return out;
}

}  // namespace swizzle
