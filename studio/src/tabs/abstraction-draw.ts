// Draws the abstraction graph over the map: visible parts only, and a hint where they would be too dense to read.
import type { Regions } from '../engine/protocol';
import type { Terrain } from '../types';
import type { Overlay } from '../view/overlay';

const MIN_SPACING = 5; // mean CSS pixels between representatives
const MAX_DRAWN = 20000;

function tooDense(o: Overlay, regions: Regions): boolean {
    const { nodes, count } = regions;
    let seen = 0;
    for (let i = 0; i < count; ++i) if (isVisible(o, nodes[4 * i], nodes[4 * i + 1])) ++seen;
    const area = o.visible.width * o.visible.height * o.scale * o.scale;
    return seen > MAX_DRAWN || Math.sqrt(area / Math.max(1, seen)) < MIN_SPACING;
}

function isVisible(o: Overlay, x: number, y: number): boolean {
    const v = o.visible;
    return x >= v.x - 1 && y >= v.y - 1 && x <= v.x + v.width && y <= v.y + v.height;
}

function say(o: Overlay, text: string): void {
    o.label(text, (o.width / 2 - o.x(0)) / o.scale, (64 - o.y(0)) / o.scale);
}

export function drawEdges(o: Overlay, regions: Regions): void {
    if (tooDense(o, regions)) return say(o, 'Zoom in to see the edges');
    const { nodes, edges } = regions;
    const straight = new Path2D();
    const diagonal = new Path2D();
    for (let i = 0; i < edges.length; i += 3) {
        const [ax, ay, bx, by] = [nodes[4 * edges[i]], nodes[4 * edges[i] + 1], nodes[4 * edges[i + 1]], nodes[4 * edges[i + 1] + 1]];
        if (!isVisible(o, ax, ay) && !isVisible(o, bx, by)) continue;
        const path = edges[i + 2] === 1 ? diagonal : straight;
        path.moveTo(o.x(ax + 0.5), o.y(ay + 0.5));
        path.lineTo(o.x(bx + 0.5), o.y(by + 0.5));
    }
    o.g.lineWidth = 1;
    o.g.strokeStyle = 'rgba(255, 255, 255, 0.62)';
    o.g.stroke(straight);
    o.g.save();
    o.g.setLineDash([3, 3]);
    o.g.stroke(diagonal);
    o.g.restore();
}

export function drawNodes(o: Overlay, regions: Regions, terrains: Terrain[]): void {
    if (tooDense(o, regions)) return say(o, 'Zoom in to see the representatives');
    const { nodes, count } = regions;
    for (let i = 0; i < count; ++i) {
        const [x, y, terrain, cells] = [nodes[4 * i], nodes[4 * i + 1], nodes[4 * i + 2], nodes[4 * i + 3]];
        if (!isVisible(o, x, y)) continue;
        const radius = Math.min(7, 1.5 + (Math.sqrt(cells) * o.scale) / 10);
        o.dot(x + 0.5, y + 0.5, radius + 1.2, 'rgba(16, 19, 24, 0.85)');
        o.dot(x + 0.5, y + 0.5, radius, `rgb(${terrains[terrain]?.color.map((c) => Math.min(255, c + 60)).join(',')})`);
    }
}

// A diamond in its cell, or a dot when zoomed out.
export function drawPortals(o: Overlay, portals: Int32Array): void {
    const half = Math.max(1.2, Math.min(5, o.scale * 0.4));
    const path = new Path2D();
    for (let i = 0; i < portals.length; i += 2) {
        if (!isVisible(o, portals[i], portals[i + 1])) continue;
        const x = o.x(portals[i] + 0.5);
        const y = o.y(portals[i + 1] + 0.5);
        path.moveTo(x, y - half);
        path.lineTo(x + half, y);
        path.lineTo(x, y + half);
        path.lineTo(x - half, y);
        path.closePath();
    }
    o.g.fillStyle = '#ffe08a';
    o.g.fill(path);
    if (half > 2) {
        o.g.strokeStyle = 'rgba(16, 19, 24, 0.8)';
        o.g.lineWidth = 1;
        o.g.stroke(path);
    }
}
