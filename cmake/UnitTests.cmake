# Unit tests stand beside the code as FooTest.cpp. The CMakeLists.txt beside them says
#   tensorleak_unit_test(folder/FooTest the_libraries_it_needs...)
# and `check` then builds the test and ctest runs it. Without TENSORLEAK_TESTS it does nothing.
if(TENSORLEAK_TESTS)
  find_package(GTest QUIET)
  if(NOT GTest_FOUND)
    message(FATAL_ERROR "The tests need GoogleTest: install libgtest-dev, or configure with "
      "-DTENSORLEAK_TESTS=OFF.")
  endif()
  include(GoogleTest)
  add_custom_target(check
    COMMAND ${CMAKE_CTEST_COMMAND} --output-on-failure --test-dir ${PROJECT_BINARY_DIR}
    USES_TERMINAL)
endif()

function(tensorleak_unit_test path)
  if(NOT TENSORLEAK_TESTS)
    return()
  endif()
  get_filename_component(name ${path} NAME)
  add_executable(${name} ${path}.cpp)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE ${ARGN} GTest::gtest_main)
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST)
  add_dependencies(check ${name})
endfunction()

# In a folder's CMakeLists.txt: scripts/check coverage counts which of its lines are run. What a
# program counts goes nowhere unless LLVM_PROFILE_FILE says where.
macro(tensorleak_counts_lines)
  if(TENSORLEAK_COVERAGE)
    add_compile_options(-fprofile-instr-generate=/dev/null -fcoverage-mapping)
  endif()
endmacro()
