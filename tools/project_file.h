// .swizzle-synth.toml: what a repository's host code does not tell of its kernels. `check` reads the one beside a file,
// or in the nearest folder above it (not above the one with .git); `check --init` writes it.
//
//   [kernel.transpose]                          all instances of it; [kernel."transpose<32>"]: one
//   launch = "grid(4, 4) block(32, 8)"          in place of what the code tells
//   sizes = { width = 1024, p.n = 64 }
//   templates = ["<32>", "<float, 4>"]          instances to count besides those that the code makes
//
// Of TOML: tables, bare and quoted keys, strings, integers, arrays of strings, inline tables of integers, comments.
// The command line goes before it. Errors: what is not of this form, a key that means nothing.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "codegen/report/overview.h"
#include "synth/program/directives.h"

namespace swizzle {

struct ProjectKernel {
  std::string launch;
  Sizes sizes;
  std::vector<std::string> templates;  // "<32>"
};

struct ProjectFile {
  std::string path;  // empty: there is none
  std::map<std::string, ProjectKernel> kernels;
};

Result<ProjectFile> parse_project_file(const SourceText& text);
// That of a file to check.
Result<ProjectFile> project_file_for(const std::string& path);

// What is known of each kernel, and what is to be filled in: as comments, so that nothing is assumed.
std::string project_text(const Overview& overview);

}  // namespace swizzle
