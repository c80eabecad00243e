// Which threads wrote and read each word of shared memory since the last barrier of the block, or of their warp: what
// may go wrong when warps, or lanes of a warp, do not run in step.
//
//   s[t] = x[t];  y[t] = s[t + 1];            warp 0 reads what warp 1 writes, and no barrier stands between: a race
//                                             lane 0 reads what lane 1 writes, and no __syncwarp: a race in the warp
//   y[t] = s[t];                              nobody wrote: read before it is written
//
// Only what every lane surely does, at addresses that are known, is looked at; two that write the same are no race.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "synth/base/diagnostic.h"

namespace swizzle {

class SharedHistory {
 public:
  enum class Kind { kUnwritten, kRace, kWarpRace };
  struct Finding {
    Kind kind = Kind::kUnwritten;
    SourceRange other = {};  // a race's other side
    bool other_wrote = false;
  };
  struct Thread {
    int warp = 0, lane = 0;
  };

  void barrier() { ++epoch_; }
  // __syncwarp, or whatever else the lanes of a warp wait in for each other.
  void warp_barrier(int warp) { ++warp_epochs_[warp]; }
  // Something wrote, nobody knows where.
  void write_anywhere() { is_all_written_ = true; }

  std::optional<Finding> read(std::int64_t word, Thread by, SourceRange at) {
    Word& w = words_[word];
    const Side now = side(by, at);
    std::optional<Finding> found;
    if (!w.is_written && !is_all_written_) found = Finding{};
    else if (now.is_of_another_warp(w.writer)) found = Finding{Kind::kRace, w.writer.at, true};
    else if (w.writer.lane != kSeveral && now.is_of_another_lane(w.writer))
      found = Finding{Kind::kWarpRace, w.writer.at, true};
    w.reader.add(now);
    return found;
  }

  std::optional<Finding> write(std::int64_t word, Thread by, SourceRange at) {
    Word& w = words_[word];
    const Side now = side(by, at);
    w.is_written = true;
    std::optional<Finding> found;
    if (now.is_of_another_warp(w.reader)) found = Finding{Kind::kRace, w.reader.at, false};
    else if (now.is_of_another_lane(w.reader)) found = Finding{Kind::kWarpRace, w.reader.at, false};
    w.writer.add(now);
    return found;
  }

  // An atomic, a part of a word, or what only some lanes perhaps do.
  void may_write(std::int64_t word) { words_[word].is_written = true; }

 private:
  static constexpr int kSeveral = -2;
  struct Side {
    std::int64_t epoch = -1, warp_epoch = -1;
    int warp = -1, lane = -1;
    SourceRange at;
    bool is_of_another_warp(const Side& other) const { return epoch == other.epoch && warp != other.warp; }
    bool is_of_another_lane(const Side& other) const {
      return epoch == other.epoch && warp == other.warp && warp_epoch == other.warp_epoch && lane != other.lane;
    }
    void add(Side now) {
      if (is_of_another_lane(now)) now.lane = kSeveral;
      if (is_of_another_warp(now)) now.warp = kSeveral;
      *this = now;
    }
  };
  struct Word {
    bool is_written = false;
    Side writer, reader;
  };
  Side side(Thread by, SourceRange at) { return {epoch_, warp_epochs_[by.warp], by.warp, by.lane, at}; }

  std::unordered_map<std::int64_t, Word> words_;  // by address / 4
  std::unordered_map<int, std::int64_t> warp_epochs_;
  std::int64_t epoch_ = 0;
  bool is_all_written_ = false;
};

}  // namespace swizzle
