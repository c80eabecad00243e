// Answers that are known already, under the name of what was asked: the sources' content, the flags that decide, and
// the tool's version.
//
//   const InputsKey key = key_of(pair, options);
//   key.stamp_line()               "// inputs of swizzle-synth: sketch 9960…, spec 07f8…, all 1c2d…"
//   AnswerCache cache("/home/ada/.cache/swizzle");
//   cache.find(key.answer)         kernel and report of an earlier run; nothing: none, or not whole
//
// What is kept is found and verified, and no limit had a say in it.
#pragma once

#include <optional>
#include <string>

#include "driver/sources.h"
#include "tools/options.h"

namespace swizzle {

struct InputsKey {
  std::string sketch, spec;  // SHA-256 of their texts
  std::string all;           // of these, their headers, and the flags that decide what the kernel is
  std::string answer;        // of this, the tool's version, paths, and the flags that decide how it is verified

  std::string stamp_line() const;
};

InputsKey key_of(const Pair& pair, const Options& options);

// The kernel with its inputs' stamp at its end, and its line ends there, too.
std::string stamped(std::string kernel, const InputsKey& key);
// Whether a kernel was made from these inputs: it ends in their stamp.
bool is_stamped(const std::string& kernel, const InputsKey& key);

struct Answer {
  std::string key, kernel, report;
};

class AnswerCache {
 public:
  explicit AnswerCache(std::string folder) : folder_(std::move(folder)) {}

  std::optional<Answer> find(const std::string& key) const;
  Result<std::monostate> keep(const Answer& answer) const;

 private:
  std::string folder_;
};

// --cache, or $SWIZZLE_CACHE; empty: none, as for a run whose purpose is more than the kernel and the report, and for
// --tune, which asks the GPU that is here.
std::string cache_folder(const Options& options);

// `swizzle-synth SKETCH --spec SPEC -o KERNEL --check-up-to-date`: whether KERNEL was made from them, which
// --report says, too; the exit code.
int check_up_to_date(const Options& options);

// "KERNEL.cu: sketch.cu spec.cpp sizes.h", as make and ninja read it.
std::string depfile_text(const std::string& output, const About& about);

}  // namespace swizzle
