// The functions of the user's file, in namespaces and `extern "C"`, too: private to frontend/.
//
//   template <int N> __global__ void copy(float* y) { … }     a template; its instances are copy<4>, copy<8>
//   void spec(float* y) { … }                                 a function
#pragma once

#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "synth/program/program.h"

namespace clang {
class ASTContext;
class Decl;
class FunctionDecl;
class FunctionTemplateDecl;
struct PrintingPolicy;
}  // namespace clang

namespace swizzle {

class UserFiles;

using FunctionOrTemplate = std::variant<const clang::FunctionDecl*, const clang::FunctionTemplateDecl*>;

// Definitions of functions, and templates (declared or defined), in the order of the file.
std::vector<FunctionOrTemplate> functions_of_file(const clang::ASTContext& context);
// Of whatever clang has read.
std::vector<FunctionOrTemplate> functions_of_unit(const clang::ASTContext& context);
// Those of its headers, too.
std::vector<FunctionOrTemplate> functions_of_files(const clang::ASTContext& context, const UserFiles& files);

// Those that have a body.
std::vector<const clang::FunctionDecl*> instances_of(const clang::FunctionTemplateDecl* function);

// Of an instance; none of an explicit specialization, whose text no other instance shares.
std::vector<TemplateArgument> template_arguments(const clang::FunctionDecl* f, const clang::PrintingPolicy& policy);

// "swizzle_shared" and its kin, which CUDA's keywords are in the prelude.
bool is_annotated(const clang::Decl* decl, std::string_view annotation);
bool is_kernel(const clang::FunctionDecl* f);                            // __global__
std::optional<int> launch_bounds_of(const clang::FunctionDecl* kernel);  // threads of a block at most

}  // namespace swizzle
