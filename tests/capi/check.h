/* Checks and helpers for tests in plain C. A failed check prints its expression and location and is counted. */
#ifndef TERRANE_TESTS_CAPI_CHECK_H
#define TERRANE_TESTS_CAPI_CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terrane_c.h"

static int check_failures = 0;

static inline int check_that(int ok, const char* text, const char* file, int line) {
    if (ok) return 1;
    ++check_failures;
    fprintf(stderr, "%s:%d: failed: %s\n", file, line, text);
    return 0;
}

#define CHECK(condition) check_that((condition) ? 1 : 0, #condition, __FILE__, __LINE__)
#define CHECK_TEXT(text, expected) CHECK((text) != NULL && strcmp((text), (expected)) == 0)
/* Ends the program if the condition fails. */
#define REQUIRE(condition)              \
    do {                                \
        if (!CHECK(condition)) exit(1); \
    } while (0)

/* Whether an error has this code, and a message that contains `part`. */
static inline int check_refused(const terrane_error* error, terrane_code code, const char* part) {
    const int ok = error->code == code && strstr(error->message, part) != NULL;
    if (!ok) fprintf(stderr, "expected code %d and '%s', got code %d and '%s'\n", (int)code, part, (int)error->code, error->message);
    return ok;
}
#define CHECK_REFUSED(error, code, part) CHECK(check_refused(&(error), (code), (part)))

static inline terrane_find_options by(const char* method) {
    terrane_find_options options;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    strncpy(options.method, method, sizeof options.method - 1);
    return options;
}

static inline terrane_error no_error(void) {
    terrane_error error;
    memset(&error, 0, sizeof error);
    error.size = sizeof error;
    return error;
}

static inline terrane_cell cell(int32_t x, int32_t y) {
    const terrane_cell made = {x, y};
    return made;
}
static inline terrane_rect rect(int32_t x, int32_t y, int32_t width, int32_t height) {
    const terrane_rect made = {x, y, width, height};
    return made;
}
static inline terrane_point point(double x, double y) {
    const terrane_point made = {x, y};
    return made;
}

/* Terrain ids of the standard catalogue. */
enum { BLACK = 0, DEEP_WATER = 1, SWAMP = 4, GROUND = 5, TREES = 6, ROAD = 7 };

/* A world from a drawing: rows of `width` letters without separators. '#' is black, 'w' deep water, 's' swamp, 't' trees, 'r' road; all
 * other letters are ground. */
static inline terrane_world* drawn_world(int32_t width, const char* drawing, const terrane_world_options* options) {
    const size_t cells = strlen(drawing);
    uint8_t* ids = malloc(cells);
    terrane_world* world = NULL;
    size_t i;
    for (i = 0; i < cells; ++i) {
        switch (drawing[i]) {
            case '#': ids[i] = BLACK; break;
            case 'w': ids[i] = DEEP_WATER; break;
            case 's': ids[i] = SWAMP; break;
            case 't': ids[i] = TREES; break;
            case 'r': ids[i] = ROAD; break;
            default: ids[i] = GROUND;
        }
    }
    world = terrane_world_from_cells(width, (int32_t)(cells / (size_t)width), ids, NULL, 0, options, NULL);
    free(ids);
    return world;
}

/* Black is blocked, all other terrain costs 1. */
static inline terrane_profile* obstacle_profile(void) {
    terrane_profile* profile = terrane_profile_new("test", NULL);
    terrane_profile_cost(profile, "black", 0);
    return profile;
}

#endif
