# Install and export rules. find_package(terrane) defines terrane::terrane, one target per module, and the C interface as terrane::c and
# terrane::c_shared; pkg-config has terrane, terrane_c and terrane_c_static.
option(TERRANE_INSTALL "Write install rules" ${PROJECT_IS_TOP_LEVEL})
if(NOT TERRANE_INSTALL)
    return()
endif()
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/terrane)
get_property(modules GLOBAL PROPERTY TERRANE_MODULES)
set(libraries ${modules})
foreach(library terrane_c terrane_c_shared)
    if(TARGET ${library})
        list(APPEND libraries ${library})
    endif()
endforeach()

# Components: program, mpi, library (to run programs), development (to build them).
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME development)
install(TARGETS ${libraries} EXPORT terrane-targets LIBRARY COMPONENT library NAMELINK_COMPONENT development)
install(EXPORT terrane-targets NAMESPACE terrane:: DESTINATION ${package_dir})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/terrane DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
if(TERRANE_CAPI)
    install(FILES ${PROJECT_SOURCE_DIR}/capi/terrane_c.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endif()
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
if(TARGET terrane_cli)
    install(TARGETS terrane_cli RUNTIME COMPONENT program)
    set(companions terrane_bench terrane_selftest)
    if(TARGET terrane_studio)
        list(APPEND companions terrane_studio)
    endif()
    install(TARGETS ${companions} RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/terrane COMPONENT program)
    if(NOT CMAKE_CROSSCOMPILING)
        add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/terrane.1
            COMMAND ${CMAKE_COMMAND} -D PROGRAM=$<TARGET_FILE:terrane_cli> -D OUTPUT=${PROJECT_BINARY_DIR}/terrane.1 -P ${PROJECT_SOURCE_DIR}/cmake/man.cmake
            DEPENDS terrane_cli ${companions} ${PROJECT_SOURCE_DIR}/cmake/man.cmake COMMENT "Writing the manual page" VERBATIM)
        add_custom_target(terrane_man ALL DEPENDS ${PROJECT_BINARY_DIR}/terrane.1)
        install(FILES ${PROJECT_BINARY_DIR}/terrane.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
    endif()
endif()
if(TARGET terrane_studio)  # the page, where tools/studio has built it
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/build/studio DESTINATION ${CMAKE_INSTALL_DATADIR}/terrane COMPONENT program OPTIONAL)
endif()
if(TARGET terrane_mpi)
    install(TARGETS terrane_mpi RUNTIME COMPONENT mpi)
endif()

# Users of static libraries must find the dependencies of these again.
set(terrane_DEPENDENCIES)
set(TERRANE_NEEDS_RECAST FALSE)
foreach(module IN LISTS modules)
    get_target_property(linked ${module} INTERFACE_LINK_LIBRARIES)
    foreach(package PNG Threads ZLIB tinyxml2)
        if(linked MATCHES "${package}::${package}")
            list(APPEND terrane_DEPENDENCIES ${package})
        endif()
    endforeach()
    if(linked MATCHES "Recast::Recast")
        set(TERRANE_NEEDS_RECAST TRUE)
    endif()
endforeach()
list(REMOVE_DUPLICATES terrane_DEPENDENCIES)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/terrane-config.cmake.in ${PROJECT_BINARY_DIR}/terrane-config.cmake
    INSTALL_DESTINATION ${package_dir})
# Before 1.0, a new minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/terrane-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/terrane-config.cmake ${PROJECT_BINARY_DIR}/terrane-config-version.cmake
    DESTINATION ${package_dir})
if(TERRANE_NEEDS_RECAST)
    install(FILES ${PROJECT_SOURCE_DIR}/cmake/FindRecast.cmake DESTINATION ${package_dir})
endif()

# terrane_pkg_config(NAME LINE...): writes a file for pkg-config with relative paths, so that the installed tree can be moved.
function(terrane_pkg_config name)
    file(RELATIVE_PATH up ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
    string(REGEX REPLACE "/$" "" up "${up}")
    list(JOIN ARGN "\n" lines)
    file(WRITE ${PROJECT_BINARY_DIR}/${name}.pc "prefix=\${pcfiledir}/${up}
includedir=\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}
libdir=\${prefix}/${CMAKE_INSTALL_LIBDIR}

Name: ${name}
Version: ${PROJECT_VERSION}
${lines}
Cflags: -I\${includedir}
")
    install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

# Modules from the top down, with their dependencies. A build is either static or shared, so all dependencies are listed as public.
set(flags)
foreach(module IN LISTS modules)
    get_target_property(type ${module} TYPE)
    if(NOT type STREQUAL INTERFACE_LIBRARY AND NOT module STREQUAL terrane_navmesh)
        string(PREPEND flags " -l${module}")
    endif()
endforeach()
set(required)
foreach(package IN LISTS terrane_DEPENDENCIES)
    if(package STREQUAL Threads)
        string(APPEND flags " -pthread")
    else()
        string(TOLOWER ${package} package)
        string(REGEX REPLACE "^png$" "libpng" package ${package})
        string(APPEND required " ${package}")
    endif()
endforeach()
set(all_flags ${flags})
if(TARGET terrane_navmesh)
    set(all_flags " -lterrane_navmesh${flags}")
endif()
if(TERRANE_NEEDS_RECAST)
    string(APPEND all_flags " -lRecast -lDetourTileCache -lDetour")
endif()
terrane_pkg_config(terrane "Description: ${PROJECT_DESCRIPTION}" "Requires:${required}" "Libs: -L\${libdir}${all_flags}")

# Two files for C. With both libraries in one folder, -lterrane_c links the shared one, which has no further dependencies.
if(TARGET terrane_c)
    set(runtime ${CMAKE_CXX_IMPLICIT_LINK_LIBRARIES})  # the C++ runtime, for programs linked by a C compiler
    list(FILTER runtime INCLUDE REGEX "^(.*c[+][+].*|m)$")
    list(REMOVE_DUPLICATES runtime)
    list(TRANSFORM runtime PREPEND " -l")
    list(JOIN runtime "" runtime)
    terrane_pkg_config(terrane_c_static "Description: The C interface of Terrane, as a static library" "Requires:${required}"
        "Libs: -L\${libdir} -l:libterrane_c.a${all_flags}${runtime}")
endif()
if(TARGET terrane_c_shared)
    terrane_pkg_config(terrane_c "Description: The C interface of Terrane, as a shared library" "Libs: -L\${libdir} -lterrane_c")
endif()
