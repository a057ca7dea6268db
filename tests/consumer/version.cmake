# cmake -D SOURCE=... -D VERSION=... [-D PROGRAM=terrane] -P version.cmake: project() in CMakeLists.txt is where the version is; whatever
# repeats it for a reader says the same.
cmake_policy(VERSION 3.25)
string(REGEX REPLACE "\\.[0-9]+$" "" minor ${VERSION})

# says(FILE PATTERN EXPECTED): in what the file says, the pattern's group.
function(says file pattern expected)
    file(READ ${SOURCE}/${file} text)
    if(NOT text MATCHES "${pattern}")
        message(SEND_ERROR "${file} does not say the version any more: drop it from ${CMAKE_CURRENT_LIST_FILE}")
    elseif(NOT CMAKE_MATCH_1 STREQUAL expected)
        message(SEND_ERROR "${file} says ${CMAKE_MATCH_1}; the version is ${VERSION}")
    endif()
endfunction()
says(capi/terrane_c.h "terrane_version\\(void\\); */\\* \"([0-9.]+)\"" ${VERSION})
says(docs/building.md "find_package\\(terrane ([0-9.]+) REQUIRED" ${minor})

if(PROGRAM)
    execute_process(COMMAND ${PROGRAM} --version OUTPUT_VARIABLE said OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    if(NOT said STREQUAL "terrane ${VERSION}")
        message(SEND_ERROR "the program says '${said}'; the version is ${VERSION}")
    endif()
endif()
