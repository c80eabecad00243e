#include "driver/recorded_launches.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

namespace swizzle {
namespace {

void add_numbers_of(const Program& program, TypeId id, KernelNumber at, std::vector<KernelNumber>& out) {
  const Type& type = program.type(id);
  if (type.form == Type::Form::kScalar) {
    at.size_bytes = type.size_bytes;
    at.is_signed = !is_unsigned(type.scalar);
    at.is_real = is_real(type.scalar);
    out.push_back(at);
  }
  if (type.form != Type::Form::kRecord) return;
  for (const Field& field : type.fields) {
    KernelNumber member = at;
    member.name += "." + field.name;
    member.offset_bytes += field.offset_bytes;
    add_numbers_of(program, field.type, member, out);
  }
}

bool is_of(const RecordedLaunch& launch, const CheckedKernel& kernel) {
  return (!kernel.mangled.empty() && launch.mangled == kernel.mangled) || is_same_kernel(launch.kernel, kernel.name);
}

std::string without_arguments(const std::string& name) { return name.substr(0, name.find('<')); }

// A real number that is no integer stays unknown: nothing that is counted goes by it.
std::optional<std::int64_t> value_in(const KernelNumber& number, const RecordedLaunch& launch) {
  if (!launch.parameters) return std::nullopt;
  const RecordedParameter& from = (*launch.parameters)[number.parameter];
  if (!number.is_real) return integer_at(from, number.offset_bytes, number.size_bytes, number.is_signed);
  constexpr double kLargest = 1e15;
  const auto real = real_at(from, number.offset_bytes, number.size_bytes);
  if (!real || std::trunc(*real) != *real || std::abs(*real) > kLargest) return std::nullopt;
  return static_cast<std::int64_t>(*real);
}

CheckedLaunch launch_as_recorded(const RecordedLaunch& launch, const std::vector<KernelNumber>& numbers) {
  constexpr std::int64_t kAssumedSize = 1024;
  CheckedLaunch out;
  out.shape.grid = launch.grid;
  out.shape.block = launch.block;
  out.dynamic_shared_bytes = launch.shared_bytes;
  for (const KernelNumber& number : numbers) {
    const auto value = value_in(number, launch);
    if (!value && (number.is_real || launch.parameters)) continue;
    out.integers.emplace_back(number.name, value.value_or(kAssumedSize));
    if (!value) out.assumed.push_back(number.name);
  }
  out.recorded = {launch.kernel, launch.occurrences};
  return out;
}

std::string times(std::int64_t count) { return count == 1 ? "once" : fmt::format("{} times", count); }

Diagnostic at_kernel(const CheckedKernel& kernel, std::string message) {
  const Program& program = kernel.program;
  return make_error(program.source, program.function(program.entry).range, std::move(message));
}

Diagnostic in_recording(const Recording& recording, std::string message) {
  Diagnostic d = make_error(std::move(message));
  d.path = recording.path;
  return d;
}

std::int64_t lost_in(const KernelCheck& launch) {
  std::int64_t lost = 0;
  for (const AccessSite& site : launch.trace.sites)
    if (site.space == MemorySpace::kShared) lost += site.excess();
  return lost;
}

}  // namespace

std::vector<KernelNumber> numbers_among(const Program& kernel) {
  std::vector<KernelNumber> out;
  const std::vector<VariableId>& parameters = kernel.function(kernel.entry).parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Variable& variable = kernel.variable(parameters[i]);
    add_numbers_of(kernel, variable.type, {variable.name, i}, out);
  }
  return out;
}

std::vector<KernelNumber> numbers_among(const std::vector<ptx::Argument>& arguments) {
  std::vector<KernelNumber> out;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    for (const ptx::ArgumentPart& part : arguments[i])
      if (part.kind == ptx::ArgumentPart::Kind::kInteger)
        out.push_back({part.name, i, part.offset_bytes, part.size_bytes});
  return out;
}

KernelLaunches recorded_launches(const CheckedKernel& kernel, const std::vector<KernelNumber>& numbers,
                                 std::size_t parameters, const Recording& recording) {
  constexpr std::size_t kMost = 64;
  KernelLaunches out;
  std::int64_t beyond = 0;
  for (const RecordedLaunch& launch : recording.launches) {
    if (!is_of(launch, kernel)) continue;
    if (launch.parameters && launch.parameters->size() != parameters) {
      out.unknown = {at_kernel(kernel, fmt::format("'{}' was recorded with {} parameters, and has {} here: it is not "
                                                   "counted",
                                                   kernel.name, launch.parameters->size(), parameters))};
      return out;
    }
    CheckedLaunch one = launch_as_recorded(launch, numbers);
    const auto known =
        std::find_if(out.known.begin(), out.known.end(), [&](const CheckedLaunch& k) { return is_same(k, one); });
    if (known != out.known.end()) known->recorded->occurrences += launch.occurrences;
    else if (out.known.size() < kMost) out.known.push_back(std::move(one));
    else beyond += launch.occurrences;
  }
  for (CheckedLaunch& launch : out.known) launch.origin = "recorded " + times(launch.recorded->occurrences);
  for (const auto& [name, count] : recording.others)
    if (is_same_kernel(name, kernel.name)) beyond += count;
  if (beyond > 0)
    out.unknown.push_back(in_recording(
        recording,
        fmt::format("'{}' was launched in more ways than are counted: {} besides", kernel.name, times(beyond))));
  return out;
}

bool is_recorded(const std::string& name, const Recording& recording) {
  return std::any_of(recording.launches.begin(), recording.launches.end(), [&](const RecordedLaunch& launch) {
    return is_same_kernel(without_arguments(launch.kernel), without_arguments(name));
  });
}

// A lambda's type cannot be written.
std::vector<std::string> recorded_instances(const Recording& recording) {
  std::set<std::string> names;
  for (const RecordedLaunch& launch : recording.launches)
    if (launch.kernel.ends_with(">") && launch.kernel.find_first_of("{'") == std::string::npos)
      names.insert(launch.kernel);
  return {names.begin(), names.end()};
}

std::vector<Uncounted> launches_elsewhere(const std::vector<std::string>& names, const Recording& recording) {
  std::map<std::string, std::pair<std::int64_t, std::int64_t>> elsewhere;  // ways, and how often
  for (const RecordedLaunch& launch : recording.launches) {
    const bool is_here = std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      return launch.kernel == name || is_same_kernel(launch.kernel, name) ||
             (name.find('<') == std::string::npos && is_same_kernel(without_arguments(launch.kernel), name));
    });
    if (is_here) continue;
    auto& [ways, count] = elsewhere[launch.kernel];
    ++ways;
    count += launch.occurrences;
  }
  std::vector<Uncounted> out;
  for (const auto& [name, told] : elsewhere) {
    const auto& [ways, count] = told;
    out.push_back(
        {name, in_recording(recording, fmt::format("'{}' is no kernel of these sources: its launches ({}, in {} "
                                                   "way{}) are not counted",
                                                   name, times(count), ways, ways == 1 ? "" : "s"))});
  }
  return out;
}

std::optional<Diagnostic> finish_recorded(const Recording* recording, CheckReport& report) {
  if (recording == nullptr) return std::nullopt;
  std::vector<KernelCheck>& launches = report.kernels;
  for (auto first = launches.begin(); first != launches.end();) {
    const auto end = std::find_if(first, launches.end(), [&](const KernelCheck& k) { return k.name != first->name; });
    std::stable_sort(first, end, [](const KernelCheck& a, const KernelCheck& b) { return lost_in(a) > lost_in(b); });
    first = end;
  }
  if (!launches.empty() || !report.left_out.empty()) return std::nullopt;
  return make_error(report.source, {0, 1}, kNothingRecordedHere);
}

}  // namespace swizzle
