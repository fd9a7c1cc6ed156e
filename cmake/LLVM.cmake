# Finds LLVM and Clang of one major version, and offers `tensorleak_llvm`, an
# interface target with their headers, flags and shared libraries.
find_package(LLVM REQUIRED CONFIG
  PATHS /usr/lib/llvm-${TENSORLEAK_LLVM_VERSION}/lib/cmake/llvm NO_DEFAULT_PATH)
find_package(Clang REQUIRED CONFIG
  PATHS /usr/lib/llvm-${TENSORLEAK_LLVM_VERSION}/lib/cmake/clang NO_DEFAULT_PATH)
if(NOT LLVM_VERSION_MAJOR EQUAL TENSORLEAK_LLVM_VERSION)
  message(FATAL_ERROR "Found LLVM ${LLVM_PACKAGE_VERSION} in ${LLVM_DIR}, but "
    "TENSORLEAK_LLVM_VERSION asks for ${TENSORLEAK_LLVM_VERSION}.")
endif()
message(STATUS "LLVM ${LLVM_PACKAGE_VERSION} in ${LLVM_DIR}")

add_library(tensorleak_llvm_headers INTERFACE)
target_include_directories(tensorleak_llvm_headers SYSTEM INTERFACE
  ${LLVM_INCLUDE_DIRS} ${CLANG_INCLUDE_DIRS})
separate_arguments(llvm_definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
target_compile_definitions(tensorleak_llvm_headers INTERFACE ${llvm_definitions})
target_compile_options(tensorleak_llvm_headers INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>)

add_library(tensorleak_llvm INTERFACE)
target_link_libraries(tensorleak_llvm INTERFACE
  tensorleak_llvm_headers clang-cpp LLVM)
