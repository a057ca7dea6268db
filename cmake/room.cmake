# terrane_room(NAME SOURCES ... DEPENDS ...): one room of the house. A static library terrane_NAME,
# alias terrane::NAME; DEPENDS are the rooms below it.

# Flags of everything we build: what is the same everywhere, and what we want to hear about.
add_library(terrane_flags INTERFACE)
target_compile_features(terrane_flags INTERFACE cxx_std_20)
target_compile_options(terrane_flags INTERFACE
    -ffp-contract=off -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
    $<$<AND:$<BOOL:${CMAKE_UNITY_BUILD}>,$<CXX_COMPILER_ID:GNU>>:-Wno-subobject-linkage>  # takes a source for a header where it is included
    $<$<BOOL:${TERRANE_WERROR}>:-Werror>)

function(terrane_room name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;DEPENDS")
    add_library(terrane_${name} STATIC ${arg_SOURCES})
    add_library(terrane::${name} ALIAS terrane_${name})
    set_target_properties(terrane_${name} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON)
    target_compile_features(terrane_${name} PUBLIC cxx_std_20)
    target_include_directories(terrane_${name} PUBLIC
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
        PRIVATE ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(terrane_${name} PRIVATE $<BUILD_INTERFACE:terrane_flags>)
    target_compile_options(terrane_${name} PRIVATE -fno-exceptions -fno-rtti)
    target_compile_definitions(terrane_${name} PRIVATE $<$<CONFIG:Release>:TERRANE_NO_ASSERT>)
    foreach(room IN LISTS arg_DEPENDS)
        target_link_libraries(terrane_${name} PUBLIC terrane_${room})
    endforeach()
    set_property(GLOBAL APPEND PROPERTY TERRANE_ROOMS terrane_${name})
endfunction()
