# Read by cpack for each kind of package: a .deb installs below /usr, a tarball has one folder.
if(CPACK_GENERATOR STREQUAL "DEB")
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
endif()

# A .deb names who answers for it: whoever makes it. As for Debian's own tools that is $DEBEMAIL
# with $DEBFULLNAME, else who git knows here, else the user and the machine.
function(find_maintainer out)
  set(name $ENV{DEBFULLNAME})
  set(address $ENV{DEBEMAIL})
  if(NOT address)
    execute_process(COMMAND git config user.name OUTPUT_VARIABLE name
      OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    execute_process(COMMAND git config user.email OUTPUT_VARIABLE address
      OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
  if(NOT address)
    cmake_host_system_information(RESULT machine QUERY FQDN)
    execute_process(COMMAND id -un OUTPUT_VARIABLE name OUTPUT_STRIP_TRAILING_WHITESPACE)
    set(address ${name}@${machine})
  endif()
  set(${out} "${name} <${address}>" PARENT_SCOPE)
endfunction()

if(CPACK_GENERATOR STREQUAL "DEB" AND NOT CPACK_DEBIAN_PACKAGE_MAINTAINER)
  find_maintainer(CPACK_DEBIAN_PACKAGE_MAINTAINER)
endif()
