# Debian packages by CPack: the target `deb` writes them to the folder packages of the build.
#
#   terrane          the program, its manual page, and the studio's page if it was built
#   terrane-mpi      the program for many machines, if MPI was found
#   libterrane-cN    the C interface as a shared library; N is TERRANE_ABI
#   libterrane-dev   headers, static libraries, files for CMake and pkg-config
find_program(DPKG_SHLIBDEPS dpkg-shlibdeps)
find_program(FILE_COMMAND file)
mark_as_advanced(DPKG_SHLIBDEPS FILE_COMMAND)
if(NOT PROJECT_IS_TOP_LEVEL OR NOT TERRANE_INSTALL OR NOT TARGET terrane_cli OR NOT TARGET terrane_c_shared OR NOT DPKG_SHLIBDEPS OR NOT FILE_COMMAND)
    return()
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_PACKAGE_CONTACT "The Terrane authors <terrane@localhost>" CACHE STRING "Maintainer of the packages")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/debian.cmake)
set(CPACK_COMPONENTS_ALL program library development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY >=)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # each package has its own first line

get_property(abi GLOBAL PROPERTY TERRANE_ABI)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME terrane)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "pathfinding for worlds whose terrain matters and changes
Makes worlds, finds the ways of creatures that each have their own costs for
the ground, and answers again, in microseconds, after the ground has changed.
This is the command, with its browser studio.")

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libterrane-c${abi})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "pathfinding over changing terrain - C interface
Worlds, profiles, edits, paths, crowds, weighted regions and navigation
meshes, for C and for every language that can call C. This is the shared
library.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libterrane-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "pathfinding over changing terrain - development files
Headers of the C++20 library and of its C interface, the static libraries,
and files for CMake (find_package) and pkg-config.")
set(depends "libterrane-c${abi} (= ${PROJECT_VERSION})")
foreach(package IN LISTS terrane_DEPENDENCIES)
    if(package STREQUAL PNG)
        string(APPEND depends ", libpng-dev")
    elseif(package STREQUAL ZLIB)
        string(APPEND depends ", zlib1g-dev")
    elseif(package STREQUAL tinyxml2)
        string(APPEND depends ", libtinyxml2-dev")
    endif()
endforeach()
if(TERRANE_NEEDS_RECAST)
    string(APPEND depends ", librecast-dev")
endif()
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS ${depends})

set(made terrane_cli ${companions} terrane_man ${libraries})
if(TARGET terrane_mpi)
    list(APPEND CPACK_COMPONENTS_ALL mpi)
    list(APPEND made terrane_mpi)
    set(CPACK_DEBIAN_MPI_PACKAGE_NAME terrane-mpi)
    set(CPACK_DEBIAN_MPI_PACKAGE_SECTION science)
    set(CPACK_COMPONENT_MPI_DESCRIPTION "pathfinding over changing terrain - path databases by MPI
Builds the path databases of Terrane on many machines at once, by the ranks
of MPI; the same bytes as on one.")
endif()
include(CPack)

add_custom_target(deb
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${CPACK_PACKAGE_DIRECTORY}
    COMMAND ${CMAKE_CPACK_COMMAND} --config ${PROJECT_BINARY_DIR}/CPackConfig.cmake
    WORKING_DIRECTORY ${PROJECT_BINARY_DIR} COMMENT "Packing" VERBATIM)
add_dependencies(deb ${made})
