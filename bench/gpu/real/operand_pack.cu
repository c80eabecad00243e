// operand_pack of sketches/real.
#include "operands_pack.h"
#include "synthesized/operand_pack.h"

template <class Synthesized>
int compete() {
  return compete_packing<Synthesized, FirstOperand>();
}

int main() { return (SYNTHESIZED(compete) + 0) != 0; }
