// Which compilers there are, and how an emitted kernel is handed to them.
//
//   auto built = compile_for_target({"out.cu", "sm_90"});   // built->resources: "ptxas info : Used 14 registers, …"
//
// Errors: a compiler that is missing says what to install; a compiler that refuses gives its own first lines.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "codegen/run/files.h"
#include "codegen/run/process.h"
#include "synth/base/diagnostic.h"
#include "synth/program/compile_flags.h"

namespace swizzle {

constexpr std::chrono::seconds kToolTimeLimit{60};  // for each run of a compiler or a test program

bool gpu_present();                        // a device node of the NVIDIA driver that this process may open
std::optional<std::string> find_nvcc();    // $CUDA_HOME/bin, PATH, /usr/local/cuda/bin
std::string find_cub();                    // the folder of nvcc's toolkit that has cub/; empty: none
Result<std::string> find_host_compiler();  // $CXX, g++, c++, clang++

struct TargetBuild {
  std::string resources;  // what ptxas says about registers, spills and shared memory
  std::string warnings;   // nvcc's first ones, empty if there are none
};

struct TargetRequest {
  std::string kernel_path;
  std::string arch;
  std::string shown_as = kernel_path;                       // what errors and warnings call the kernel
  std::string include_folder = parent_folder(kernel_path);  // where its quoted includes are found
  CompileFlags flags = {};
};

// Compiles the kernel to machine code in a scratch folder.
Result<TargetBuild> compile_for_target(const TargetRequest& request);

// Compiles and links a test program. `user_folders` are where quoted includes of the user's files are found.
struct TestProgramBuild {
  std::string source_path;
  std::string executable_path;
  std::vector<std::string> user_folders;
  CompileFlags flags = {};  // folders of headers, and the standard, which is C++17 at least
};
std::vector<std::string> host_command(const TestProgramBuild& build, const std::string& compiler);
std::vector<std::string> nvcc_command(const TestProgramBuild& build, const std::string& nvcc, const std::string& arch);

// Runs a compiler; on failure a diagnostic with its first error lines, in which `replaced` reads as `by`.
Result<ProcessResult> run_compiler(const std::vector<std::string>& command, const std::string& what,
                                   const std::string& replaced, const std::string& by);

}  // namespace swizzle
