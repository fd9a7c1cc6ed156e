# Makes RulePages.cpp: the page of every rule in findings/Checks.def, as text. A rule
# without a page, or a page without a rule, stops the configuration.

file(STRINGS ${PROJECT_SOURCE_DIR}/findings/Checks.def lines REGEX "^TENSORLEAK_CHECK\\(")
file(GLOB pages RELATIVE ${PROJECT_SOURCE_DIR}/docs/rules ${PROJECT_SOURCE_DIR}/docs/rules/*.md)

set(definitions "")
set(table "")
foreach(line IN LISTS lines)
  string(REGEX MATCH "\"(tensor-[a-z-]+)\"" ignored "${line}")
  set(rule ${CMAKE_MATCH_1})
  set(page ${PROJECT_SOURCE_DIR}/docs/rules/${rule}.md)
  if(NOT EXISTS ${page})
    message(FATAL_ERROR "findings/Checks.def lists ${rule}, but docs/rules/${rule}.md is missing")
  endif()
  list(REMOVE_ITEM pages ${rule}.md)
  set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${page})
  file(READ ${page} text)
  string(MAKE_C_IDENTIFIER ${rule} name)
  string(APPEND definitions "constexpr char ${name}[] = R\"page(${text})page\";\n")
  string(APPEND table "  if (Name == \"${rule}\")\n    return ${name};\n")
endforeach()
if(pages)
  message(FATAL_ERROR "docs/rules has pages of no rule in findings/Checks.def: ${pages}")
endif()
set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/findings/Checks.def)

set(RULE_PAGES_SOURCE ${PROJECT_BINARY_DIR}/tool/RulePages.cpp)
file(CONFIGURE OUTPUT ${RULE_PAGES_SOURCE} @ONLY CONTENT [=[
// Made by cmake/RulePages.cmake.
#include "RulePages.h"

namespace tensorleak {
namespace {
@definitions@
std::string_view textOf(std::string_view Name) {
@table@  return {};
}
} // namespace

const std::vector<RulePage> &rulePages() {
  static const std::vector<RulePage> Pages = {
#define TENSORLEAK_CHECK(Class, Name, TheKind, MinBytes, Summary) {Name, Summary, textOf(Name)},
#include "findings/Checks.def"
  };
  return Pages;
}
} // namespace tensorleak
]=])
