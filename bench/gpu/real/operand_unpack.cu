// operand_unpack of sketches/real.
#include "operands_unpack.h"
#include "synthesized/operand_unpack.h"

template <class Synthesized>
int compete() {
  return compete_unpacking<Synthesized, FirstOperand>();
}

int main() { return (SYNTHESIZED(compete) + 0) != 0; }
