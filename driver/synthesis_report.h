// What the steps of the pipeline put into the report, the head of the emitted kernel, the listing and the summary.
//
//   Report report;                         each step fills in its part, so that an early ending reports what there was
//   report_posing(posed, report);          checked.posed {"n=64"}, seconds
//   report_search(searched, report);       search_space, optimality, seconds
//   report_completion(searched, "reverse.cu", report);     holes, layouts, cost
//   report_reread(reread, report);         checked.reread
//   report_all_sizes(all, report);         checked.all_sizes
//   report_run(run, report);               checked.run
#pragma once

#include <string>
#include <vector>

#include "codegen/report/report.h"
#include "driver/all_sizes.h"

namespace swizzle {

void report_posing(const PosedPair& posed, Report& report);
void report_search(const Searched& searched, Report& report);
void report_completion(const Searched& searched, const std::string& sketch_path, Report& report);
void report_reread(const RereadKernel& reread, Report& report);
void report_all_sizes(const AllSizes& all, Report& report);
void report_run(const KernelRun& run, Report& report);

// --all: the distinct completions, cheapest first, and which of them are mirror images.
std::vector<Report::Completion> listed_completions(const PosedPair& posed, const Searched& searched);

// "completion 2, cost 52, mirror image of #1", and an expression a line.
std::string listing_text(const std::vector<Report::Completion>& completions);

// "by the figures of sm_90, which stand in for sm_80"; empty if they are the architecture's own.
std::string stand_in_text(const std::string& arch);

// "sw_xform at 19:21 = (tid + k) & 31", one for each hole that became an expression.
std::vector<std::string> hole_lines(const Searched& searched);

// The comment on top of the kernel, without `//`: who made it from what, holes, cost, what is proved.
std::string head_comment(const PosedPair& posed, const Searched& searched, const CompletionRequest& request);

// "reverse.cu: found, cost 13, proved minimal; ran on cpu: warp emulation for 6 inputs; 0.512 s". Of `other_sizes`, why
// they are not proved; nothing: they were not asked for.
std::string found_text(const Searched& searched, const std::string& sketch_path,
                       const std::optional<Report::AllSizes>& other_sizes, const KernelRun& run, double seconds);

}  // namespace swizzle
