// The same for Catch2, of either version, with LibTorch's smallest allocation.
#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_test_macros.hpp>
#elif __has_include(<catch_amalgamated.hpp>)
#include <catch_amalgamated.hpp>
#else
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#endif
#include "tensorleak/expect.h"

#include <c10/core/CPUAllocator.h>

#include <vector>

static c10::DataPtr take(size_t Bytes) { return c10::GetCPUAllocator()->allocate(Bytes); }

TEST_CASE("keeps") {
  std::vector<c10::DataPtr> Kept;
  TENSORLEAK_EXPECT_NO_GROWTH(40) Kept.push_back(take(4096));
}

TEST_CASE("frees") {
  SECTION("in rounds") {
    TENSORLEAK_EXPECT_NO_GROWTH(40) REQUIRE(take(4096).get());
  }
  SECTION("low") {
    TENSORLEAK_EXPECT_PEAK_BELOW(4096) take(4096);
  }
}

TEST_CASE("rises") {
  TENSORLEAK_EXPECT_PEAK_BELOW(4095) take(4096);
}

TEST_CASE("throws") {
  REQUIRE_THROWS([] { TENSORLEAK_EXPECT_NO_GROWTH(40) throw 1; }());
}
