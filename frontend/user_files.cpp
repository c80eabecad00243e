#include "frontend/user_files.h"

#include <filesystem>

#include <clang/AST/ASTContext.h>
#include <clang/Basic/SourceManager.h>

#include "frontend/prelude.h"

namespace swizzle {

UserFiles UserFiles::with_headers(const RewrittenSource& main, const RewrittenHeaders& rewritten,
                                  clang::ASTContext& context, SourceText& source) {
  UserFiles files(main);
  auto& sources = context.getSourceManager();
  for (unsigned i = 0; i < sources.local_sloc_entry_size(); ++i) {
    const clang::SrcMgr::SLocEntry& entry = sources.getLocalSLocEntry(i);
    if (!entry.isFile()) continue;
    const clang::FileID id = sources.getFileID(clang::SourceLocation::getFromRawEncoding(entry.getOffset()));
    const auto file = sources.getFileEntryRefForID(id);
    if (!file || id == sources.getMainFileID() || file->getName().starts_with(kPreludeFolder)) continue;
    const std::string path = std::filesystem::path(file->getName().str()).lexically_normal().string();
    const auto as_read = rewritten.find(path);
    const bool is_rewritten = as_read != rewritten.end();
    const auto [begin, fresh] = files.begins_.try_emplace(path, 0);
    if (fresh)
      begin->second =
          source.add_header(SourceText(path, is_rewritten ? as_read->second.written : sources.getBufferData(id).str()));
    files.headers_[id.getHashValue()] = {begin->second, is_rewritten ? &as_read->second.read : nullptr};
  }
  return files;
}

bool UserFiles::hold(const clang::SourceManager& sources, clang::SourceLocation location) const {
  const clang::FileID id = sources.getFileID(sources.getExpansionLoc(location));
  return id == sources.getMainFileID() || headers_.contains(id.getHashValue());
}

std::optional<std::uint32_t> UserFiles::begin_of(const std::string& normal_path) const {
  const auto known = begins_.find(normal_path);
  return known != begins_.end() ? std::optional(known->second) : std::nullopt;
}

std::uint32_t UserFiles::original(const clang::SourceManager& sources, clang::SourceLocation location) const {
  const auto [id, offset] = sources.getDecomposedLoc(location);
  const auto header = headers_.find(id.getHashValue());
  if (header == headers_.end()) return main_->original(offset);
  const RewrittenSource* rewritten = header->second.rewritten;
  return header->second.begin + (rewritten != nullptr ? rewritten->original(offset) : offset);
}

}  // namespace swizzle
