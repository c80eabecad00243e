#include "tools/compile_commands.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

#include <nlohmann/json.hpp>

#include "tools/arguments.h"

namespace swizzle {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> contents_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  return std::string((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
}

std::string from_directory(const std::string& path, const std::string& directory) {
  const fs::path whole = fs::path(path).is_absolute() ? fs::path(path) : fs::path(directory) / path;
  return whole.lexically_normal().string();
}

std::string from_here(const std::string& path) {
  std::error_code ignored;
  const fs::path relative = fs::path(path).lexically_relative(fs::current_path(ignored));
  return relative.empty() || *relative.begin() == ".." ? path : relative.string();
}

std::string text_of(const nlohmann::json& entry, const char* key, const char* otherwise) {
  const auto found = entry.find(key);
  return found != entry.end() && found->is_string() ? found->get<std::string>() : otherwise;
}

enum class FlagKind { kDefine, kUndefine, kFolder, kHeader, kStandard, kLanguage, kResponse, kOther };

struct FlagSpelling {
  const char* text;
  FlagKind kind;
  bool may_be_joined;  // -DX, beside -D X
};

// The longer of two that begin alike comes first.
constexpr FlagSpelling kSpellings[] = {{"--define-macro", FlagKind::kDefine, false},
                                       {"--undefine-macro", FlagKind::kUndefine, false},
                                       {"--include-path", FlagKind::kFolder, false},
                                       {"--system-include", FlagKind::kFolder, false},
                                       {"--pre-include", FlagKind::kHeader, false},
                                       {"--options-file", FlagKind::kResponse, false},
                                       {"-isystem", FlagKind::kFolder, true},
                                       {"-iquote", FlagKind::kFolder, true},
                                       {"-idirafter", FlagKind::kFolder, true},
                                       {"-include", FlagKind::kHeader, false},
                                       {"-optf", FlagKind::kResponse, false},
                                       {"--std", FlagKind::kStandard, false},
                                       {"-std", FlagKind::kStandard, false},
                                       {"-Xcompiler", FlagKind::kOther, false},
                                       {"-D", FlagKind::kDefine, true},
                                       {"-U", FlagKind::kUndefine, true},
                                       {"-I", FlagKind::kFolder, true},
                                       {"-x", FlagKind::kLanguage, true}};

struct Flag {
  FlagKind kind = FlagKind::kOther;
  std::string value;
};

// The flag at `at`, which moves behind it.
Flag next_flag(const std::vector<std::string>& arguments, std::size_t& at) {
  const std::string& argument = arguments[at++];
  if (argument.starts_with("@")) return {FlagKind::kResponse, argument.substr(1)};
  for (const FlagSpelling& s : kSpellings) {
    const std::string_view text = s.text;
    if (!argument.starts_with(text)) continue;
    if (argument.size() == text.size()) {
      if (at == arguments.size()) return {};
      return {s.kind, arguments[at++]};
    }
    if (argument[text.size()] == '=') return {s.kind, argument.substr(text.size() + 1)};
    if (s.may_be_joined) return {s.kind, argument.substr(text.size())};
  }
  return {};
}

// The nearest that is parsed: what is older is mostly the same.
std::string known_standard(std::string standard) {
  if (standard.starts_with("gnu")) standard.replace(0, 3, "c");
  constexpr const char* kKnown[] = {"c++14", "c++17", "c++20", "c++23"};
  for (const char* known : kKnown)
    if (standard == known) return standard;
  if (standard == "c++1y") return "c++14";
  if (standard == "c++2a") return "c++20";
  if (standard == "c++2b" || standard == "c++26" || standard == "c++2c") return "c++23";
  return standard == "c++98" || standard == "c++03" || standard == "c++11" || standard == "c++0x" ? "c++14" : "c++17";
}

void read_flags(const std::vector<std::string>& arguments, const std::string& directory, int depth, CompileFlags& flags,
                bool& is_cuda) {
  constexpr int kDeepestResponse = 8;
  for (std::size_t at = 0; at < arguments.size();) {
    const Flag flag = next_flag(arguments, at);
    switch (flag.kind) {
      case FlagKind::kDefine: flags.macros.push_back("D" + flag.value); break;
      case FlagKind::kUndefine: flags.macros.push_back("U" + flag.value); break;
      case FlagKind::kFolder: flags.include_folders.push_back(from_directory(flag.value, directory)); break;
      case FlagKind::kStandard: flags.standard = known_standard(flag.value); break;
      case FlagKind::kLanguage: is_cuda |= flag.value == "cu" || flag.value == "cuda"; break;
      case FlagKind::kHeader: {
        const std::string here = from_directory(flag.value, directory);
        std::error_code ignored;
        flags.forced_headers.push_back(fs::exists(here, ignored) ? here : flag.value);
        break;
      }
      case FlagKind::kResponse:
        if (const auto text = contents_of(from_directory(flag.value, directory)); text && depth < kDeepestResponse)
          read_flags(split_arguments(*text), directory, depth + 1, flags, is_cuda);
        break;
      case FlagKind::kOther: break;
    }
  }
}

// "-gencode arch=compute_90a,code=sm_90a", in its many spellings: "-arch=compute_90a". Nothing for other flags.
std::optional<std::string> target_flag(const std::string& flag, const std::string& value) {
  const std::size_t from = value.find("arch=");
  if (flag.starts_with("-gencode") || flag.starts_with("--generate-code"))
    return from == std::string::npos ? std::nullopt
                                     : std::optional("-" + value.substr(from, value.find(',', from) - from));
  if (flag == "-arch" || flag == "--gpu-architecture") return "-arch=" + value;
  return std::nullopt;
}

// What nvcc alone understands, and PTX depends on.
std::vector<std::string> flags_of_nvcc(const std::vector<std::string>& arguments) {
  constexpr std::string_view kKept[] = {"--expt-",          "-expt-",          "--extended-lambda",
                                        "-extended-lambda", "--use_fast_math", "-use_fast_math"};
  std::vector<std::string> flags;
  std::optional<std::string> target;
  for (std::size_t a = 0; a < arguments.size(); ++a) {
    const std::string& argument = arguments[a];
    const std::size_t equals = argument.find('=');
    const bool is_joined = equals != std::string::npos && argument.starts_with("-");
    const std::string value = is_joined                  ? argument.substr(equals + 1)
                              : a + 1 < arguments.size() ? arguments[a + 1]
                                                         : "";
    if (auto flag = target_flag(argument.substr(0, equals), value)) target = std::move(flag);
    if (std::any_of(std::begin(kKept), std::end(kKept), [&](std::string_view k) { return argument.starts_with(k); }))
      flags.push_back(argument);
  }
  if (target) flags.push_back(*target);
  return flags;
}

const CompileCommand* command_of(const std::string& path, const std::vector<CompileCommand>& commands) {
  std::error_code ignored;
  const auto command = std::find_if(commands.begin(), commands.end(), [&](const CompileCommand& c) {
    return c.path == path || fs::equivalent(c.path, path, ignored);
  });
  return command != commands.end() ? &*command : nullptr;
}

bool is_same(const CompileFlags& a, const CompileFlags& b) {
  return a.macros == b.macros && a.include_folders == b.include_folders && a.forced_headers == b.forced_headers &&
         a.standard == b.standard;
}

}  // namespace

CompileFlags flags_of_command(const std::vector<std::string>& arguments, const std::string& directory) {
  CompileFlags flags;
  bool is_cuda = false;
  read_flags({arguments.begin() + std::min<std::ptrdiff_t>(1, std::ssize(arguments)), arguments.end()}, directory, 0,
             flags, is_cuda);
  return flags;
}

Result<std::vector<CompileCommand>> read_compile_commands(const std::string& path) {
  std::error_code ignored;
  const fs::path file = fs::is_directory(path, ignored) ? fs::path(path) / "compile_commands.json" : fs::path(path);
  const auto wrong = [&](const std::string& what) {
    Diagnostic d = make_error(what);
    d.path = file.string();
    return d;
  };
  const auto text = contents_of(file);
  if (!text) return wrong("cannot be read");
  const nlohmann::json in = nlohmann::json::parse(*text, nullptr, /*allow_exceptions=*/false);
  if (!in.is_array()) return wrong("is no list of compile commands");
  std::vector<CompileCommand> out;
  for (const nlohmann::json& entry : in) {
    if (!entry.is_object() || !entry.contains("file") || !entry["file"].is_string())
      return wrong("has an entry without a file");
    const std::string directory =
        from_directory(text_of(entry, "directory", "."), fs::absolute(file, ignored).parent_path().string());
    std::vector<std::string> arguments;
    for (const nlohmann::json& argument : entry.value("arguments", nlohmann::json::array())) {
      if (!argument.is_string()) return wrong("has an argument that is no text");
      arguments.push_back(argument);
    }
    if (!entry.contains("arguments")) arguments = split_arguments(text_of(entry, "command", ""));
    CompileCommand command;
    bool is_cuda = false;
    if (!arguments.empty()) arguments.erase(arguments.begin());
    read_flags(arguments, directory, 0, command.flags, is_cuda);
    command.nvcc_flags = flags_of_nvcc(arguments);
    command.path = from_here(from_directory(entry["file"], directory));
    if (!is_cuda && fs::path(command.path).extension() != ".cu") continue;
    const bool is_known = std::any_of(out.begin(), out.end(), [&](const CompileCommand& c) {
      return c.path == command.path && is_same(c.flags, command.flags);
    });
    if (!is_known) out.push_back(std::move(command));
  }
  return out;
}

CompileFlags flags_for(const std::string& path, const std::vector<CompileCommand>& commands, const CompileFlags& more,
                       bool standard_is_set) {
  const CompileCommand* const command = command_of(path, commands);
  if (command == nullptr) return more;
  CompileFlags flags = command->flags;
  const auto append = [](std::vector<std::string>& to, const std::vector<std::string>& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  append(flags.macros, more.macros);
  flags.include_folders.insert(flags.include_folders.begin(), more.include_folders.begin(), more.include_folders.end());
  append(flags.forced_headers, more.forced_headers);
  if (standard_is_set) flags.standard = more.standard;
  return flags;
}

std::vector<std::string> nvcc_flags_for(const std::string& path, const std::vector<CompileCommand>& commands,
                                        const std::vector<std::string>& more) {
  const CompileCommand* const command = command_of(path, commands);
  std::vector<std::string> flags = command != nullptr ? command->nvcc_flags : std::vector<std::string>{};
  const bool has_target = std::any_of(more.begin(), more.end(), [](const std::string& flag) {
    return flag.starts_with("-arch") || flag.starts_with("--gpu-architecture") || flag.starts_with("-gencode");
  });
  if (has_target) std::erase_if(flags, [](const std::string& flag) { return flag.starts_with("-arch="); });
  flags.insert(flags.end(), more.begin(), more.end());
  return flags;
}

}  // namespace swizzle
