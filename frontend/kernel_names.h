// What a kernel is called, by people and by compilers: private to frontend/.
//
//   template <int N> __global__ void copy(float* y);        of copy<4>: spelled_name "copy<4>", mangled_name
//   "_Z4copyILi4EEvPf"
#pragma once

#include <string>

namespace clang {
class FunctionDecl;
}  // namespace clang

namespace swizzle {

std::string spelled_name(const clang::FunctionDecl* f);

// Empty: of a template that is not instantiated.
std::string mangled_name(const clang::FunctionDecl* f);

}  // namespace swizzle
