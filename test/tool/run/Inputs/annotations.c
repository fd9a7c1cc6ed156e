/* The header in C: nothing to link, nothing happens without the probe. */
#include "tensorleak/tensorleak.h"
int main(void) {
  int Memory = 0;
  tensorleak_step();
  tensorleak_expect_retained(&Memory);
  return Memory;
}
