// Inputs: the sketches, specs and kernels of this repository, spoiled. An input is a function of the seed and its
// number.
//
//   const Inputs inputs("/the/repository", 7);
//   inputs.at(4711)      sketches/reverse.cu mutated, with its spec; always the same
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/fuzz/mutator.h"

namespace swizzle::fuzz {

struct Input {
  std::string name, sketch, spec;
  bool checks = false;  // an input of `check`, whatever the spec is
};

class Inputs {
 public:
  Inputs(const std::filesystem::path& root, std::uint64_t seed);

  bool empty() const { return seeds_.empty(); }
  Input at(std::uint64_t number) const;

 private:
  struct Seed {
    std::string name, text, spec;  // without a spec: an input of `check`
  };

  static std::vector<Seed> seeds_in(const std::filesystem::path& root);
  std::vector<std::string> texts() const;

  std::uint64_t seed_;
  std::vector<Seed> seeds_;
  Mutator mutator_;  // last: made of the seeds
};

std::string read_file(const std::filesystem::path& path);

}  // namespace swizzle::fuzz
