# Uses Terrane as a dependent project does: see check.cmake.
if(CMAKE_CROSSCOMPILING)
    return()
endif()
find_program(PKG_CONFIG pkg-config)
mark_as_advanced(PKG_CONFIG)
set(consumers bare)
if(TERRANE_INSTALL AND TARGET terrane_c_shared)
    list(APPEND consumers installed)
endif()
if(TARGET deb)
    list(APPEND consumers packages)
endif()
foreach(how IN LISTS consumers)
    add_test(NAME Consumer.${how} COMMAND ${CMAKE_COMMAND}
        -D HOW=${how} -D SOURCE=${PROJECT_SOURCE_DIR} -D BINARY=${PROJECT_BINARY_DIR} -D WORK=${PROJECT_BINARY_DIR}/consumer/${how}
        -D VERSION=${PROJECT_VERSION} -D GENERATOR=${CMAKE_GENERATOR} -D C_COMPILER=${CMAKE_C_COMPILER} -D C_FLAGS=${CMAKE_C_FLAGS}
        -D COMPILER=${CMAKE_CXX_COMPILER} -D FLAGS=${CMAKE_CXX_FLAGS} -D PKG_CONFIG=${PKG_CONFIG}
        -P ${PROJECT_SOURCE_DIR}/tests/consumer/check.cmake)
    set_tests_properties(Consumer.${how} PROPERTIES TIMEOUT 600)
endforeach()
set_tests_properties(Consumer.bare PROPERTIES PROCESSORS 2)  # it builds the library

set(program)
if(TARGET terrane_cli)
    set(program -D PROGRAM=$<TARGET_FILE:terrane_cli>)
endif()
add_test(NAME Consumer.version COMMAND ${CMAKE_COMMAND} -D SOURCE=${PROJECT_SOURCE_DIR} -D VERSION=${PROJECT_VERSION} ${program}
    -P ${PROJECT_SOURCE_DIR}/tests/consumer/version.cmake)
