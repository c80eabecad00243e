// Files that are written: results, whole or not at all, and scratch folders, gone when they are left.
//
//   write_output("out.cu", text)     beside out.cu, then renamed: a reader sees the old file or the whole new one
//   write_output("-", text)          to standard output, as is ""
//
//   ScratchFolder scratch;                                        // removed with all it holds at scope end
//   Result<std::string> path = scratch.write("kernel.cu", text);  // "/tmp/swizzle-x7Kq2a/kernel.cu"
//
// Errors: a path that cannot be written, with the system's reason.
#pragma once

#include <string>
#include <variant>

#include "synth/base/diagnostic.h"

namespace swizzle {

// Whether an output option names a file, and not standard output.
bool names_file(const std::string& output);

Result<std::monostate> write_output(const std::string& output, const std::string& text);

Result<std::monostate> write_standard_output(const std::string& text);

// A symbolic link is followed; what is no regular file (/dev/stdout, a pipe) is written in place. A file that is there
// keeps its permissions.
Result<std::monostate> write_file_atomically(const std::string& path, const std::string& text);

// An earlier run's result, where this one has none: a regular file goes, anything else stays.
void remove_output(const std::string& output);

std::string parent_folder(const std::string& path);  // absolute

class ScratchFolder {
 public:
  ScratchFolder();  // in $TMPDIR or /tmp; path() is empty when that fails
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::string& path() const { return path_; }
  Result<std::string> write(const std::string& name, const std::string& text) const;        // the file's path
  Result<std::string> link(const std::string& name, const std::string& target_path) const;  // the link's path

 private:
  std::string path_;
};

}  // namespace swizzle
