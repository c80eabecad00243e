// A recording: the launches that an application made on a GPU, as `swizzle-synth record` writes them and `check
// --recorded` reads them (docs/recording.schema.json).
//
//   {"kernel": "transpose<32>", "mangled": "_Z9transposeILi32EEvPfPKfi", "grid": [4, 4, 1], "block": [32, 8, 1],
//    "shared_bytes": 0, "occurrences": 12,
//    "parameters": [{"type": "float*", "bytes": "0000000000000000", "pointers": [{"offset": 0, "bytes_behind": 4096}]},
//                   …, {"type": "int", "bytes": "40000000", "value": 64, "pointers": []}]}
//
// Values stand in the machine's order of bytes, little endian. Errors: what is no recording, with its path.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "synth/base/diagnostic.h"

namespace swizzle {

struct RecordedPointer {
  std::int64_t offset_bytes = 0;
  std::int64_t bytes_behind = 0;  // to the end of its allocation
};

struct RecordedParameter {
  std::string type;                  // "float const*"; empty: the kernel's name does not tell
  std::vector<unsigned char> bytes;  // zero where pointers are
  std::vector<RecordedPointer> pointers;
};

struct RecordedLaunch {
  std::string kernel;   // "ns::transpose<32>"
  std::string mangled;  // as the driver calls it
  std::array<int, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::optional<std::array<int, 3>> cluster;
  std::int64_t shared_bytes = 0;                             // dynamic
  std::optional<std::vector<RecordedParameter>> parameters;  // nothing: the driver does not tell
  std::int64_t occurrences = 0;
};

struct Recording {
  std::string path;                    // that it was read from
  std::vector<std::string> arguments;  // the application's
  std::string folder;                  // where it ran
  std::vector<std::string> devices;
  std::vector<RecordedLaunch> launches;                      // no two alike
  std::vector<std::pair<std::string, std::int64_t>> others;  // launches of a kernel beyond those that are kept
};

// Of what recording/launch_log.h wrote into a folder, by any number of processes: those that are alike are one, most
// frequent first. Error: what kept a process from being recorded.
Result<Recording> gathered_recording(const std::string& folder);

std::string to_json(const Recording& recording);
Result<Recording> read_recording(const std::string& path);

// The integer or real number of `size` bytes at an offset of a parameter; nothing: it has no such bytes.
std::optional<std::int64_t> integer_at(const RecordedParameter& parameter, std::int64_t offset, int size,
                                       bool is_signed);
std::optional<double> real_at(const RecordedParameter& parameter, std::int64_t offset, int size);

}  // namespace swizzle
