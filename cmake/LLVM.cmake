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

# The program itself takes LLVM and Clang from their archives: the shared libraries cost each start
# 300,000 relocations and 2,000 page faults, a sixth of a small check. Tests and plugins link the
# libraries. The archives' own targets name libLLVM.so, so they are linked by their files.
if(TENSORLEAK_LLVM_ARCHIVES AND NOT (TARGET clangFrontend AND TARGET LLVMSupport
    AND TARGET ZLIB::ZLIB AND TARGET zstd::libzstd_shared))
  message(STATUS "LLVM's archives, zlib or zstd are missing: the program links the shared LLVM")
  set(TENSORLEAK_LLVM_ARCHIVES OFF)
endif()
set(clang_archives)
foreach(name Frontend Driver Options Serialization Tooling ToolingCore ToolingInclusions
    ToolingInclusionsStdlib StaticAnalyzerFrontend StaticAnalyzerCheckers StaticAnalyzerCore
    Format Rewrite Index Parse Sema CrossTU Edit
    AnalysisFlowSensitiveModels AnalysisFlowSensitive AnalysisLifetimeSafety Analysis
    DynamicASTMatchers ASTMatchers APINotes AST Lex Support Basic)
  if(TARGET clang${name})
    list(APPEND clang_archives $<TARGET_FILE:clang${name}>)
  endif()
endforeach()
llvm_map_components_to_libnames(llvm_archives FrontendOpenMP FrontendHLSL
  WindowsDriver Option ProfileData BitReader MC MCParser TargetParser Core Support)
if(TARGET LLVMPlugins) # of version 22
  list(PREPEND llvm_archives LLVMPlugins)
endif()
add_library(tensorleak_llvm_archives INTERFACE)
include(CheckLinkerFlag)
check_linker_flag(CXX LINKER:-z,pack-relative-relocs TENSORLEAK_CAN_PACK_RELOCATIONS)
target_link_options(tensorleak_llvm_archives INTERFACE LINKER:--gc-sections
  $<$<BOOL:${TENSORLEAK_CAN_PACK_RELOCATIONS}>:LINKER:-z,pack-relative-relocs>)
target_link_libraries(tensorleak_llvm_archives INTERFACE
  -Wl,--start-group ${clang_archives} -Wl,--end-group ${llvm_archives})

add_library(tensorleak_llvm INTERFACE)
set(uses_archives $<BOOL:$<TARGET_PROPERTY:TENSORLEAK_LLVM_ARCHIVES>>)
target_link_libraries(tensorleak_llvm INTERFACE tensorleak_llvm_headers
  $<${uses_archives}:tensorleak_llvm_archives> $<$<NOT:${uses_archives}>:clang-cpp>
  $<$<NOT:${uses_archives}>:LLVM>)
