#include "frontend/host_launches.h"

#include <algorithm>

#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>

#include "frontend/file_functions.h"
#include "frontend/host_walk.h"
#include "frontend/walk.h"

namespace swizzle {
namespace {

struct HostFunction {
  const clang::FunctionDecl* definition = nullptr;
  std::set<const clang::Decl*> calls;
  bool launches = false;  // or calls one that does
};

// A pattern of a template stands for its instances, and is of interest if there are none.
bool is_only_pattern(const clang::FunctionDecl* f) {
  if (!f->isDependentContext()) return true;
  if (const auto* own = f->getDescribedFunctionTemplate()) return own->specializations().empty();
  const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(f->getDeclContext());
  const auto* around = record != nullptr ? record->getDescribedClassTemplate() : nullptr;
  return around != nullptr && around->specializations().empty();
}

bool is_runtime_launch(const clang::Stmt* s) {
  const auto* call = llvm::dyn_cast<clang::CallExpr>(s);
  return call != nullptr && called_name(call).starts_with("cudaLaunch");
}

HostFunction surveyed(const clang::FunctionDecl* f) {
  HostFunction out;
  out.definition = f;
  Walk statements;
  statements.statement = [&](const clang::Stmt* s) {
    out.launches |= is_runtime_launch(s) || launch_syntax(s).has_value();
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(s))
      if (const clang::FunctionDecl* callee = call->getDirectCallee()) out.calls.insert(callee->getCanonicalDecl());
  };
  walk(f->getBody(), statements);
  return out;
}

// Callers of those that launch do so, too.
std::set<const clang::Decl*> spread(std::vector<HostFunction>& functions) {
  std::set<const clang::Decl*> launching;
  for (std::size_t before = 1; before != 0;) {
    before = 0;
    for (HostFunction& f : functions) {
      f.launches |= std::any_of(f.calls.begin(), f.calls.end(), [&](auto* d) { return launching.contains(d); });
      if (f.launches && launching.insert(f.definition->getCanonicalDecl()).second) ++before;
    }
  }
  return launching;
}

class LaunchCollector {
 public:
  LaunchCollector(clang::ASTContext& context, const UserFiles& files, const std::vector<clang::SourceLocation>& errors)
      : context_(context),
        files_(files),
        errors_(errors) {}

  LaunchesInFile run() {
    find_functions();
    const std::set<const clang::Decl*> launching = spread(functions_);
    std::set<const clang::Decl*> called;
    for (const HostFunction& f : functions_)
      if (f.launches) called.insert(f.calls.begin(), f.calls.end());
    HostWalk host(context_, errors_, shared_, launching, [&](const HostLaunch& launch) { add(launch); });
    const auto walk_those = [&](auto&& wanted) {
      for (const HostFunction& f : functions_)
        if (f.launches && wanted(f.definition->getCanonicalDecl())) {
          host.walk(f.definition);
          if (f.definition->isMain()) walk_without_arguments(host, f.definition);
        }
    };
    walk_those([&](const clang::FunctionDecl* f) { return !called.contains(f); });
    walk_those([&](const clang::FunctionDecl* f) { return !host.has_entered(f); });
    for (auto& [kernel, launches] : found_) tidy(launches);
    return std::move(found_);
  }

 private:
  void find_functions() {
    Walk all;
    all.instances = true;
    all.function = [&](const clang::FunctionDecl* f) {
      if (!f->doesThisDeclarationHaveABody() || f->getBody() == nullptr || !is_only_pattern(f)) return;
      functions_.push_back(surveyed(f));
      for (const clang::VarDecl* v : changed_in(f->getBody()))
        if (v->hasGlobalStorage()) shared_.insert(v);
    };
    walk_user_files(context_, files_, all);
  }

  // What is known only if the program is started by its name alone goes before what is known of any start.
  void walk_without_arguments(HostWalk& host, const clang::FunctionDecl* main) {
    LaunchesInFile always = std::exchange(found_, {});
    host.walk(main, {HostValue::of(1)});
    LaunchesInFile mere = std::exchange(found_, std::move(always));
    for (auto& [kernel, launches] : mere)
      for (LaunchInFile& launch : launches) {
        std::vector<LaunchInFile>& known = found_[kernel];
        const auto is_there = [&](const LaunchInFile& k) {
          return k.range.begin == launch.range.begin && !k.is_without_arguments;
        };
        const bool is_same = std::any_of(known.begin(), known.end(), [&](const LaunchInFile& k) {
          return is_there(k) && k.block == launch.block && k.grid == launch.grid && k.arguments == launch.arguments;
        });
        if (is_same || !launch.block || !launch.is_reached) continue;
        std::erase_if(known, is_there);
        launch.is_without_arguments = true;
        known.push_back(std::move(launch));
      }
  }

  void add(const HostLaunch& launch) {
    const clang::FunctionDecl* kernel = launch.kernel;
    if (!is_kernel(kernel)) return;
    const auto& sources = context_.getSourceManager();
    LaunchInFile out;
    out.grid = dimensions_of(launch.grid);
    out.block = dimensions_of(launch.block);
    out.is_reached = launch.is_reached;
    for (unsigned i = 0; i < launch.arguments.size() && i < kernel->getNumParams(); ++i)
      if (kernel->getParamDecl(i)->getType()->isIntegralOrEnumerationType() && launch.arguments[i].integer)
        out.arguments[kernel->getParamDecl(i)->getNameAsString()] = *launch.arguments[i].integer;
    const clang::SourceLocation begin = sources.getExpansionLoc(launch.range.getBegin());
    if (!files_.hold(sources, begin)) return;
    out.range.begin = files_.original(sources, begin);
    out.range.end = out.range.begin + static_cast<std::uint32_t>(kernel->getNameAsString().size());
    found_[kernel->getCanonicalDecl()].push_back(std::move(out));
  }

  static void tidy(std::vector<LaunchInFile>& launches) {
    std::stable_sort(launches.begin(), launches.end(),
                     [](const LaunchInFile& a, const LaunchInFile& b) { return a.range.begin < b.range.begin; });
    std::vector<LaunchInFile> kept;
    for (const LaunchInFile& launch : launches) {
      const auto has = [&](auto&& same) { return std::any_of(kept.begin(), kept.end(), same); };
      const bool is_known = has([&](const LaunchInFile& k) {
        return k.block && k.block == launch.block && k.grid == launch.grid && k.arguments == launch.arguments;
      });
      const bool is_read_elsewhere =
          !launch.block && std::any_of(launches.begin(), launches.end(), [&](const LaunchInFile& other) {
            return other.block && other.range.begin == launch.range.begin;
          });
      const bool is_told = !launch.block && (!launch.is_reached || has([&](const LaunchInFile& k) {
        return !k.block && k.range.begin == launch.range.begin;
      }));
      if (!is_known && !is_read_elsewhere && !is_told) kept.push_back(launch);
    }
    launches = std::move(kept);
  }

  clang::ASTContext& context_;
  const UserFiles& files_;
  const std::vector<clang::SourceLocation>& errors_;
  std::vector<HostFunction> functions_;
  std::set<const clang::VarDecl*> shared_;
  LaunchesInFile found_;
};

}  // namespace

LaunchesInFile launches_in(clang::ASTContext& context, const UserFiles& files,
                           const std::vector<clang::SourceLocation>& errors) {
  return LaunchCollector(context, files, errors).run();
}

}  // namespace swizzle
