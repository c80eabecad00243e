#include "frontend/syntax_tree.h"

#include <map>
#include <mutex>

#include <clang/Basic/FileManager.h>
#include <clang/Frontend/ASTUnit.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/PCHContainerOperations.h>
#include <clang/Frontend/Utils.h>
#include <llvm/Support/VirtualFileSystem.h>

#include "frontend/nesting_guard.h"

namespace swizzle {
namespace {

using Files = llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>;

llvm::IntrusiveRefCntPtr<clang::DiagnosticsEngine> told_to(clang::DiagnosticConsumer& errors,
                                                           clang::DiagnosticOptions* options) {
  return clang::CompilerInstance::createDiagnostics(options, &errors, /*ShouldOwnClient=*/false);
}

// What `clang` makes of its arguments. Null: they are wrong, which is told.
std::shared_ptr<clang::CompilerInvocation> understood(const std::vector<std::string>& arguments,
                                                      const std::string& path, const Files& files,
                                                      clang::DiagnosticConsumer& errors) {
  std::vector<const char*> words{"swizzle-synth"};
  for (const std::string& argument : arguments) words.push_back(argument.c_str());
  words.push_back(path.c_str());
  clang::CreateInvocationOptions how;
  how.Diags = told_to(errors, new clang::DiagnosticOptions);
  how.VFS = files;
  std::shared_ptr<clang::CompilerInvocation> made = clang::createInvocation(words, how);
  if (made == nullptr) return nullptr;
  made->getFrontendOpts().DisableFree = false;
  made->getCodeGenOpts().DisableFree = false;
  return made;
}

// Clang's driver looks for compilers and their folders all over the machine before it knows; once is enough.
std::shared_ptr<clang::CompilerInvocation> invocation_of(const std::vector<std::string>& arguments,
                                                         const std::string& path, const Files& files,
                                                         clang::DiagnosticConsumer& errors) {
  static std::mutex mutex;
  static std::map<std::vector<std::string>, std::shared_ptr<clang::CompilerInvocation>> known;
  std::vector<std::string> key = arguments;
  key.push_back(path);
  const std::lock_guard<std::mutex> lock(mutex);
  constexpr std::size_t kMostKept = 64;
  if (known.size() > kMostKept) known.clear();
  auto& kept = known[key];
  if (kept == nullptr) kept = understood(arguments, path, files, errors);
  return kept == nullptr ? nullptr
                         : std::make_shared<clang::CompilerInvocation>(*kept);  // Clang changes what it is given
}

Files with(const std::vector<SyntaxTree::Header>& headers, const std::string& path, const std::string& text) {
  const auto in_memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  auto both = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(llvm::vfs::getRealFileSystem());
  both->pushOverlay(in_memory);  // first: it brings the current folder
  in_memory->addFile(path, 0, llvm::MemoryBuffer::getMemBufferCopy(text));
  for (const auto& [name, content] : headers)
    in_memory->addFile(name, 0, llvm::MemoryBuffer::getMemBufferCopy(content));
  return both;
}

}  // namespace

struct SyntaxTree::Reading {
  explicit Reading(clang::DiagnosticConsumer& errors) : guard(errors) {}
  NestingGuard guard;  // outlives the unit, which tells it of errors
  std::unique_ptr<clang::ASTUnit> unit;
};

bool SyntaxTree::is_whole() const { return reading_ != nullptr && !reading_->guard.has_cut(); }

clang::ASTContext& SyntaxTree::context() const { return reading_->unit->getASTContext(); }

SyntaxTree SyntaxTree::parse(const std::string& text, const std::string& path,
                             const std::vector<std::string>& arguments, const std::vector<Header>& headers,
                             clang::DiagnosticConsumer& errors) {
  SyntaxTree tree;
  const Files files = with(headers, path, text);
  const auto invocation = invocation_of(arguments, path, files, errors);
  if (invocation == nullptr) return tree;
  const auto manager = llvm::makeIntrusiveRefCnt<clang::FileManager>(clang::FileSystemOptions(), files);
  const auto reading = std::make_shared<Reading>(errors);
  reading->unit = clang::ASTUnit::LoadFromCompilerInvocation(
      invocation, std::make_shared<clang::PCHContainerOperations>(),
      told_to(reading->guard, &invocation->getDiagnosticOpts()), manager.get());
  if (reading->unit != nullptr) tree.reading_ = reading;
  return tree;
}

}  // namespace swizzle
