#include "frontend/host_launches.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>
#include <fmt/format.h>

#include "frontend/file_functions.h"
#include "frontend/host_walk.h"
#include "frontend/walk.h"

namespace swizzle {
namespace {

using Functions = std::set<const clang::Decl*>;  // canonical

struct HostFunction {
  const clang::FunctionDecl* definition = nullptr;
  Functions calls;
  std::vector<const clang::CallExpr*> call_sites;
  Functions handed_over;  // functions that are named, and not called there
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

// What they are, and not that they are launched.
bool asks_of_kernels(const clang::Stmt* s) {
  const auto* call = llvm::dyn_cast<clang::CallExpr>(s);
  const std::string name = call != nullptr ? called_name(call) : "";
  return name.starts_with("cudaFunc") || name.starts_with("cudaOccupancy");
}

const clang::FunctionDecl* function_in(const clang::Stmt* s) {
  const clang::ValueDecl* named = nullptr;
  if (const auto* ref = llvm::dyn_cast<clang::DeclRefExpr>(s)) named = ref->getDecl();
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(s)) named = member->getMemberDecl();
  return llvm::dyn_cast_or_null<clang::FunctionDecl>(named);
}

void add_named_in(const clang::Stmt* s, std::set<const clang::Stmt*>& all) {
  Walk names;
  names.statement = [&](const clang::Stmt* part) {
    if (function_in(part) != nullptr) all.insert(part);
  };
  walk(const_cast<clang::Stmt*>(s), names);
}

HostFunction surveyed(const clang::FunctionDecl* f) {
  HostFunction out;
  out.definition = f;
  std::set<const clang::Stmt*> called;
  Walk statements;
  statements.statement = [&](const clang::Stmt* s) {
    const bool is_launch = launch_syntax(s).has_value();
    out.launches |= is_launch || is_runtime_launch(s);
    if (is_launch || asks_of_kernels(s)) add_named_in(s, called);
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(s))
      if (const clang::FunctionDecl* callee = call->getDirectCallee()) {
        out.calls.insert(callee->getCanonicalDecl());
        out.call_sites.push_back(call);
        called.insert(call->getCallee()->IgnoreParenImpCasts());
      }
    if (const clang::FunctionDecl* named = function_in(s); named != nullptr && !called.contains(s))
      out.handed_over.insert(named->getCanonicalDecl());
  };
  walk(f->getBody(), statements);
  return out;
}

// Callers of those that launch do so, too.
Functions spread(std::vector<HostFunction>& functions) {
  Functions launching;
  for (std::size_t before = 1; before != 0;) {
    before = 0;
    for (HostFunction& f : functions) {
      f.launches |= std::any_of(f.calls.begin(), f.calls.end(), [&](auto* d) { return launching.contains(d); });
      if (f.launches && launching.insert(f.definition->getCanonicalDecl()).second) ++before;
    }
  }
  return launching;
}

// Of which clang has nothing, or a part.
struct LostStatement {
  const clang::FunctionDecl* in = nullptr;
  std::string code;

  // A kernel's launch.
  bool launches() const {
    return std::ranges::any_of(std::array{"$kernel(", "cudaLaunch", "cudaGraphAdd"},
                               [&](const char* launch) { return code.find(launch) != std::string::npos; });
  }
};

constexpr std::uint64_t kMostElements = 16;  // of an array in a parameter

class LaunchCollector {
 public:
  LaunchCollector(clang::ASTContext& context, const UserFiles& files, const LostText& lost)
      : context_(context),
        files_(files),
        lost_(lost) {}

  LaunchesInFile run() {
    find_functions();
    const Functions launching = spread(functions_);
    Functions called;
    for (const HostFunction& f : functions_)
      if (f.launches) called.insert(f.calls.begin(), f.calls.end());
    walk_all(launching, called, std::nullopt);
    add_for_any_kernel();
    add_lost_launches();
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
  void walk_all(const Functions& launching, const Functions& called, std::optional<std::int64_t> size) {
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
    const Functions others = called_otherwise(host);
    walk_those([&](const clang::FunctionDecl* f) { return others.contains(f); });
  }

  // By calls that are not followed, or by whoever is told of them: what they are handed is not known.
  Functions called_otherwise(const HostWalk& host) const {
    Functions others;
    for (const HostFunction& f : functions_) {
      for (const clang::CallExpr* call : f.call_sites)
        if (!host.has_followed(call)) others.insert(call->getDirectCallee()->getCanonicalDecl());
      for (const clang::Decl* named : f.handed_over)
        if (!host.has_followed(named)) others.insert(named);
    }
    for (const HostFunction& f : functions_)
      if (f.launches && is_named_where_lost(f.definition)) others.insert(f.definition->getCanonicalDecl());
    return others;
  }

  bool is_named_where_lost(const clang::FunctionDecl* f) const {
    return f->getDeclName().isIdentifier() && std::ranges::any_of(lost_statements_, [&](const LostStatement& lost) {
             return mentions(lost.code, f->getName());
           });
  }

  // What is told of points at the function that has them.
  void add_lost_launches() {
    for (const LostStatement& lost : lost_statements_) {
      const clang::SourceLocation at = context_.getSourceManager().getExpansionLoc(lost.in->getLocation());
      if (!lost.launches() || !files_.hold(context_.getSourceManager(), at)) continue;
      LaunchInFile launch;
      launch.range.begin = files_.original(context_.getSourceManager(), at);
      launch.range.end = launch.range.begin + static_cast<std::uint32_t>(lost.in->getNameAsString().size());
      for (const clang::FunctionDecl* kernel : kernels_)
        if (mentions(lost.code, kernel->getName())) found_[kernel->getCanonicalDecl()].push_back(launch);
    }
  }

  // Kernels that are handed to someone may be what is launched where nothing says which one is.
  void add_for_any_kernel() {
    if (unknown_kernels_.empty()) return;
    Functions handed_over = in_tables_;
    for (const HostFunction& f : functions_) handed_over.insert(f.handed_over.begin(), f.handed_over.end());
    for (LaunchInFile& launch : unknown_kernels_) {
      launch.is_of_any_kernel = true;
      for (const clang::Decl* d : handed_over)
        if (is_kernel(llvm::cast<clang::FunctionDecl>(d))) found_[d].push_back(launch);
    }
  }

  bool has_open_launches() const {
    return std::any_of(found_.begin(), found_.end(), [](const auto& of_kernel) {
      return std::any_of(of_kernel.second.begin(), of_kernel.second.end(),
                         [](const LaunchInFile& launch) { return !launch.block; });
    });
  }

  static bool is_same_place(const LaunchInFile& a, const LaunchInFile& b) {
    return a.range.begin == b.range.begin && a.path == b.path;
  }

  static bool is_alike(const LaunchInFile& a, const LaunchInFile& b) {
    return a.block == b.block && a.grid == b.grid && a.dynamic_shared_bytes == b.dynamic_shared_bytes &&
           a.arguments == b.arguments;
  }

  // Blocks that are open, by those of the same places where sizes were assumed.
  static void fill(std::vector<LaunchInFile>& launches, const std::vector<LaunchInFile>& assumed) {
    for (LaunchInFile& open : launches) {
      const auto known = std::find_if(assumed.begin(), assumed.end(), [&](const LaunchInFile& a) {
        return is_same_place(a, open) && a.block && !is_too_large(a);
      });
      if (open.block || known == assumed.end()) continue;
      open.block = known->block;
      open.assumed_block = known->assumed_block;
    }
  }

  void find_functions() {
    Walk all;
    all.instances = true;
    all.function = [&](const clang::FunctionDecl* f) {
      if (!f->doesThisDeclarationHaveABody() || f->getBody() == nullptr) return;
      lost_.each_in(f->getBody(), [&](const std::string& code) { lost_code_ += code; });
      lost_.each_in_part_in(f->getBody(), [&](std::string code) { lost_statements_.push_back({f, std::move(code)}); });
      if (!is_only_pattern(f)) return;
      if (is_kernel(f)) kernels_.push_back(f);
      functions_.push_back(surveyed(f));
      for (const clang::Decl* d : changed_in(f->getBody()))
        if (const auto* v = llvm::dyn_cast<clang::VarDecl>(d); v != nullptr && v->hasGlobalStorage()) shared_.insert(v);
    };
    all.variable = [&](const clang::VarDecl* v) {
      if (!v->hasGlobalStorage() || v->getInit() == nullptr) return;
      std::set<const clang::Stmt*> named;
      add_named_in(v->getInit(), named);
      for (const clang::Stmt* s : named) in_tables_.insert(function_in(s)->getCanonicalDecl());
    };
    walk_user_files(context_, files_, all);
    if (lost_code_.empty()) return;
    Walk names;
    names.statement = [&](const clang::Stmt* s) {
      const auto* ref = llvm::dyn_cast<clang::DeclRefExpr>(s);
      const auto* v = ref != nullptr ? llvm::dyn_cast<clang::VarDecl>(ref->getDecl()) : nullptr;
      if (v != nullptr && v->hasGlobalStorage() && !v->getType().isConstQualified() &&
          may_change(lost_code_, v->getName()))
        shared_.insert(v->getCanonicalDecl());
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
          return is_same_place(k, launch) && !k.is_without_arguments;
        };
        const bool is_same = std::any_of(known.begin(), known.end(),
                                         [&](const LaunchInFile& k) { return is_there(k) && is_alike(k, launch); });
        const bool is_new = std::none_of(known.begin(), known.end(),
                                         [&](const LaunchInFile& k) { return is_there(k) && k.block.has_value(); });
        if (is_same || !launch.block || (!launch.is_reached && !is_new)) continue;
        std::erase_if(known, is_there);
        launch.is_without_arguments = true;
        known.push_back(std::move(launch));
      }
  }

  // "p.shape[0]" of a struct.
  void add_numbers(const std::string& name, clang::QualType type, const HostValue& value, Sizes& all) const {
    constexpr double kMostReal = 1e15;
    const bool is_whole = value.real && std::trunc(*value.real) == *value.real && std::fabs(*value.real) < kMostReal;
    const auto add_member = [&](const std::string& member, const std::string& member_name, clang::QualType of) {
      if (const auto known = value.members.find(member); known != value.members.end())
        add_numbers(member_name, of, known->second, all);
    };
    if (type->isIntegralOrEnumerationType()) {
      if (value.integer) all[name] = *value.integer;
    } else if (type->isPointerType()) {
      if (value.integer == 0) all[name] = 0;
    } else if (type->isRealFloatingType()) {
      if (is_whole) all[name] = static_cast<std::int64_t>(*value.real);
    } else if (const auto* array = context_.getAsConstantArrayType(type)) {
      for (std::uint64_t i = 0; i < array->getSize().getZExtValue() && i < kMostElements; ++i)
        add_member(std::to_string(i), fmt::format("{}[{}]", name, i), array->getElementType());
    } else if (const auto* record = type->getAsRecordDecl()) {
      for (const clang::FieldDecl* field : record->fields())
        add_member(field->getNameAsString(), fmt::format("{}.{}", name, field->getNameAsString()), field->getType());
    }
  }

  void add(const HostLaunch& launch) {
    const clang::FunctionDecl* kernel = launch.kernel;
    if (kernel != nullptr && !is_kernel(kernel)) return;
    const auto& sources = context_.getSourceManager();
    LaunchInFile out;
    out.path = launch.path;
    out.grid = dimensions_of(launch.grid);
    out.block = dimensions_of(launch.block);
    if (!assumes_) out.dynamic_shared_bytes = launch.shared_bytes.integer;
    if (assumes_) out.assumed_block = launch.block_text.empty() ? "the block" : launch.block_text;
    out.is_reached = launch.is_reached;
    out.numbers = launch.numbers;
    for (unsigned i = 0; kernel != nullptr && i < launch.arguments.size() && i < kernel->getNumParams(); ++i)
      add_numbers(kernel->getParamDecl(i)->getNameAsString(), kernel->getParamDecl(i)->getType(), launch.arguments[i],
                  out.arguments);
    const clang::SourceLocation begin = sources.getExpansionLoc(launch.range.getBegin());
    if (!files_.hold(sources, begin)) return;
    out.range.begin = files_.original(sources, begin);
    out.range.end =
        out.range.begin + (kernel != nullptr ? static_cast<std::uint32_t>(kernel->getNameAsString().size()) : 1);
    (kernel != nullptr ? found_[kernel->getCanonicalDecl()] : unknown_kernels_).push_back(std::move(out));
  }

  static bool is_too_large(const LaunchInFile& launch) {
    return launch.block && !launch_obstacle({.block = *launch.block}).empty();
  }

  static void tidy(std::vector<LaunchInFile>& launches) {
    std::stable_sort(launches.begin(), launches.end(),
                     [](const LaunchInFile& a, const LaunchInFile& b) { return a.range.begin < b.range.begin; });
    // Where the program comes nowhere with this kernel, it is counted as if it did.
    const bool comes = std::ranges::any_of(launches, [](const LaunchInFile& l) { return l.is_reached && l.block; });
    std::erase_if(launches, [&](const LaunchInFile& l) { return !l.is_reached && (comes || is_too_large(l)); });
    std::vector<LaunchInFile> kept;
    for (const LaunchInFile& launch : launches) {
      const auto has = [&](auto&& same) { return std::any_of(kept.begin(), kept.end(), same); };
      const bool is_known =
          has([&](const LaunchInFile& k) { return k.block && is_alike(k, launch) && k.numbers == launch.numbers; });
      const bool is_read_elsewhere =
          !launch.block && std::any_of(launches.begin(), launches.end(), [&](const LaunchInFile& other) {
            return other.block && is_same_place(other, launch);
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
  std::string lost_code_;
  std::vector<LostStatement> lost_statements_;
  std::vector<const clang::FunctionDecl*> kernels_;
  std::vector<HostFunction> functions_;
  Functions shared_;
  Functions in_tables_;  // functions that variables of the file hold
  LaunchesInFile found_;
  std::vector<LaunchInFile> unknown_kernels_;  // launches of who knows which one
  bool assumes_ = false;
};

}  // namespace

LaunchesInFile launches_in(clang::ASTContext& context, const UserFiles& files, const LostText& lost) {
  return LaunchCollector(context, files, lost).run();
}

}  // namespace swizzle
