// The module has no code of its own: it exports what terrane_c.h declares.
