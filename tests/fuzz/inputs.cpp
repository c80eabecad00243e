#include "tests/fuzz/inputs.h"

#include <algorithm>
#include <fstream>
#include <sstream>

namespace swizzle::fuzz {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  if (fs::is_directory(folder))
    for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

std::string read_file(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return std::move(text).str();
}

Inputs::Inputs(const fs::path& root, std::uint64_t seed) : seed_(seed), seeds_(seeds_in(root)), mutator_(texts()) {}

std::vector<Inputs::Seed> Inputs::seeds_in(const fs::path& root) {
  std::vector<Seed> seeds;
  const auto add = [&](const fs::path& sketch, const fs::path& spec) {
    seeds.push_back({fs::relative(sketch, root).string(), read_file(sketch), fs::exists(spec) ? read_file(spec) : ""});
  };
  for (const fs::path& sketch : files_in(root / "sketches"))
    if (sketch.extension() == ".cu") add(sketch, root / "specs" / sketch.filename().replace_extension(".cpp"));
  for (const fs::path& kernel : files_in(root / "tests" / "kernels")) add(kernel, "");
  for (const fs::path& found : files_in(root / "tests" / "fuzz" / "corpus"))
    if (found.extension() == ".cu") add(found, fs::path(found).replace_extension(".cpp"));
  return seeds;
}

std::vector<std::string> Inputs::texts() const {
  std::vector<std::string> all;
  for (const Seed& seed : seeds_) all.insert(all.end(), {seed.text, seed.spec});
  return all;
}

Input Inputs::at(std::uint64_t number) const {
  std::seed_seq both{seed_, number};
  std::mt19937_64 random(both);
  const Seed& seed = seeds_[random() % seeds_.size()];
  const bool checks = seed.spec.empty() || random() % 4 == 0, spoils_spec = !checks && random() % 4 == 0;
  return {seed.name, spoils_spec ? seed.text : mutator_.mutated(seed.text, random),
          spoils_spec ? mutator_.mutated(seed.spec, random) : seed.spec, checks};
}

}  // namespace swizzle::fuzz
