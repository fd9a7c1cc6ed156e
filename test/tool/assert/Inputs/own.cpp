// A framework of the test's own, and C++11.
#include <iostream>

#define TENSORLEAK_FAIL(FILE, LINE, TEXT) std::cout << "failed: " << (TEXT) << '\n'
#define TENSORLEAK_SKIP(FILE, LINE, TEXT) std::cout << "skipped " << (LINE) << ' ' << (TEXT) << '\n'
#include "tensorleak/expect.h"

int main() {
  int Runs = 0;
  TENSORLEAK_EXPECT_NO_GROWTH(40) ++Runs;
  TENSORLEAK_EXPECT_PEAK_BELOW(1) {
    ++Runs;
    TENSORLEAK_EXPECT_PEAK_BELOW(1) ++Runs;
  }
  try {
    TENSORLEAK_EXPECT_PEAK_BELOW(1) throw 1;
  } catch (int) {
  }
  std::cout << Runs << " runs\n";
}
