// Which warps wrote and read each word of shared memory since the last barrier of the block: what may go wrong when
// warps do not run in step.
//
//   s[t] = x[t];  y[t] = s[t + 1];            warp 0 reads what warp 1 writes, and no barrier stands between: a race
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
  struct Finding {
    bool is_race = false;    // else: read before written
    SourceRange other = {};  // the race's other side
    bool other_wrote = false;
  };

  void barrier() { ++epoch_; }
  // Something wrote, nobody knows where.
  void write_anywhere() { is_all_written_ = true; }

  std::optional<Finding> read(std::int64_t word, int warp, SourceRange at) {
    Word& w = words_[word];
    const std::optional<Finding> found = !w.is_written && !is_all_written_ ? std::optional(Finding{})
                                         : w.writer.is_another(epoch_, warp)
                                             ? std::optional(Finding{true, w.writer.at, true})
                                             : std::nullopt;
    w.reader.add(epoch_, warp, at);
    return found;
  }

  std::optional<Finding> write(std::int64_t word, int warp, SourceRange at) {
    Word& w = words_[word];
    w.is_written = true;
    const bool is_race = w.reader.is_another(epoch_, warp);
    w.writer.add(epoch_, warp, at);
    return is_race ? std::optional(Finding{true, w.reader.at, false}) : std::nullopt;
  }

  // An atomic, a part of a word, or what only some lanes perhaps do.
  void may_write(std::int64_t word) { words_[word].is_written = true; }

 private:
  static constexpr int kSeveral = -2;
  struct Side {
    std::int64_t epoch = -1;
    int warp = -1;
    SourceRange at;
    bool is_another(std::int64_t now, int other) const { return epoch == now && warp != other; }
    void add(std::int64_t now, int other, SourceRange where) {
      warp = epoch != now || warp == other ? other : kSeveral;
      epoch = now;
      at = where;
    }
  };
  struct Word {
    bool is_written = false;
    Side writer, reader;
  };
  std::unordered_map<std::int64_t, Word> words_;  // by address / 4
  std::int64_t epoch_ = 0;
  bool is_all_written_ = false;
};

}  // namespace swizzle
