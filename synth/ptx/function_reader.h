// Reads a function: private to this room.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "synth/ptx/place_reader.h"

namespace swizzle::ptx {

// What is declared in a scope.
struct Names {
  std::map<std::string, int, std::less<>> registers, variables, labels;
};

class FunctionReader {
 public:
  // `outer`: what the module declares.
  FunctionReader(TokenReader& in, Module& module, PlaceReader& places, const Names& outer)
      : in_(in),
        module_(module),
        places_(places) {
    scopes_.push_back({outer, -1});
  }

  // Behind ".entry" or ".func". Nothing for a declaration.
  std::optional<Function> run(bool is_kernel);

 private:
  struct Scope {
    Names names;
    int outer = -1;
  };
  struct Branch {
    std::size_t instruction = 0;
    std::string label;
    Token at;
    int scope = 0;
  };

  void read_head();
  void read_parameters();
  void read_body();
  void read_statement(const Token& first);
  void read_directive(const Token& word);
  void read_registers();
  void read_targets(const std::string& label);
  void read_instruction(Token word);
  Operand read_operand();
  Operand read_list(std::string_view end, Operand::Kind kind);
  Operand read_word();
  void declare_register(const std::string& name, int bits);
  const int* find(std::map<std::string, int, std::less<>> Names::* kind, std::string_view name, int scope) const;
  void resolve_branches();

  TokenReader& in_;
  Module& module_;
  PlaceReader& places_;
  Function function_;
  std::vector<Scope> scopes_;
  int scope_ = 0;
  int place_ = -1;
  std::vector<Branch> branches_;
  std::map<std::string, std::vector<std::string>> target_lists_;  // .branchtargets
};

}  // namespace swizzle::ptx
