# Terrane as others use it: check.cmake says how.
foreach(how installed bare)
    add_test(NAME Consumer.${how} COMMAND ${CMAKE_COMMAND}
        -D HOW=${how} -D SOURCE=${PROJECT_SOURCE_DIR} -D BINARY=${PROJECT_BINARY_DIR} -D WORK=${PROJECT_BINARY_DIR}/consumer/${how}
        -D GENERATOR=${CMAKE_GENERATOR} -D COMPILER=${CMAKE_CXX_COMPILER} -D FLAGS=${CMAKE_CXX_FLAGS}
        -P ${PROJECT_SOURCE_DIR}/tests/consumer/check.cmake)
    set_tests_properties(Consumer.${how} PROPERTIES TIMEOUT 600 PROCESSORS 2)
endforeach()
