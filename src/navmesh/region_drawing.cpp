#include <recastnavigation/DetourNavMesh.h>
#include <cmath>

#include <algorithm>
#include <charconv>
#include <map>
#include <tuple>
#include <vector>

#include "io/colours.h"
#include "io/svg_shapes.h"
#include "navmesh/abstraction/mesh_view.h"
#include "navmesh/area_colour.h"
#include "terrane/base/assert.h"
#include "terrane/navmesh/navmesh_picture.h"

namespace terrane {

namespace {

constexpr double kLine = 3, kMark = 7;  // width of paths and size of their end marks, in pixels
constexpr const char* kPaperText = "#181a20";
constexpr const char* kStyle =
    "<style>path{stroke-linejoin:round}.r{stroke-width:.5}.p{fill:none;stroke:#000;stroke-opacity:.18;stroke-width:.5}"
    ".b{fill:none;stroke:#141218;stroke-width:1.1}.j{fill:none;stroke:#dc2828;stroke-width:1.8;stroke-dasharray:5 2.5}</style>\n"
    "<marker id=\"to\" viewBox=\"0 0 8 8\" refX=\"6\" refY=\"4\" markerWidth=\"5\" markerHeight=\"5\" orient=\"auto\">"
    "<path d=\"M0,0L8,4L0,8z\" fill=\"#dc2828\"/></marker>\n";

// The polygons of a mesh, grouped by region.
class RegionPolygons {
public:
    RegionPolygons(const Navmesh& navmesh, const NavmeshAbstraction& regions) : view_(navmesh.mesh()), regions_(regions) {
        for (uint32_t slot = 0; slot < regions.slots(); ++slot) {
            const auto& labels = regions.tile(slot).labels;
            for (uint32_t i = 0; i < labels.size(); ++i) {
                if (labels[i] != kNoNavmeshRegion) polygons_.emplace_back(labels[i], view_.number(slot, i));
            }
        }
        std::ranges::sort(polygons_);
    }

    const MeshView& view() const { return view_; }
    const NavmeshRegion& region(NavmeshRegionId id) const { return regions_.region(id); }
    const detail::NavmeshTile& tile(NavmeshRegionId id) const { return regions_.tile(regions_.slot_of(id)); }
    uint32_t number(NavmeshRegionId id) const { return regions_.number_of(id); }

    // Calls visit(id, polygons) for every region, in id order.
    template <class Visit>
    void for_each(Visit&& visit) const {
        for (size_t first = 0, last = 0; first < polygons_.size(); first = last) {
            while (last < polygons_.size() && polygons_[last].first == polygons_[first].first) ++last;
            visit(polygons_[first].first, std::span(polygons_).subspan(first, last - first));
        }
    }
    // Returns whether the polygon on the other side of an edge belongs to the same region.
    bool is_inside(PolygonNumber p, uint32_t edge) const {
        const NavmeshRegionId here = label(p);
        bool inside = false;
        view_.for_each_link(p, [&](uint32_t, const dtLink& link) {
            inside = inside || (link.edge == edge && link.side == 0xff && label(view_.number(link.ref)) == here);
        });
        return inside;
    }

private:
    NavmeshRegionId label(PolygonNumber p) const { return regions_.tile(view_.slot(p)).labels[view_.index(p)]; }

    MeshView view_;
    const NavmeshAbstraction& regions_;
    std::vector<std::pair<NavmeshRegionId, PolygonNumber>> polygons_;
};

using Polygons = std::span<const std::pair<NavmeshRegionId, PolygonNumber>>;

// ---- SVG

class SvgWriter {
public:
    SvgWriter(const Navmesh& navmesh, const NavmeshAbstraction& regions, const NavmeshView& view)
        : navmesh_(navmesh), regions_(navmesh, regions), picture_(view) {}

    std::string make(std::span<const NavmeshPolyline> lines) {
        const std::string width = std::to_string(picture_.width), height = std::to_string(picture_.height);
        out_ = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + width + "\" height=\"" + height + "\" viewBox=\"0 0 " + width + ' ' +
               height + "\">\n" + kStyle + "<rect width=\"100%\" height=\"100%\" fill=\"" + kPaperText + "\"/>\n";
        std::vector<std::tuple<float, NavmeshRegionId, Polygons>> surface, connections;
        regions_.for_each([&](NavmeshRegionId id, Polygons polygons) {
            (regions_.region(id).off_mesh ? connections : surface).emplace_back(regions_.region(id).position.y, id, polygons);
        });
        const auto key = [](const auto& r) { return std::pair(std::get<0>(r), std::get<1>(r)); };
        std::ranges::sort(surface, {}, key);
        for (const auto& [y, id, polygons] : surface) add_region(id, polygons);
        for (const auto& [y, id, polygons] : connections) add_off_mesh_connection(polygons.front().second);
        for (const NavmeshPolyline& line : lines) add_line(line);
        return std::move(out_ += "</svg>\n");
    }

private:
    std::string point(PolygonNumber p, uint32_t i) const {
        const Point at = picture_.at(to_vec3(regions_.view().vertex(p, i % regions_.view().polygon(p).vertCount)));
        return detail::decimal(std::round(at.x * 100) / 100) + ',' + detail::decimal(std::round(at.y * 100) / 100);
    }

    void add_region(NavmeshRegionId id, Polygons polygons) {
        const NavmeshRegion& region = regions_.region(id);
        std::string fill, inner, border;
        for (const auto& [of, p] : polygons) {
            fill += 'M' + point(p, 0);
            for (uint32_t i = 0; i < regions_.view().polygon(p).vertCount; ++i) {
                if (i > 0) fill += ' ' + point(p, i);
                (regions_.is_inside(p, i) ? inner : border) += 'M' + point(p, i) + ' ' + point(p, i + 1);
            }
            fill += 'z';
        }
        const std::string colour = '#' + detail::hex(detail::area_colour(navmesh_, region.area, region.position.y, picture_.bounds));
        out_ += "<g><title>" + detail::escape_xml(detail::area_name(navmesh_, region.area)) + ", " + std::to_string(region.polygons) +
                " polygons, height " + detail::decimal(std::round(region.position.y * 10) / 10) + "</title><path class=\"r\" fill=\"" +
                colour + "\" stroke=\"" + colour + "\" d=\"" + fill + "\"/>";
        if (!inner.empty()) out_ += "<path class=\"p\" d=\"" + inner + "\"/>";
        if (!border.empty()) out_ += "<path class=\"b\" d=\"" + border + "\"/>";
        out_ += "</g>\n";
    }

    void add_off_mesh_connection(PolygonNumber p) {
        const dtMeshTile& tile = regions_.view().tile_of(p);
        const auto number = regions_.view().index(p) - static_cast<uint32_t>(tile.header->offMeshBase);
        const bool both = (tile.offMeshCons[number].flags & DT_OFFMESH_CON_BIDIR) != 0;
        out_ += "<path class=\"j\"" + std::string(both ? "" : " marker-end=\"url(#to)\"") + " d=\"M" + point(p, 0) + ' ' + point(p, 1) +
                "\"><title>" + detail::escape_xml(detail::area_name(navmesh_, regions_.view().polygon(p).getArea())) +
                (both ? ", both ways" : ", one way") + "</title></path>\n";
    }

    void add_line(const NavmeshPolyline& line) {
        std::vector<Point> points;
        points.reserve(line.points.size());
        for (const Vec3& v : line.points) points.push_back(picture_.at(v));
        detail::append_polyline(out_, points, line.colour, line.label, kLine, kMark);
    }

    const Navmesh& navmesh_;
    RegionPolygons regions_;
    const NavmeshView& picture_;
    std::string out_;
};

// ---- OBJ

class ObjWriter {
public:
    ObjWriter(const Navmesh& navmesh, const NavmeshAbstraction& regions) : navmesh_(navmesh), regions_(navmesh, regions) {}

    std::string make(std::span<const NavmeshPolyline> lines) {
        regions_.for_each([&](NavmeshRegionId id, Polygons polygons) { add_region(id, polygons); });
        for (size_t i = 0; i < lines.size(); ++i) add_line(lines[i], i);
        return std::move(out_);
    }

private:
    // Writes the shortest text that parses to the same number.
    void put(float value) {
        char text[32];
        const auto [end, error] = std::to_chars(text, text + sizeof text, value);
        out_ += ' ';
        out_.append(text, end);
    }
    void put_vertex(const Vec3& v, Rgb colour) {
        out_ += 'v';
        for (const float f : {v.x, v.y, v.z}) put(f);
        for (const uint8_t part : {colour.r, colour.g, colour.b}) put(static_cast<float>(part) / 255);
        out_ += '\n';
        ++vertices_;
    }

    void add_region(NavmeshRegionId id, Polygons polygons) {
        const NavmeshRegion& region = regions_.region(id);
        const detail::NavmeshTile& tile = regions_.tile(id);
        const Rgb colour = detail::area_colour(navmesh_, region.area, 0, {{}, {0, 1, 0}});
        out_ += "g region_" + std::to_string(tile.x) + '_' + std::to_string(tile.y) + '_' + std::to_string(tile.layer) + '_' +
                std::to_string(regions_.number(id)) + "\nusemtl " + detail::area_name(navmesh_, region.area) + '\n';
        std::map<uint16_t, uint32_t> numbers;  // vertex index in the tile to vertex number in the file
        for (const auto& [of, p] : polygons) {
            const dtPoly& polygon = regions_.view().polygon(p);
            for (uint32_t i = 0; i < polygon.vertCount; ++i) {
                if (numbers.emplace(polygon.verts[i], vertices_ + 1).second) put_vertex(to_vec3(regions_.view().vertex(p, i)), colour);
            }
            out_ += region.off_mesh ? 'l' : 'f';
            for (uint32_t i = 0; i < polygon.vertCount; ++i) out_ += ' ' + std::to_string(numbers.at(polygon.verts[i]));
            out_ += '\n';
        }
    }

    void add_line(const NavmeshPolyline& line, size_t number) {
        if (line.points.empty()) return;
        const uint32_t first = vertices_ + 1;
        out_ += "g path_" + std::to_string(number + 1) + (line.label.empty() ? "" : " # " + line.label.substr(0, line.label.find('\n'))) +
                "\nusemtl path\n";
        for (const Vec3& v : line.points) put_vertex(v, line.colour);
        out_ += 'l';
        for (uint32_t i = first; i <= vertices_; ++i) out_ += ' ' + std::to_string(i);
        out_ += '\n';
    }

    const Navmesh& navmesh_;
    RegionPolygons regions_;
    std::string out_;
    uint32_t vertices_ = 0;
};

}  // namespace

std::string draw_navmesh_svg(const Navmesh& navmesh, const NavmeshAbstraction& regions, const NavmeshView& view,
                             std::span<const NavmeshPolyline> lines) {
    TERRANE_ASSERT(&regions.mesh() == &navmesh.mesh());
    TERRANE_ASSERT(std::isfinite(view.scale) && view.scale > 0 && view.lift >= 0 && view.lift <= kMaxLift);
    return SvgWriter(navmesh, regions, view).make(lines);
}

std::string format_navmesh_obj(const Navmesh& navmesh, const NavmeshAbstraction& regions, std::span<const NavmeshPolyline> lines) {
    TERRANE_ASSERT(&regions.mesh() == &navmesh.mesh());
    return ObjWriter(navmesh, regions).make(lines);
}

}  // namespace terrane
