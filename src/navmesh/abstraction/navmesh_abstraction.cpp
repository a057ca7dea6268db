#include "terrane/navmesh/navmesh_abstraction.h"

#include <algorithm>
#include <utility>

#include "base/catch_bad_alloc.h"
#include "navmesh/abstraction/mesh_view.h"
#include "terrane/base/memory.h"

namespace terrane {
namespace {

constexpr int kMaxLayers = 32;  // Detour links at most this many per tile location

// A link to another region.
struct Crossing {
    uint32_t from = 0;  // index of the region in its tile
    NavmeshRegionId to = 0;
    Portal portal;
    uint32_t order = 0;  // among all crossings of the tile
    uint32_t group = 0;  // crossings of one group become one edge
};

bool comes_before(const Crossing& a, const Crossing& b) {
    if (a.from != b.from) return a.from < b.from;
    return a.to != b.to ? a.to < b.to : a.order < b.order;
}

bool has_finite_corners(const MeshView& view, PolygonNumber p) {
    for (uint32_t i = 0; i < view.polygon(p).vertCount; ++i) {
        if (!is_finite(to_vec3(view.vertex(p, i)))) return false;
    }
    return true;
}

bool is_linked(const MeshView& view, PolygonNumber from, PolygonNumber to) {
    bool linked = false;
    view.for_each_link(from, [&](uint32_t, const dtLink& link) { linked = linked || view.number(link.ref) == to; });
    return linked;
}

// Labels the polygons of a tile with their regions by flood fill.
class TileLabeller {
public:
    TileLabeller(const MeshView& view, uint32_t slot, detail::NavmeshTile& tile) : view_(view), slot_(slot), tile_(tile) {}

    void label() {
        const auto count = static_cast<uint32_t>(view_.tile(slot_).header->polyCount);
        tile_.labels.assign(count, kNoNavmeshRegion);
        tile_.regions.clear();
        for (uint32_t i = 0; i < count; ++i) {
            if (tile_.labels[i] == kNoNavmeshRegion && has_finite_corners(view_, view_.number(slot_, i))) add_region(i);
        }
    }

private:
    void add_region(uint32_t first) {
        const dtPoly& polygon = view_.tile(slot_).polys[first];
        NavmeshRegion region;
        region.flags = polygon.flags;
        region.area = polygon.getArea();
        region.off_mesh = MeshView::is_off_mesh(polygon);
        flood(first, view_.number(slot_, static_cast<uint32_t>(tile_.regions.size())), region);
        region.polygons = static_cast<uint32_t>(members_.size());
        set_position(region);
        tile_.regions.push_back(region);
    }

    void flood(uint32_t first, NavmeshRegionId id, const NavmeshRegion& region) {
        members_.assign(1, first);
        tile_.labels[first] = id;
        for (size_t next = 0; next < members_.size() && !region.off_mesh; ++next) {
            const PolygonNumber from = view_.number(slot_, members_[next]);
            view_.for_each_link(from, [&](uint32_t, const dtLink& link) { visit(from, view_.number(link.ref), id, region); });
        }
    }

    void visit(PolygonNumber from, PolygonNumber to, NavmeshRegionId id, const NavmeshRegion& region) {
        const uint32_t index = view_.index(to);
        if (view_.slot(to) != slot_ || tile_.labels[index] != kNoNavmeshRegion) return;
        const dtPoly& polygon = view_.polygon(to);
        if (polygon.flags != region.flags || polygon.getArea() != region.area || MeshView::is_off_mesh(polygon)) return;
        if (!has_finite_corners(view_, to) || !is_linked(view_, to, from)) return;
        tile_.labels[index] = id;
        members_.push_back(index);
    }

    void set_position(NavmeshRegion& region) const {
        MeshPoint sum;
        for (const uint32_t i : members_) {
            const MeshPoint c = view_.centre(view_.number(slot_, i));
            sum = {sum.x + c.x, sum.y + c.y, sum.z + c.z};
        }
        const auto count = static_cast<double>(members_.size());
        const MeshPoint mean{sum.x / count, sum.y / count, sum.z / count};
        region.position = to_vec3(mean);
        region.polygon = nearest(mean);
    }

    uint32_t nearest(const MeshPoint& mean) const {
        uint32_t best = members_.front();
        double least = distance(mean, view_.centre(view_.number(slot_, best)));
        for (const uint32_t i : members_) {
            const double d = distance(mean, view_.centre(view_.number(slot_, i)));
            if (d < least || (d == least && i < best)) {
                best = i;
                least = d;
            }
        }
        return best;
    }

    const MeshView& view_;
    uint32_t slot_;
    detail::NavmeshTile& tile_;
    std::vector<uint32_t> members_;
};

// Returns the links of a tile to other regions, sorted by `comes_before`. Skips links to tiles with unreported changes; reporting those
// relinks this tile.
std::vector<Crossing> find_crossings(const MeshView& view, std::span<const detail::NavmeshTile> tiles, uint32_t slot) {
    std::vector<Crossing> crossings;
    const std::vector<NavmeshRegionId>& labels = tiles[slot].labels;
    for (uint32_t i = 0; i < labels.size(); ++i) {
        if (labels[i] == kNoNavmeshRegion) continue;
        const PolygonNumber from = view.number(slot, i);
        view.for_each_link(from, [&](uint32_t, const dtLink& link) {
            const PolygonNumber to = view.number(link.ref);
            const detail::NavmeshTile& there = tiles[view.slot(to)];
            if (!view.is_same(view.slot(to), there) || !view.is_traversable(from, link)) return;
            const NavmeshRegionId region = there.labels[view.index(to)];
            if (region == kNoNavmeshRegion || region == labels[i]) return;
            crossings.push_back({view.index(labels[i]), region, view.portal(from, link), static_cast<uint32_t>(crossings.size())});
        });
    }
    std::sort(crossings.begin(), crossings.end(), comes_before);
    return crossings;
}

// Returns the length of the prefix with the same pair of regions.
size_t count_same_pair(std::span<const Crossing> crossings) {
    size_t count = 1;
    while (count < crossings.size() && crossings[count].from == crossings[0].from && crossings[count].to == crossings[0].to) ++count;
    return count;
}

double squared_gap(const Portal& a, const Portal& b) {
    const auto apart = [](const MeshPoint& p, const MeshPoint& q) {
        const double x = q.x - p.x, y = q.y - p.y, z = q.z - p.z;
        return x * x + y * y + z * z;
    };
    return std::min({apart(a.left, b.left), apart(a.left, b.right), apart(a.right, b.left), apart(a.right, b.right)});
}

// Single-linkage clustering of the portals between two regions; a group is named after its first crossing. Comparing with the latest
// crossings first saves 20% to 33% of the update time in tiles of 400 polygons: portals usually continue the previous one.
void group_portals(std::span<Crossing> crossings, double max_gap) {
    for (uint32_t i = 0; i < crossings.size(); ++i) {
        crossings[i].group = i;
        for (uint32_t j = i; j-- > 0;) {
            const uint32_t here = crossings[i].group, there = crossings[j].group;
            if (here == there || squared_gap(crossings[i].portal, crossings[j].portal) > max_gap * max_gap) continue;
            const auto [low, high] = std::minmax(here, there);
            for (uint32_t k = 0; k <= i; ++k) {
                if (crossings[k].group == high) crossings[k].group = low;
            }
        }
    }
}

// Returns the edge between the extreme points of a group along the longer side of its bounding box.
NavmeshEdge make_edge(std::span<const Crossing> crossings, uint32_t group) {
    MeshPoint low_x, high_x, low_z, high_z;
    bool first = true;
    const auto add = [&](const MeshPoint& s) {
        if (first || s.x < low_x.x) low_x = s;
        if (first || s.x > high_x.x) high_x = s;
        if (first || s.z < low_z.z) low_z = s;
        if (first || s.z > high_z.z) high_z = s;
        first = false;
    };
    for (const Crossing& c : crossings) {
        if (c.group != group) continue;
        add(c.portal.left);
        add(c.portal.right);
    }
    const bool along_x = high_x.x - low_x.x >= high_z.z - low_z.z;
    NavmeshEdge edge;
    edge.to = crossings.front().to;
    edge.a = to_vec3(along_x ? low_x : low_z);
    edge.b = to_vec3(along_x ? high_x : high_z);
    return edge;
}

void add_edges(std::span<Crossing> crossings, double max_gap, const NavmeshRegion& to, std::vector<NavmeshEdge>& edges) {
    group_portals(crossings, max_gap);
    for (uint32_t i = 0; i < crossings.size(); ++i) {
        if (crossings[i].group != i) continue;
        edges.push_back(make_edge(crossings, i));
        edges.back().flags = to.flags;
        edges.back().area = to.area;
    }
}

}  // namespace

NavmeshAbstraction::NavmeshAbstraction(const dtNavMesh& mesh) : mesh_(&mesh), tiles_(static_cast<size_t>(mesh.getMaxTiles())) {
    ranks_.reserve(tiles_.size() + 1);
    shift_ = MeshView(mesh).shift();
    for (uint32_t slot = 0; slot < slots(); ++slot) tiles_[slot] = build_regions(slot);
    for (uint32_t slot = 0; slot < slots(); ++slot) {
        if (tiles_[slot].header != nullptr) tiles_[slot] = build_edges(slot);
    }
    for (const detail::NavmeshTile& tile : tiles_) {
        for (const NavmeshRegion& region : tile.regions) ++areas_[region.area];
    }
    count();
}

// Returns the regions of a tile in its present state, without edges.
detail::NavmeshTile NavmeshAbstraction::build_regions(uint32_t slot) const {
    const MeshView view(*mesh_);
    const dtMeshTile& from = view.tile(slot);
    detail::NavmeshTile fresh;
    if (from.header != nullptr) {
        fresh.header = from.header;
        fresh.salt = from.salt;
        fresh.data_size = from.dataSize;
        fresh.links = static_cast<uint32_t>(from.header->maxLinkCount);
        fresh.x = from.header->x;
        fresh.y = from.header->y;
        fresh.layer = from.header->layer;
        TileLabeller(view, slot, fresh).label();
    }
    return fresh;
}

// Returns the tile with edges. Also updates the positions of off-mesh connections: Detour snaps their ends to the tiles that they connect.
detail::NavmeshTile NavmeshAbstraction::build_edges(uint32_t slot) const {
    const MeshView view(*mesh_);
    detail::NavmeshTile tile = tiles_[slot];
    std::vector<Crossing> crossings = find_crossings(view, tiles_, slot);
    tile.edges.clear();
    const double max_gap = mesh_->getParams()->tileWidth / 100.0;
    size_t first = 0;
    for (uint32_t number = 0; number < tile.regions.size(); ++number) {
        NavmeshRegion& here = tile.regions[number];
        if (here.off_mesh) here.position = to_vec3(view.centre(view.number(slot, here.polygon)));
        here.first_edge = static_cast<uint32_t>(tile.edges.size());
        while (first < crossings.size() && crossings[first].from == number) {
            const size_t count = count_same_pair(std::span(crossings).subspan(first));
            add_edges(std::span(crossings).subspan(first, count), max_gap, region(crossings[first].to), tile.edges);
            first += count;
        }
    }
    tile.edges.shrink_to_fit();
    return tile;
}

// Rebuilds the edges of all layers of a tile and of the eight adjacent ones.
void NavmeshAbstraction::relink_around(int32_t x, int32_t y, ChangedTiles& changed) const {
    const MeshView view(*mesh_);
    for (int32_t i = 0; i < 9; ++i) {
        const dtMeshTile* layers[kMaxLayers];
        const int count = mesh_->getTilesAt(x + i % 3 - 1, y + i / 3 - 1, layers, kMaxLayers);
        for (int j = 0; j < count; ++j) {
            const auto slot = static_cast<uint32_t>(layers[j] - &view.tile(0));
            if (tiles_[slot].header != nullptr && view.is_same(slot, tiles_[slot])) changed.emplace_back(slot, build_edges(slot));
        }
    }
}

// Strong exception guarantee: collects the relinked tiles in `changed`, and restores the slot if an allocation fails.
void NavmeshAbstraction::update_slot(uint32_t slot) {
    detail::NavmeshTile& tile = tiles_[slot];
    detail::NavmeshTile before = build_regions(slot);
    std::swap(tile, before);
    ChangedTiles changed;
    const auto relink = [&] {
        const bool stays = tile.header != nullptr && tile.x == before.x && tile.y == before.y;
        if (before.header != nullptr && !stays) relink_around(before.x, before.y, changed);
        if (tile.header != nullptr) relink_around(tile.x, tile.y, changed);
    };
    detail::catch_bad_alloc(relink, [&] {
        std::swap(tile, before);
        detail::throw_bad_alloc();
    });
    for (const NavmeshRegion& region : before.regions) --areas_[region.area];
    for (const NavmeshRegion& region : tile.regions) ++areas_[region.area];
    for (auto& [changed_slot, rebuilt] : changed) tiles_[changed_slot] = std::move(rebuilt);
    count();
    ++version_;
}

bool NavmeshAbstraction::tile_changed(NavmeshTileRef tile) {
    const uint32_t slot = mesh_->decodePolyIdTile(tile);
    if (slot >= slots()) return false;
    if (tiles_[slot].header == nullptr && MeshView(*mesh_).tile(slot).header == nullptr) return false;
    update_slot(slot);
    return true;
}

bool NavmeshAbstraction::tile_changed(int32_t x, int32_t y, int32_t layer) {
    const MeshView view(*mesh_);
    const auto is_here = [&](const auto& tile) { return tile.x == x && tile.y == y && tile.layer == layer; };
    bool any = false;
    for (uint32_t slot = 0; slot < slots(); ++slot) {
        const dtMeshHeader* header = view.tile(slot).header;
        const bool was = tiles_[slot].header != nullptr && is_here(tiles_[slot]);
        if (!was && (header == nullptr || !is_here(*header))) continue;
        update_slot(slot);
        any = true;
    }
    return any;
}

bool NavmeshAbstraction::is_current() const {
    const MeshView view(*mesh_);
    for (uint32_t slot = 0; slot < slots(); ++slot) {
        if (!view.is_same(slot, tiles_[slot])) return false;
    }
    return true;
}

void NavmeshAbstraction::count() {
    tile_count_ = max_links_ = 0;
    region_count_ = edge_count_ = polygon_count_ = 0;
    ranks_.clear();
    for (const detail::NavmeshTile& tile : tiles_) {
        ranks_.push_back(static_cast<uint32_t>(region_count_));
        tile_count_ += tile.header != nullptr ? 1 : 0;
        max_links_ = std::max(max_links_, tile.links);
        region_count_ += tile.regions.size();
        edge_count_ += tile.edges.size();
        polygon_count_ += tile.labels.size();
    }
    ranks_.push_back(static_cast<uint32_t>(region_count_));
}

size_t NavmeshAbstraction::bytes() const {
    size_t sum = sizeof(*this) + tiles_.capacity() * sizeof(detail::NavmeshTile) + ranks_.capacity() * sizeof(uint32_t);
    for (const detail::NavmeshTile& tile : tiles_) {
        sum += tile.regions.capacity() * sizeof(NavmeshRegion) + tile.edges.capacity() * sizeof(NavmeshEdge);
        sum += tile.labels.capacity() * sizeof(NavmeshRegionId);
    }
    return sum;
}

NavmeshPolygon NavmeshAbstraction::polygon_of(NavmeshRegionId id) const {
    return mesh_->encodePolyId(tiles_[slot_of(id)].salt, slot_of(id), region(id).polygon);
}

NavmeshRegionId NavmeshAbstraction::region_of(NavmeshPolygon polygon) const {
    const uint32_t slot = mesh_->decodePolyIdTile(polygon), index = mesh_->decodePolyIdPoly(polygon);
    if (slot >= slots() || tiles_[slot].header == nullptr || tiles_[slot].salt != mesh_->decodePolyIdSalt(polygon)) return kNoNavmeshRegion;
    return index < tiles_[slot].labels.size() ? tiles_[slot].labels[index] : kNoNavmeshRegion;
}

bool operator==(const NavmeshAbstraction& a, const NavmeshAbstraction& b) { return a.mesh_ == b.mesh_ && a.tiles_ == b.tiles_; }

}  // namespace terrane
