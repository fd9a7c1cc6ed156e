# find_package(tensorleak) gives, for a target of yours:
#
#   tensorleak_check(train)                     # the target tensorleak_check_train
#   tensorleak_verify(train ARGS --steps 50)    # the target tensorleak_verify_train, and a test
#   target_link_libraries(tests PRIVATE tensorleak::tensorleak)    # tensorleak/expect.h
#
# The first checks the sources of the target. The second checks them and those of the project's
# libraries that it links (call it after target_link_libraries), runs the program, and fails if a
# finding is confirmed or the program fails, as tests do in which an assertion of
# tensorleak/expect.h does not hold; train.findings.sarif and train.verified.sarif lie in the
# target's binary folder. OPTIONS of both go to `tensorleak check`.

find_program(TENSORLEAK_COMMAND tensorleak
  HINTS "${CMAKE_CURRENT_LIST_DIR}/../../../bin" "${CMAKE_CURRENT_LIST_DIR}/../../../../bin"
  DOC "The tensorleak command")
if(NOT TENSORLEAK_COMMAND)
  set(tensorleak_FOUND FALSE)
  set(tensorleak_NOT_FOUND_MESSAGE "set TENSORLEAK_COMMAND to the tensorleak command")
  return()
endif()

# The headers, which need no library.
find_path(TENSORLEAK_INCLUDE_DIR tensorleak/tensorleak.h
  HINTS "${CMAKE_CURRENT_LIST_DIR}/../../../include" "${CMAKE_CURRENT_LIST_DIR}/../../../../include"
    "${CMAKE_CURRENT_LIST_DIR}/../../include"
  NO_DEFAULT_PATH DOC "The folder of tensorleak/tensorleak.h")
if(TENSORLEAK_INCLUDE_DIR AND NOT TARGET tensorleak::tensorleak)
  add_library(tensorleak::tensorleak INTERFACE IMPORTED)
  set_target_properties(tensorleak::tensorleak PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${TENSORLEAK_INCLUDE_DIR}")
endif()

# Appends the sources of a target that can be checked to the list that `out` names.
function(_tensorleak_add_sources out target)
  # A target that was added before has another value (CMake 3.20).
  set_target_properties(${target} PROPERTIES EXPORT_COMPILE_COMMANDS ON)
  get_target_property(folder ${target} SOURCE_DIR)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    if(source MATCHES "\\.(c|cc|cpp|cxx|c\\+\\+|C|cu)$")
      get_filename_component(file "${source}" ABSOLUTE BASE_DIR "${folder}")
      list(APPEND ${out} "${file}")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES ${out})
  set(${out} "${${out}}" PARENT_SCOPE)
endfunction()

# Appends the target, and the project's libraries that it links, to the list that `out` names.
function(_tensorleak_add_linked out target)
  get_target_property(alias ${target} ALIASED_TARGET)
  get_target_property(is_imported ${target} IMPORTED)
  if(alias)
    set(target ${alias})
  endif()
  if(is_imported OR target IN_LIST ${out})
    return()
  endif()
  list(APPEND ${out} ${target})
  foreach(property IN ITEMS LINK_LIBRARIES INTERFACE_LINK_LIBRARIES SOURCES)
    get_target_property(names ${target} ${property})
    foreach(name IN LISTS names)
      # As target_link_libraries writes it: of a static library's own ones, $<LINK_ONLY:name>.
      string(REGEX REPLACE "^\\$<(LINK_ONLY|TARGET_OBJECTS):(.*)>$" "\\2" name "${name}")
      if(TARGET "${name}")
        _tensorleak_add_linked(${out} "${name}")
      endif()
    endforeach()
  endforeach()
  set(${out} "${${out}}" PARENT_SCOPE)
endfunction()

# The command that checks the sources of these targets, with what follows.
function(_tensorleak_check_command out targets)
  if(NOT CMAKE_EXPORT_COMPILE_COMMANDS)
    message(FATAL_ERROR "tensorleak reads the compile database: "
      "set(CMAKE_EXPORT_COMPILE_COMMANDS ON), best before the targets are added")
  endif()
  set(files "")
  foreach(target IN LISTS targets)
    _tensorleak_add_sources(files ${target})
  endforeach()
  if(NOT files)
    list(GET targets 0 target)
    message(FATAL_ERROR "tensorleak: the target ${target} has no source in C++ or CUDA")
  endif()
  set(${out} "${TENSORLEAK_COMMAND}" check -p "${CMAKE_BINARY_DIR}" ${files} ${ARGN} PARENT_SCOPE)
endfunction()

function(tensorleak_check target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "OPTIONS")
  _tensorleak_check_command(check ${target} ${arg_OPTIONS})
  add_custom_target(tensorleak_check_${target} COMMAND ${check}
    WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}" VERBATIM USES_TERMINAL)
endfunction()

function(tensorleak_verify target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "FAIL_ON" "OPTIONS;ARGS")
  if(NOT arg_FAIL_ON)
    set(arg_FAIL_ON confirmed)
  endif()
  get_target_property(folder ${target} BINARY_DIR)
  set(found "${folder}/${target}.findings.sarif")
  set(targets "")
  _tensorleak_add_linked(targets ${target})
  _tensorleak_check_command(check "${targets}" ${arg_OPTIONS} --fail-level none --quiet
    --format sarif -o "${found}")
  add_custom_target(tensorleak_verify_${target}
    COMMAND ${check}
    COMMAND "${TENSORLEAK_COMMAND}" run --findings "${found}" --fail-on ${arg_FAIL_ON}
      -o "${folder}/${target}.verified.sarif" -- $<TARGET_FILE:${target}> ${arg_ARGS}
    DEPENDS ${target} WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}" VERBATIM USES_TERMINAL)
  add_test(NAME tensorleak_verify_${target}
    COMMAND "${CMAKE_COMMAND}" --build "${CMAKE_BINARY_DIR}" --target tensorleak_verify_${target})
endfunction()
