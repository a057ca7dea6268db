# The headers of this machine's nlohmann-json, without the headers of its C library in the same folder.
set(nlohmann_json_headers ${CMAKE_BINARY_DIR}/headers)
file(MAKE_DIRECTORY ${nlohmann_json_headers})
file(CREATE_LINK /usr/include/nlohmann ${nlohmann_json_headers}/nlohmann SYMBOLIC)
add_library(nlohmann_json::nlohmann_json INTERFACE IMPORTED)
target_include_directories(nlohmann_json::nlohmann_json SYSTEM INTERFACE ${nlohmann_json_headers})
