// What `check` said of files before, where all that decided it is as it was: see driver/check_inputs.h.
//
//   const CheckCache cache(".cache");
//   const std::string key = cache.key(options, request);    by this build of the program; empty: it cannot be kept
//   cache.find(key)                                         the report, and what went to standard error
//
// A file for each report; those that no longer mean anything stay until somebody deletes them.
#pragma once

#include <optional>
#include <string>

#include "driver/check.h"
#include "tools/options.h"

namespace swizzle {

struct KeptCheck {
  std::string report, said;
};

class CheckCache {
 public:
  explicit CheckCache(std::string folder) : folder_(std::move(folder)) {}

  std::string key(const CheckOptions& options, const CheckRequest& request) const;
  std::optional<KeptCheck> find(const std::string& key) const;
  // What cannot be written is not kept.
  void keep(const std::string& key, const KeptCheck& check) const;

 private:
  std::string folder_;  // empty: nothing is kept
};

}  // namespace swizzle
