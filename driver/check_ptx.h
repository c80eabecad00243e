// Checking kernels by their PTX: what check_kernels() does for CUDA text, for what a compiler made of it.
//
//   check_ptx({.path = "k.ptx", .launch = {"block(256)"}});     PTX as it is
//   check_ptx({.path = "k.cu", .ptx = PtxUse::kAlways});        PTX that nvcc makes
//   check_either_way({.path = "k.cu"});                         its text, and where Clang does not follow that, PTX
//
// Launches and sizes of PTX as it is are those of the command line, of the project's file, and of .maxntid; parameters
// have the names that the source gives them, if it is there, else "param_2". Of a CUDA file, what Clang reads of it
// tells launches and names, too. What is counted stands where .loc says; without any, at lines of the PTX. Errors: the
// file cannot be read, is no PTX, or has no such kernel; nvcc is not there, or does not accept it.
#pragma once

#include "driver/check.h"

namespace swizzle {

bool is_ptx(const std::string& path);

// Of a CUDA file: by its PTX as `request.ptx` says, said where that is kAuto.
Result<CheckedFile> check_either_way(const CheckRequest& request, Observer& observer = nobody());

Result<CheckedFile> check_ptx(const CheckRequest& request, Observer& observer = nobody());

}  // namespace swizzle
