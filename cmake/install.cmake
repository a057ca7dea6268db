# Install and export: find_package(terrane) then gives terrane::terrane and a target for each room.
option(TERRANE_INSTALL "Write install rules" ${PROJECT_IS_TOP_LEVEL})
if(NOT TERRANE_INSTALL)
    return()
endif()
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/terrane)
get_property(rooms GLOBAL PROPERTY TERRANE_ROOMS)

install(TARGETS ${rooms} EXPORT terrane-targets)
install(EXPORT terrane-targets NAMESPACE terrane:: DESTINATION ${package_dir})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/terrane DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(TARGET terrane_cli)
    install(TARGETS terrane_cli)
endif()
if(TARGET terrane_mpi)
    install(TARGETS terrane_mpi)
endif()

# The libraries are static: what they link has to be found again by those who use them.
set(terrane_DEPENDENCIES)
foreach(room IN LISTS rooms)
    get_target_property(libraries ${room} INTERFACE_LINK_LIBRARIES)
    foreach(package PNG Threads ZLIB tinyxml2)
        if(libraries MATCHES "${package}::${package}")
            list(APPEND terrane_DEPENDENCIES ${package})
        endif()
    endforeach()
endforeach()
list(REMOVE_DUPLICATES terrane_DEPENDENCIES)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/terrane-config.cmake.in ${PROJECT_BINARY_DIR}/terrane-config.cmake
    INSTALL_DESTINATION ${package_dir})
# Before 1.0, a new minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/terrane-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/terrane-config.cmake ${PROJECT_BINARY_DIR}/terrane-config-version.cmake
    DESTINATION ${package_dir})
