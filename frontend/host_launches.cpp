#include "frontend/host_launches.h"

#include <algorithm>
#include <cmath>

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

// A pattern of a template stands for its instances, and is of interest if none has a body.
bool is_only_pattern(const clang::FunctionDecl* f) {
  if (!f->isDependentContext()) return true;
  if (const auto* own = f->getDescribedFunctionTemplate()) return instances_of(own).empty();
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
  LaunchCollector(clang::ASTContext& context, const UserFiles& files, const LostText& lost)
      : context_(context),
        files_(files),
        lost_(lost) {}

  LaunchesInFile run() {
    find_functions();
    const std::set<const clang::Decl*> launching = spread(functions_);
    std::set<const clang::Decl*> called;
    for (const HostFunction& f : functions_)
      if (f.launches) called.insert(f.calls.begin(), f.calls.end());
    walk_all(launching, called, std::nullopt);
    for (auto& [kernel, launches] : found_) tidy(launches);
    constexpr std::int64_t kSizes[] = {1024, 256, 32};
    for (const std::int64_t size : kSizes) {
      if (!has_open_launches()) break;
      LaunchesInFile known = std::exchange(found_, {});
      walk_all(launching, called, size);
      const LaunchesInFile assumed = std::exchange(found_, std::move(known));
      for (auto& [kernel, launches] : found_)
        if (const auto of_it = assumed.find(kernel); of_it != assumed.end()) fill(launches, of_it->second);
    }
    for (auto& [kernel, launches] : found_) tidy(launches);
    return std::move(found_);
  }

 private:
  // `size`: what integers are that nobody knows.
  void walk_all(const std::set<const clang::Decl*>& launching, const std::set<const clang::Decl*>& called,
                std::optional<std::int64_t> size) {
    HostWalk host(context_, lost_, shared_, launching, [&](const HostLaunch& launch) { add(launch); });
    if (size) host.assume(*size);
    assumes_ = size.has_value();
    const auto walk_those = [&](auto&& wanted) {
      for (const HostFunction& f : functions_)
        if (f.launches && wanted(f.definition->getCanonicalDecl())) {
          host.walk(f.definition);
          if (f.definition->isMain() && !size) walk_without_arguments(host, f.definition);
        }
    };
    walk_those([&](const clang::FunctionDecl* f) { return !called.contains(f); });
    walk_those([&](const clang::FunctionDecl* f) { return !host.has_entered(f); });
  }

  bool has_open_launches() const {
    return std::any_of(found_.begin(), found_.end(), [](const auto& of_kernel) {
      return std::any_of(of_kernel.second.begin(), of_kernel.second.end(),
                         [](const LaunchInFile& launch) { return !launch.block; });
    });
  }

  // Blocks that are open, by those of the same places where sizes were assumed.
  static void fill(std::vector<LaunchInFile>& launches, const std::vector<LaunchInFile>& assumed) {
    constexpr std::int64_t kMostThreads = 1024;
    for (LaunchInFile& open : launches) {
      const auto known = std::find_if(assumed.begin(), assumed.end(), [&](const LaunchInFile& a) {
        return a.range.begin == open.range.begin && a.block &&
               std::int64_t{(*a.block)[0]} * (*a.block)[1] * (*a.block)[2] <= kMostThreads;
      });
      if (open.block || known == assumed.end()) continue;
      open.block = known->block;
      open.assumed_block = known->assumed_block;
    }
  }

  void find_functions() {
    Walk all;
    std::string lost_code;
    all.instances = true;
    all.function = [&](const clang::FunctionDecl* f) {
      if (!f->doesThisDeclarationHaveABody() || f->getBody() == nullptr) return;
      lost_.each_in(f->getBody(), [&](const std::string& code) { lost_code += code; });
      if (!is_only_pattern(f)) return;
      functions_.push_back(surveyed(f));
      for (const clang::Decl* d : changed_in(f->getBody()))
        if (const auto* v = llvm::dyn_cast<clang::VarDecl>(d); v != nullptr && v->hasGlobalStorage()) shared_.insert(v);
    };
    walk_user_files(context_, files_, all);
    if (lost_code.empty()) return;
    Walk names;
    names.statement = [&](const clang::Stmt* s) {
      const auto* ref = llvm::dyn_cast<clang::DeclRefExpr>(s);
      const auto* v = ref != nullptr ? llvm::dyn_cast<clang::VarDecl>(ref->getDecl()) : nullptr;
      if (v != nullptr && v->hasGlobalStorage() && !v->getType().isConstQualified() && !shared_.contains(v) &&
          may_change(lost_code, v->getName()))
        shared_.insert(v);
    };
    names.instances = true;
    walk_user_files(context_, files_, names);
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
        const bool is_new = std::none_of(known.begin(), known.end(),
                                         [&](const LaunchInFile& k) { return is_there(k) && k.block.has_value(); });
        if (is_same || !launch.block || (!launch.is_reached && !is_new)) continue;
        std::erase_if(known, is_there);
        launch.is_without_arguments = true;
        known.push_back(std::move(launch));
      }
  }

  void add(const HostLaunch& launch) {
    constexpr double kMostReal = 1e15;
    const clang::FunctionDecl* kernel = launch.kernel;
    if (!is_kernel(kernel)) return;
    const auto& sources = context_.getSourceManager();
    LaunchInFile out;
    out.grid = dimensions_of(launch.grid);
    out.block = dimensions_of(launch.block);
    if (assumes_) out.assumed_block = launch.block_text.empty() ? "the block" : launch.block_text;
    out.is_reached = launch.is_reached;
    out.numbers = launch.numbers;
    for (unsigned i = 0; i < launch.arguments.size() && i < kernel->getNumParams(); ++i) {
      const clang::QualType type = kernel->getParamDecl(i)->getType();
      const HostValue& argument = launch.arguments[i];
      const bool is_whole =
          argument.real && std::trunc(*argument.real) == *argument.real && std::fabs(*argument.real) < kMostReal;
      if (type->isIntegralOrEnumerationType() && argument.integer)
        out.arguments[kernel->getParamDecl(i)->getNameAsString()] = *argument.integer;
      else if (type->isRealFloatingType() && is_whole)
        out.arguments[kernel->getParamDecl(i)->getNameAsString()] = static_cast<std::int64_t>(*argument.real);
    }
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
        return k.block && k.block == launch.block && k.grid == launch.grid && k.arguments == launch.arguments &&
               k.numbers == launch.numbers;
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
  const LostText& lost_;
  std::vector<HostFunction> functions_;
  std::set<const clang::Decl*> shared_;
  LaunchesInFile found_;
  bool assumes_ = false;
};

}  // namespace

LaunchesInFile launches_in(clang::ASTContext& context, const UserFiles& files, const LostText& lost) {
  return LaunchCollector(context, files, lost).run();
}

}  // namespace swizzle
