# Read by cpack for each kind of package: a .deb installs below /usr, a tarball has one folder.
if(CPACK_GENERATOR STREQUAL "DEB")
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
endif()
