# terrane_discover_suites(MODULE): adds one ctest entry for each GoogleTest suite of test_MODULE, named MODULE.Suite. A suite runs in one
# process, so a run starts about 250 processes instead of one for each of 1,581 cases; tools/cases counts the cases.
#
# `ctest -C golden` and `ctest -C threads` run only some of the cases: Golden.MODULE those with Golden in their name, Threads.MODULE those with
# Thread. Programs that were not built have no such entry.
#
# As a script, after each build: cmake -D MODULE=... -D PROGRAM=... -D LAUNCHER=... -D OUTPUT=... -P gtest_suites.cmake
cmake_policy(VERSION 3.25)

function(entry out name filter)
    string(APPEND ${out} "  add_test([[${name}]] ${launcher} [[${PROGRAM}]] [[--gtest_filter=${filter}]])\n"
        "  set_tests_properties([[${name}]] PROPERTIES TIMEOUT 600)\n")
    set(${out} "${${out}}" PARENT_SCOPE)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE)
    execute_process(COMMAND ${LAUNCHER} ${PROGRAM} --gtest_list_tests OUTPUT_VARIABLE listed COMMAND_ERROR_IS_FATAL ANY)
    list(TRANSFORM LAUNCHER REPLACE "(.+)" "[[\\1]]" OUTPUT_VARIABLE launcher)
    list(JOIN launcher " " launcher)
    set(entries "if(CTEST_CONFIGURATION_TYPE STREQUAL golden)\n")
    if(listed MATCHES Golden)
        entry(entries Golden.${MODULE} *Golden*)
    endif()
    string(APPEND entries "elseif(CTEST_CONFIGURATION_TYPE STREQUAL threads)\n")
    if(listed MATCHES Thread)
        entry(entries Threads.${MODULE} *Thread*)
    endif()
    string(APPEND entries "else()\n")
    string(REGEX MATCHALL "\n[^ \n][^ \n]*\\." suites "\n${listed}")
    foreach(suite IN LISTS suites)
        string(REGEX REPLACE "[\n.]" "" suite "${suite}")
        entry(entries ${MODULE}.${suite} ${suite}.*)
    endforeach()
    file(WRITE ${OUTPUT} "${entries}endif()\n")
    return()
endif()

function(terrane_discover_suites module)
    set(list ${CMAKE_CURRENT_BINARY_DIR}/${module}_suites.cmake)
    add_custom_command(TARGET test_${module} POST_BUILD
        COMMAND ${CMAKE_COMMAND} -D MODULE=${module} -D PROGRAM=$<TARGET_FILE:test_${module}> "-DLAUNCHER=${CMAKE_CROSSCOMPILING_EMULATOR}"
            -D OUTPUT=${list} -P ${PROJECT_SOURCE_DIR}/cmake/gtest_suites.cmake
        BYPRODUCTS ${list} VERBATIM)
    file(WRITE ${list}.in "if(EXISTS [[${list}]])
  include([[${list}]])
elseif(NOT CTEST_CONFIGURATION_TYPE MATCHES [[^(golden|threads)$]])
  add_test([[${module}.not_built]] [[test_${module}]])
endif()\n")
    set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${list}.in)
endfunction()
