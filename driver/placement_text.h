// What is said about layouts and wavefronts: in the report, in the emitted file's head and in the closing summary.
#pragma once

#include <string>

#include "codegen/report/report.h"
#include "synth/search/solve.h"

namespace swizzle {

void report_placement(const Program& sketch, const std::string& file, const Completion& completion, Report& report);

// log10 of how many layouts the tiles may have.
double layouts_log10(const Completion& completion);

// "L(r, c) = r * 33 + c: 8 wavefronts, the ideal", one line for each layout.
std::string layout_lines(const Program& sketch, const Completion& completion);

// "128 wavefronts where 64 would be ideal, and no layout does better; at 12:33 lanes 0, 8, 16, 24 meet in bank 0".
// Empty: nothing to say.
std::string wavefront_summary(const Program& sketch, const Completion& completion);

}  // namespace swizzle
