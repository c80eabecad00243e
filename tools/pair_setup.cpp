#include "tools/pair_setup.h"

#include <fmt/format.h>

#include "codegen/run/files.h"
#include "codegen/run/toolchain.h"
#include "driver/prediction.h"
#include "driver/versions.h"
#include "tools/self_description.h"

namespace swizzle {

PairRequest pair_request(const Options& options) {
  return {options.sketch,  options.spec,  options.kernel, options.spec_function,
          options.machine, options.flags, options.set};
}

CompletionRequest completion_request(const Options& options) {
  CompletionRequest request;
  request.sketch_path = shown_path(options.sketch);
  request.spec_path = shown_path(options.spec);
  if (names_file(options.output)) request.shown_as = options.output;
  request.tool = "swizzle-synth " + tool_version();
  request.arch = options.arch;
  request.set = options.set;
  request.run = options.run;
  return request;
}

std::string limit_text(const Options& options) {
  return fmt::format("the time limit of {:g} s{}", options.time_limit_seconds,
                     options.time_limit_is_set ? "" : " (--time-limit sets another)");
}

void report_pair(const Pair& pair, Report& report) {
  report.machine = machine_name(pair);
  for (const std::string& header : headers_of(pair)) report.about.files.push_back(source_file("header", header));
}

void tell_prediction(const RereadKernel& kernel, const Options& options, Observer& observer, Report& report) {
  report.predicted = predict(kernel, options.arch);
  if (options.verbose && report.predicted) observer.say(predicted_text(*report.predicted) + "\n");
}

std::optional<Ending> missing_gpu(const Options& options) {
  if (options.run != RunAt::kGpu || (gpu_present() && find_nvcc())) return std::nullopt;
  const char* const missing = gpu_present() ? "nvcc to build for the GPU" : "GPU that this process may use";
  return bad_input({make_error(fmt::format("--run=gpu: there is no {}; --run=cpu runs under an emulation", missing))});
}

}  // namespace swizzle
