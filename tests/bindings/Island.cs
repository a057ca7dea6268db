// The program of island.c in C#; also compares the layouts on standard input (tools/bindings --layouts) with those of the runtime.
using System;
using System.Linq;
using System.Runtime.InteropServices;
using Terrane;

static class Island {
    static void CheckLayouts() {
        for (string line = Console.ReadLine(); line != null; line = Console.ReadLine()) {
            string[] words = line.Split(' ');
            Type type = Type.GetType("Terrane." + string.Concat(words[0].Split('_').Skip(1).Select(part => char.ToUpper(part[0]) + part.Substring(1))) + ", TerraneC", true);
            int is_at = words.Length == 2 ? Marshal.SizeOf(type) : (int)Marshal.OffsetOf(type, words[1]);
            if (is_at.ToString() != words.Last()) throw new Exception(line + ": is " + is_at + " in C#");
        }
    }

    static int Main() {
        CheckLayouts();
        var error = new Error();
        using (World world = TerraneC.terrane_world_generate(new Generator { width = 256, height = 256, seed = 7 }, null, error)) {
            if (world.IsInvalid) throw new Exception(error.Message);
            var map = new WorldInfo();
            TerraneC.terrane_world_get_info(world, map, null);
            Console.WriteLine("map: checksum {0}", map.checksum);

            using (Profile deer = TerraneC.terrane_profile_preset("deer", null))
            using (Planner planner = TerraneC.terrane_planner_new(world, null))
            using (Path path = TerraneC.terrane_path_new(null)) {
                var options = new FindOptions { Method = "astar" };
                TerraneC.terrane_find(planner, new Cell { x = 60, y = 140 }, new Cell { x = 180, y = 130 }, deer, options, path, null);
                var info = new PathInfo();
                TerraneC.terrane_path_get_info(path, info, null);
                var cells = new Cell[info.cells];
                ulong count = (ulong)TerraneC.terrane_path_cells(path, cells, (UIntPtr)cells.Length);
                uint sum = 0;
                foreach (Cell cell in cells) sum = unchecked(sum * 31 + (uint)(cell.x * 256 + cell.y));
                Console.WriteLine("{0} by {1}: {2} cells, cost {3}, checksum {4}", TerraneC.terrane_status_text(info.status), TerraneC.terrane_path_method(path), count, info.cost, sum);
            }
            using (Profile moose = TerraneC.terrane_profile_preset("moose", error))
                Console.WriteLine("{0}, code {1}: {2}", moose.IsInvalid ? "no profile" : "a profile", (int)error.code, error.Message);
        }
        return 0;
    }
}
