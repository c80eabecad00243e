#include "driver/recording.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "driver/versions.h"
#include "frontend/parse.h"
#include "synth/ptx/names.h"

namespace swizzle {
namespace {

namespace fs = std::filesystem;
using WrittenJson = nlohmann::ordered_json;
using GivenJson = nlohmann::json;

std::string contents_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::vector<unsigned char> bytes_of(const std::string& digits) {
  constexpr int kSixteen = 16;
  std::vector<unsigned char> out;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
    out.push_back(static_cast<unsigned char>(std::stoi(digits.substr(i, 2), nullptr, kSixteen)));
  return out;
}

std::string digits_of(const std::vector<unsigned char>& bytes) {
  std::string out;
  for (const unsigned char b : bytes) out += fmt::format("{:02x}", b);
  return out;
}

// What the type of a parameter says of its value, where that is a number.
WrittenJson value_of(const RecordedParameter& p) {
  static const std::map<std::string, bool> kIntegers = {// whether they are signed
                                                        {"char", true},
                                                        {"signed char", true},
                                                        {"unsigned char", false},
                                                        {"short", true},
                                                        {"unsigned short", false},
                                                        {"int", true},
                                                        {"unsigned int", false},
                                                        {"long", true},
                                                        {"unsigned long", false},
                                                        {"long long", true},
                                                        {"unsigned long long", false}};
  const int size = static_cast<int>(p.bytes.size());
  if (p.type == "bool") return integer_at(p, 0, 1, false) == 1;
  if (const auto known = kIntegers.find(p.type); known != kIntegers.end()) {
    const auto value = integer_at(p, 0, size, known->second);
    return !value          ? WrittenJson(nullptr)
           : known->second ? WrittenJson(*value)
                           : WrittenJson(static_cast<std::uint64_t>(*value));
  }
  const auto real = p.type == "float" || p.type == "double" ? real_at(p, 0, size) : std::nullopt;
  return real && std::isfinite(*real) ? WrittenJson(*real) : WrittenJson(nullptr);
}

WrittenJson json_of(const RecordedParameter& p) {
  WrittenJson out;
  out["type"] = p.type.empty() ? WrittenJson(nullptr) : WrittenJson(p.type);
  out["bytes"] = digits_of(p.bytes);
  if (WrittenJson value = value_of(p); !value.is_null()) out["value"] = std::move(value);
  out["pointers"] = WrittenJson::array();
  for (const RecordedPointer& at : p.pointers)
    out["pointers"].push_back({{"offset", at.offset_bytes}, {"bytes_behind", at.bytes_behind}});
  return out;
}

WrittenJson json_of(const RecordedLaunch& launch) {
  WrittenJson out{
      {"kernel", launch.kernel}, {"mangled", launch.mangled}, {"grid", launch.grid}, {"block", launch.block}};
  if (launch.cluster) out["cluster"] = *launch.cluster;
  out["shared_bytes"] = launch.shared_bytes;
  out["occurrences"] = launch.occurrences;
  out["parameters"] = nullptr;
  if (!launch.parameters) return out;
  out["parameters"] = WrittenJson::array();
  for (const RecordedParameter& p : *launch.parameters) out["parameters"].push_back(json_of(p));
  return out;
}

// A line of a log, or a launch of a recording: pointers as [0, 4096], or as an object.
RecordedPointer pointer_in(const GivenJson& j) {
  if (j.is_array()) return {j.at(0).get<std::int64_t>(), j.at(1).get<std::int64_t>()};
  return {j.at("offset").get<std::int64_t>(), j.at("bytes_behind").get<std::int64_t>()};
}

RecordedLaunch launch_in(const GivenJson& j) {
  RecordedLaunch launch;
  launch.mangled = j.at("mangled").get<std::string>();
  launch.grid = j.at("grid").get<std::array<int, 3>>();
  launch.block = j.at("block").get<std::array<int, 3>>();
  if (j.contains("cluster")) launch.cluster = j["cluster"].get<std::array<int, 3>>();
  launch.shared_bytes = j.at("shared_bytes").get<std::int64_t>();
  launch.occurrences = j.value("occurrences", std::int64_t{0});
  const ptx::Signature signature = ptx::signature_of(launch.mangled);
  launch.kernel = j.value("kernel", signature.name);
  if (!j.contains("parameters") || j["parameters"].is_null()) return launch;
  launch.parameters.emplace();
  for (const GivenJson& given : j["parameters"]) {
    RecordedParameter p{{}, bytes_of(given.at("bytes").get<std::string>()), {}};
    const std::size_t number = launch.parameters->size();
    if (signature.parameters && number < signature.parameters->size()) p.type = (*signature.parameters)[number];
    if (given.contains("type") && given["type"].is_string()) p.type = given["type"].get<std::string>();
    for (const GivenJson& pointer : given.at("pointers")) p.pointers.push_back(pointer_in(pointer));
    // Memory that the driver does not know, a host's, say.
    if (p.type.ends_with("*")) std::fill(p.bytes.begin(), p.bytes.end(), static_cast<unsigned char>(0));
    launch.parameters->push_back(std::move(p));
  }
  return launch;
}

std::string key_of(const RecordedLaunch& launch) {
  WrittenJson key = json_of(launch);
  key.erase("occurrences");
  if (launch.parameters)
    for (WrittenJson& p : key["parameters"])
      for (WrittenJson& pointer : p["pointers"]) pointer.erase("bytes_behind");
  return key.dump(-1, ' ', false, WrittenJson::error_handler_t::replace);
}

class Gathering {
 public:
  void add_log(const fs::path& path) {
    const std::string lines = contents_of(path);
    const std::string counts = contents_of(fs::path(path).replace_extension(".counts"));
    std::size_t number = 0;
    for (std::size_t at = 0; at < lines.size(); ++number) {
      const std::size_t end = std::min(lines.find('\n', at), lines.size());
      std::uint64_t count = 0;
      if ((number + 1) * sizeof count <= counts.size())
        std::memcpy(&count, counts.data() + number * sizeof count, sizeof count);
      // Of a process that ended between the two, the line alone is there.
      add(GivenJson::parse(lines.substr(at, end - at), nullptr, false),
          std::max<std::int64_t>(1, static_cast<std::int64_t>(count)));
      at = end + 1;
    }
  }

  Result<Recording> result() {
    if (all_.launches.empty() && !error_.empty()) return make_error(error_);
    std::stable_sort(all_.launches.begin(), all_.launches.end(),
                     [](const RecordedLaunch& a, const RecordedLaunch& b) { return a.occurrences > b.occurrences; });
    return std::move(all_);
  }

 private:
  void add(const GivenJson& line, std::int64_t count) {
    if (!line.is_object()) return;
    if (line.contains("error")) error_ = line["error"].get<std::string>();
    if (line.contains("device")) add_device(line["device"].get<std::string>());
    if (line.contains("others"))
      all_.others.emplace_back(ptx::signature_of(line["others"].get<std::string>()).name, count);
    if (!line.contains("mangled")) return;
    RecordedLaunch launch = launch_in(line);
    const auto [known, is_new] = number_.try_emplace(key_of(launch), all_.launches.size());
    if (is_new) all_.launches.push_back(std::move(launch));
    all_.launches[known->second].occurrences += count;
  }

  void add_device(const std::string& name) {
    if (std::find(all_.devices.begin(), all_.devices.end(), name) == all_.devices.end()) all_.devices.push_back(name);
  }

  Recording all_;
  std::map<std::string, std::size_t> number_;
  std::string error_;
};

Recording recording_in(const GivenJson& j) {
  Recording out;
  out.arguments = j.at("command").at("arguments").get<std::vector<std::string>>();
  out.folder = j["command"].at("folder").get<std::string>();
  out.devices = j.at("devices").get<std::vector<std::string>>();
  for (const GivenJson& launch : j.at("launches")) out.launches.push_back(launch_in(launch));
  for (const GivenJson& other : j.at("others"))
    out.others.emplace_back(other.at("kernel").get<std::string>(), other.at("occurrences").get<std::int64_t>());
  return out;
}

}  // namespace

Result<Recording> gathered_recording(const std::string& folder) {
  std::vector<fs::path> logs;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (entry.path().extension() == ".log") logs.push_back(entry.path());
  std::sort(logs.begin(), logs.end());
  Gathering gathering;
  for (const fs::path& log : logs) gathering.add_log(log);
  return gathering.result();
}

std::string to_json(const Recording& recording) {
  WrittenJson out{{"schema", 1},
                  {"tool", {{"name", "swizzle-synth"}, {"version", tool_version()}}},
                  {"command", {{"arguments", recording.arguments}, {"folder", recording.folder}}},
                  {"devices", recording.devices}};
  out["launches"] = WrittenJson::array();
  for (const RecordedLaunch& launch : recording.launches) out["launches"].push_back(json_of(launch));
  out["others"] = WrittenJson::array();
  for (const auto& [kernel, count] : recording.others)
    out["others"].push_back({{"kernel", kernel}, {"occurrences", count}});
  return out.dump(1, ' ', false, WrittenJson::error_handler_t::replace) + "\n";
}

Result<Recording> read_recording(const std::string& path) {
  const auto source = read_source(path);
  if (!source.ok()) return source.errors();
  const auto wrong = [&](const std::string& why) {
    Diagnostic d = make_error("this is no recording of `swizzle-synth record`: " + why);
    d.path = path;
    return d;
  };
  try {
    const GivenJson j = GivenJson::parse(source->text(), nullptr, /*allow_exceptions=*/false);
    if (!j.is_object()) return wrong("it is no JSON object");
    if (j.at("schema") != 1) return wrong(fmt::format("its schema is {}, not 1", j["schema"].dump()));
    Recording out = recording_in(j);
    out.path = path;
    return out;
  } catch (const std::exception& e) {
    return wrong(e.what());
  }
}

std::optional<std::int64_t> integer_at(const RecordedParameter& parameter, std::int64_t offset, int size,
                                       bool is_signed) {
  constexpr int kWord = 8, kByteBits = 8;
  if (offset < 0 || size < 1 || size > kWord || offset + size > static_cast<std::int64_t>(parameter.bytes.size()))
    return std::nullopt;
  std::uint64_t value = 0;
  std::memcpy(&value, parameter.bytes.data() + offset, static_cast<std::size_t>(size));
  const int unused = (kWord - size) * kByteBits;
  if (!is_signed) return static_cast<std::int64_t>(value);
  return static_cast<std::int64_t>(value << unused) >> unused;
}

std::optional<double> real_at(const RecordedParameter& parameter, std::int64_t offset, int size) {
  const auto bits = integer_at(parameter, offset, size, false);
  if (!bits) return std::nullopt;
  if (size == sizeof(float)) return std::bit_cast<float>(static_cast<std::uint32_t>(*bits));
  if (size == sizeof(double)) return std::bit_cast<double>(*bits);
  return std::nullopt;
}

}  // namespace swizzle
