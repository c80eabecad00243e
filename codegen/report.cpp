#include "codegen/report.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace swizzle {
namespace {

using Json = nlohmann::ordered_json;

const char* spelling(Report::Outcome outcome) {
  switch (outcome) {
    case Report::Outcome::kFound: return "found";
    case Report::Outcome::kInfeasible: return "infeasible";
    case Report::Outcome::kUnknown: return "unknown";
  }
  return "";
}

const char* spelling(Report::Optimality optimality) {
  switch (optimality) {
    case Report::Optimality::kProved: return "proved";
    case Report::Optimality::kBestFound: return "best_found";
    case Report::Optimality::kNotAsked: return "not_asked";
  }
  return "";
}

Json run_json(const std::optional<RunOutcome>& run) {
  if (!run) return nullptr;
  Json json = {{"where", run->where}, {"inputs", run->inputs}, {"mismatches", run->mismatches}};
  if (run->mismatches != 0) json["first_mismatch"] = run->first_mismatch;
  return json;
}

Json optional_json(const std::optional<std::string>& text) { return text ? Json(*text) : Json(nullptr); }

Json access_json(const Report::Access& access) {
  Json json = {{"location", access.location},
               {"space", "shared"},
               {"operation", access.operation},
               {"bits", access.bits},
               {"executions", access.executions},
               {"wavefronts", {{"worst", access.worst}, {"total", access.wavefronts}}},
               {"ideal", {{"worst", access.worst_ideal}, {"total", access.ideal}}}};
  json["witness"] = nullptr;
  if (const auto& w = access.witness)
    json["witness"] = {{"bank", w->bank}, {"lanes", w->lanes}, {"addresses", w->word_addresses}};
  return json;
}

// A file that is not a regular one (/dev/stdout, a pipe) cannot be renamed onto.
bool is_special(const std::string& path) {
  struct stat status{};
  return stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

int write_all(int fd, const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = write(fd, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    done += static_cast<std::size_t>(count);
  }
  return 0;
}

Diagnostic cannot_write(const std::string& path, int error) {
  return make_error("cannot write '" + path + "': " + std::strerror(error));
}

Result<std::monostate> write_in_place(const std::string& path, const std::string& text) {
  const int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0) return cannot_write(path, errno);
  int error = write_all(fd, text);
  if (close(fd) != 0 && error == 0) error = errno;
  if (error != 0) return cannot_write(path, error);
  return std::monostate{};
}

// What open() would give a new file, or what the file already has.
mode_t wanted_mode(const std::string& path) {
  struct stat status{};
  if (stat(path.c_str(), &status) == 0) return status.st_mode & 0777;
  return 0644;
}

}  // namespace

std::string to_json(const Report& report) {
  Json json;
  json["schema"] = Report::kSchema;
  json["outcome"] = spelling(report.outcome);
  json["reason"] = report.reason;
  json["holes"] = Json::array();
  for (const Report::Hole& hole : report.holes) {
    json["holes"].push_back(
        {{"id", hole.id}, {"kind", hole.kind}, {"location", hole.location}, {"expression", hole.expression}});
  }
  for (const Report::Layout& l : report.layouts)
    json["layouts"].push_back({{"name", l.name},
                               {"location", l.location},
                               {"rows", l.rows},
                               {"columns", l.columns},
                               {"expression", l.expression},
                               {"elements", l.elements},
                               {"wavefronts", l.wavefronts},
                               {"ideal", l.ideal},
                               {"members", l.members},
                               {"cute", optional_json(l.cute)},
                               {"triton", optional_json(l.triton)},
                               {"tma", optional_json(l.tma)}});
  for (const Report::Access& a : report.accesses) json["accesses"].push_back(access_json(a));
  for (const Report::Completion& c : report.completions)
    json["completions"].push_back({{"cost", c.cost},
                                   {"expressions", c.expressions},
                                   {"mirror_of", c.mirror_of ? Json(*c.mirror_of) : Json(nullptr)}});
  json["cost"] = {{"shuffles", report.cost.shuffles},
                  {"accumulates", report.cost.accumulates},
                  {"shared_wavefronts", report.cost.shared_wavefronts},
                  {"loads", report.cost.loads},
                  {"integer_ops", report.cost.integer_ops},
                  {"total", report.cost.total}};
  json["optimality"] = spelling(report.optimality);
  json["search_space"] = {{"raw", report.search_space.raw}, {"distinct", report.search_space.distinct}};
  json["checked"]["posed"] = report.checked.posed;
  json["checked"]["reread"] = report.checked.reread;
  json["checked"]["run"] = run_json(report.checked.run);
  const Report::Seconds& s = report.seconds;
  json["seconds"] = {{"parse", s.parse},   {"pose", s.pose}, {"search", s.search}, {"emit", s.emit},
                     {"reread", s.reread}, {"run", s.run},   {"total", s.total}};
  // A compiler's message may hold bytes that are not UTF-8; they must not end the run.
  return json.dump(2, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace) + "\n";
}

Result<std::monostate> write_file_atomically(const std::string& path, const std::string& text) {
  if (is_special(path)) return write_in_place(path, text);
  std::error_code error;
  std::string target = path;
  if (std::filesystem::is_symlink(path, error)) target = std::filesystem::weakly_canonical(path, error).string();
  if (std::filesystem::is_directory(target, error)) return cannot_write(path, EISDIR);
  std::string temporary = target + ".XXXXXX";
  const int fd = mkostemp(temporary.data(), O_CLOEXEC);
  if (fd < 0) return cannot_write(path, errno);
  int failure = write_all(fd, text);
  if (fchmod(fd, wanted_mode(target)) != 0 && failure == 0) failure = errno;
  if (close(fd) != 0 && failure == 0) failure = errno;
  if (failure == 0 && std::rename(temporary.c_str(), target.c_str()) != 0) failure = errno;
  if (failure == 0) return std::monostate{};
  unlink(temporary.c_str());
  return cannot_write(path, failure);
}

}  // namespace swizzle
