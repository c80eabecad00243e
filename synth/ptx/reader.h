// Reads PTX text, as nvcc and others write it, into a Module.
//
//   auto module = read_module(SourceText("k.ptx", ".version 8.0\n.target sm_90\n.visible .entry k() { ret; }"));
//   module->functions[0].instructions.size() == 1
//
// Instructions that are not known are kept as kOther. Errors: what is no PTX, a label that is not there, with its line.
#pragma once

#include "synth/base/diagnostic.h"
#include "synth/ptx/module.h"

namespace swizzle::ptx {

Result<Module> read_module(const SourceText& source);

}  // namespace swizzle::ptx
