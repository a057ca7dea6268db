// Nothing but the headers that tests/CMakeLists.txt has compiled once for all tests.
