// structs_store_wide of sketches/real.
#include "structs_store.h"
#include "synthesized/structs_store_wide.h"

int main() { return (SYNTHESIZED(compete) + 0) != 0; }
