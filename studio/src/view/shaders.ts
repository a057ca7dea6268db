// The terrain's shaders: a cell's palette colour, then the layers. Pixels that contain several cells or an edge between cells are
// supersampled.

export const VERTEX = `#version 300 es
in vec2 position;       // 0 to 1 over the tile
uniform vec2 u_size;    // of the tile, in cells
uniform vec2 u_corner;  // of the tile, in pixels from the middle of the canvas
uniform vec2 u_pixels;  // half of the canvas's size
uniform float u_scale;  // pixels per cell side
out vec2 v_cell;
void main() {
    v_cell = position * u_size;
    vec2 p = (u_corner + v_cell * u_scale) / u_pixels;
    gl_Position = vec4(p.x, -p.y, 0.0, 1.0);
}`;

export const FRAGMENT = `#version 300 es
precision highp float;
precision highp int;
precision highp usampler2D;
uniform usampler2D u_cells;
uniform usampler2D u_heat;     // 0: none, 1 to 255
uniform usampler2D u_regions;
uniform sampler2D u_palette;
uniform vec2 u_size;
uniform vec2 u_origin;         // of the tile, in cells
uniform float u_scale;
uniform float u_sector;        // 0: no lines
uniform float u_dim;           // 1: colours as they are
uniform int u_samples;         // samples per pixel side
uniform bool u_hasHeat;
uniform bool u_hasRegions;
in vec2 v_cell;
out vec4 colour;

float noise(uint n) {
    n = (n ^ 61u) ^ (n >> 16); n *= 9u; n ^= n >> 4; n *= 0x27d4eb2du; n ^= n >> 15;
    return float(n & 0xffffu) / 65535.0;
}

// From amber (one expansion) to dark red.
vec3 heatColour(float t) { return mix(vec3(1.0, 0.78, 0.30), vec3(0.72, 0.06, 0.16), smoothstep(0.30, 1.0, t)); }

uint regionAt(ivec2 c) { return texelFetch(u_regions, clamp(c, ivec2(0), ivec2(u_size) - 1), 0).r; }

// A border line of one pixel when zoomed in; from afar only the tints distinguish regions.
float border(ivec2 c, vec2 p, uint self) {
    vec2 f = fract(p);
    float w = 0.9 / u_scale;
    bool other = (f.x < w && regionAt(c - ivec2(1, 0)) != self) || (f.y < w && regionAt(c - ivec2(0, 1)) != self)
              || (f.x > 1.0 - w && regionAt(c + ivec2(1, 0)) != self) || (f.y > 1.0 - w && regionAt(c + ivec2(0, 1)) != self);
    return other ? clamp((u_scale - 1.5) / 2.5, 0.0, 1.0) : 0.0;
}

vec3 cellColour(vec2 p) {
    ivec2 c = clamp(ivec2(floor(p)), ivec2(0), ivec2(u_size) - 1);
    uint terrain = texelFetch(u_cells, c, 0).r;
    vec3 rgb = texelFetch(u_palette, ivec2(int(terrain), 0), 0).rgb;
    ivec2 world = c + ivec2(u_origin);
    if (u_samples == 1) rgb *= 0.985 + 0.03 * noise(uint(world.x) * 7919u + uint(world.y) * 104729u);
    rgb *= u_dim;
    if (u_hasRegions) {
        uint region = regionAt(c);
        vec3 tint = vec3(noise(region), noise(region + 77777u), noise(region + 991u)) - 0.5;
        rgb = clamp(rgb * (1.0 + 0.30 * tint.x) + 0.03 * tint, 0.0, 1.0);
        rgb = mix(rgb, vec3(0.09, 0.10, 0.13), 0.62 * border(c, p, region));
    }
    if (u_hasHeat) {
        float heat = float(texelFetch(u_heat, c, 0).r) / 255.0;
        float grey = dot(rgb, vec3(0.3, 0.59, 0.11));
        rgb = heat > 0.0 ? mix(rgb, heatColour(heat), 0.38 + 0.50 * heat) : mix(rgb, vec3(grey), 0.45);
    }
    return rgb;
}

float gridLine(vec2 world, float step, float width) {
    vec2 d = abs(fract(world / step + 0.5) - 0.5) * step * u_scale;
    return 1.0 - smoothstep(width * 0.5 - 0.25, width * 0.5 + 0.5, min(d.x, d.y));
}

void main() {
    vec3 sum = vec3(0.0);
    for (int j = 0; j < u_samples; ++j) {
        for (int i = 0; i < u_samples; ++i) {
            vec2 offset = (vec2(float(i), float(j)) + 0.5) / float(u_samples) - 0.5;
            sum += cellColour(v_cell + offset / u_scale);
        }
    }
    vec3 rgb = sum / float(u_samples * u_samples);
    vec2 world = v_cell + u_origin;
    if (u_scale > 12.0) rgb = mix(rgb, vec3(0.0), 0.10 * clamp((u_scale - 12.0) / 12.0, 0.0, 1.0) * gridLine(world, 1.0, 0.5));
    if (u_sector > 0.0) rgb = mix(rgb, vec3(1.0), clamp(u_sector * u_scale / 60.0 - 0.05, 0.0, 0.5) * gridLine(world, u_sector, 1.0));
    colour = vec4(rgb, 1.0);
}`;
