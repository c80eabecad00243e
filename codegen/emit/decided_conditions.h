// Decided conditions: what a completion makes always true or always false leaves no condition in the text.
//
//   if (?sw_cond(t)) v += 5; else v += 6;      found: false      v += 6;
//   v += ?sw_cond(t) ? 1 : x[t];               found: true       v += 1;
//   if (?sw_cond(t) && i < n) y[i] = v;        found: true       if (i < n) y[i] = v;
//
// Private to codegen/emit/.
#pragma once

#include <vector>

#include "synth/base/source_edits.h"
#include "synth/program/program.h"
#include "synth/search/solve.h"

namespace swizzle {

// Edits of the sketch's text; kRemoved (emit_support.h) where nothing of a statement is left.
std::vector<SourceEdit> without_decided_conditions(const Program& program, const Completion& completion);

}  // namespace swizzle
