// Two modules: a map is read, changed and written.
#include <terrane/io/map_file.h>

#include <cstdio>
using namespace terrane;

int main() {
    auto map = parse_movingai_map("type octile\nheight 2\nwidth 4\nmap\n....\n.@@.\n");
    if (!map || !map->set({1, 1}, "ground")) return 1;
    const std::string text = format_movingai_map(map->snapshot()).value();
    std::fputs(text.c_str(), stdout);
    return text.ends_with("map\n....\n..@.\n") ? 0 : 1;
}
