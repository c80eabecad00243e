// Templates that nothing instantiates, and the instance that stands for each: private to frontend/.
//
//   template <class T, int N = 4> __global__ void copy(T* y) { … }                       copy<float>
//   template <int N> void run(float* y) { scale<N><<<1, N>>>(y); }                       run<32>, and with it scale<32>
//
// Types are float, numbers 32, truths false. Host code that launches goes before kernels: what it hands them fits.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
class FunctionDecl;
}  // namespace clang

namespace swizzle {

// "ns::copy<float>" of a function that is a template; nothing if no argument stands for one of its parameters.
std::optional<std::string> stand_in(const clang::FunctionDecl* pattern);

// Of function templates of the user's file that launch, and of which there is no instance, or none that has a body.
enum class HostTemplates { kUninstantiated, kWithoutBody };
std::vector<std::string> host_stand_ins(const clang::ASTContext& context, HostTemplates which);

// Whether an argument of the instance is a number that stood for one without default.
bool has_invented_number(const clang::FunctionDecl* instance);

}  // namespace swizzle
