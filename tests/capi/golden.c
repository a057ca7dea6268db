/* Golden hashes of many queries through the C interface. They are the same for all compilers and platforms, including WebAssembly
 * (golden.mjs). After an intended change of results, `capi_golden print` prints the new table (golden.inc). Not hashed: memory in bytes,
 * angles (they depend on the C library) and polylines of +any_angle. */
#include "check.h"

typedef struct golden {
    const char* name;
    uint64_t hash;
} golden;

static const golden kGolden[] = {
#include "golden.inc"
    {NULL, 0}};
enum { ANSWERS = sizeof kGolden / sizeof kGolden[0] - 1 };

static int print_all = 0;
static size_t checked = 0;

static void check_golden(const char* name, uint64_t hash) {
    if (print_all) {
        printf("    {\"%s\", 0x%016llxull},\n", name, (unsigned long long)hash);
        return;
    }
    const golden expected = kGolden[checked < ANSWERS ? checked : ANSWERS];
    ++checked;
    if (expected.name != NULL && strcmp(expected.name, name) == 0 && expected.hash == hash) return;
    ++check_failures;
    printf("%s: 0x%016llx, expected %s 0x%016llx\n", name, (unsigned long long)hash, expected.name != NULL ? expected.name : "nothing",
           (unsigned long long)expected.hash);
}

/* ---- Hashes */

static void add(uint64_t* hash, uint64_t value) {
    *hash = (*hash ^ value) * 0x9e3779b97f4a7c15ull;
    *hash ^= *hash >> 29;
}
static void add_real(uint64_t* hash, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    add(hash, bits);
}
static void add_cell(uint64_t* hash, terrane_cell c) { add(hash, (uint64_t)(uint32_t)c.x << 32 | (uint32_t)c.y); }
static void add_point(uint64_t* hash, terrane_point p) {
    add_real(hash, p.x);
    add_real(hash, p.y);
}
static void add_bytes(uint64_t* hash, const void* bytes, size_t size) {
    size_t i;
    for (i = 0; i < size; ++i) add(hash, ((const uint8_t*)bytes)[i]);
}

/* A pseudo-random number below `limit`. */
static uint32_t draw(uint64_t* seed, uint32_t limit) {
    *seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
    return (uint32_t)((*seed >> 33) % limit);
}

static void* allocate(size_t count, size_t size) {
    void* memory = calloc(count + 1, size);
    REQUIRE(memory != NULL);
    return memory;
}

/* ---- Worlds */

typedef struct place {
    const char* name;
    terrane_generator generator;
} place;

static const place kPlaces[] = {{"island", {sizeof(terrane_generator), TERRANE_ISLAND, 128, 96, 11, 0, 0}},
                                {"rooms", {sizeof(terrane_generator), TERRANE_ROOMS, 100, 80, 12, 9, 0}},
                                {"maze", {sizeof(terrane_generator), TERRANE_MAZE, 81, 65, 13, 2, 0}},
                                {"voronoi", {sizeof(terrane_generator), TERRANE_VORONOI, 96, 96, 14, 50, 9}}};
enum { PLACES = 4, PRESETS = 3 };
static const char* const kPresets[PRESETS] = {"person", "deer", "outlaw"};

static terrane_world* world_of(const terrane_generator* generator) {
    const terrane_world_options options = {.size = sizeof options, .sectors = {16, 8}};
    terrane_world* world = terrane_world_generate(generator, &options, NULL);
    REQUIRE(world != NULL);
    return world;
}

static terrane_cell draw_cell(uint64_t* seed, const terrane_generator* g) {
    const int32_t x = (int32_t)draw(seed, (uint32_t)g->width);
    const int32_t y = (int32_t)draw(seed, (uint32_t)g->height);
    return cell(x, y);
}

/* Fills a small random rectangle with a random terrain. */
static void edit(terrane_world* world, uint64_t* seed, const terrane_generator* g, uint64_t* hash) {
    const terrane_cell corner = draw_cell(seed, g);
    const int32_t width = (int32_t)draw(seed, 12) + 1;
    const uint32_t terrain = draw(seed, 7);
    terrane_edit done = {.size = sizeof done};
    REQUIRE(terrane_world_fill(world, rect(corner.x, corner.y, width, 5), terrain, &done, NULL) == TERRANE_OK);
    add(hash, done.cells);
    add(hash, done.sectors);
    add(hash, done.reconnected);
    add(hash, done.version);
}

static void save(const terrane_world* world, const char* format, uint64_t* hash) {
    const size_t size = terrane_world_save(world, format, NULL, 0, NULL);
    void* bytes = allocate(size, 1);
    REQUIRE(terrane_world_save(world, format, bytes, size, NULL) == size);
    add_bytes(hash, bytes, size);
    free(bytes);
}

static void add_regions(const terrane_world* world, uint32_t sector, uint64_t* hash) {
    const size_t nodes = terrane_regions_nodes(world, sector, NULL, 0), edges = terrane_regions_edges(world, sector, NULL, 0);
    terrane_region* node = allocate(nodes, sizeof *node);
    terrane_region_edge* joint = allocate(edges, sizeof *joint);
    size_t i;
    terrane_regions_nodes(world, sector, node, nodes);
    terrane_regions_edges(world, sector, joint, edges);
    for (i = 0; i < nodes; ++i) {
        add_cell(hash, node[i].representative);
        add(hash, (uint64_t)node[i].terrain << 32 | node[i].cells);
    }
    for (i = 0; i < edges; ++i) add(hash, (uint64_t)joint[i].a << 33 | (uint64_t)joint[i].b << 1 | joint[i].diagonal);
    free(node);
    free(joint);
}

static void run_worlds(void) {
    size_t p;
    for (p = 0; p < PLACES; ++p) {
        terrane_world* world = world_of(&kPlaces[p].generator);
        terrane_world_info info = {sizeof info, 0, 0, 0, 0, 0, 0};
        uint64_t hash = 0, seed = p;
        char name[96];
        terrane_world_get_info(world, &info, NULL);
        add(&hash, info.checksum);
        add_regions(world, 16, &hash);
        edit(world, &seed, &kPlaces[p].generator, &hash);
        edit(world, &seed, &kPlaces[p].generator, &hash);
        add_regions(world, 8, &hash);
        save(world, "map", &hash);
        save(world, "terrane", &hash);
        snprintf(name, sizeof name, "%s", kPlaces[p].name);
        check_golden(name, hash);
        terrane_world_free(world);
    }
}

/* ---- Paths */

static void add_path(const terrane_path* path, uint64_t* hash) {
    terrane_path_info info;
    terrane_cell* cells;
    size_t i;
    memset(&info, 0, sizeof info);
    info.size = sizeof info;
    terrane_path_get_info(path, &info, NULL);
    cells = allocate(info.cells, sizeof *cells);
    terrane_path_cells(path, cells, info.cells);
    add(hash, (uint64_t)(uint32_t)info.status);
    add(hash, info.cost);
    add_real(hash, info.bound);
    add(hash, info.expansions);
    add(hash, info.expansions_first);
    add(hash, (uint64_t)info.cells << 32 | info.first);
    for (i = 0; i < info.cells; ++i) add_cell(hash, cells[i]);
    free(cells);
}

static void prepare(terrane_world* world, const terrane_profile* profile, const char* method) {
    terrane_prepare_options options;
    terrane_preparation* preparation;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    strncpy(options.method, method, sizeof options.method - 1);
    preparation = terrane_prepare_begin(world, profile, &options, NULL);
    REQUIRE(preparation != NULL);
    while (terrane_prepare_run(preparation, 5000) == 0) continue;
    REQUIRE(terrane_prepare_install(preparation, world, NULL) == TERRANE_OK);
    terrane_prepare_free(preparation);
}

/* Queries for each preset before, between and after edits. */
static void run_method(const place* where, const char* method, uint32_t movement) {
    terrane_world* world = world_of(&where->generator);
    terrane_planner* planner = terrane_planner_new(world, NULL);
    terrane_path* path = terrane_path_new(NULL);
    terrane_find_options options;
    uint64_t hash = 0, seed = 1;
    char name[96];
    int preset, i;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    options.movement = movement;
    options.fallback = 1; /* overlays are prepared for one movement rule and queried for all */
    strncpy(options.method, method, sizeof options.method - 1);
    for (preset = 0; preset < PRESETS; ++preset) {
        terrane_profile* profile = terrane_profile_preset(kPresets[preset], NULL);
        if (terrane_method_prepares(method) == 1) prepare(world, profile, method);
        for (i = 0; i < 9; ++i) {
            const terrane_cell from = draw_cell(&seed, &where->generator);
            const terrane_cell to = draw_cell(&seed, &where->generator);
            if (i % 3 == 2) edit(world, &seed, &where->generator, &hash);
            REQUIRE(terrane_find(planner, from, to, profile, &options, path, NULL) == TERRANE_OK);
            add_path(path, &hash);
        }
        terrane_profile_free(profile);
    }
    snprintf(name, sizeof name, "%s %s", where->name, method);
    check_golden(name, hash);
    terrane_path_free(path);
    terrane_planner_free(planner);
    terrane_world_free(world);
}

static void run_methods(place where, int32_t width, int32_t height, const char* const* methods) {
    where.generator.width = width;
    where.generator.height = height;
    for (; *methods != NULL; ++methods) run_method(&where, *methods, TERRANE_EIGHT_NO_CORNER_CUTTING);
}

static void run_paths(void) {
    static const char* const plain[] = {"",       "astar", "wastar:1.5", "focal:1.2", "nbs", "dijkstra",
                                        "greedy", "jps",   "canonical",  "jpsw",      NULL};
    static const char* const by_regions[] = {"dta:16",     "dta:8/nbs/wastar:1.2", "dta:16+trim+smooth",      "dta:16+cache",
                                             "dta:16+bfs", "minimal_memory:16",    "dta:16+smooth+any_angle", NULL};
    static const char* const prepared[] = {"minimal_memory:8+standin+centres",
                                           "hpa:16+smooth",
                                           "pra:inf",
                                           "pra:4+sectors",
                                           "dta:16+exact",
                                           "astar+landmarks:4",
                                           "astar+lower_bounds:2",
                                           "wastar:1.5+fastmap:3",
                                           NULL};
    /* Short paths, across fewer than a dozen clusters, use another search. */
    static const char* const by_portals[] = {"regions:16", "overlay:2", "overlay:4+portals", "overlay:2+smooth", "overlay:2+optimal", NULL};
    static const char* const by_levels[] = {"overlay:3", NULL};
    static const char* const by_database[] = {"cpd", "cpd:1.5/weighted", "cpd/nosp", "cpd/focal", "cpd/branching", NULL};
    size_t p;
    uint32_t movement;
    for (p = 0; p < PLACES; ++p) {
        const place where = kPlaces[p];
        run_methods(where, where.generator.width, where.generator.height, plain);
        run_methods(where, where.generator.width, where.generator.height, by_regions);
        run_methods(where, 64, 48, prepared);
        run_methods(where, 400, 60, by_portals);
        run_methods(where, 26, 20, by_database);
    }
    for (movement = TERRANE_EIGHT_CUT_CORNERS; movement <= TERRANE_FOUR; ++movement) {
        run_method(&kPlaces[1], "astar", movement);
        run_method(&kPlaces[0], "overlay:2", movement);
        run_method(&kPlaces[0], "regions:8", movement);
    }
    run_methods(kPlaces[0], 600, 560, by_levels); /* overlays of maps above 512 cells a side */
}

/* ---- Questions */

static void run_questions(void) {
    size_t p;
    for (p = 0; p < PLACES; ++p) {
        terrane_world* world = world_of(&kPlaces[p].generator);
        terrane_planner* planner = terrane_planner_new(world, NULL);
        terrane_path* path = terrane_path_new(NULL);
        terrane_profile* profile = terrane_profile_preset("person", NULL);
        uint64_t hash = 0, seed = 7;
        char name[96];
        int i;
        for (i = 0; i < 6; ++i) {
            const terrane_cell from = draw_cell(&seed, &kPlaces[p].generator);
            const terrane_cell to = draw_cell(&seed, &kPlaces[p].generator);
            const terrane_cell corner = draw_cell(&seed, &kPlaces[p].generator);
            terrane_share shares[32];
            terrane_obstacle obstacle;
            size_t count, s;
            memset(&obstacle, 0, sizeof obstacle);
            obstacle.size = sizeof obstacle;
            REQUIRE(terrane_find_through(planner, from, to, rect(corner.x, corner.y, 8, 8), profile, 0, path, NULL) == TERRANE_OK);
            add_path(path, &hash);
            count = terrane_path_shares(path, world, profile, shares, 32, NULL);
            for (s = 0; s < count; ++s) {
                add(&hash, (uint64_t)shares[s].terrain << 32 | shares[s].cells);
                add(&hash, shares[s].cost);
            }
            REQUIRE(terrane_find_obstacle(planner, from, to, profile, 0, path, &obstacle, NULL) == TERRANE_OK);
            add_path(path, &hash);
            add(&hash, (uint64_t)(uint32_t)obstacle.status << 32 | obstacle.blocked);
            add(&hash, obstacle.reached);
            add_cell(&hash, obstacle.first);
        }
        snprintf(name, sizeof name, "%s questions", kPlaces[p].name);
        check_golden(name, hash);
        terrane_profile_free(profile);
        terrane_path_free(path);
        terrane_planner_free(planner);
        terrane_world_free(world);
    }
}

/* ---- Crowds */

static void add_crowd(const terrane_crowd* crowd, uint64_t* hash) {
    terrane_crowd_info info;
    terrane_agent agents[64];
    const size_t reserved = terrane_crowd_reservations(crowd, NULL, 0), arrows = terrane_crowd_arrows(crowd, NULL, 0);
    terrane_reservation* reservation = allocate(reserved, sizeof *reservation);
    terrane_arrow* arrow = allocate(arrows, sizeof *arrow);
    const size_t count = terrane_crowd_agents(crowd, agents, 64);
    size_t i;
    memset(&info, 0, sizeof info);
    info.size = sizeof info;
    terrane_crowd_get_info(crowd, &info, NULL);
    add(hash, (uint64_t)info.at_goal << 32 | info.ticks);
    add(hash, info.arrivals);
    add(hash, info.faults);
    add(hash, info.cost);
    add(hash, info.expansions);
    add(hash, info.plans);
    add(hash, info.failures);
    for (i = 0; i < count; ++i) {
        add_cell(hash, agents[i].at);
        add_cell(hash, agents[i].goal);
        add(hash, agents[i].waiting);
    }
    terrane_crowd_reservations(crowd, reservation, reserved);
    for (i = 0; i < reserved; ++i) {
        add_cell(hash, reservation[i].cell);
        add(hash, (uint64_t)reservation[i].tick << 32 | reservation[i].agent);
    }
    terrane_crowd_arrows(crowd, arrow, arrows);
    for (i = 0; i < arrows; ++i) {
        add_cell(hash, arrow[i].cell);
        add_real(hash, arrow[i].x);
        add_real(hash, arrow[i].y);
    }
    free(reservation);
    free(arrow);
}

static void run_crowd(const place* where, const char* method, uint32_t how) {
    terrane_world* world = world_of(&where->generator);
    terrane_profile* person = terrane_profile_preset("person", NULL);
    terrane_profile* deer = terrane_profile_preset("deer", NULL);
    const terrane_profile* types[2];
    terrane_crowd_options options;
    terrane_crowd* crowd;
    uint64_t hash = 0, seed = 3;
    char name[96];
    int round;
    types[0] = person;
    types[1] = deer;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    options.lifelong = how == TERRANE_SPAWN_RANDOM ? 1 : 0;
    strncpy(options.method, method, sizeof options.method - 1);
    crowd = terrane_crowd_new(world, types, 2, &options, NULL);
    REQUIRE(crowd != NULL);
    REQUIRE(terrane_crowd_spawn(crowd, 24, how, 9, NULL) == TERRANE_OK);
    for (round = 0; round < 4; ++round) {
        terrane_crowd_tick(crowd, 15, NULL);
        add_crowd(crowd, &hash);
        if (round < 2) edit(world, &seed, &where->generator, &hash);
    }
    snprintf(name, sizeof name, "%s crowd %s", where->name, method);
    check_golden(name, hash);
    terrane_crowd_free(crowd);
    terrane_profile_free(person);
    terrane_profile_free(deer);
    terrane_world_free(world);
}

static void run_crowds(void) {
    static const char* const methods[] = {"replan", "replan+flow", "flock", "ca",    "whca:8",        "whca:8,1+flow", "cpra:8",
                                          "pibt",   "pibt+flow",   "lacam", "swarm", "lacam+improve", "swarm+flow"};
    size_t m;
    for (m = 0; m < sizeof methods / sizeof methods[0]; ++m) {
        run_crowd(&kPlaces[1], methods[m], TERRANE_SPAWN_SIDES);
        if (strcmp(methods[m], "lacam+improve") != 0) run_crowd(&kPlaces[0], methods[m], TERRANE_SPAWN_RANDOM); /* it takes seconds */
    }
}

/* ---- Weighted regions: computed with + - * / and square roots in doubles, so the hashes are the same on every platform. */

static void add_subdivision_path(const terrane_subdivision_path* path, uint64_t* hash) {
    terrane_subdivision_path_info info;
    terrane_point* points;
    terrane_crossing* crossings;
    const size_t crossed = terrane_subdivision_path_crossings(path, NULL, 0);
    size_t i;
    memset(&info, 0, sizeof info);
    info.size = sizeof info;
    terrane_subdivision_path_get_info(path, &info, NULL);
    points = allocate(info.points, sizeof *points);
    crossings = allocate(crossed, sizeof *crossings);
    terrane_subdivision_path_points(path, points, info.points);
    terrane_subdivision_path_crossings(path, crossings, crossed);
    add(hash, (uint64_t)(uint32_t)info.status);
    add_real(hash, info.cost);
    add_real(hash, info.bound);
    add(hash, info.expansions);
    for (i = 0; i < info.points; ++i) add_point(hash, points[i]);
    for (i = 0; i < crossed; ++i) {
        add_point(hash, crossings[i].at);
        add_point(hash, crossings[i].normal);
        add_real(hash, crossings[i].cost_to);
    }
    free(points);
    free(crossings);
}

static void run_subdivisions(void) {
    static const char* const methods[] = {"grid:10", "quadtree:5", "framed:5", "bprep:20", "brep", "brep+newton", "brep+proven"};
    size_t m;
    for (m = 0; m < sizeof methods / sizeof methods[0]; ++m) {
        const terrane_subdivision_generator generator = {sizeof generator, 40, 1, 9, 10, 21, 1000, 1000};
        terrane_subdivision* subdivision = terrane_subdivision_voronoi(&generator, NULL);
        terrane_subdivision_path* path = terrane_subdivision_path_new(NULL);
        uint64_t hash = 0, seed = 4;
        char name[96];
        int i;
        REQUIRE(subdivision != NULL);
        for (i = 0; i < 8; ++i) {
            const terrane_generator size = {0, 0, 1000, 1000, 0, 0, 0};
            const terrane_cell from = draw_cell(&seed, &size);
            const terrane_cell to = draw_cell(&seed, &size);
            const uint32_t region = draw(&seed, 40);
            REQUIRE(terrane_subdivision_set_cost(subdivision, region, 0.75 * draw(&seed, 12), NULL) == TERRANE_OK);
            REQUIRE(terrane_subdivision_find(subdivision, point(from.x, from.y), point(to.x, to.y), methods[m], path, NULL) == TERRANE_OK);
            add_subdivision_path(path, &hash);
        }
        snprintf(name, sizeof name, "subdivision %s", methods[m]);
        check_golden(name, hash);
        terrane_subdivision_path_free(path);
        terrane_subdivision_free(subdivision);
    }
}

int main(int argc, char** argv) {
    print_all = argc > 1 && strcmp(argv[1], "print") == 0;
    run_worlds();
    run_paths();
    run_questions();
    run_crowds();
    run_subdivisions();
    if (print_all) return 0;
    if (checked != ANSWERS) ++check_failures;
    printf("%zu golden answers, %d wrong\n", checked, check_failures);
    return check_failures == 0 ? 0 : 1;
}
