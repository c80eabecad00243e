#include "codegen/run/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace swizzle {
namespace {

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

bool names_file(const std::string& output) { return !output.empty() && output != "-"; }

Result<std::monostate> write_output(const std::string& output, const std::string& text) {
  return names_file(output) ? write_file_atomically(output, text) : write_standard_output(text);
}

Result<std::monostate> write_standard_output(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) < text.size() || std::fflush(stdout) != 0)
    return make_error(std::string("cannot write to standard output: ") + std::strerror(errno));
  return std::monostate{};
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

void remove_output(const std::string& output) {
  std::error_code ignored;
  if (!names_file(output) || !std::filesystem::is_regular_file(output, ignored)) return;
  const bool is_link = std::filesystem::is_symlink(output, ignored);
  std::filesystem::remove(is_link ? std::filesystem::weakly_canonical(output, ignored) : std::filesystem::path(output),
                          ignored);
}

std::string parent_folder(const std::string& path) {
  std::error_code ignored;
  const auto folder = std::filesystem::absolute(path, ignored).parent_path();
  return folder.empty() ? "." : folder.string();
}

ScratchFolder::ScratchFolder() {
  const char* base = std::getenv("TMPDIR");
  std::string pattern = std::string(base != nullptr && *base != '\0' ? base : "/tmp") + "/swizzle-XXXXXX";
  if (mkdtemp(pattern.data()) != nullptr) path_ = pattern;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

Result<std::string> ScratchFolder::write(const std::string& name, const std::string& text) const {
  if (path_.empty()) return make_error("cannot create a scratch folder; set TMPDIR to a writable folder");
  const std::string path = path_ + "/" + name;
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) return make_error("cannot write '" + path + "'");
  return path;
}

Result<std::string> ScratchFolder::link(const std::string& name, const std::string& target_path) const {
  if (path_.empty()) return make_error("cannot create a scratch folder; set TMPDIR to a writable folder");
  std::error_code error;
  const auto target = std::filesystem::absolute(target_path, error);
  const std::string path = path_ + "/" + name;
  if (!error) std::filesystem::create_symlink(target, path, error);
  if (error) return make_error("cannot link '" + target_path + "': " + error.message());
  return path;
}

}  // namespace swizzle
