// operand_pack_second of sketches/real.
#include "operands_pack.h"
#include "synthesized/operand_pack_second.h"

template <class Synthesized>
int compete() {
  return compete_packing<Synthesized, SecondOperand>();
}

int main() { return (SYNTHESIZED(compete) + 0) != 0; }
