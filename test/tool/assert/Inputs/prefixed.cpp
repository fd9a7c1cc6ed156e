#define CATCH_CONFIG_PREFIX_ALL
#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_test_macros.hpp>
#elif __has_include(<catch_amalgamated.hpp>)
#include <catch_amalgamated.hpp>
#else
#include <catch2/catch.hpp>
#endif
#include "tensorleak/expect.h"

CATCH_TEST_CASE("nothing") {
  TENSORLEAK_EXPECT_NO_GROWTH(20) {}
}
