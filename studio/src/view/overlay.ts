// The 2D canvas above the terrain: routes, flags, dots and labels, with widths in pixels.
import type { Cell, Rect } from '../types';

// Valid for one frame. The context uses CSS pixels; x() and y() convert cells to them (fractional: 0.5 is the centre of cell 0).
export interface Overlay {
    readonly g: CanvasRenderingContext2D;
    readonly width: number;
    readonly height: number;
    readonly scale: number; // CSS pixels per cell side
    readonly dark: boolean;
    readonly visible: Rect; // the visible cells, clipped to the map
    x(worldX: number): number;
    y(worldY: number): number;
    // Draws a polyline through cell centres, with a thin halo for contrast on every terrain.
    route(cells: ArrayLike<number>, style: RouteStyle): void; // x0, y0, x1, y1, ...
    polyline(points: ArrayLike<number>, style: RouteStyle): void; // the same through points
    flag(cell: Cell, colour: string, label: string): void;
    dot(x: number, y: number, radius: number, colour: string): void; // x, y in cells, radius in pixels
    rect(rect: Rect, stroke: string, fill?: string): void; // in cells
    label(text: string, x: number, y: number): void; // x, y in cells; a small plate above the point
}

export interface RouteStyle {
    colour: string;
    width?: number; // pixels; default 3
    dashed?: boolean;
    faint?: boolean;
    offset?: number; // pixels to the side, to separate routes over the same cells
    from?: number; // index of the first cell to draw
    to?: number; // index of the last cell to draw
}

const HALO = 'rgba(15, 18, 24, 0.55)';
const FONT = '600 11px system-ui, sans-serif';

// Returns the polyline without collinear points.
function trace(o: Overlay, points: ArrayLike<number>, middle: number, style: RouteStyle): Path2D {
    const path = new Path2D();
    const shift = style.offset ?? 0;
    const first = style.from ?? 0;
    const last = Math.min(style.to ?? Infinity, points.length / 2 - 1);
    let dx = NaN;
    let dy = NaN;
    for (let i = first; i <= last; ++i) {
        const x = points[2 * i];
        const y = points[2 * i + 1];
        const nextX = i < last ? points[2 * i + 2] - x : NaN;
        const nextY = i < last ? points[2 * i + 3] - y : NaN;
        if (i > first && nextX === dx && nextY === dy) continue;
        dx = nextX;
        dy = nextY;
        if (i === first) path.moveTo(o.x(x + middle) + shift, o.y(y + middle) + shift);
        else path.lineTo(o.x(x + middle) + shift, o.y(y + middle) + shift);
    }
    return path;
}

function stroke(o: Overlay, path: Path2D, style: RouteStyle): void {
    const { g } = o;
    const width = style.width ?? 3;
    g.save();
    g.lineJoin = 'round';
    g.lineCap = style.dashed ? 'butt' : 'round';
    g.globalAlpha = style.faint ? 0.45 : 1;
    if (style.dashed) g.setLineDash([width * 2.2, width * 1.8]);
    g.strokeStyle = HALO;
    g.lineWidth = width + 2.5;
    g.stroke(path);
    g.strokeStyle = style.colour;
    g.lineWidth = width;
    g.stroke(path);
    g.restore();
}

// Draws a map pin with its tip in the centre of the cell.
function drawFlag(o: Overlay, cell: Cell, colour: string, label: string): void {
    const { g } = o;
    const x = o.x(cell.x + 0.5);
    const y = o.y(cell.y + 0.5);
    g.save();
    g.shadowColor = 'rgba(0, 0, 0, 0.45)';
    g.shadowBlur = 6;
    g.shadowOffsetY = 1;
    g.fillStyle = colour;
    g.strokeStyle = '#ffffff';
    g.lineWidth = 2;
    g.beginPath();
    g.moveTo(x, y);
    g.bezierCurveTo(x - 4, y - 10, x - 13, y - 14, x - 13, y - 24);
    g.arc(x, y - 24, 13, Math.PI, 0);
    g.bezierCurveTo(x + 13, y - 14, x + 4, y - 10, x, y);
    g.fill();
    g.shadowColor = 'transparent';
    g.stroke();
    g.fillStyle = '#ffffff';
    g.font = '700 13px system-ui, sans-serif';
    g.textAlign = 'center';
    g.textBaseline = 'middle';
    g.fillText(label, x, y - 23.5);
    g.restore();
}

function drawLabel(o: Overlay, text: string, x: number, y: number): void {
    const { g } = o;
    g.save();
    g.font = FONT;
    const width = g.measureText(text).width + 12;
    const left = Math.min(Math.max(4, x - width / 2), o.width - width - 4);
    g.fillStyle = 'rgba(20, 23, 29, 0.86)';
    g.beginPath();
    g.roundRect(left, y - 28, width, 19, 6);
    g.fill();
    g.fillStyle = '#f4f4f1';
    g.textBaseline = 'middle';
    g.fillText(text, left + 6, y - 18);
    g.restore();
}

export interface Frame {
    width: number;
    height: number;
    scale: number;
    left: number; // CSS pixels of the upper left corner of cell 0
    top: number;
    dark: boolean;
    stage: Rect;
}

function visibleCells(frame: Frame): Rect {
    const { scale, stage } = frame;
    const x0 = Math.max(0, Math.floor(-frame.left / scale));
    const y0 = Math.max(0, Math.floor(-frame.top / scale));
    const x1 = Math.min(stage.width, Math.ceil((frame.width - frame.left) / scale));
    const y1 = Math.min(stage.height, Math.ceil((frame.height - frame.top) / scale));
    return { x: x0, y: y0, width: Math.max(0, x1 - x0), height: Math.max(0, y1 - y0) };
}

export function makeOverlay(g: CanvasRenderingContext2D, frame: Frame): Overlay {
    const { width, height, scale, dark } = frame;
    const o: Overlay = {
        g,
        width,
        height,
        scale,
        dark,
        visible: visibleCells(frame),
        x: (worldX) => frame.left + worldX * scale,
        y: (worldY) => frame.top + worldY * scale,
        route: (cells, style) => stroke(o, trace(o, cells, 0.5, style), style),
        polyline: (points, style) => stroke(o, trace(o, points, 0, style), style),
        flag: (cell, colour, label) => drawFlag(o, cell, colour, label),
        dot(x, y, radius, colour) {
            g.fillStyle = colour;
            g.beginPath();
            g.arc(o.x(x), o.y(y), radius, 0, 2 * Math.PI);
            g.fill();
        },
        rect(r, line, fill) {
            const box: [number, number, number, number] = [o.x(r.x), o.y(r.y), r.width * scale, r.height * scale];
            if (fill) g.fillStyle = fill;
            if (fill) g.fillRect(...box);
            g.strokeStyle = line;
            g.lineWidth = 1.5;
            g.strokeRect(...box);
        },
        label: (text, x, y) => drawLabel(o, text, o.x(x), o.y(y)),
    };
    return o;
}
