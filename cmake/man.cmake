# cmake -D PROGRAM=terrane -D OUTPUT=terrane.1 -P man.cmake: generates the manual page from --help of each verb.
cmake_policy(VERSION 3.25)

function(ask answer)
    execute_process(COMMAND ${PROGRAM} ${ARGN} OUTPUT_VARIABLE text OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    set(${answer} "${text}" PARENT_SCOPE)
endfunction()

# Escapes text for troff.
function(literal out text)
    string(REPLACE "\\" "\\e" text "${text}")
    string(REPLACE "-" "\\-" text "${text}")
    string(REGEX REPLACE "(^|\n)([.'])" "\\1\\\\&\\2" text "${text}")
    set(${out} ".nf\n${text}\n.fi\n" PARENT_SCOPE)
endfunction()

# Writes a section for a verb, and for each of its subcommands.
function(describe)
    ask(help ${ARGV} --help)
    literal(text "${help}")
    if(ARGC GREATER 0)
        list(JOIN ARGV " " title)
        file(APPEND ${OUTPUT} ".SS terrane ${title}\n${text}")
    else()
        file(APPEND ${OUTPUT} ".SH DESCRIPTION\n${text}.SH VERBS\n")
    endif()
    if(help MATCHES "\nSubcommands:\n(.*)")
        string(REGEX REPLACE "\n\n.*" "" verbs "${CMAKE_MATCH_1}")
        string(REGEX MATCHALL "(^|\n)  [a-z0-9_-]+" verbs "${verbs}")
        foreach(verb IN LISTS verbs)
            string(STRIP "${verb}" verb)
            describe(${ARGV} ${verb})
        endforeach()
    endif()
endfunction()

ask(version --version)
file(WRITE ${OUTPUT} ".TH TERRANE 1 \"\" \"${version}\" \"User Commands\"
.SH NAME
terrane \\- pathfinding for worlds whose terrain matters and changes
.SH SYNOPSIS
.B terrane
.I VERB
[options]
")
describe()
