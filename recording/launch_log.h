// What `swizzle-synth record` writes down while an application runs: a file of lines, one for each launch that differs
// from those before it, and beside it how often each occurred. Both are whole at any time, however the application
// ends.
//
//   LaunchLog log("/tmp/scratch");                       /tmp/scratch/Xa81Kp.log and Xa81Kp.counts
//   log.add({"_Z4copyPfi", {4, 1, 1}, {256, 1, 1}, {}, 0, {{bytes of a pointer, {{0, 4096}}}, {{7, 0, 0, 0}, {}}}});
//       {"mangled":"_Z4copyPfi","grid":[4,1,1],"block":[256,1,1],"shared_bytes":0,
//        "parameters":[{"bytes":"0000000000000000","pointers":[[0,4096]]},{"bytes":"07000000","pointers":[]}]}
//   log.add(…the same at another address…);              no line: the first one's count is 2
//
// Pointers are zero among the bytes; where they point to, and how much memory is there, makes no other launch. Of a
// kernel that differs too often (by a step number, say), what comes behind kMostOfKernel counts in one line:
// {"others":"_Z4copyPfi"}. May be called by several threads. Linked into applications: the standard library alone.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace swizzle::recording {

struct PointerFacts {
  std::size_t offset = 0;          // among the parameter's bytes
  std::uint64_t bytes_behind = 0;  // to the end of the allocation that it points into
};

struct ParameterFacts {
  std::vector<unsigned char> bytes;
  std::vector<PointerFacts> pointers = {};
};

struct LaunchFacts {
  std::string mangled;
  std::array<unsigned, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::optional<std::array<unsigned, 3>> cluster = {};
  unsigned shared_bytes = 0;                                   // dynamic
  std::optional<std::vector<ParameterFacts>> parameters = {};  // nothing: the driver does not tell
};

constexpr std::size_t kMostOfKernel = 1000, kMostLines = 1 << 17;

// The line of a launch; two launches are alike if this is the same without `with_memory`.
std::string line_of(const LaunchFacts& launch, bool with_memory = true);

class LaunchLog {
 public:
  explicit LaunchLog(const std::string& folder);
  ~LaunchLog();
  LaunchLog(const LaunchLog&) = delete;
  LaunchLog& operator=(const LaunchLog&) = delete;

  bool is_open() const { return counts_ != nullptr; }
  void add(const LaunchFacts& launch);
  void say(const std::string& key, const std::string& text);  // {"device":"NVIDIA H200"}, once

 private:
  std::size_t number_of(const std::string& key, const std::string& line);

  std::mutex mutex_;
  int lines_ = -1;
  std::uint64_t* counts_ = nullptr;  // by line, in a file that is mapped
  std::unordered_map<std::string, std::size_t> known_;
  std::map<std::string, std::size_t> of_kernel_;  // different launches
};

}  // namespace swizzle::recording
