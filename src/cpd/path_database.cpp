#include "terrane/cpd/path_database.h"

#include <algorithm>

#include "cpd/path_database_data.h"
#include "terrane/base/assert.h"
#include "terrane/base/rng.h"

namespace terrane {

namespace detail {

namespace {

uint32_t get_u32(std::string_view bytes, size_t at) {
    uint32_t value = 0;
    for (size_t i = 0; i < 4; ++i) value |= uint32_t{static_cast<uint8_t>(bytes[at + i])} << (8 * i);
    return value;
}

}  // namespace

std::string_view path_image(const PathDatabase& database) { return PathDatabaseData::of(database).image; }

PathTargets path_targets(const PathDatabase& database) {
    const PathDatabaseData& data = PathDatabaseData::of(database);
    if (data.all_targets) return {};
    PathTargets out{false, {}};
    out.cells.reserve(data.targets.size());
    for (const CellId id : data.targets) out.cells.push_back(data.ground.layout().cell(id));
    return out;
}

std::vector<CellId> wanted_cells(const NodeOrder& order, const GridLayout& layout, const PathTargets& wanted) {
    if (wanted.all) return order.cells;
    std::vector<uint8_t> chosen(layout.id_limit(), 0);
    for (const Cell cell : wanted.cells) {
        if (layout.contains(cell)) chosen[layout.id(cell)] = 1;
    }
    std::vector<CellId> out;
    out.reserve(std::min(order.cells.size(), wanted.cells.size()));
    for (const CellId id : order.cells) {
        if (chosen[id] != 0) out.push_back(id);
    }
    return out;
}

std::vector<uint32_t> used_blocks(const GridLayout& layout, const NodeOrder& order) {
    std::vector<uint8_t> used(block_limit(layout), 0);
    for (const CellId id : order.cells) used[block_of(id)] = 1;
    std::vector<uint32_t> out;
    out.reserve(used.size());
    for (uint32_t b = 0; b < used.size(); ++b) {
        if (used[b] != 0) out.push_back(b);
    }
    return out;
}

Result<PathDatabase> path_database_from_image(const Ground& ground, PathEncoding encoding, PathOrder order, const PathTargets& targets,
                                              std::string_view image, std::shared_ptr<const void> owner) {
    const NodeOrder nodes = order_nodes(ground, order);
    auto data = std::make_shared<PathDatabaseData>();
    data->ground = ground;
    data->encoding = encoding;
    data->order = order;
    data->nodes = static_cast<uint32_t>(nodes.cells.size());
    std::vector<CellId> columns = wanted_cells(nodes, ground.grid().layout(), targets);
    data->columns = static_cast<uint32_t>(columns.size());
    data->column_of = CellIndexMap(ground.grid().layout(), columns);
    data->all_targets = targets.all;
    if (!targets.all) data->targets = std::move(columns);
    data->format = RowFormat(encoding, data->columns);
    data->image = image;
    data->owner = std::move(owner);

    const std::vector<uint32_t> used = used_blocks(ground.grid().layout(), nodes);
    const uint64_t before = 4 + uint64_t{used.size()} * 4;
    if (image.size() < before || image.size() % 4 != 0)
        return Error{ErrorCode::kTruncated, {}, 0, "truncated: too few bytes for the row index"};
    if (get_u32(image, 0) != used.size()) return Error{ErrorCode::kBadValue, {}, 0, "the number of encoded blocks does not match the map"};
    data->blocks.resize(block_limit(ground.grid().layout()));
    auto end = static_cast<uint32_t>(before / 4);
    const auto last = static_cast<uint32_t>(std::min<uint64_t>(image.size() / 4, 0xffffffff));
    for (size_t i = 0; i < used.size(); ++i) {
        const uint64_t next = before / 4 + get_u32(image, 4 + i * 4);
        if (next < end || next > last) return Error{ErrorCode::kBadValue, {}, 0, "the row index is not ascending"};
        data->blocks[used[i]] = {end, static_cast<uint32_t>(next)};
        end = static_cast<uint32_t>(next);
    }
    if (end != last) return Error{ErrorCode::kTrailing, {}, 0, "extra bytes after the last row"};
    return PathDatabaseData::make(std::move(data));
}

uint64_t path_map_fingerprint(const Ground& ground) {
    uint64_t hash = mix64(static_cast<uint64_t>(ground.grid().width()) << 32 | static_cast<uint32_t>(ground.grid().height()));
    hash = mix64(hash ^ static_cast<uint64_t>(ground.movement()));
    for (const Terrain t : ground.grid().cells()) hash = mix64(hash ^ ground.costs().hundredths(t));
    return hash;
}

}  // namespace detail

PathTargets PathTargets::rect(Rect rect) {
    PathTargets out{false, {}};
    for (int32_t y = rect.y; y < rect.bottom(); ++y) {
        for (int32_t x = rect.x; x < rect.right(); ++x) out.cells.push_back({x, y});
    }
    return out;
}

const Ground& PathDatabase::ground() const { return data_->ground; }
PathEncoding PathDatabase::encoding() const { return data_->encoding; }
PathOrder PathDatabase::order() const { return data_->order; }
uint32_t PathDatabase::nodes() const { return data_->nodes; }
uint32_t PathDatabase::targets() const { return data_->columns; }
bool PathDatabase::covers(CellId target) const {
    TERRANE_ASSERT(target < data_->ground.layout().id_limit());
    return data_->column_of[target] != detail::kNoIndex;
}

Move PathDatabase::first_move(CellId from, CellId to) const {
    TERRANE_ASSERT(from < data_->ground.layout().id_limit() && to < data_->ground.layout().id_limit());
    const uint32_t column = data_->column_of[to], at = detail::in_block(from);
    if (from == to || column == detail::kNoIndex) return kNoMove;
    const uint32_t symbol = detail::RowDecoder(data_->format, data_->block(detail::block_of(from)), at, column).symbol(at);
    if (symbol > detail::kHeuristicMove || !data_->ground.passable(from)) return kNoMove;
    if (symbol != detail::kHeuristicMove) return static_cast<Move>(symbol);
    const GridLayout& layout = data_->ground.layout();
    return detail::heuristic_move(layout.cell(from), layout.cell(to));
}

PathDatabase::Towards PathDatabase::towards(CellId target) const {
    TERRANE_ASSERT(target < data_->ground.layout().id_limit());
    Towards out;
    out.data_ = data_.get();
    out.target_ = target;
    out.goal_ = data_->ground.layout().cell(target);
    out.column_ = data_->column_of[target];
    return out;
}

void PathDatabase::Towards::look_up(CellId from) const {
    const uint32_t block = detail::block_of(from);
    const Cell corner = detail::block_corner(data_->ground.layout(), block);
    corner_ = corner;
    mask_ = ~detail::kInBlock;
    if (column_ == detail::kNoIndex) {
        symbols_.fill(detail::kNoPathSymbol << 4 | detail::kNoPathSymbol);
    } else {
        const detail::RowDecoder pattern(data_->format, data_->block(block), detail::in_block(from), column_);
        pattern.copy(data_->format.packed ? data_->passable(block) : 0, symbols_);
        const uint32_t part = pattern.part_mask();
        mask_ |= (part & 7) | (part >> 3) << 5;
    }
    key_ = from & mask_;
}

size_t PathDatabase::bytes() const {
    return data_->image.size() + data_->column_of.bytes() + data_->targets.capacity() * sizeof(CellId) +
           data_->blocks.capacity() * sizeof(detail::PathDatabaseData::Block);
}

}  // namespace terrane
