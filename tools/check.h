// `swizzle-synth check KERNEL.cu`: bank conflicts and coalescing of kernels as they are.
#pragma once

#include "driver/check.h"
#include "tools/options.h"

namespace swizzle {

// The whole command; returns the exit code.
int check(const CheckOptions& options);

// Of one file, with the flags of `options`; `wrong`: what is amiss with them.
int check_one(const CheckOptions& options, const Diagnostics& wrong = {});

// What it asks for, with what the project's file says behind the command line. Error: that file's.
Result<CheckRequest> check_request(const CheckOptions& options);

// Of what is in a folder, a glob, compile_commands.json, or named one after the other: each file by a process of its
// own, so that one that fails costs itself alone.
int check_several(const CheckOptions& options);

}  // namespace swizzle
