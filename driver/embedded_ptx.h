// The PTX that compiled files carry: executables, libraries, objects, and fat binaries of nvcc's.
//
//   embedded_ptx("build/app")     {{"build/app.1.sm_90.ptx", ".version 9.0…"}, {"build/app.2.sm_90.ptx", …}}
//
// One for each file that was compiled, of the newest architecture that it has PTX of, in their order. A fat binary is a
// header and entries, as `cuobjdump -lelf -lptx` lists them; PTX in them is compressed by zstd (CUDA 13) or LZ4.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "synth/base/diagnostic.h"

namespace swizzle {

struct EmbeddedPtx {
  std::string path;
  std::string text;
};

// By its first bytes: ELF, an archive, a fat binary. What cannot be read is none.
bool is_compiled(const std::string& path);

// Errors: the file cannot be read, or has no PTX: code for GPUs alone, or none.
Result<std::vector<EmbeddedPtx>> embedded_ptx(const std::string& path);

// The same of its bytes.
Result<std::vector<EmbeddedPtx>> embedded_ptx(const std::string& path, std::string_view bytes);

}  // namespace swizzle
