// Checking kernels by their PTX: what check_kernels() does for CUDA text, for what a compiler made of it.
//
//   Result<CheckedFile> file = check_ptx({.path = "k.ptx", .launch = {"block(256)"}});
//
// Launches and sizes are those of the command line, of the project's file, and of .maxntid; parameters have the names
// that the source gives them, if it is there, else "param_2". What is counted stands where .loc says; without any, at
// lines of the PTX. Errors: the file cannot be read, is no PTX, or has no such kernel.
#pragma once

#include "driver/check.h"

namespace swizzle {

bool is_ptx(const std::string& path);

Result<CheckedFile> check_ptx(const CheckRequest& request, Observer& observer = nobody());

}  // namespace swizzle
