# Toolchain for 32-bit x86 by Debian's cross compiler. SSE2 instead of the x87, which computes with more bits than a double has.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR i686)
set(CMAKE_C_COMPILER i686-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER i686-linux-gnu-g++)
set(CMAKE_C_FLAGS_INIT "-msse2 -mfpmath=sse")
set(CMAKE_CXX_FLAGS_INIT "-msse2 -mfpmath=sse")
set(CMAKE_FIND_ROOT_PATH /usr/i686-linux-gnu)

# A 64-bit kernel that supports 32-bit programs runs the tests directly, at full speed; otherwise qemu does.
set(CMAKE_CROSSCOMPILING_EMULATOR /usr/i686-linux-gnu/lib/ld-linux.so.2)
execute_process(COMMAND ${CMAKE_CROSSCOMPILING_EMULATOR} --version RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
if(failed)
    set(CMAKE_CROSSCOMPILING_EMULATOR qemu-i386-static -L /usr/i686-linux-gnu)
else()
    list(APPEND CMAKE_CROSSCOMPILING_EMULATOR --library-path /usr/i686-linux-gnu/lib)
endif()
include(${CMAKE_CURRENT_LIST_DIR}/cross.cmake)
