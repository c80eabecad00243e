// A sketch, a spec or an emitted kernel as Clang reads it: private to frontend/.
//
//   source_tree(file, rewritten, {.include_folder = "kernels", .flags = flags}, collector)
//
// Macros of the command line are defined behind the prelude, which they leave alone. In a whole program, headers that
// are not there are empty: what needs them is host code, or is an error where the kernel uses it.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "frontend/error_collector.h"
#include "frontend/syntax_tree.h"
#include "synth/program/compile_flags.h"

namespace swizzle {

enum class Around { kNothing, kHostCode };  // what stands around the kernel or spec

struct Surroundings {
  std::string include_folder = ".";  // of quoted includes
  CompileFlags flags = {};
  Around around = Around::kNothing;
  std::string file_folder = {};  // of the file itself, where quoted includes are looked for first; empty: `.`
};

SyntaxTree source_tree(const SourceText& file, const RewrittenSource& rewritten, const Surroundings& in,
                       ErrorCollector& collector);

// Headers of others that are not there, and that the kernel must do without.
std::set<std::string> missing_headers(const std::string& text, const Surroundings& in);

// The lines that include them; those of the standard library are there for a native compiler.
std::vector<SourceRange> lines_including(const std::string& text, const std::set<std::string>& headers);

// The files of the user's that the main file includes, and that are included by these.
std::vector<std::string> headers_read(const clang::ASTContext& context);

// Whether a sketch is a whole program, by its text: it launches a kernel, has a main() or several kernels, or includes
// what only host code needs.
bool is_whole_program(const std::string& text, const Surroundings& in);

}  // namespace swizzle
