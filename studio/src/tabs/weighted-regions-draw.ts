// Draws weighted regions: polygons coloured by cost, and the angles at the crossings of the path.
import type { Crossing, Subdivision, SubdivisionPath } from '../engine/protocol';
import type { Overlay } from '../view/overlay';
import { degrees } from './snell-table';
import { centroidOf } from './weighted-regions-state';

// From low to high cost, interpolated linearly.
const RAMP: [number, number, number][] = [
    [214, 226, 174],
    [150, 190, 132],
    [214, 172, 96],
    [186, 110, 74],
    [122, 62, 82],
    [70, 40, 74],
];
const BLOCKED = { light: '#3b3f46', dark: '#22252b' };

// Logarithmic: doubling the cost is the same distance on the ramp everywhere.
export function costColour(cost: number, dark: boolean): string {
    if (cost <= 0) return dark ? BLOCKED.dark : BLOCKED.light;
    const at = Math.min(0.999, Math.max(0, Math.log2(cost) / Math.log2(24))) * (RAMP.length - 1);
    const [low, high] = [RAMP[Math.floor(at)], RAMP[Math.floor(at) + 1]];
    const mixed = low.map((value, i) => Math.round((value + (high[i] - value) * (at % 1)) * (dark ? 0.86 : 1)));
    return `rgb(${mixed.join(' ')})`;
}

function polygon(o: Overlay, points: Float64Array): Path2D {
    const path = new Path2D();
    for (let i = 0; i < points.length; i += 2) path.lineTo(o.x(points[i]), o.y(points[i + 1]));
    path.closePath();
    return path;
}

export function drawSubdivision(o: Overlay, subdivision: Subdivision, selected: number): void {
    const { g } = o;
    const shapes = subdivision.regions.map(({ points }) => polygon(o, points));
    g.save();
    g.lineJoin = 'round';
    g.lineWidth = 1;
    subdivision.regions.forEach(({ cost }, i) => {
        g.fillStyle = costColour(cost, o.dark);
        g.fill(shapes[i]);
        g.strokeStyle = 'rgba(20, 22, 28, 0.35)';
        g.stroke(shapes[i]);
    });
    if (shapes[selected]) outline(g, shapes[selected]);
    g.restore();
    subdivision.regions.forEach((region) => drawCost(o, region));
}

function outline(g: CanvasRenderingContext2D, shape: Path2D): void {
    g.strokeStyle = 'rgba(15, 18, 24, 0.7)';
    g.lineWidth = 6;
    g.stroke(shape);
    g.strokeStyle = '#7fe3bd';
    g.lineWidth = 3;
    g.stroke(shape);
}

// Draws a region's cost if it fits.
function drawCost(o: Overlay, { points, cost }: Subdivision['regions'][number]): void {
    let area = 0;
    for (let i = 0, j = points.length - 2; i < points.length; j = i, i += 2) area += points[j] * points[i + 1] - points[i] * points[j + 1];
    if (Math.sqrt(Math.abs(area) / 2) * o.scale < 34) return;
    const { x, y } = centroidOf(points);
    const { g } = o;
    g.save();
    g.font = '600 12px system-ui, sans-serif';
    g.textAlign = 'center';
    g.textBaseline = 'middle';
    g.fillStyle = cost > 0 && cost < 4 ? 'rgba(20, 24, 20, 0.75)' : 'rgba(255, 255, 255, 0.8)';
    g.fillText(cost > 0 ? String(Math.round(cost * 10) / 10) : 'blocked', o.x(x), o.y(y));
    g.restore();
}

// --- Angles ---

const LABEL_DISTANCE = 76; // minimum CSS pixels between labelled crossings
const radiusOf = (o: Overlay): number => Math.min(32, Math.max(17, 40 * o.scale)); // of an angle's sector, in CSS pixels

interface Corner {
    x: number; // CSS pixels
    y: number;
    before: number; // directions from the crossing: back along the path, and ahead
    after: number;
    normal: number; // direction of the border's normal, towards the side that the path enters
}

// Labels the angles where they fit, and always those of the crossing that the table highlights.
export function drawCrossings(o: Overlay, path: SubdivisionPath, highlighted: number): void {
    let last: Corner | null = null;
    path.crossings.forEach((crossing, i) => {
        const corner = cornerOf(o, path, crossing);
        if (!corner) return;
        const fits = !last || Math.hypot(corner.x - last.x, corner.y - last.y) > LABEL_DISTANCE;
        if (highlighted >= 0 ? i !== highlighted : !fits) return void o.dot(crossing.x, crossing.y, 3, '#ffffff');
        last = corner;
        drawCorner(o, corner, crossing, i === highlighted);
    });
}

function cornerOf(o: Overlay, path: SubdivisionPath, c: Crossing): Corner | null {
    if (c.normalX === 0 && c.normalY === 0) return null;
    const { points } = path;
    const at = nearest(points, c);
    const direction = (to: number): number => Math.atan2(points[2 * to + 1] - c.y, points[2 * to] - c.x);
    if (at <= 0 || at >= points.length / 2 - 1) return null;
    return { x: o.x(c.x), y: o.y(c.y), before: direction(at - 1), after: direction(at + 1), normal: Math.atan2(c.normalY, c.normalX) };
}

function nearest(points: Float64Array, c: Crossing): number {
    let best = 0;
    let least = Infinity;
    for (let i = 0; i < points.length / 2; ++i) {
        const away = Math.hypot(points[2 * i] - c.x, points[2 * i + 1] - c.y);
        if (away < least) [least, best] = [away, i];
    }
    return best;
}

function drawCorner(o: Overlay, corner: Corner, c: Crossing, strong: boolean): void {
    const { g } = o;
    const reach = (strong ? 1.7 : 1.35) * radiusOf(o);
    g.save();
    g.strokeStyle = 'rgba(255, 255, 255, 0.9)';
    g.lineWidth = 1.25;
    g.setLineDash([3, 3]);
    g.beginPath();
    g.moveTo(corner.x - reach * Math.cos(corner.normal), corner.y - reach * Math.sin(corner.normal));
    g.lineTo(corner.x + reach * Math.cos(corner.normal), corner.y + reach * Math.sin(corner.normal));
    g.stroke();
    g.setLineDash([]);
    drawAngle(o, corner, corner.normal + Math.PI, corner.before, c.angleFrom, '#ffd76a', strong);
    drawAngle(o, corner, corner.normal, corner.after, c.angleTo, '#8fe0ff', strong);
    g.restore();
    o.dot(c.x, c.y, 3.5, '#ffffff');
}

function drawAngle(o: Overlay, { x, y }: Corner, from: number, to: number, angle: number, colour: string, strong: boolean): void {
    const turn = Math.atan2(Math.sin(to - from), Math.cos(to - from)); // the smaller of both turns
    const { g } = o;
    const radius = (strong ? 1.3 : 1) * radiusOf(o);
    g.beginPath();
    g.moveTo(x, y);
    g.arc(x, y, radius, from, from + turn, turn < 0);
    g.closePath();
    g.globalAlpha = 0.6;
    g.fillStyle = colour;
    g.fill();
    g.globalAlpha = 1;
    const beside = from - Math.sign(turn || 1) * 0.45; // on the other side of the normal, away from the path
    plate(g, degrees(angle), x + (radius + 12) * Math.cos(beside), y + (radius + 12) * Math.sin(beside), colour);
}

function plate(g: CanvasRenderingContext2D, text: string, x: number, y: number, colour: string): void {
    g.font = '600 10.5px system-ui, sans-serif';
    g.textAlign = 'center';
    g.textBaseline = 'middle';
    const width = g.measureText(text).width + 8;
    g.fillStyle = 'rgba(20, 23, 29, 0.82)';
    g.beginPath();
    g.roundRect(x - width / 2, y - 8, width, 16, 5);
    g.fill();
    g.fillStyle = colour;
    g.fillText(text, x, y + 0.5);
}
