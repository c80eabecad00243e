# Z3's own package where it is installed, otherwise the library and header that distributions ship without one.
# Defines z3::libz3, as Z3's own package does.
find_package(Z3 CONFIG QUIET)
if(NOT TARGET z3::libz3)
  find_path(Z3_INCLUDE_DIR z3++.h PATH_SUFFIXES z3)
  find_library(Z3_LIBRARY z3)
  mark_as_advanced(Z3_INCLUDE_DIR Z3_LIBRARY)
endif()

include(FindPackageHandleStandardArgs)
if(TARGET z3::libz3)
  find_package_handle_standard_args(Z3 REQUIRED_VARS Z3_DIR VERSION_VAR Z3_VERSION)
else()
  find_package_handle_standard_args(Z3 REQUIRED_VARS Z3_LIBRARY Z3_INCLUDE_DIR)
endif()

if(Z3_FOUND AND NOT TARGET z3::libz3)
  add_library(z3::libz3 UNKNOWN IMPORTED)
  set_target_properties(z3::libz3 PROPERTIES
    IMPORTED_LOCATION "${Z3_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${Z3_INCLUDE_DIR}"
    INTERFACE_LINK_OPTIONS "LINKER:--as-needed")
endif()
