#include "codegen/run/run.h"

#include <nlohmann/json.hpp>

#include "codegen/run/files.h"
#include "codegen/run/process.h"
#include "codegen/run/test_program.h"
#include "codegen/run/toolchain.h"

namespace swizzle {
namespace {

constexpr int kKernelFailure = 86;  // swizzle_harness::kKernelFailure
constexpr int kSpecFailure = 87;    // swizzle_harness::kSpecFailure

std::string without_trailing_newlines(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

// The harness prints its line last; a kernel's own printf may come before.
std::string last_line(const std::string& text) {
  const std::string trimmed = without_trailing_newlines(text);
  const std::size_t newline = trimmed.rfind('\n');
  return newline == std::string::npos ? trimmed : trimmed.substr(newline + 1);
}

Result<RunOutcome> read_outcome(const ProcessResult& done) {
  const auto json = nlohmann::json::parse(last_line(done.standard_output), nullptr, /*allow_exceptions=*/false);
  RunOutcome outcome;
  const bool complete = json.is_object() && json.contains("where") && json.contains("inputs") &&
                        json.contains("mismatches") && json.contains("first_mismatch");
  if (!complete) return make_error("the test program printed no result");
  outcome.where = json["where"].get<std::string>();
  outcome.inputs = json["inputs"].get<std::int64_t>();
  outcome.mismatches = json["mismatches"].get<std::int64_t>();
  outcome.first_mismatch = json["first_mismatch"].get<std::string>();
  return outcome;
}

Result<RunOutcome> interpret(const ProcessResult& done, Where where, const std::string& kernel_link,
                             const std::string& kernel_path) {
  std::string message = without_trailing_newlines(done.standard_error);
  for (std::size_t at; (at = message.find(kernel_link)) != std::string::npos;) {
    message.replace(at, kernel_link.size(), kernel_path);
  }
  if (done.signal == 0 && done.exit_code == kKernelFailure) {
    RunOutcome outcome;
    outcome.where = where == Where::kCpu ? "cpu: warp emulation" : "gpu";
    outcome.inputs = 1;
    outcome.mismatches = 1;
    outcome.first_mismatch = message;
    return outcome;
  }
  if (done.succeeded()) return read_outcome(done);
  if (done.signal == 0 && done.exit_code == kSpecFailure) return make_error(message);
  if (done.timed_out) {
    return make_error("running the kernel took longer than " + std::to_string(kToolTimeLimit.count()) + " s");
  }
  const std::string how = done.signal != 0 ? "was ended by signal " + std::to_string(done.signal)
                                           : "ended with exit code " + std::to_string(done.exit_code);
  return make_error("the test program " + how + (message.empty() ? "" : ": " + message));
}

Result<std::vector<std::string>> compile_command(const TestProgramBuild& build, const RunRequest& request,
                                                 Where where) {
  if (where == Where::kGpu) {
    const std::optional<std::string> nvcc = find_nvcc();
    if (!nvcc) return make_error("no nvcc to build for the GPU: install the CUDA toolkit, or pass --run=cpu");
    return nvcc_command(build, *nvcc, request.arch);
  }
  const Result<std::string> compiler = find_host_compiler();
  if (!compiler) return compiler.errors();
  return host_command(build, *compiler);
}

}  // namespace

Result<RunOutcome> run(const RunRequest& request, Where where) {
  if (Diagnostics errors = check_request(request, where); !errors.empty()) return errors;
  ScratchFolder scratch;
  const Result<std::string> kernel = scratch.link("kernel.cu", request.kernel_path);
  if (!kernel) return kernel.errors();
  const std::string name = where == Where::kCpu ? "test_program.cpp" : "test_program.cu";
  const Result<std::string> source = scratch.write(name, test_program_source(request, where, "kernel.cu"));
  if (!source) return source.errors();

  TestProgramBuild build{*source,
                         scratch.path() + "/test_program",
                         {parent_folder(request.sketch_path.empty() ? request.kernel_path : request.sketch_path)},
                         request.flags};
  if (!request.spec_path.empty()) build.user_folders.push_back(parent_folder(request.spec_path));
  const Result<std::vector<std::string>> command = compile_command(build, request, where);
  if (!command) return command.errors();
  const Result<ProcessResult> built =
      run_compiler(*command, "the emitted kernel with its spec", *kernel, request.kernel_path);
  if (!built) return built.errors();

  const Result<ProcessResult> done = run_process({build.executable_path}, kToolTimeLimit);
  if (!done) return done.errors();
  return interpret(*done, where, *kernel, request.kernel_path);
}

}  // namespace swizzle
