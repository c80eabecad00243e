#include "tools/answer_cache.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "codegen/report/report.h"
#include "codegen/run/files.h"
#include "driver/versions.h"
#include "synth/base/sha256.h"
#include "synth/machine/cost_rows.h"
#include "tools/exit_codes.h"
#include "tools/pair_setup.h"
#include "tools/self_description.h"

namespace swizzle {
namespace {

std::optional<std::string> content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return file ? std::optional(text.str()) : std::nullopt;
}

// What decides the kernel.
std::string deciding_flags(const Options& o) {
  return fmt::format("{};{};{};{};{};{};{};{};{};{}", fmt::join(o.flags.macros, ","),
                     fmt::join(o.flags.forced_headers, ","), o.flags.standard, sizes_text(o.set), o.kernel, o.arch,
                     o.machine, o.first, o.widen, o.tune);
}

std::string escaped(const std::string& path) {
  std::string text;
  for (const char c : path) {
    if (c == ' ' || c == '#') text += '\\';
    if (c == '$') text += '$';
    text += c;
  }
  return text;
}

// The exit code. Of what was found by an earlier run it says nothing.
int write_report(const Options& options, About about, int exit_code, const Diagnostics& errors,
                 const Stopwatch& watch) {
  if (options.report.empty()) return exit_code;
  Report report;
  about.findings = findings_of(errors);
  about_end(exit_code, about);
  report.about = std::move(about);
  report.is_error = exit_code != kExitFound;
  report.outcome = Outcome::kFound;
  if (report.is_error) report.reason = errors[0].message;
  report.arch = options.arch;
  report.costs_of = cost_row(options.arch);
  report.seconds.total = watch.seconds();
  const auto written = write_output(options.report, to_json(report));
  if (written.ok()) return exit_code;
  std::fputs(render(written.errors()[0]).c_str(), stderr);
  return kExitBadInput;
}

}  // namespace

std::string InputsKey::stamp_line() const {
  return fmt::format("// inputs of swizzle-synth: sketch {}, spec {}, all {}\n", sketch, spec, all);
}

InputsKey key_of(const Pair& pair, const Options& options) {
  InputsKey key{sha256(pair.sketch_text.text()), sha256(pair.spec.source.text()), {}, {}};
  const std::string named = options.spec_function.empty() ? "" : ":" + options.spec_function;
  std::string all = fmt::format("{}\n{}{}\n{}\n", key.sketch, key.spec, named, deciding_flags(options));
  for (const std::string& header : headers_of(pair)) all += sha256(content_of(header).value_or("")) + "\n";
  key.all = sha256(all);
  key.answer = sha256(fmt::format("{}\n{}\n{}\n{}\n{};{};{};{}\n", key.all, version_text(), options.sketch,
                                  options.spec, static_cast<int>(options.run), static_cast<int>(options.proof),
                                  options.certify, static_cast<int>(options.groups)));
  return key;
}

std::string stamped(std::string kernel, const InputsKey& key) {
  std::string line = key.stamp_line();
  if (kernel.ends_with("\r\n")) line.insert(line.size() - 1, 1, '\r');
  return kernel + line;
}

bool is_stamped(const std::string& kernel, const InputsKey& key) {
  const std::size_t end = kernel.size() < 2 ? 0 : kernel.rfind('\n', kernel.size() - 2) + 1;
  return end > 0 && kernel == stamped(kernel.substr(0, end), key);
}

std::optional<Answer> AnswerCache::find(const std::string& key) const {
  const auto kernel = content_of(fmt::format("{}/{}.cu", folder_, key));
  const auto report = content_of(fmt::format("{}/{}.json", folder_, key));
  if (!kernel || !report) return std::nullopt;
  return Answer{key, *kernel, *report};
}

Result<std::monostate> AnswerCache::keep(const Answer& answer) const {
  std::error_code ignored;  // writing says what is wrong
  std::filesystem::create_directories(folder_, ignored);
  const auto kernel = write_file_atomically(fmt::format("{}/{}.cu", folder_, answer.key), answer.kernel);
  return kernel.ok() ? write_file_atomically(fmt::format("{}/{}.json", folder_, answer.key), answer.report) : kernel;
}

std::string cache_folder(const Options& options) {
  if (!options.draw.empty() || options.all > 0 || !options.smt_folder.empty() || options.tune) return "";
  const char* const set = std::getenv("SWIZZLE_CACHE");
  return !options.cache.empty() ? options.cache : set != nullptr ? set : "";
}

int check_up_to_date(const Options& options) {
  const Stopwatch watch;
  const About about = about_run(options.arguments, {{"sketch", options.sketch}, {"spec", options.spec}});
  const auto ends = [&](int code, const Diagnostics& errors) {
    for (const Diagnostic& d : errors) std::fputs(render(d).c_str(), stderr);
    return write_report(options, about, code, errors, watch);
  };
  const auto pair = load_pair(pair_request(options));
  if (!pair.ok()) return ends(kExitBadInput, pair.errors());
  const auto kernel = content_of(options.output);
  if (kernel && is_stamped(*kernel, key_of(*pair, options))) return ends(kExitFound, {});
  Diagnostic stale = make_error(
      kernel ? "this kernel was made from other inputs; complete the sketch again, with --stamp" : "no such file");
  stale.path = options.output;
  return ends(kExitStale, {stale});
}

std::string depfile_text(const std::string& output, const About& about) {
  std::string text = escaped(output) + ":";
  for (const SourceFile& file : about.files)
    if (file.path != shown_path("-")) text += " " + escaped(file.path);
  return text + "\n";
}

}  // namespace swizzle
