# terrane_room(NAME SOURCES ... DEPENDS ...): one room of the house. A library terrane_NAME, alias terrane::NAME, static
# unless BUILD_SHARED_LIBS says otherwise; DEPENDS are the rooms below it.

# Shared libraries find one another, and programs find them, wherever the installed tree is moved to.
if(BUILD_SHARED_LIBS AND NOT DEFINED CMAKE_INSTALL_RPATH)
    set(CMAKE_INSTALL_RPATH "$ORIGIN;$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
endif()

# Flags of everything we build: what is the same everywhere, and what we want to hear about.
add_library(terrane_flags INTERFACE)
target_compile_features(terrane_flags INTERFACE cxx_std_20)
target_compile_options(terrane_flags INTERFACE
    -ffp-contract=off -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
    $<$<CXX_COMPILER_ID:Clang>:-Wgnu>  # no extensions of one compiler's
    $<$<AND:$<BOOL:${CMAKE_UNITY_BUILD}>,$<CXX_COMPILER_ID:GNU>>:-Wno-subobject-linkage>  # takes a source for a header where it is included
    $<$<BOOL:${TERRANE_WERROR}>:-Werror>)

# terrane_export_only(TARGET SCRIPT): what a shared library shows to others, by a version script, where the linker reads those.
function(terrane_export_only target script)
    if(UNIX AND NOT APPLE)
        target_link_options(${target} PRIVATE -Wl,--version-script=${script})
        set_target_properties(${target} PROPERTIES LINK_DEPENDS ${script})
    endif()
endfunction()

function(terrane_room name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;DEPENDS")
    add_library(terrane_${name} ${arg_SOURCES})
    add_library(terrane::${name} ALIAS terrane_${name})
    # Static libraries go into shared ones, too (the C interface's). Before 1.0, a new minor version may change the interface.
    set_target_properties(terrane_${name} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON
        VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} DEFINE_SYMBOL "")
    if(BUILD_SHARED_LIBS)
        terrane_export_only(terrane_${name} ${PROJECT_SOURCE_DIR}/cmake/rooms.map)
    endif()
    target_compile_features(terrane_${name} PUBLIC cxx_std_20)
    target_include_directories(terrane_${name} PUBLIC
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
        PRIVATE ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(terrane_${name} PRIVATE $<BUILD_INTERFACE:terrane_flags>)
    target_compile_options(terrane_${name} PRIVATE -fno-rtti $<$<STREQUAL:${CMAKE_SYSTEM_PROCESSOR},wasm32>:-fno-exceptions>)
    target_compile_definitions(terrane_${name} PRIVATE $<$<CONFIG:Release>:TERRANE_NO_ASSERT>)
    foreach(room IN LISTS arg_DEPENDS)
        target_link_libraries(terrane_${name} PUBLIC terrane_${room})
    endforeach()
    set_property(GLOBAL APPEND PROPERTY TERRANE_ROOMS terrane_${name})
endfunction()
