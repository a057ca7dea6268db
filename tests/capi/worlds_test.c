/* Worlds in C: creation, reading, edits, saving. */
#include "check.h"

static terrane_world_info info_of(const terrane_world* world) {
    terrane_world_info info = {0};
    info.size = sizeof info;
    terrane_world_get_info(world, &info, NULL);
    return info;
}

static void test_version(void) {
    CHECK(terrane_abi() == TERRANE_ABI);
    CHECK(terrane_version() != NULL && terrane_version()[0] >= '0' && terrane_version()[0] <= '9');
}

static void test_from_cells(void) {
    const uint8_t cells[6] = {GROUND, TREES, ROAD, GROUND, GROUND, BLACK};
    const uint8_t unknown[1] = {200};
    terrane_error error = no_error();
    terrane_world* world = terrane_world_from_cells(3, 2, cells, NULL, 0, NULL, NULL);
    uint8_t read[6];
    REQUIRE(world != NULL);
    CHECK(info_of(world).width == 3 && info_of(world).height == 2 && info_of(world).terrains == 19 && info_of(world).bytes > 0);
    CHECK(terrane_world_read(world, rect(0, 0, 3, 2), read, 6) == 6 && memcmp(read, cells, 6) == 0);
    CHECK(terrane_world_from_cells(1, 1, unknown, NULL, 0, NULL, &error) == NULL);
    CHECK_REFUSED(error, TERRANE_BAD_VALUE, "200");
    CHECK(terrane_world_from_cells(0, 2, cells, NULL, 0, NULL, &error) == NULL && error.code == TERRANE_BAD_VALUE);
    CHECK(terrane_world_from_cells(-1, -1, cells, NULL, 0, NULL, NULL) == NULL);
    CHECK(terrane_world_from_cells(1 << 30, 1 << 30, cells, NULL, 0, NULL, &error) == NULL);
    CHECK(terrane_world_from_cells(3, 2, NULL, NULL, 0, NULL, &error) == NULL);
    terrane_world_free(world);
    terrane_world_free(NULL);
}

static void test_a_catalogue_of_ones_own(void) {
    const terrane_terrain terrains[2] = {{sizeof(terrane_terrain), "sand", 's', 1, 2, 3}, {sizeof(terrane_terrain), "sea", 0, 4, 5, 6}};
    terrane_terrain twice[2], terrain;
    const uint8_t cells[2] = {0, 1};
    terrane_error error = no_error();
    terrane_world* world = terrane_world_from_cells(2, 1, cells, terrains, 2, NULL, &error);
    REQUIRE(world != NULL);
    CHECK(info_of(world).terrains == 2);
    memset(&terrain, 77, sizeof terrain);
    terrain.size = sizeof terrain;
    CHECK(terrane_world_get_terrain(world, 1, &terrain, NULL) == TERRANE_OK);
    CHECK_TEXT(terrain.name, "sea");
    CHECK(terrain.letter == 0 && terrain.r == 4 && terrain.g == 5 && terrain.b == 6);
    CHECK(terrane_world_get_terrain(world, 2, &terrain, NULL) != TERRANE_OK &&
          terrane_world_get_terrain(world, 0, NULL, NULL) == TERRANE_BAD_VALUE);
    CHECK(terrane_world_get_terrain(NULL, 0, &terrain, NULL) != TERRANE_OK);
    CHECK(terrane_world_find_terrain(world, "sand") == 0 && terrane_world_find_terrain(world, "ground") == -1);
    CHECK(terrane_world_find_terrain(world, NULL) == -1 && terrane_world_find_terrain(NULL, "sand") == -1);
    twice[0] = twice[1] = terrains[0];
    CHECK(terrane_world_from_cells(2, 1, cells, twice, 2, NULL, &error) == NULL && error.code != TERRANE_OK);
    CHECK(terrane_world_from_cells(2, 1, cells, twice, 256, NULL, &error) == NULL);
    CHECK(terrane_world_from_cells(2, 1, cells, NULL, 2, NULL, &error) == NULL);
    terrane_world_free(world);
}

static void test_from_bytes(void) {
    const char* map = "type octile\nheight 2\nwidth 3\nmap\n..@\n.T.\n";
    const char* cut = "type octile\nheight 2\nwidth 3\nmap\n..@\n";
    const char* tiled = "{\"type\": \"map\", \"orientation\": \"isometric\"}";
    terrane_error error = no_error();
    terrane_world* world = terrane_world_from_bytes(map, strlen(map), "small.map", NULL, &error);
    uint8_t read[6];
    REQUIRE(world != NULL);
    CHECK(info_of(world).width == 3 && info_of(world).height == 2);
    CHECK(terrane_world_read(world, rect(0, 0, 3, 2), read, 6) == 6);
    CHECK(read[2] == terrane_world_find_terrain(world, "wall") && read[4] == terrane_world_find_terrain(world, "trees"));
    CHECK(terrane_world_from_bytes(cut, strlen(cut), "cut.map", NULL, &error) == NULL);
    CHECK(error.code == TERRANE_TRUNCATED && strstr(error.message, "cut.map") != NULL);
    CHECK(terrane_world_from_bytes("\x01\x02\x03", 3, NULL, NULL, &error) == NULL && error.code != TERRANE_OK);
    CHECK(terrane_world_from_bytes("", 0, NULL, NULL, NULL) == NULL);
    CHECK(terrane_world_from_bytes(NULL, 0, NULL, NULL, NULL) == NULL && terrane_world_from_bytes(NULL, 9, NULL, NULL, NULL) == NULL);
    CHECK(terrane_world_from_bytes(tiled, strlen(tiled), "t.json", NULL, &error) == NULL && error.code != TERRANE_OK);
    CHECK(terrane_world_from_bytes("\x89PNG\r\n\x1a\nrubbish", 15, "a.png", NULL, &error) == NULL && error.code != TERRANE_OK);
    terrane_world_free(world);
}

static void test_map_formats(void) {
    const uint32_t count = terrane_map_format_count();
    terrane_error error = no_error();
    uint32_t i;
    CHECK(count >= 4);
    CHECK(terrane_world_from_bytes("hello", 5, "a.txt", NULL, &error) == NULL && error.code == TERRANE_BAD_HEADER);
    for (i = 0; i < count; ++i) {
        CHECK(terrane_map_format_extensions(i)[0] == '.' && terrane_map_format_summary(i)[0] != 0);
        CHECK(terrane_map_format_missing(i) != NULL);
        CHECK(strstr(error.message, terrane_map_format_name(i)) != NULL); /* the error lists all formats */
    }
    CHECK(terrane_map_format_name(count) == NULL && terrane_map_format_missing(0xffffffffu) == NULL);
    CHECK(terrane_map_format_extensions(count) == NULL && terrane_map_format_summary(count) == NULL);
}

static void test_from_pixels(void) {
    uint8_t pixels[4 * 6];
    terrane_terrain road;
    terrane_error error = no_error();
    terrane_world* world = NULL;
    uint8_t read[6];
    size_t i;
    road.size = sizeof road;
    world = drawn_world(1, "r", NULL);
    REQUIRE(terrane_world_get_terrain(world, ROAD, &road, NULL) == TERRANE_OK);
    terrane_world_free(world);
    for (i = 0; i < 6; ++i) {
        pixels[4 * i] = road.r;
        pixels[4 * i + 1] = road.g;
        pixels[4 * i + 2] = (uint8_t)(road.b + (i == 2 ? 3 : 0)); /* not exactly */
        pixels[4 * i + 3] = 255;
    }
    pixels[0] = pixels[1] = pixels[2] = 40; /* nearest to black */
    world = terrane_world_from_pixels(3, 2, pixels, 0, NULL, NULL);
    REQUIRE(world != NULL);
    CHECK(terrane_world_read(world, rect(0, 0, 3, 2), read, 6) == 6);
    CHECK(read[0] == BLACK && read[1] == ROAD && read[2] == ROAD && read[5] == ROAD);
    terrane_world_free(world);
    world = terrane_world_from_pixels(3, 2, pixels, 2, NULL, NULL);
    CHECK(terrane_world_read(world, rect(0, 0, 1, 1), read, 6) == 1 && read[0] == ROAD); /* a single cell is merged */
    terrane_world_free(world);
    CHECK(terrane_world_from_pixels(0, 2, pixels, 0, NULL, &error) == NULL && error.code == TERRANE_BAD_VALUE);
    CHECK(terrane_world_from_pixels(3, 2, NULL, 0, NULL, NULL) == NULL);
}

static void test_generated(void) {
    uint32_t kind;
    terrane_error error = no_error();
    for (kind = TERRANE_ISLAND; kind <= TERRANE_VORONOI; ++kind) {
        terrane_generator generator = {sizeof generator, kind, 64, 48, 5, 0, 0};
        terrane_world* world = terrane_world_generate(&generator, NULL, NULL);
        terrane_world* again = terrane_world_generate(&generator, NULL, NULL);
        terrane_world* other;
        REQUIRE(world != NULL && again != NULL);
        CHECK(info_of(world).width == 64 && info_of(world).height == 48);
        CHECK(info_of(world).checksum == info_of(again).checksum);
        generator.seed = 6;
        other = terrane_world_generate(&generator, NULL, NULL);
        CHECK(info_of(world).checksum != info_of(other).checksum);
        generator.detail = -5;
        CHECK(kind == TERRANE_SCATTER || terrane_world_generate(&generator, NULL, &error) == NULL);
        terrane_world_free(other);
        terrane_world_free(again);
        terrane_world_free(world);
    }
    {
        terrane_generator generator = {sizeof generator, 6, 64, 64, 5, 0, 0};
        CHECK(terrane_world_generate(&generator, NULL, &error) == NULL && error.code == TERRANE_BAD_VALUE);
        generator.kind = TERRANE_VORONOI;
        generator.terrains = 77;
        CHECK(terrane_world_generate(&generator, NULL, &error) == NULL && error.code == TERRANE_BAD_VALUE);
        generator.terrains = 3;
        generator.width = -1;
        CHECK(terrane_world_generate(&generator, NULL, &error) == NULL && error.code == TERRANE_BAD_VALUE);
        generator.width = 0x7fffffff;
        generator.height = 0x7fffffff;
        CHECK(terrane_world_generate(&generator, NULL, &error) == NULL && error.code != TERRANE_OK);
    }
}

static void test_options_and_copies(void) {
    terrane_world_options options = {.size = sizeof options, .threads = 2, .sectors = {8, 32}};
    terrane_regions_info regions = {0};
    terrane_error error = no_error();
    terrane_world* world = drawn_world(40, "................................................................................", &options);
    terrane_world* copy;
    REQUIRE(world != NULL);
    regions.size = sizeof regions;
    CHECK(terrane_regions_get_info(world, 8, &regions, NULL) == TERRANE_OK && regions.regions == 5);
    CHECK(terrane_regions_get_info(world, 32, &regions, NULL) == TERRANE_OK && regions.regions == 2);
    CHECK(terrane_regions_get_info(world, 16, &regions, NULL) == TERRANE_UNKNOWN_NAME);
    copy = terrane_world_copy(world, NULL, NULL);
    CHECK(terrane_regions_get_info(copy, 16, &regions, NULL) == TERRANE_OK &&
          terrane_regions_get_info(copy, 8, NULL, NULL) == TERRANE_UNKNOWN_NAME);
    CHECK(terrane_world_fill(copy, rect(0, 0, 1, 1), TREES, NULL, NULL) == TERRANE_OK);
    CHECK(info_of(copy).checksum != info_of(world).checksum);
    terrane_world_free(copy);
    options.no_regions = 1;
    copy = terrane_world_copy(world, &options, NULL);
    CHECK(terrane_regions_get_info(copy, 8, &regions, NULL) == TERRANE_UNKNOWN_NAME);
    terrane_world_free(copy);
    options.no_regions = 0;
    options.sectors[0] = 3;
    CHECK(terrane_world_copy(world, &options, &error) == NULL && error.code == TERRANE_BAD_VALUE);
    options.sectors[0] = 32;
    CHECK(terrane_world_copy(world, &options, &error) == NULL); /* twice */
    CHECK(terrane_world_copy(NULL, NULL, NULL) == NULL);
    terrane_world_free(world);
}

static void test_reading_rectangles(void) {
    terrane_world* world = drawn_world(3, "..t...", NULL);
    uint8_t read[16];
    memset(read, 77, sizeof read);
    CHECK(terrane_world_read(world, rect(1, -1, 3, 3), read, 16) == 9);
    CHECK(read[0] == 255 && read[2] == 255 && read[3] == GROUND && read[4] == TREES && read[5] == 255 && read[6] == GROUND &&
          read[9] == 77);
    memset(read, 77, sizeof read);
    CHECK(terrane_world_read(world, rect(0, 0, 3, 2), read, 4) == 6 && read[3] == GROUND && read[4] == 77);
    CHECK(terrane_world_read(world, rect(0, 0, 3, 2), NULL, 0) == 6);
    CHECK(terrane_world_read(world, rect(0, 0, -3, 2), read, 16) == 0 && terrane_world_read(NULL, rect(0, 0, 3, 2), read, 16) == 0);
    CHECK(terrane_world_read(world, rect(-2147483647 - 1, 5, 2147483647, 1), read, 3) == 2147483647u && read[0] == 255);
    CHECK(terrane_world_read(world, rect(2147483647, 0, 2147483647, 1), read, 3) == 2147483647u && read[2] == 255);
    CHECK(terrane_world_read(world, rect(2147483646, 2147483646, 2, 4), read, 8) == 8 && read[7] == 255);
    terrane_world_free(world);
}

static void test_edits(void) {
    terrane_world* world = drawn_world(40, "................................................................................", NULL);
    const terrane_cell_edit edits[3] = {{0, 0, TREES}, {-5, 900, TREES}, {39, 1, ROAD}};
    const terrane_cell_edit unknown[2] = {{1, 0, TREES}, {2, 0, 99}};
    terrane_edit done = {0};
    terrane_error error = no_error();
    terrane_rect repaired[8];
    uint8_t read[1];
    const uint64_t before = info_of(world).version;
    size_t count, i;
    int holds = 0;
    done.size = sizeof done;
    CHECK(terrane_world_repaired(world, repaired, 8) == 0);
    CHECK(terrane_world_fill(world, rect(17, 0, 2, 1), SWAMP, &done, &error) == TERRANE_OK);
    CHECK(done.cells == 2 && done.sectors == 1 && done.version == before + 1 && info_of(world).version == before + 1);
    count = terrane_world_repaired(world, repaired, 8);
    REQUIRE(count >= 1 && count <= 8);
    for (i = 0; i < count; ++i) holds += repaired[i].x <= 17 && 17 < repaired[i].x + repaired[i].width && repaired[i].width <= 16 ? 1 : 0;
    CHECK(holds == 1);
    CHECK(terrane_world_repaired(world, NULL, 0) == count);
    CHECK(terrane_world_fill(world, rect(17, 0, 2, 1), SWAMP, &done, NULL) == TERRANE_OK && done.cells == 0);
    CHECK(terrane_world_apply(world, edits, 3, &done, &error) == TERRANE_OK && done.cells == 2);
    CHECK(terrane_world_read(world, rect(39, 1, 1, 1), read, 1) == 1 && read[0] == ROAD);
    CHECK(terrane_world_apply(world, unknown, 2, &done, &error) == TERRANE_BAD_VALUE);
    CHECK_REFUSED(error, TERRANE_BAD_VALUE, "99");
    CHECK(terrane_world_read(world, rect(1, 0, 1, 1), read, 1) == 1 && read[0] == GROUND); /* unchanged */
    CHECK(terrane_world_fill(world, rect(0, 0, 1, 1), 255, NULL, &error) == TERRANE_BAD_VALUE);
    CHECK(terrane_world_apply(world, NULL, 0, NULL, NULL) == TERRANE_OK);
    CHECK(terrane_world_apply(world, NULL, 2, NULL, NULL) != TERRANE_OK && terrane_world_apply(NULL, edits, 1, NULL, NULL) != TERRANE_OK);
    CHECK(terrane_world_fill(NULL, rect(0, 0, 1, 1), 0, NULL, NULL) != TERRANE_OK && terrane_world_repaired(NULL, NULL, 0) == 0);
    CHECK(terrane_world_fill(world, rect(-2000000000, -2000000000, 2147483647, 2147483647), TREES, &done, NULL) == TERRANE_OK &&
          done.cells == 79);
    CHECK(terrane_world_fill(world, rect(-10, -10, 2147483647, 2147483647), ROAD, &done, NULL) == TERRANE_OK && done.cells == 80);
    CHECK(terrane_world_fill(world, rect(2147483647, 0, 2147483647, 2147483647), TREES, &done, NULL) == TERRANE_OK && done.cells == 0);
    terrane_world_free(world);
}

static void test_saving(void) {
    static const char* const formats[] = {"map", "terrane"};
    terrane_world* world = drawn_world(20, "........................ttt.............", NULL);
    terrane_error error = no_error();
    size_t f;
    for (f = 0; f < 2; ++f) {
        const size_t size = terrane_world_save(world, formats[f], NULL, 0, NULL);
        char* bytes = malloc(size);
        terrane_world* again;
        REQUIRE(size > 40);
        memset(bytes, 77, size);
        CHECK(terrane_world_save(world, formats[f], bytes, size - 1, NULL) == size && bytes[0] == 77); /* does not fit */
        CHECK(terrane_world_save(world, formats[f], bytes, size, NULL) == size);
        again = terrane_world_from_bytes(bytes, size, NULL, NULL, &error);
        REQUIRE(again != NULL);
        CHECK(info_of(again).checksum == info_of(world).checksum);
        terrane_world_free(again);
        CHECK(terrane_world_from_bytes(bytes, size - 5, NULL, NULL, &error) == NULL && error.code != TERRANE_OK);
        free(bytes);
    }
    CHECK(terrane_world_save(world, "gif", NULL, 0, &error) == 0);
    CHECK_REFUSED(error, TERRANE_UNSUPPORTED, "terrane");
    CHECK(terrane_world_save(world, "a.map", NULL, 0, NULL) == 0 && terrane_world_save(world, "png", NULL, 0, NULL) == 0);
    CHECK(terrane_world_save(world, NULL, NULL, 0, NULL) == 0 && terrane_world_save(NULL, "map", NULL, 0, NULL) == 0);
    terrane_world_free(world);
}

int main(void) {
    test_version();
    test_from_cells();
    test_a_catalogue_of_ones_own();
    test_from_bytes();
    test_map_formats();
    test_from_pixels();
    test_generated();
    test_options_and_copies();
    test_reading_rectangles();
    test_edits();
    test_saving();
    return check_failures == 0 ? 0 : 1;
}
