#include "recording/launch_log.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace swizzle::recording {
namespace {

constexpr std::size_t kCountsBytes = kMostLines * sizeof(std::uint64_t);

std::string quoted(const std::string& text) {
  constexpr unsigned char kFirstPlain = 0x20;
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < kFirstPlain ? ' ' : c;
  }
  return out + '"';
}

std::string listed(const std::array<unsigned, 3>& d) {
  return "[" + std::to_string(d[0]) + "," + std::to_string(d[1]) + "," + std::to_string(d[2]) + "]";
}

// Two digits a byte; those of pointers are zero.
std::string digits_of(const ParameterFacts& parameter) {
  static constexpr char kDigits[] = "0123456789abcdef";
  constexpr int kHalf = 4;
  constexpr unsigned kLow = 15;
  std::vector<unsigned char> bytes = parameter.bytes;
  for (const PointerFacts& p : parameter.pointers)
    for (std::size_t i = p.offset; i < p.offset + sizeof(void*) && i < bytes.size(); ++i) bytes[i] = 0;
  std::string out;
  for (const unsigned char b : bytes) {
    out += kDigits[b >> kHalf];
    out += kDigits[b & kLow];
  }
  return out;
}

std::string text_of(const ParameterFacts& parameter, bool with_memory) {
  std::string out = "{\"bytes\":\"" + digits_of(parameter) + "\",\"pointers\":[";
  for (std::size_t i = 0; i < parameter.pointers.size(); ++i) {
    const PointerFacts& p = parameter.pointers[i];
    out += (i > 0 ? ",[" : "[") + std::to_string(p.offset);
    if (with_memory) out += "," + std::to_string(p.bytes_behind);
    out += "]";
  }
  return out + "]}";
}

}  // namespace

std::string line_of(const LaunchFacts& launch, bool with_memory) {
  std::string out = "{\"mangled\":" + quoted(launch.mangled) + ",\"grid\":" + listed(launch.grid) +
                    ",\"block\":" + listed(launch.block);
  if (launch.cluster) out += ",\"cluster\":" + listed(*launch.cluster);
  out += ",\"shared_bytes\":" + std::to_string(launch.shared_bytes);
  if (!launch.parameters) return out + "}";
  out += ",\"parameters\":[";
  for (std::size_t i = 0; i < launch.parameters->size(); ++i)
    out += (i > 0 ? "," : "") + text_of((*launch.parameters)[i], with_memory);
  return out + "]}";
}

LaunchLog::LaunchLog(const std::string& folder) {
  constexpr int kSuffix = 4;
  constexpr mode_t kOwners = 0600;
  std::string path = folder + "/XXXXXX.log";
  lines_ = mkstemps(path.data(), kSuffix);
  if (lines_ < 0) return;
  const std::string counts = path.substr(0, path.size() - kSuffix) + ".counts";
  const int file = open(counts.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, kOwners);
  if (file < 0) return;
  if (ftruncate(file, kCountsBytes) == 0) {
    void* const mapped = mmap(nullptr, kCountsBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (mapped != MAP_FAILED) counts_ = static_cast<std::uint64_t*>(mapped);
  }
  close(file);
}

LaunchLog::~LaunchLog() {
  if (counts_ != nullptr) munmap(counts_, kCountsBytes);
  if (lines_ >= 0) close(lines_);
}

// A line is written at once, before its count. kMostLines: there is no room.
std::size_t LaunchLog::number_of(const std::string& key, const std::string& line) {
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  const std::size_t number = known_.size();
  if (number >= kMostLines) return kMostLines;
  const std::string text = line + "\n";
  if (write(lines_, text.data(), text.size()) != static_cast<ssize_t>(text.size())) return kMostLines;
  known_.emplace(key, number);
  return number;
}

void LaunchLog::add(const LaunchFacts& launch) {
  if (!is_open()) return;
  std::string key = line_of(launch, false), line = line_of(launch);
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!known_.contains(key)) {
    std::size_t& different = of_kernel_[launch.mangled];
    if (different >= kMostOfKernel) key = line = "{\"others\":" + quoted(launch.mangled) + "}";
    else ++different;
  }
  if (const std::size_t number = number_of(key, line); number < kMostLines) ++counts_[number];
}

void LaunchLog::say(const std::string& key, const std::string& text) {
  if (!is_open()) return;
  const std::string line = "{" + quoted(key) + ":" + quoted(text) + "}";
  const std::lock_guard<std::mutex> lock(mutex_);
  if (const std::size_t number = number_of(line, line); number < kMostLines) ++counts_[number];
}

}  // namespace swizzle::recording
