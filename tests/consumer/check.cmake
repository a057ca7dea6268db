# cmake -D HOW=installed|bare -D SOURCE=... -D BINARY=... -D WORK=... -P check.cmake
#
#   installed   this build, installed and found by find_package
#   bare        Terrane with a compiler and CMake only: built as a part of the other project, then installed from there and found by
#               find_package
cmake_policy(VERSION 3.25)
set(prefix ${WORK}/prefix)
set(settings -G ${GENERATOR} -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_BUILD_TYPE=Debug -D "CMAKE_CXX_FLAGS=${FLAGS} -O0 -g0")

function(run)
    execute_process(COMMAND ${ARGV} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# Nothing of an earlier run may help; objects may stay.
file(REMOVE_RECURSE ${prefix})
file(GLOB caches ${WORK}/*/CMakeCache.txt)
if(caches)
    file(REMOVE ${caches})
endif()

# consumer(FOLDER SETTING...): the other project, built and run.
function(consumer folder)
    run(${CMAKE_COMMAND} -S ${SOURCE}/tests/consumer -B ${WORK}/${folder} ${settings} ${ARGN})
    run(${CMAKE_COMMAND} --build ${WORK}/${folder})
    run(${WORK}/${folder}/consumer)
endfunction()

if(HOW STREQUAL installed)
    run(${CMAKE_COMMAND} --install ${BINARY} --prefix ${prefix})
elseif(HOW STREQUAL bare)
    set(absent GTest PNG CLI11 fmt nlohmann_json tinyxml2 ZLIB)
    list(TRANSFORM absent REPLACE "(.+)" "-DCMAKE_DISABLE_FIND_PACKAGE_\\1=ON")
    consumer(subdirectory -D TERRANE_SOURCE=${SOURCE} ${absent} -D TERRANE_INSTALL=ON
        -D TERRANE_TESTS=OFF -D TERRANE_CLI=OFF -D TERRANE_SAMPLES=OFF -D TERRANE_PNG=OFF -D TERRANE_TILED=OFF -D TERRANE_NAVMESH=OFF)
    run(${CMAKE_COMMAND} --install ${WORK}/subdirectory --prefix ${prefix})
endif()
consumer(consumer -D CMAKE_PREFIX_PATH=${prefix})
