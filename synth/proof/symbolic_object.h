// What a symbolic run keeps: variables, shared arrays and buffers; how threads part at a condition. Private to this
// room.
#pragma once

#include <string>
#include <vector>

#include "synth/proof/symbolic_lanes.h"

namespace swizzle {

struct SymbolicObject {
  struct SharedUse {
    int thread = 0, epoch = 0, warp_epoch = 0;
    bool is_write = false;
    Value where = kEverywhere;
    std::optional<Ring> updates = {};    // of an atomic, by which it is: those of one kind may meet
    std::optional<Symbol> written = {};  // of another write: those of one value may meet
  };

  enum class Space { kLocal, kShared, kGlobal } space = Space::kLocal;
  std::string name;
  int slots = 1, slot_bytes = 4;
  std::optional<Scalar> scalar;
  std::size_t buffer = 0;       // kGlobal
  bool is_const = false;        // kGlobal
  int depth = 0;                // index loops and rounds around its declaration
  SymbolicCells cells;          // of kShared: of one thread
  std::vector<Value> declared;  // kLocal, by thread: where its declaration is
  std::vector<std::vector<SharedUse>> uses;
};

// Which threads run the arms of a condition, and where. One runs both where data or a guard decide, and in a run for
// all iterations also where an index does.
struct SymbolicArms {
  std::vector<char> yes, no;
  std::vector<Value> when, unless;
  std::vector<char> by_data, by_guard;
  bool is_uncertain = false;
};

// One turn of a kernel's loop (size_region.h): by thread the loop's variable, which goes up by `step` and is at most
// `last`.
struct SymbolicTurn {
  VariableId variable;
  std::vector<Polynomial> index, first;
  std::int64_t step = 1;
  Polynomial last;
  bool are_all = false;    // each thread takes all turns, in order
  bool adds_up = false;    // stores nothing: what all turns add up comes to updates (updates.h)
  std::int64_t ahead = 0;  // CountedLoop
};

}  // namespace swizzle
