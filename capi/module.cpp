// The WebAssembly module. It has no code of its own: the linker exports the functions of terrane_c.h.
