# cmake -DSOURCE=DIR -DOUT=FILE -P commit.cmake: writes the commit of a source tree as a C++ header, only if it changed.
# TERRANE_COMMIT is "unknown" without git, and ends in "+changes" if tracked files differ from the commit.
set(commit unknown)
find_program(GIT git)
if(GIT)
    execute_process(COMMAND ${GIT} -C ${SOURCE} rev-parse --show-toplevel OUTPUT_VARIABLE top OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    file(REAL_PATH "${SOURCE}" source)
    if(top STREQUAL source)  # not a repository that this tree was unpacked into
        execute_process(COMMAND ${GIT} -C ${SOURCE} rev-parse --short=12 HEAD OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE)
        execute_process(COMMAND ${GIT} -C ${SOURCE} status --porcelain --untracked-files=no OUTPUT_VARIABLE changes)
        if(changes)
            string(APPEND commit +changes)
        endif()
    endif()
endif()
file(CONFIGURE OUTPUT "${OUT}" CONTENT "#define TERRANE_COMMIT \"${commit}\"\n")
