# Makes PageParts.cpp: the files of share/report that a report's page consists of, as text.

set(folder ${PROJECT_SOURCE_DIR}/share/report)
set(definitions "")
function(report_text name)
  set(text "")
  foreach(file ${ARGN})
    set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
      ${folder}/${file})
    file(READ ${folder}/${file} part)
    # A literal of its own for each file: compilers bound the length of one.
    string(APPEND text "\n  R\"page(${part})page\"")
  endforeach()
  set(definitions "${definitions}const std::string_view ${name} =${text};\n" PARENT_SCOPE)
endfunction()

report_text(PageTemplate report.html)
report_text(PageStyle vendor/uPlot.min.css vendor/d3-flamegraph.css report.css)
report_text(PageLibraries vendor/uPlot.iife.min.js vendor/d3-selection.min.js
  vendor/d3-flamegraph.min.js)
report_text(PageScript elements.js format.js memory.js compare.js flames.js places.js findings.js
  report.js)

set(REPORT_PAGE_SOURCE ${PROJECT_BINARY_DIR}/runtime/report/PageParts.cpp)
file(CONFIGURE OUTPUT ${REPORT_PAGE_SOURCE} @ONLY CONTENT [=[
// Made by cmake/ReportPage.cmake.
#include "runtime/report/page/PageParts.h"

namespace tensorleak {
@definitions@
} // namespace tensorleak
]=])
