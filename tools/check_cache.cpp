#include "tools/check_cache.h"

#include <elf.h>
#include <link.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "codegen/run/files.h"
#include "driver/check_inputs.h"
#include "driver/versions.h"
#include "synth/base/sha256.h"

namespace swizzle {
namespace {

namespace fs = std::filesystem;

// The linker's note of the first object, which is the program; 1 ends the search.
int note_build(dl_phdr_info* object, std::size_t, void* id) {
  constexpr std::size_t kAligned = 4;
  const auto padded = [](std::size_t size) { return (size + kAligned - 1) / kAligned * kAligned; };
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const auto& segment = object->dlpi_phdr[i];
    if (segment.p_type != PT_NOTE) continue;
    const auto* at = reinterpret_cast<const char*>(object->dlpi_addr + segment.p_vaddr);
    const char* const end = at + segment.p_memsz;
    while (at + sizeof(ElfW(Nhdr)) < end) {
      const auto& note = *reinterpret_cast<const ElfW(Nhdr)*>(at);
      const char* const content = at + sizeof note + padded(note.n_namesz);
      if (note.n_type == NT_GNU_BUILD_ID) static_cast<std::string*>(id)->assign(content, note.n_descsz);
      at = content + padded(note.n_descsz);
    }
  }
  return 1;
}

// Which build of the program this is; by its file where no linker has noted it.
std::string build_id() {
  std::string id;
  dl_iterate_phdr(note_build, &id);
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  if (id.empty())
    id = fmt::format("{} {}", fs::file_size(program, ignored),
                     fs::last_write_time(program, ignored).time_since_epoch().count());
  return version_text() + id;
}

}  // namespace

std::string CheckCache::key(const CheckOptions& options, const CheckRequest& request) const {
  if (folder_.empty() || options.fix) return "";
  static const std::string build = build_id();
  const auto inputs = check_inputs(request);
  if (!inputs) return "";
  return sha256(fmt::format("{}\n{}{} {} {} {}\n", build, *inputs, fmt::join(options.rules, ","),
                            static_cast<int>(options.color), options.suggest, options.no_pads));
}

std::optional<KeptCheck> CheckCache::find(const std::string& key) const {
  if (key.empty()) return std::nullopt;
  std::ifstream in(fmt::format("{}/{}.json", folder_, key), std::ios::binary);
  const auto kept = nlohmann::json::parse(in, nullptr, /*allow_exceptions=*/false);
  if (!kept.is_object() || !kept.contains("report") || !kept.contains("said")) return std::nullopt;
  return KeptCheck{kept["report"], kept["said"]};
}

void CheckCache::keep(const std::string& key, const KeptCheck& check) const {
  if (key.empty() || !nlohmann::json::accept(check.report)) return;
  std::error_code ignored;
  fs::create_directories(folder_, ignored);
  const nlohmann::json kept{{"report", check.report}, {"said", check.said}};
  static_cast<void>(write_file_atomically(fmt::format("{}/{}.json", folder_, key),
                                          kept.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)));
}

}  // namespace swizzle
