// structs_store of sketches/real.
#include "structs_store.h"
#include "synthesized/structs_store.h"

int main() { return (SYNTHESIZED(compete) + 0) != 0; }
