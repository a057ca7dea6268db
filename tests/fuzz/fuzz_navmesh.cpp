// parse_navmesh: accepted meshes can be queried, and read back the same. Corrects the length and the checksum, which would otherwise reject
// every mutated input.
#include <recastnavigation/DetourNavMesh.h>
#include <recastnavigation/DetourNavMeshQuery.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/checksum.h"
#include "query_regions.h"
#include "require.h"
#include "terrane/navmesh/navmesh_file.h"

namespace terrane {

namespace {

constexpr size_t kLength = 12, kChecksum = 20, kBody = 28;

void put(std::string& bytes, size_t at, uint64_t value) {
    for (size_t i = 0; i < 8; ++i) bytes[at + i] = static_cast<char>(value >> (8 * i));
}

void fix_checksums(std::string& bytes) {
    if (bytes.size() < kBody) return;
    put(bytes, kLength, bytes.size());
    put(bytes, kChecksum, detail::checksum(std::string_view(bytes).substr(kBody)));
}

// Queries of Detour: the nearest polygon to corners and centre of the bounds, and a path between each two.
void ask(const Navmesh& navmesh) {
    const std::unique_ptr<dtNavMeshQuery, void (*)(dtNavMeshQuery*)> query(dtAllocNavMeshQuery(), dtFreeNavMeshQuery);
    require(dtStatusSucceed(query->init(&navmesh.mesh(), 256)), "a query can be initialised");
    const dtQueryFilter filter;
    const auto at = query_points_of(navmesh);
    const float reach[] = {4, 4, 4};
    dtPolyRef refs[3] = {};
    float nearest[3][3] = {};
    for (size_t i = 0; i < 3; ++i) {
        const float place[] = {at[i].x, at[i].y, at[i].z};
        query->findNearestPoly(place, reach, &filter, &refs[i], nearest[i]);
    }
    for (int i = 0; i < 3; ++i) {
        const int next = (i + 1) % 3;
        if (refs[i] == 0 || refs[next] == 0) continue;
        dtPolyRef path[64];
        int count = 0;
        query->findPath(refs[i], refs[next], nearest[i], nearest[next], &filter, path, &count, 64);
        for (int k = 0; k < count; ++k) require(navmesh.mesh().isValidPolyRef(path[k]), "a path consists of polygons");
    }
}

}  // namespace

}  // namespace terrane

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace terrane;
    std::string bytes(reinterpret_cast<const char*>(data), size);
    fix_checksums(bytes);
    const auto navmesh = parse_navmesh(bytes, "fuzz.navmesh");
    if (!navmesh) return require_valid_error(navmesh.error(), "fuzz.navmesh"), 0;
    ask(*navmesh);
    query_regions(*navmesh);
    static_cast<void>(navmesh_triangles(*navmesh));
    const std::string written = format_navmesh(*navmesh);
    const auto again = parse_navmesh(written, "fuzz.navmesh");
    require(again.has_value(), "accepted input can be written and read back");
    require(format_navmesh(*again) == written, "it reads back the same");
    return 0;
}
