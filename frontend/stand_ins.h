// Templates that nothing instantiates, and the instance that stands for each: private to frontend/.
//
//   template <class T, int N = 4> __global__ void copy(T* y) { … }                       copy<float>
//   template <int N> void run(float* y) { scale<N><<<1, N>>>(y); }                       run<32>, and with it scale<32>
//   template <int N = 8, class T, class I> void fill(T* y, I n) { … y[n] … }             fill<8, float, int>
//
// Types are float, or int where that fits better; numbers are 32, truths false. Host code that launches goes before
// kernels: what it hands them fits.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
class FunctionDecl;
}  // namespace clang

namespace swizzle {

// What stands for types: float; int for those of which a function's parameters are, themselves and not by pointers;
// int.
enum class StandInTypes { kFloat, kIntByValue, kInt };
inline constexpr StandInTypes kAllStandInTypes[] = {StandInTypes::kFloat, StandInTypes::kIntByValue,
                                                    StandInTypes::kInt};

// Of template arguments, those numbers that are known.
using KnownNumbers = std::vector<std::optional<std::int64_t>>;

// "ns::copy<float>" of a function that is a template; nothing if no argument stands for one of its parameters. Numbers
// that are `known` are these.
std::optional<std::string> stand_in(const clang::FunctionDecl* pattern, StandInTypes types,
                                    const KnownNumbers& known = {});

// Constants among the template arguments that the first launch of a kernel in the user's file is written with; by the
// kernel's pattern.
std::map<const clang::FunctionDecl*, KnownNumbers> launched_numbers(clang::ASTContext& context);

// Of function templates of the user's file that launch, and of which there is no instance, or none that has a body.
enum class HostTemplates { kUninstantiated, kWithoutBody };
std::vector<std::string> host_stand_ins(const clang::ASTContext& context, HostTemplates which, StandInTypes types);

// Whether an argument of the instance is a number that stood for one without default.
bool has_invented_number(const clang::FunctionDecl* instance);

// Whether none of these is another number than the instance's argument in its place.
bool may_be_of(const clang::FunctionDecl* instance, const KnownNumbers& numbers);

}  // namespace swizzle
