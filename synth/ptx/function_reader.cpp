#include "synth/ptx/function_reader.h"

#include <algorithm>

#include <fmt/format.h>

namespace swizzle::ptx {
namespace {

// The words of "ld.shared::cta.v4.f32".
std::vector<std::string_view> words_of(std::string_view name) {
  std::vector<std::string_view> words;
  for (std::size_t dot = 0; dot != std::string_view::npos;) {
    const std::size_t end = name.find('.', dot);
    words.push_back(name.substr(dot, end == std::string_view::npos ? end : end - dot));
    dot = end == std::string_view::npos ? end : end + 1;
  }
  return words;
}

Instruction named(std::string_view name) {
  Instruction instruction;
  instruction.name = name;
  const std::vector<std::string_view> words = words_of(name);
  instruction.opcode = opcode_of(words[0]);
  for (std::size_t w = 1; w < words.size(); ++w) {
    if (const auto modifier = modifier_of(words[w])) instruction.modifiers.set(static_cast<std::size_t>(*modifier));
    const auto type = type_of(words[w]);
    if (!type) continue;
    if (instruction.first_type.bits == 0) instruction.first_type = *type;
    instruction.type = *type;
  }
  return instruction;
}

}  // namespace

std::optional<Function> FunctionReader::run(bool is_kernel) {
  function_.is_kernel = is_kernel;
  function_.line = in_.peek().line;
  scopes_.push_back({{}, 0});
  scope_ = 1;
  read_head();
  if (in_.failed() || in_.accept(";")) return std::nullopt;
  in_.expect("{");
  read_body();
  resolve_branches();
  if (in_.failed()) return std::nullopt;
  return std::move(function_);
}

void FunctionReader::read_head() {
  if (in_.peek().is("(")) read_parameters();  // what a function gives back
  function_.name = in_.next().text;
  function_.parameters.clear();
  if (in_.peek().is("(")) read_parameters();
  while (!in_.at_end() && !in_.peek().is("{") && !in_.peek().is(";")) {
    const Token word = in_.next();
    if (!word.is(".maxntid") && !word.is(".reqntid")) continue;
    std::int64_t threads = in_.integer();
    while (in_.accept(",")) threads *= in_.integer();
    function_.most_threads = static_cast<int>(threads);
  }
}

void FunctionReader::read_parameters() {
  in_.expect("(");
  while (!in_.at_end() && !in_.accept(")")) {
    const Token word = in_.next();
    if (word.is(".param")) {
      Variable variable = in_.read_variable(Space::kParam);
      const int id = static_cast<int>(module_.variables.size());
      scopes_[1].names.variables[variable.name] = id;
      function_.parameters.push_back(id);
      module_.variables.push_back(std::move(variable));
    } else if (word.is(".reg")) {
      const Variable variable = in_.read_variable(Space::kParam);
      declare_register(variable.name, variable.element.bits);
    }
  }
}

void FunctionReader::read_body() {
  for (int depth = 1; depth > 0 && !in_.at_end();) {
    const Token token = in_.next();
    if (token.is("{")) {
      ++depth;
      scopes_.push_back({{}, scope_});
      scope_ = static_cast<int>(scopes_.size()) - 1;
    } else if (token.is("}")) {
      --depth;
      scope_ = std::max(1, scopes_[static_cast<std::size_t>(scope_)].outer);
    } else {
      read_statement(token);
    }
  }
}

void FunctionReader::read_statement(const Token& first) {
  if (first.text.starts_with(".")) return read_directive(first);
  if (in_.accept(":")) {
    const std::string label(first.text);
    if (in_.peek().is(".branchtargets")) return read_targets(label);
    scopes_[static_cast<std::size_t>(scope_)].names.labels[label] = static_cast<int>(function_.instructions.size());
    if (in_.peek().text.starts_with(".") && !in_.peek().is(".loc") && !in_.peek().is(".pragma")) in_.skip_past(";");
    return;
  }
  if (!first.is(";")) read_instruction(first);
}

void FunctionReader::read_directive(const Token& word) {
  if (word.is(".loc")) {
    place_ = places_.read(in_, word.line);
    if (function_.place < 0) function_.place = place_;
  } else if (word.is(".reg")) {
    read_registers();
  } else if (const auto space = space_of(word.text)) {
    for (Variable& variable : in_.read_variables(*space)) {
      scopes_[static_cast<std::size_t>(scope_)].names.variables[variable.name] =
          static_cast<int>(module_.variables.size());
      module_.variables.push_back(std::move(variable));
    }
  } else {
    in_.skip_past(";");
  }
}

void FunctionReader::declare_register(const std::string& name, int bits) {
  scopes_[static_cast<std::size_t>(scope_)].names.registers[name] = static_cast<int>(function_.register_bits.size());
  function_.register_bits.push_back(bits);
}

// ".reg .b32 %r<28>;" declares %r0 to %r27.
void FunctionReader::read_registers() {
  int bits = 32;
  while (in_.peek().text.starts_with(".")) {
    const Token word = in_.next();
    if (const auto type = type_of(word.text.substr(1))) bits = type->bits;
  }
  do {
    const std::string name(in_.next().text);
    if (!in_.accept("<")) {
      declare_register(name, bits);
      continue;
    }
    const std::int64_t count = in_.integer();
    for (std::int64_t r = 0; r < count && !in_.failed(); ++r) declare_register(name + std::to_string(r), bits);
    in_.expect(">");
  } while (in_.accept(","));
  in_.expect(";");
}

void FunctionReader::read_targets(const std::string& label) {
  in_.next();
  do target_lists_[label].emplace_back(in_.next().text);
  while (in_.accept(","));
  in_.expect(";");
}

void FunctionReader::read_instruction(Token word) {
  int guard = -1;
  bool is_negated = false;
  if (word.is("@")) {
    is_negated = in_.accept("!");
    const Token name = in_.next();
    const int* const known = find(&Names::registers, name.text, scope_);
    if (known == nullptr) return in_.fail(name, fmt::format("there is no register '{}'", name.text));
    guard = *known;
    word = in_.next();
  }
  if (word.kind != Token::Kind::kWord) return in_.fail(word, fmt::format("this is no instruction: '{}'", word.text));
  Instruction instruction = named(word.text);
  instruction.guard = guard;
  instruction.guard_is_negated = is_negated;
  instruction.line = word.line;
  instruction.place = place_;
  const bool is_branch = instruction.opcode == Opcode::kBra;
  while (!in_.at_end() && !in_.accept(";")) {
    if (in_.accept(",") || in_.accept("|")) continue;
    if (is_branch) {
      const Token label = in_.next();
      branches_.push_back({function_.instructions.size(), std::string(label.text), label, scope_});
    } else {
      instruction.operands.push_back(read_operand());
    }
  }
  function_.instructions.push_back(std::move(instruction));
}

Operand FunctionReader::read_operand() {
  if (in_.accept("{")) return read_list("}", Operand::Kind::kVector);
  if (in_.accept("(")) return read_list(")", Operand::Kind::kVector);
  if (in_.accept("[")) return read_list("]", Operand::Kind::kMemory);
  if (in_.accept("!")) {
    Operand operand = read_word();
    operand.is_negated = true;
    return operand;
  }
  return read_word();
}

Operand FunctionReader::read_list(std::string_view end, Operand::Kind kind) {
  Operand list;
  list.kind = kind;
  while (!in_.at_end() && !in_.accept(end))
    if (!in_.accept(",")) list.parts.push_back(read_operand());
  if (kind == Operand::Kind::kMemory && list.parts.empty()) in_.fail(in_.peek(), "an address is expected here");
  return list;
}

// A register, a number, a variable, perhaps with a number added. What is no name here belongs to another module.
Operand FunctionReader::read_word() {
  constexpr int kWarpSize = 32;
  Operand operand;
  const bool is_negative = in_.accept("-");
  const Token word = in_.next();
  if (const auto value = parse_integer(word.text)) {
    operand.kind = Operand::Kind::kImmediate;
    operand.number = is_negative ? -*value : *value;
    return operand;
  }
  if (is_real_literal(word.text)) return operand.kind = Operand::Kind::kReal, operand;
  if (word.is("_")) return operand;
  if (word.is("WARP_SZ")) return operand.kind = Operand::Kind::kImmediate, operand.number = kWarpSize, operand;
  if (word.kind != Token::Kind::kWord) return in_.fail(word, "an operand is expected here"), operand;
  if (const int* const reg = find(&Names::registers, word.text, scope_)) {
    operand.kind = Operand::Kind::kRegister;
    operand.id = *reg;
  } else if (const int* const variable = find(&Names::variables, word.text, scope_)) {
    operand.kind = Operand::Kind::kVariable;
    operand.id = *variable;
  } else if (word.text.starts_with("%")) {
    operand.kind = Operand::Kind::kSpecial;
    operand.id = static_cast<int>(special_of(word.text));
  } else {
    operand.kind = Operand::Kind::kFunction;
    operand.name = word.text;
    if (const auto list = target_lists_.find(std::string(word.text)); list != target_lists_.end())
      for (const std::string& label : list->second)
        branches_.push_back({function_.instructions.size(), label, word, scope_});
  }
  if (in_.peek().is("+") && parse_integer(in_.peek(1).text)) in_.next(), operand.number = in_.integer();
  else if (in_.peek().is("+") && in_.peek(1).is("-")) in_.next(), operand.number = in_.integer();
  else if (in_.peek().is("-") && parse_integer(in_.peek(1).text)) operand.number = in_.integer();
  return operand;
}

const int* FunctionReader::find(std::map<std::string, int, std::less<>> Names::* kind, std::string_view name,
                                int scope) const {
  for (; scope >= 0; scope = scopes_[static_cast<std::size_t>(scope)].outer) {
    const auto& names = scopes_[static_cast<std::size_t>(scope)].names.*kind;
    if (const auto it = names.find(name); it != names.end()) return &it->second;
  }
  return nullptr;
}

void FunctionReader::resolve_branches() {
  for (const Branch& branch : branches_) {
    const int* const target = find(&Names::labels, branch.label, branch.scope);
    if (target == nullptr) return in_.fail(branch.at, fmt::format("there is no label '{}'", branch.label));
    function_.instructions[branch.instruction].targets.push_back(*target);
  }
}

}  // namespace swizzle::ptx
