# What is installed beside the programs, and the packages: `cpack` in the build folder makes a .deb
# and a tarball that can be unpacked anywhere. A build without LLVM makes tensorleak-verifier.
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/tensorleak)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/tensorleakConfigVersion.cmake
  COMPATIBILITY SameMajorVersion)
install(FILES cmake/package/tensorleakConfig.cmake
  ${PROJECT_BINARY_DIR}/package/tensorleakConfigVersion.cmake DESTINATION ${package_folder})
install(DIRECTORY ci DESTINATION ${CMAKE_INSTALL_DATADIR}/tensorleak USE_SOURCE_PERMISSIONS)
install(DIRECTORY share/python DESTINATION ${CMAKE_INSTALL_DATADIR}/tensorleak
  PATTERN __pycache__ EXCLUDE)
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_NAME tensorleak)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY
  "finds the tensors that LibTorch and CUDA programs keep and should not")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
  "From the source alone, and by running the unmodified program under a probe.")
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONFLICTS tensorleak-verifier)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/cmake/package/EachPackage.cmake)
if(TENSORLEAK_STATIC)
  # Clang's own headers are read where LLVM has them.
  set(CPACK_DEBIAN_PACKAGE_DEPENDS libclang-common-${TENSORLEAK_LLVM_VERSION}-dev)
  set(CPACK_DEBIAN_PACKAGE_SUGGESTS clang-tidy-${TENSORLEAK_LLVM_VERSION})
else()
  set(CPACK_PACKAGE_NAME tensorleak-verifier)
  set(CPACK_PACKAGE_DESCRIPTION_SUMMARY
    "runs LibTorch and CUDA programs and says which of tensorleak's findings are true")
  set(CPACK_DEBIAN_PACKAGE_CONFLICTS tensorleak)
endif()
include(CPack)
