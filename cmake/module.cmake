# terrane_module(NAME [DEPENDS ...]): adds the library terrane_NAME, alias terrane::NAME, of the sources in the folder NAME and below, except
# those in TERRANE_LEFT_OUT. Static unless BUILD_SHARED_LIBS is set; a folder without sources is a header-only library. DEPENDS names the modules
# below it.

# Relative search paths: shared libraries and programs find each other wherever the installed tree is moved.
if(BUILD_SHARED_LIBS AND NOT DEFINED CMAKE_INSTALL_RPATH)
    set(CMAKE_INSTALL_RPATH "$ORIGIN;$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
endif()

# Flags of all targets: the same floating-point results everywhere, and warnings.
add_library(terrane_flags INTERFACE)
target_compile_features(terrane_flags INTERFACE cxx_std_20)
target_compile_options(terrane_flags INTERFACE
    -ffp-contract=off -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
    $<$<CXX_COMPILER_ID:Clang>:-Wgnu>  # no compiler-specific extensions
    $<$<AND:$<BOOL:${CMAKE_UNITY_BUILD}>,$<COMPILE_LANG_AND_ID:CXX,GNU>>:-Wno-subobject-linkage>  # false positive: takes an included source for a header
    $<$<BOOL:${TERRANE_WERROR}>:-Werror>)

# terrane_export_only(TARGET SCRIPT): restricts the exports of a shared library by a version script, if the linker supports these.
function(terrane_export_only target script)
    if(UNIX AND NOT APPLE)
        target_link_options(${target} PRIVATE -Wl,--version-script=${script})
        set_target_properties(${target} PROPERTIES LINK_DEPENDS ${script})
    endif()
endfunction()

function(terrane_module name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "DEPENDS")
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} ${name}/*.cpp)
    list(REMOVE_ITEM sources ${TERRANE_LEFT_OUT})
    list(TRANSFORM arg_DEPENDS PREPEND terrane_)
    set_property(GLOBAL APPEND PROPERTY TERRANE_MODULES terrane_${name})
    if(NOT sources)
        add_library(terrane_${name} INTERFACE)
        target_link_libraries(terrane_${name} INTERFACE ${arg_DEPENDS})
        add_library(terrane::${name} ALIAS terrane_${name})
        set_target_properties(terrane_${name} PROPERTIES EXPORT_NAME ${name})
        return()
    endif()
    add_library(terrane_${name} ${sources})
    add_library(terrane::${name} ALIAS terrane_${name})
    # Static libraries are also linked into shared ones (the C interface). Before 1.0, a new minor version may change the interface.
    set_target_properties(terrane_${name} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON
        VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} DEFINE_SYMBOL "")
    if(BUILD_SHARED_LIBS)
        terrane_export_only(terrane_${name} ${PROJECT_SOURCE_DIR}/cmake/modules.map)
    endif()
    target_compile_features(terrane_${name} PUBLIC cxx_std_20)
    target_include_directories(terrane_${name} PUBLIC
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
        PRIVATE ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(terrane_${name} PUBLIC ${arg_DEPENDS} PRIVATE $<BUILD_INTERFACE:terrane_flags>)
    target_compile_options(terrane_${name} PRIVATE -fno-rtti $<$<STREQUAL:${CMAKE_SYSTEM_PROCESSOR},wasm32>:-fno-exceptions>)
    # g++ lets a translation unit grow by 40% through inlining, which all sources of a unity build share: weighted A* was 1.6x slower at 40, and
    # as fast as when compiled alone at 200.
    target_compile_options(terrane_${name} PRIVATE
        $<$<AND:$<BOOL:${CMAKE_UNITY_BUILD}>,$<CXX_COMPILER_ID:GNU>>:--param=inline-unit-growth=200>)
    target_compile_definitions(terrane_${name} PRIVATE $<$<CONFIG:Release>:TERRANE_NO_ASSERT>)
endfunction()
