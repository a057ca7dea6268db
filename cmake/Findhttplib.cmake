# Finds cpp-httplib: as a compiled library by pkg-config (Debian), else as a single header.
#   httplib_FOUND
#   httplib::httplib
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND AND NOT CMAKE_CROSSCOMPILING)
    pkg_check_modules(httplib_LIBRARY QUIET IMPORTED_TARGET cpp-httplib)
endif()
find_path(httplib_INCLUDE_DIR httplib.h)
mark_as_advanced(httplib_INCLUDE_DIR)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(httplib REQUIRED_VARS httplib_INCLUDE_DIR)
if(httplib_FOUND AND NOT TARGET httplib::httplib)
    find_package(Threads REQUIRED)
    add_library(httplib::httplib INTERFACE IMPORTED)
    set_target_properties(httplib::httplib PROPERTIES INTERFACE_INCLUDE_DIRECTORIES ${httplib_INCLUDE_DIR})
    target_link_libraries(httplib::httplib INTERFACE Threads::Threads $<TARGET_NAME_IF_EXISTS:PkgConfig::httplib_LIBRARY>)
endif()
