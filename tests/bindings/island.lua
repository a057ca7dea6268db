-- The program of island.c in Lua; also compares the layouts on standard input (tools/bindings --layouts) with those of LuaJIT.
-- luajit island.lua FOLDER-OF-terrane_c.lua libterrane_c.so
package.path = arg[1] .. "/?.lua"
local ffi = require("ffi")
local terrane = require("terrane_c").load(arg[2])

for line in io.lines() do
    local struct, field, at = line:match("^(%S+) (%S+) (%d+)$")
    local is = struct and ffi.offsetof(struct, field) or ffi.sizeof(line:match("^%S+"))
    assert(is == tonumber(at or line:match("%d+$")), line .. ": is " .. is .. " in LuaJIT")
end
local function number(wide) return (tostring(wide):gsub("U?LL$", "")) end

local err = terrane.new("error")
local world = terrane.world_generate(terrane.new("generator", {width = 256, height = 256, seed = 7}), nil, err)
assert(world, ffi.string(err.message))
local map = terrane.new("world_info")
terrane.world_get_info(world, map, nil)
print(("map: checksum %s"):format(number(map.checksum)))

local deer, planner, path = terrane.profile_preset("deer", nil), terrane.planner_new(world, nil), terrane.path_new(nil)
local options = terrane.new("find_options", {method = "astar"})
local cell = ffi.typeof("terrane_cell")
terrane.find(planner, cell(60, 140), cell(180, 130), deer, options, path, nil)
local info = terrane.new("path_info")
terrane.path_get_info(path, info, nil)
local cells, count = terrane.list("cell", function(out, capacity) return terrane.path_cells(path, out, capacity) end)
local sum = 0ULL
for i = 0, count - 1 do sum = (sum * 31 + cells[i].x * 256 + cells[i].y) % 0x100000000ULL end
print(("%s by %s: %d cells, cost %s, checksum %s"):format(ffi.string(terrane.status_text(info.status)), ffi.string(terrane.path_method(path)), count,
                                                       number(info.cost), number(sum)))

local moose = terrane.profile_preset("moose", err)
print(("%s, code %d: %s"):format(moose and "a profile" or "no profile", err.code, ffi.string(err.message)))
terrane.path_free(path) -- the others are freed by the garbage collector, in any order
