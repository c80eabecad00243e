#include "frontend/lower_variables.h"

#include <algorithm>
#include <climits>
#include <string>
#include <string_view>

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>

#include <fmt/format.h>

#include "frontend/file_functions.h"
#include "frontend/source_rewrite.h"
#include "synth/base/text.h"
#include "synth/machine/residency.h"

namespace swizzle {
namespace {

// Whether the file copies into a symbol, or passes its address on: `cudaMemcpyToSymbol(stride, &s, sizeof s)`.
bool is_filled_by_host(const std::string& source, const std::string& symbol) {
  for (const std::string_view call : {"ToSymbol", "GetSymbolAddress"})
    for (std::size_t at = source.find(call); at != std::string::npos; at = source.find(call, at + 1)) {
      const std::size_t open = std::min(source.find('(', at), source.size());
      const std::size_t end = parentheses_end(source, open).value_or(source.size());
      if (contains_word(std::string_view(source).substr(open, end - open), symbol)) return true;
    }
  return false;
}

}  // namespace

VariableId VariableLowering::lower(const clang::VarDecl* decl, SourceRange declaration) {
  decl = decl->getCanonicalDecl();
  if (const auto it = variables_.find(decl); it != variables_.end()) return it->second;
  const VariableId id(program_.variables.size());
  variables_[decl] = id;
  program_.variables.emplace_back();  // its own place, whatever variables its type names
  Variable v;
  v.name = decl->getNameAsString();
  v.range = source_.in_user_file(decl->getLocation()) ? source_.range_of_name(decl) : source_.use();
  v.declaration = declaration;
  v.is_reference = decl->getType()->isReferenceType();
  if (!checks_ && decl->isInvalidDecl())
    source_.error(v.range, fmt::format("the declaration of '{}' is not understood", v.name));
  {
    const SourceDiagnostics::Use use(source_, v.range);
    v.type = types_.of(decl->getType().getNonReferenceType());
  }
  v.is_shared = is_annotated(decl, "swizzle_shared");
  v.is_constant_memory = is_annotated(decl, "swizzle_constant");
  if (!checks_) refuse(decl, v);
  if (!checks_ && v.is_shared) v.type = aligned(v.type, decl);
  v.is_extern = decl->hasExternalStorage();
  v.is_const = decl->getType().isConstQualified() && !decl->getType().isVolatileQualified();
  v.is_constexpr = decl->isConstexpr();
  layouts_.note_sizes(decl);
  program_.variables[id.value] = v;
  if (checks_ && v.is_shared) return id;
  if (v.is_shared && v.is_extern) {
    dynamic_array(decl, program_.variables[id.value]);
    return id;
  }
  if (v.is_shared) mind_static_bytes(v);
  if (v.is_shared && decl->isFileVarDecl())
    source_.error(v.range, "a __shared__ variable outside of the kernel is not supported in a sketch");
  if (is_symbol(decl)) symbol(decl, id);
  else if (decl->isFileVarDecl() || (decl->isStaticLocal() && !v.is_shared)) global(decl, id);
  return id;
}

// What a variable of a sketch cannot be.
void VariableLowering::refuse(const clang::VarDecl* decl, Variable& v) {
  const bool is_parameter = llvm::isa<clang::ParmVarDecl>(decl);
  if (is_parameter && is_prelude_object(decl->getType()))
    source_.error(v.range, "registers of load() and accumulators cannot be passed to a function");
  if (decl->getTSCSpec() != clang::TSCS_unspecified)
    source_.error(v.range, "a thread_local variable is not supported in a sketch");
  if (!is_parameter || !v.is_shared) return;
  source_.error(v.range, fmt::format("the parameter '{}' cannot be __shared__", v.name));
  v.is_shared = false;
}

// The type with the alignment that the declaration says, wherever it stands: also in a header or a macro.
TypeId VariableLowering::aligned(TypeId type, const clang::VarDecl* decl) {
  const int bytes = static_cast<int>(decl->getMaxAlignment() / CHAR_BIT);
  if (bytes <= program_.type(type).alignment_bytes) return type;
  Type own = program_.type(type);
  own.alignment_bytes = bytes;
  program_.types.push_back(std::move(own));
  return TypeId(program_.types.size() - 1);
}

// Those whose size holes decide are left to nvcc.
void VariableLowering::mind_static_bytes(const Variable& v) {
  const Type& type = program_.type(v.type);
  if (type.extent.valid() || type.sized_by.valid()) return;
  const bool was_too_much = static_bytes_ > kMostStaticSharedBytes;
  static_bytes_ += type.size_bytes;
  if (static_bytes_ <= kMostStaticSharedBytes || was_too_much) return;
  source_.error(v.range,
                fmt::format("with '{}' the __shared__ arrays take {} bytes, and nvcc allows {} where no launch "
                            "gives them: declare it `extern __shared__`",
                            v.name, static_bytes_, kMostStaticSharedBytes));
}

// The launch tells how long it is.
void VariableLowering::dynamic_array(const clang::VarDecl* decl, Variable& v) {
  const auto is_other = [&](const Variable& other) { return &other != &v && other.is_shared && other.is_extern; };
  if (std::any_of(program_.variables.begin(), program_.variables.end(), is_other))
    source_.error(
        v.range,
        "a second `extern __shared__` array, which is the same memory as the first, is not supported in a sketch");
  if (!decl->getType()->isIncompleteArrayType())
    source_.error(v.range, fmt::format("'{}' is dynamic shared memory: declare it as an array without a size", v.name));
  if (v.declaration.end != 0 || !decl->isFileVarDecl()) return;
  v.declaration = source_.range_of(decl);
  v.declaration.end = static_cast<std::uint32_t>(program_.source.text().find(';', v.declaration.end) + 1);
}

void VariableLowering::global(const clang::VarDecl* decl, VariableId id) {
  program_.variables[id.value].is_global = true;
  const Variable v = program_.variable(id);
  const clang::Expr* initializer = decl->getAnyInitializer();
  const bool is_changed = checks_ && !v.is_const && is_filled_by_host(program_.source.text(), v.name);
  if (initializer == nullptr || is_changed || (checks_ && initializer->containsErrors())) {
    if (!checks_)
      source_.error(v.range,
                    fmt::format("'{}' has no value here: a global needs an initializer, or __constant__", v.name));
    return;
  }
  Stmt s;
  s.kind = StmtKind::kDeclare;
  s.range = v.range;
  s.variable = id;
  const auto calls = static_cast<std::ptrdiff_t>(program_.host_calls.size());
  s.expr = nodes_.expression(initializer);
  program_.host_calls.erase(program_.host_calls.begin() + calls, program_.host_calls.end());  // the compiler makes them
  const StmtId made = tree_.make(s);
  program_.globals.push_back(made);
}

bool VariableLowering::is_symbol(const clang::VarDecl* decl) const {
  if (checks_ || !decl->hasGlobalStorage() || !decl->isFileVarDecl() || decl->getAnyInitializer() != nullptr)
    return false;
  if (!source_.in_user_file(decl->getLocation())) return false;
  if (is_annotated(decl, "swizzle_shared") || (program_.is_kernel && !is_annotated(decl, "swizzle_constant")))
    return false;
  const clang::QualType type = decl->getType();
  return type->isConstantArrayType() || type->isArithmeticType();
}

// Of an array a pointer to its elements, which nobody may write.
void VariableLowering::symbol(const clang::VarDecl* decl, VariableId id) {
  Variable& v = program_.variables[id.value];
  clang::PrintingPolicy policy = ast_.getPrintingPolicy();
  policy.SuppressUnwrittenScope = true;  // of a namespace without a name
  llvm::raw_string_ostream qualified(v.symbol);
  decl->printQualifiedName(qualified, policy);
  symbols_.push_back(id);
  const auto* array = ast_.getAsConstantArrayType(decl->getType());
  if (array == nullptr) return;
  v.symbol_items = array->getSize().getSExtValue();
  const SourceRange range = v.range;
  const std::string name = v.name, items = fmt::format("{}", v.symbol_items);
  program_.directives.extents.push_back({name, {items, range}, range});
  const TypeId elements = types_.of(ast_.getPointerType(array->getElementType().withConst()));
  program_.types[elements.value].pointee_is_const = true;
  program_.variables[id.value].type = elements;
}

void VariableLowering::append_symbols() {
  std::ranges::sort(symbols_, {}, [&](VariableId id) { return program_.variable(id).name; });
  std::vector<VariableId>& parameters = program_.functions[program_.entry.value].parameters;
  parameters.insert(parameters.end(), symbols_.begin(), symbols_.end());
}

}  // namespace swizzle
