# The warnings that all of tensorleak is compiled with; errors with TENSORLEAK_WERROR.
add_compile_options(-Wall -Wextra)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # Clang names libstdc++'s own use of get_temporary_buffer (in std::stable_sort) as ours.
  add_compile_options(-Wno-deprecated-declarations)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # At -O3 g++ 12 sees uninitialized members in strings and optionals that are none.
  add_compile_options(-Wno-maybe-uninitialized)
endif()
if(TENSORLEAK_WERROR)
  add_compile_options(-Werror)
endif()
