/* Allocators of worlds: what is allocated from them, that all memory is returned, and that allocation failures are reported. */
#include <stdatomic.h>
#include <stdint.h>

#include "check.h"

/* An allocator that counts, checks what is freed, and fails at a given allocation. */
typedef struct heap {
    atomic_size_t bytes, blocks; /* in use */
    atomic_size_t calls;         /* of count_allocate */
    atomic_size_t wrong;         /* invalid arguments, and blocks freed with another size or alignment */
    size_t fail_at;              /* this call and all later ones fail; 0: none */
} heap;

typedef struct block {
    size_t bytes, alignment;
} block;

enum { HEADER = 64 }; /* bytes before each block */

static void* count_allocate(void* user, size_t bytes, size_t alignment) {
    heap* h = user;
    char* raw;
    block head;
    if (++h->calls >= h->fail_at && h->fail_at != 0) return NULL;
    if (bytes == 0 || alignment == 0 || alignment > HEADER || (alignment & (alignment - 1)) != 0) ++h->wrong;
    raw = aligned_alloc(HEADER, (bytes + 2 * HEADER - 1) / HEADER * HEADER);
    if (raw == NULL) return NULL;
    head.bytes = bytes;
    head.alignment = alignment;
    memcpy(raw, &head, sizeof head);
    h->bytes += bytes;
    ++h->blocks;
    return raw + HEADER;
}

static void count_deallocate(void* user, void* pointer, size_t bytes, size_t alignment) {
    heap* h = user;
    char* raw = (char*)pointer - HEADER;
    block head;
    memcpy(&head, raw, sizeof head);
    if (head.bytes != bytes || head.alignment != alignment) ++h->wrong;
    h->bytes -= bytes;
    --h->blocks;
    free(raw);
}

static terrane_world_options with_allocator(heap* h) {
    terrane_world_options options;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    options.sectors[0] = 16;
    options.sectors[1] = 32;
    options.allocate = count_allocate;
    options.deallocate = count_deallocate;
    options.user = h;
    return options;
}

static terrane_world_options without_allocator(void) {
    terrane_world_options options = with_allocator(NULL);
    options.allocate = NULL;
    options.deallocate = NULL;
    return options;
}

static void check_empty(const heap* h) {
    CHECK(h->bytes == 0);
    CHECK(h->blocks == 0);
    CHECK(h->wrong == 0);
}

/* Ground with patches of other terrain and some obstacles; always the same. */
static uint8_t* patched_cells(int32_t side) {
    uint8_t* cells = malloc((size_t)side * (size_t)side);
    uint32_t random = 1;
    int32_t x, y;
    for (y = 0; y < side; ++y) {
        for (x = 0; x < side; ++x) {
            random = random * 1664525u + 1013904223u;
            cells[y * side + x] = (random >> 24) < 30         ? BLACK
                                  : (x / 7 + y / 5) % 3 == 0  ? TREES
                                  : (x / 11 + y / 9) % 4 == 0 ? SWAMP
                                                              : GROUND;
        }
    }
    cells[0] = cells[side * side - 1] = GROUND;
    return cells;
}

static terrane_world* patched_world(int32_t side, const terrane_world_options* options, terrane_error* error) {
    uint8_t* cells = patched_cells(side);
    terrane_world* world = terrane_world_from_cells(side, side, cells, NULL, 0, options, error);
    free(cells);
    return world;
}

static terrane_prepare_options of(const char* method) {
    terrane_prepare_options options;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    strncpy(options.method, method, sizeof options.method - 1);
    return options;
}

static terrane_code prepare(terrane_world* world, const terrane_profile* profile, const char* method, terrane_error* error) {
    const terrane_prepare_options options = of(method);
    terrane_preparation* preparation = terrane_prepare_begin(world, profile, &options, error);
    terrane_code code;
    if (preparation == NULL) return error->code;
    CHECK(terrane_prepare_run(preparation, TERRANE_UNLIMITED) == 1);
    code = terrane_prepare_install(preparation, world, error);
    terrane_prepare_free(preparation);
    return code;
}

/* The cost of a path across the map, with a new planner. */
static uint64_t cost_across(const terrane_world* world, const terrane_profile* profile, const char* method) {
    const terrane_find_options options = by(method);
    terrane_planner* planner = terrane_planner_new(world, NULL);
    terrane_path* path = terrane_path_new(NULL);
    terrane_path_info info;
    terrane_world_info size;
    terrane_error error = no_error();
    size.size = sizeof size;
    info.size = sizeof info;
    terrane_world_get_info(world, &size, NULL);
    CHECK(terrane_find(planner, cell(0, 0), cell(size.width - 1, size.height - 1), profile, &options, path, &error) == TERRANE_OK);
    terrane_path_get_info(path, &info, NULL);
    CHECK(info.status == TERRANE_FOUND);
    terrane_path_free(path);
    terrane_planner_free(planner);
    return info.cost;
}

static uint64_t checksum(const terrane_world* world) {
    terrane_world_info info;
    info.size = sizeof info;
    terrane_world_get_info(world, &info, NULL);
    return info.checksum ^ info.version;
}

static const char* const kPrepared[] = {"overlay:2", "minimal_memory:16", "hpa:16", "pra:inf"};
enum { PREPARED = sizeof kPrepared / sizeof kPrepared[0] };
static const char* const kMethods[] = {"astar",  "nbs",    "dta:16+smooth", "dta:32+any_angle", "overlay:2", "minimal_memory:16",
                                       "hpa:16", "pra:inf"};
enum { METHODS = sizeof kMethods / sizeof kMethods[0] };

static void all_memory_is_returned(void) {
    heap h = {0};
    const terrane_world_options options = with_allocator(&h), defaults = without_allocator();
    terrane_error error = no_error();
    terrane_profile* profile = obstacle_profile();
    terrane_world *world = patched_world(200, &options, &error), *plain = patched_world(200, &defaults, &error), *copy;
    terrane_world_info info;
    size_t i, made, prepared;
    REQUIRE(world != NULL && plain != NULL);
    info.size = sizeof info;
    terrane_world_get_info(world, &info, NULL);
    CHECK(h.bytes > 200 * 200); /* one byte per cell, plus regions */
    CHECK(h.bytes + 4096 > info.bytes && h.bytes < 2 * info.bytes);
    made = h.bytes;
    for (i = 0; i < PREPARED; ++i) {
        CHECK(prepare(world, profile, kPrepared[i], &error) == TERRANE_OK);
        CHECK(prepare(plain, profile, kPrepared[i], &error) == TERRANE_OK);
    }
    CHECK(h.bytes > 2 * made);
    prepared = h.bytes;
    for (i = 0; i < METHODS; ++i) CHECK(cost_across(world, profile, kMethods[i]) == cost_across(plain, profile, kMethods[i]));
    CHECK(h.bytes > prepared && h.bytes < prepared + 100000); /* planners returned theirs; connected components are cached */
    CHECK(terrane_world_fill(world, rect(30, 30, 40, 1), BLACK, NULL, &error) == TERRANE_OK);
    CHECK(terrane_world_fill(plain, rect(30, 30, 40, 1), BLACK, NULL, &error) == TERRANE_OK);
    for (i = 0; i < METHODS; ++i) CHECK(cost_across(world, profile, kMethods[i]) == cost_across(plain, profile, kMethods[i]));
    copy = terrane_world_copy(plain, &options, &error);
    REQUIRE(copy != NULL);
    terrane_world_free(plain);
    CHECK(cost_across(copy, profile, "astar") == cost_across(world, profile, "astar"));
    terrane_world_free(copy);
    terrane_world_free(world);
    terrane_profile_free(profile);
    check_empty(&h);
}

static void half_an_allocator_is_refused(void) {
    heap h = {0};
    terrane_world_options options = with_allocator(&h);
    terrane_error error = no_error();
    options.deallocate = NULL;
    CHECK(patched_world(40, &options, &error) == NULL);
    CHECK_REFUSED(error, TERRANE_BAD_VALUE, "`deallocate`");
}

static void making_a_world_may_fail(void) {
    size_t n;
    for (n = 1;; ++n) {
        heap h = {0};
        terrane_world_options options = with_allocator(&h);
        terrane_error error = no_error();
        terrane_world* world;
        h.fail_at = n;
        options.threads = n % 3; /* with worker threads, too */
        world = patched_world(70, &options, &error);
        if (world == NULL) CHECK_REFUSED(error, TERRANE_NO_MEMORY, "out of memory");
        terrane_world_free(world);
        check_empty(&h);
        if (world != NULL) break;
    }
    printf("a world: %u allocations\n", (unsigned)n);
    CHECK(n > 50);
}

static void loading_may_fail(void) {
    terrane_error error = no_error();
    terrane_world* plain = patched_world(70, NULL, &error);
    const size_t size = terrane_world_save(plain, "terrane", NULL, 0, &error);
    char* file = malloc(size);
    size_t n;
    CHECK(terrane_world_save(plain, "terrane", file, size, &error) == size);
    for (n = 1;; ++n) {
        heap h = {0};
        const terrane_world_options options = with_allocator(&h);
        terrane_world* world;
        error = no_error();
        h.fail_at = n;
        world = terrane_world_from_bytes(file, size, "saved", &options, &error);
        if (world == NULL) CHECK_REFUSED(error, TERRANE_NO_MEMORY, "out of memory");
        if (world != NULL) CHECK(checksum(world) == checksum(plain));
        terrane_world_free(world);
        check_empty(&h);
        if (world != NULL) break;
    }
    printf("loading: %u allocations\n", (unsigned)n);
    CHECK(n > 50);
    free(file);
    terrane_world_free(plain);
}

static void editing_may_fail(void) {
    heap h = {0};
    const terrane_world_options options = with_allocator(&h);
    terrane_error error = no_error();
    terrane_profile* profile = obstacle_profile();
    terrane_world* world = patched_world(100, &options, &error);
    uint64_t costs[METHODS], before;
    size_t i, n, failed = 0;
    for (i = 0; i < PREPARED; ++i) REQUIRE(prepare(world, profile, kPrepared[i], &error) == TERRANE_OK);
    for (i = 0; i < METHODS; ++i) costs[i] = cost_across(world, profile, kMethods[i]);
    before = checksum(world);
    for (n = 1;; ++n) {
        const size_t blocks = h.blocks;
        terrane_code code;
        h.calls = 0;
        h.fail_at = n;
        code = terrane_world_fill(world, rect(20, 30, 50, 12), SWAMP, NULL, &error);
        h.fail_at = 0;
        if (code == TERRANE_OK) break;
        ++failed;
        CHECK_REFUSED(error, TERRANE_NO_MEMORY, "out of memory");
        CHECK(checksum(world) == before);
        CHECK(h.blocks == blocks);
        if (n % 150 != 1) continue; /* checking after every failure would be slow */
        for (i = 0; i < METHODS; ++i) CHECK(cost_across(world, profile, kMethods[i]) == costs[i]);
    }
    printf("an edit: %u failures\n", (unsigned)failed);
    CHECK(failed > 100);
    CHECK(checksum(world) != before);
    /* The result equals that of the same edit without failures. */
    {
        const terrane_world_options defaults = without_allocator();
        terrane_world* plain = patched_world(100, &defaults, &error);
        REQUIRE(terrane_world_fill(plain, rect(20, 30, 50, 12), SWAMP, NULL, &error) == TERRANE_OK);
        for (i = 0; i < PREPARED; ++i) REQUIRE(prepare(plain, profile, kPrepared[i], &error) == TERRANE_OK);
        for (i = 0; i < 4; ++i) CHECK(cost_across(world, profile, kMethods[i]) == cost_across(plain, profile, kMethods[i]));
        terrane_world_free(plain);
    }
    terrane_world_free(world);
    terrane_profile_free(profile);
    check_empty(&h);
}

static void queries_may_fail(void) {
    heap h = {0};
    const terrane_world_options options = with_allocator(&h);
    terrane_error error = no_error();
    terrane_profile* profile = obstacle_profile();
    terrane_world* world = patched_world(100, &options, &error);
    terrane_path* path = terrane_path_new(NULL);
    size_t i, n;
    for (i = 0; i < PREPARED; ++i) REQUIRE(prepare(world, profile, kPrepared[i], &error) == TERRANE_OK);
    for (i = 0; i < METHODS; ++i) {
        const uint64_t cost = cost_across(world, profile, kMethods[i]);
        const terrane_find_options with = by(kMethods[i]);
        terrane_planner* planner = NULL;
        terrane_path_info info;
        info.size = sizeof info;
        for (n = 1; planner == NULL; ++n) { /* creation */
            h.calls = 0;
            h.fail_at = n;
            planner = terrane_planner_new(world, NULL);
            h.fail_at = 0;
        }
        for (n = 1;; ++n) { /* one planner, reused after each failure */
            terrane_code code;
            h.calls = 0;
            h.fail_at = n;
            code = terrane_find(planner, cell(0, 0), cell(99, 99), profile, &with, path, &error);
            h.fail_at = 0;
            if (code == TERRANE_OK) break;
            CHECK_REFUSED(error, TERRANE_NO_MEMORY, "out of memory");
        }
        printf("%s: %u allocations\n", kMethods[i], (unsigned)(n - 1));
        CHECK(n > 1);
        terrane_path_get_info(path, &info, NULL);
        CHECK(info.status == TERRANE_FOUND && info.cost == cost);
        /* A sliced query reports it as its status, and the next query succeeds. */
        terrane_planner_free(planner);
        planner = terrane_planner_new(world, NULL);
        REQUIRE(terrane_begin(planner, cell(0, 0), cell(99, 99), profile, &with, &error) == TERRANE_OK);
        h.calls = 0;
        h.fail_at = 1;
        if (terrane_run(planner, TERRANE_UNLIMITED) == TERRANE_OUT_OF_MEMORY) {
            CHECK(terrane_run(planner, 10) == TERRANE_OUT_OF_MEMORY);
            CHECK(terrane_ready(planner, NULL, 0) == 0);
            terrane_take(planner, path, NULL);
            terrane_path_get_info(path, &info, NULL);
            CHECK(info.status == TERRANE_OUT_OF_MEMORY && info.cells == 0);
        }
        h.fail_at = 0;
        CHECK(terrane_find(planner, cell(0, 0), cell(99, 99), profile, &with, path, &error) == TERRANE_OK);
        terrane_path_get_info(path, &info, NULL);
        CHECK(info.status == TERRANE_FOUND && info.cost == cost);
        terrane_planner_free(planner);
    }
    CHECK_TEXT(terrane_status_text(TERRANE_OUT_OF_MEMORY), "out of memory");
    terrane_path_free(path);
    terrane_world_free(world);
    terrane_profile_free(profile);
    check_empty(&h);
}

static void preparing_may_fail(void) {
    heap h = {0};
    const terrane_world_options options = with_allocator(&h);
    terrane_error error = no_error();
    terrane_profile* profile = obstacle_profile();
    terrane_world* world = patched_world(70, &options, &error);
    size_t i, n;
    for (i = 0; i < PREPARED; ++i) {
        const terrane_prepare_options what = of(kPrepared[i]);
        for (n = 1;; ++n) {
            const size_t blocks = h.blocks;
            terrane_code code;
            h.calls = 0;
            h.fail_at = n;
            error = no_error();
            code = prepare(world, profile, kPrepared[i], &error);
            h.fail_at = 0;
            if (code == TERRANE_OK) break;
            CHECK_REFUSED(error, TERRANE_NO_MEMORY, "out of memory");
            CHECK(h.blocks == blocks);
            CHECK(terrane_prepared_bytes(world, profile, &what, NULL) == 0);
        }
        printf("%s: %u allocations to prepare\n", kPrepared[i], (unsigned)(n - 1));
        CHECK(n > 10);
        CHECK(cost_across(world, profile, kPrepared[i]) > 0);
    }
    terrane_world_free(world);
    terrane_profile_free(profile);
    check_empty(&h);
}

int main(void) {
    all_memory_is_returned();
    half_an_allocator_is_refused();
    if (terrane_memory_can_fail()) {
        making_a_world_may_fail();
        loading_may_fail();
        editing_may_fail();
        queries_may_fail();
        preparing_may_fail();
    }
    return check_failures == 0 ? 0 : 1;
}
