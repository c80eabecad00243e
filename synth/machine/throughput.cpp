#include "synth/machine/throughput.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

namespace swizzle {
namespace {

constexpr double kNorm = 3;
constexpr double kSchedulers = 4;       // of a multiprocessor; each issues an instruction a cycle
constexpr double kBytesOfFigure = 512;  // that l2_read and l2_write are of

const std::vector<Throughput>& throughput_rows() {
  constexpr auto kMeasured = Throughput::Known::kMeasured;
  constexpr auto kPublished = Throughput::Known::kPublished;
  static const std::vector<Throughput> kRows = {
#define SWIZZLE_THROUGHPUT(arch, known, date, source, ...) Throughput{arch, known, date, source, __VA_ARGS__},
#include "synth/machine/throughput_table.inc"
  };
  return kRows;
}

// "sm_90a" is 90.
int capability_of(const std::string& arch) {
  constexpr std::string_view kPrefix = "sm_";
  int number = 0;
  if (arch.starts_with(kPrefix)) std::from_chars(arch.data() + kPrefix.size(), arch.data() + arch.size(), number);
  return number;
}

}  // namespace

const char* name_of(MachinePart part) {
  static constexpr const char* kNames[] = {"issue", "alu", "fma", "half",   "xu",
                                           "fp64",  "lsu", "l2",  "memory", "launch"};
  static_assert(std::size(kNames) == kMachineParts);
  return kNames[static_cast<int>(part)];
}

double Throughput::bytes_per_cycle() const {
  return gigabytes_per_second * 1e3 / (megahertz * static_cast<double>(multiprocessors));
}

std::optional<Throughput> throughput_of(const std::string& arch) {
  const Throughput* found = nullptr;
  for (const Throughput& row : throughput_rows())
    if (capability_of(row.arch) <= capability_of(arch)) found = &row;
  return found == nullptr ? std::nullopt : std::optional(*found);
}

PredictedTime predicted_time(const WarpLoad& load, const Throughput& machine) {
  PredictedTime time;
  const auto part = [&](MachinePart p) -> double& { return time.parts[static_cast<std::size_t>(p)]; };
  part(MachinePart::kIssue) = load.issued / kSchedulers;
  part(MachinePart::kAlu) = load.alu * machine.alu;
  part(MachinePart::kFma) = load.fma * machine.fma + load.fma_heavy * machine.fma_heavy;
  part(MachinePart::kHalf) = load.half * machine.half;
  part(MachinePart::kXu) = load.xu * machine.xu;
  part(MachinePart::kFp64) = load.fp64 * machine.fp64;
  part(MachinePart::kLsu) = load.lsu * machine.lsu;
  part(MachinePart::kL2) =
      std::max(load.l2_read_bytes * machine.l2_read, load.l2_written_bytes * machine.l2_write) / kBytesOfFigure;
  part(MachinePart::kMemory) = load.moved_bytes / machine.bytes_per_cycle();
  part(MachinePart::kLaunch) = load.blocks * machine.block;
  double sum = 0;
  for (const double cycles : time.parts) sum += std::pow(cycles, kNorm);
  time.cycles = std::pow(sum, 1 / kNorm);
  time.busiest = static_cast<MachinePart>(std::max_element(time.parts.begin(), time.parts.end()) - time.parts.begin());
  return time;
}

}  // namespace swizzle
