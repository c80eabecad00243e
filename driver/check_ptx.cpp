#include "driver/check_ptx.h"

#include <algorithm>

#include <fmt/format.h>

#include "driver/ptx_sources.h"
#include "frontend/directive_parser.h"
#include "frontend/parse.h"
#include "synth/problem/pose.h"
#include "synth/ptx/names.h"
#include "synth/ptx/parameters.h"
#include "synth/ptx/reader.h"

namespace swizzle {
namespace {

// A Program of its signature alone: enough to choose a launch by.
class KernelSignature {
 public:
  explicit KernelSignature(const SourceText& source) { program_.source = source; }

  void add_integer(const std::string& name, int bytes) {
    constexpr int kWord = 4, kHalf = 2;
    Type type;
    type.form = Type::Form::kScalar;
    type.scalar = bytes > kWord ? Scalar::kI64 : bytes > kHalf ? Scalar::kI32 : Scalar::kI16;
    type.size_bytes = bytes;
    Variable variable;
    variable.name = name;
    variable.type = TypeId{static_cast<std::uint32_t>(program_.types.size())};
    parameters_.push_back(VariableId{static_cast<std::uint32_t>(program_.variables.size())});
    program_.types.push_back(type);
    program_.variables.push_back(std::move(variable));
  }

  void add_use(Builtin builtin) {
    Expr use;
    use.kind = ExprKind::kBuiltin;
    use.builtin = builtin;
    program_.exprs.push_back(use);
  }

  Program program(const std::string& name, SourceRange range) {
    Function function;
    function.name = name;
    function.range = range;
    function.parameters = std::move(parameters_);
    program_.entry = FunctionId{0};
    program_.is_kernel = true;
    program_.functions.push_back(std::move(function));
    return std::move(program_);
  }

 private:
  Program program_;
  std::vector<VariableId> parameters_;
};

void add_uses(const ptx::Operand& operand, KernelSignature& signature) {
  static constexpr std::pair<ptx::Special, Builtin> kUses[] = {{ptx::Special::kCtaidX, Builtin::kBlockIdxX},
                                                               {ptx::Special::kCtaidY, Builtin::kBlockIdxY},
                                                               {ptx::Special::kCtaidZ, Builtin::kBlockIdxZ},
                                                               {ptx::Special::kTidY, Builtin::kThreadIdxY}};
  if (operand.kind != ptx::Operand::Kind::kSpecial) return;
  for (const auto& [special, builtin] : kUses)
    if (operand.id == static_cast<int>(special)) signature.add_use(builtin);
}

struct PtxKernel {
  const ptx::Function* function = nullptr;
  std::vector<ptx::Argument> arguments;
  CheckedKernel checked;
};

PtxKernel kernel_of(const PtxSources& sources, const ptx::Function& function) {
  const KernelInSource in_source = kernel_in_source(sources, function);
  PtxKernel kernel{&function, ptx::arguments_of(sources.module, function, in_source.parameters), {}};
  KernelSignature signature(sources.source);
  for (const ptx::Argument& argument : kernel.arguments)
    for (const ptx::ArgumentPart& part : argument)
      if (part.kind == ptx::ArgumentPart::Kind::kInteger) signature.add_integer(part.name, part.size_bytes);
  for (const ptx::Instruction& i : function.instructions)
    for (const ptx::Operand& operand : i.operands) add_uses(operand, signature);
  kernel.checked.name = ptx::signature_of(function.name).name;
  kernel.checked.program = signature.program(kernel.checked.name, in_source.name);
  if (function.most_threads > 0) kernel.checked.launch_bounds = function.most_threads;
  return kernel;
}

bool is_asked_for(const std::string& name, const std::string& wanted) {
  return wanted.empty() || name == wanted || name.substr(0, name.find('<')) == wanted;
}

// Kernels in the order of the sources.
Result<std::vector<PtxKernel>> kernels_of(const PtxSources& sources, const CheckRequest& request) {
  std::vector<PtxKernel> kernels;
  for (const ptx::Function& function : sources.module.functions)
    if (function.is_kernel && is_asked_for(ptx::signature_of(function.name).name, request.kernel))
      kernels.push_back(kernel_of(sources, function));
  if (kernels.empty())
    return make_error(sources.source, {},
                      request.kernel.empty() ? "there is no kernel here"
                                             : fmt::format("there is no kernel '{}' here", request.kernel));
  for (PtxKernel& kernel : kernels)
    if (const auto used = use_machine(request.machine, sources.source, kernel.checked.program.directives); !used.ok())
      return used.errors();
  std::stable_sort(kernels.begin(), kernels.end(), [](const PtxKernel& a, const PtxKernel& b) {
    const auto begin = [](const PtxKernel& k) { return k.checked.program.functions[0].range.begin; };
    return begin(a) < begin(b);
  });
  return kernels;
}

KernelCheck traced(const PtxSources& sources, PtxKernel& kernel, CheckedLaunch launch, const CheckRequest& request) {
  const Sizes sizes = launch.sizes();
  for (ptx::Argument& argument : kernel.arguments)
    for (ptx::ArgumentPart& part : argument)
      if (const auto size = sizes.find(part.name); size != sizes.end()) part.value = size->second;
  TraceOptions how;
  how.shape = launch.shape;
  how.memory = memory_of(kernel.checked.program);
  how.all_blocks = request.all_blocks;
  how.step_limit = request.step_limit;
  KernelCheck check;
  check.name = kernel.checked.name;
  check.name_range = kernel.checked.program.functions[0].range;
  check.shape = launch.shape;
  check.lanes = how.memory.lanes;
  check.shape_origin = std::move(launch.origin);
  check.sizes = std::move(launch.integers);
  check.assumed = std::move(launch.assumed);
  check.trace = ptx::trace_accesses({sources.module,
                                     *kernel.function,
                                     sources.source,
                                     sources.places,
                                     sources.lines,
                                     {check.name_range, {}, {}},
                                     kernel.arguments},
                                    how);
  return check;
}

}  // namespace

bool is_ptx(const std::string& path) { return path.ends_with(".ptx"); }

Result<CheckedFile> check_ptx(const CheckRequest& request, Observer& observer) {
  const Stopwatch watch;
  const auto text = read_source(request.path);
  if (!text.ok()) return text.errors();
  auto module = ptx::read_module(*text);
  if (!module.ok()) return module.errors();
  const PtxSources sources = beside_sources(std::move(*module), *text);
  auto kernels = kernels_of(sources, request);
  if (!kernels.ok()) return kernels.errors();
  CheckedFile file{{sources.source, {}, {}, watch.seconds(), 0}, {}};
  for (const PtxKernel& kernel : *kernels) file.kernels.push_back(kernel.checked);
  if (!request.names_may_be_elsewhere)
    if (const auto wrong = unknown_name(file.kernels, request.launch)) return *wrong;
  for (PtxKernel& kernel : *kernels) {
    KernelLaunches launches = launches_of(kernel.checked, request.launch);
    for (const Diagnostic& why : launches.unknown) {
      observer.tell(why);
      file.report.left_out.push_back({kernel.checked.name, why});
    }
    for (CheckedLaunch& launch : launches.known) {
      file.report.kernels.push_back(traced(sources, kernel, std::move(launch), request));
      for (const Diagnostic& d : remarks_of(file.report.kernels.back())) observer.tell(d);
    }
  }
  file.report.check_seconds = watch.seconds() - file.report.parse_seconds;
  return file;
}

}  // namespace swizzle
