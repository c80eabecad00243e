#include "driver/ptx_kernels.h"

#include <algorithm>
#include <map>

#include "synth/ptx/names.h"
#include "synth/ptx/parameters.h"

namespace swizzle {
namespace {

using Part = ptx::ArgumentPart;

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

CheckedKernel signature_alone(const PtxSources& sources, const ptx::Function& function, SourceRange name,
                              const std::vector<ptx::Argument>& arguments) {
  KernelSignature signature(sources.source);
  for (const ptx::Argument& argument : arguments)
    for (const Part& part : argument)
      if (part.kind == Part::Kind::kInteger) signature.add_integer(part.name, part.size_bytes);
  for (const ptx::Instruction& i : function.instructions)
    for (const ptx::Operand& operand : i.operands) add_uses(operand, signature);
  CheckedKernel checked;
  checked.name = ptx::signature_of(function.name).name;
  checked.program = signature.program(checked.name, name);
  if (function.most_threads > 0) checked.launch_bounds = function.most_threads;
  return checked;
}

// What lies in a parameter, by offset.
void add_fields(const Program& program, const Type& type, std::int64_t offset, const std::string& name,
                std::map<std::int64_t, Part>& out) {
  const bool is_integer = type.form == Type::Form::kScalar && !is_real(type.scalar);
  if (type.form == Type::Form::kPointer) out[offset] = {offset, 8, name, Part::Kind::kBuffer};
  else if (type.form == Type::Form::kScalar)
    out[offset] = {offset, type.size_bytes, name, is_integer ? Part::Kind::kInteger : Part::Kind::kData};
  else if (type.form == Type::Form::kRecord)
    for (const Field& field : type.fields)
      add_fields(program, program.type(field.type), offset + field.offset_bytes, name + "." + field.name, out);
}

// By the source's types, where they tell of the same bytes.
void name_parts(const Program& program, std::vector<ptx::Argument>& arguments) {
  const std::vector<VariableId>& parameters = program.function(program.entry).parameters;
  if (parameters.size() != arguments.size()) return;
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    const Variable& variable = program.variable(parameters[p]);
    std::map<std::int64_t, Part> fields;
    add_fields(program, program.type(variable.type), 0, variable.name, fields);
    for (Part& part : arguments[p])
      if (const auto field = fields.find(part.offset_bytes);
          field != fields.end() && field->second.size_bytes == part.size_bytes)
        part = field->second;
  }
}

// Without namespaces before it, spaces, and the letters behind integers.
std::string comparable(const std::string& name) {
  std::string out;
  const std::string_view head = std::string_view(name).substr(0, name.find('<'));
  const std::size_t colons = head.rfind("::");
  for (const char c : name.substr(colons == std::string_view::npos ? 0 : colons + 2)) {
    const bool is_suffix = c == 'u' || c == 'U' || c == 'l' || c == 'L';
    const bool is_behind_digit = !out.empty() && std::isdigit(static_cast<unsigned char>(out.back()));
    if (c != ' ' && !(is_suffix && is_behind_digit && out.find('<') != std::string::npos)) out += c;
  }
  return out;
}

bool is_wanted(const std::string& name, const std::string& wanted) {
  return wanted.empty() || is_same_kernel(name, wanted) || is_same_kernel(name.substr(0, name.find('<')), wanted);
}

}  // namespace

bool is_same_kernel(const std::string& a, const std::string& b) { return comparable(a) == comparable(b); }

std::vector<PtxKernel> ptx_kernels(const PtxSources& sources, const std::string& wanted,
                                   const std::vector<CheckedKernel>& known) {
  std::vector<PtxKernel> kernels;
  for (const ptx::Function& function : sources.module.functions) {
    const std::string name = ptx::signature_of(function.name).name;
    if (!function.is_kernel || !is_wanted(name, wanted)) continue;
    const KernelInSource in_source = kernel_in_source(sources, function);
    PtxKernel kernel{&function, ptx::arguments_of(sources.module, function, in_source.parameters), {}};
    const auto of_clang = std::ranges::find_if(known, [&](const CheckedKernel& k) {
      return (!k.mangled.empty() && k.mangled == function.name) || is_same_kernel(k.name, name);
    });
    if (of_clang != known.end()) {
      kernel.checked = *of_clang;
      name_parts(kernel.checked.program, kernel.arguments);
    } else {
      kernel.checked = signature_alone(sources, function, in_source.name, kernel.arguments);
    }
    kernel.checked.mangled = function.name;
    kernels.push_back(std::move(kernel));
  }
  const auto begin = [](const PtxKernel& k) { return k.checked.program.function(k.checked.program.entry).range.begin; };
  std::stable_sort(kernels.begin(), kernels.end(),
                   [&](const PtxKernel& a, const PtxKernel& b) { return begin(a) < begin(b); });
  return kernels;
}

}  // namespace swizzle
