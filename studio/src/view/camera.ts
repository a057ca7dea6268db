// The camera: the map point at the centre of the free part of the screen, and the size of a cell there.
import type { Rect } from '../types';

export interface Camera {
    x: number; // in cells
    y: number;
    scale: number; // CSS pixels per cell side
}

export interface Insets {
    top: number; // CSS pixels of the map that other elements cover
    right: number;
    bottom: number;
    left: number;
}

const MAX_SCALE = 64;
const MARGIN = 0.94; // fraction of the free part that a fitted map fills

export interface Screen {
    width: number;
    height: number;
    insets: Insets;
}

export function middle(screen: Screen): { x: number; y: number } {
    const { width, height, insets } = screen;
    return { x: (insets.left + width - insets.right) / 2, y: (insets.top + height - insets.bottom) / 2 };
}

function freeSize(screen: Screen): { width: number; height: number } {
    const { insets } = screen;
    return {
        width: Math.max(50, screen.width - insets.left - insets.right),
        height: Math.max(50, screen.height - insets.top - insets.bottom),
    };
}

export function fitted(rect: Rect, screen: Screen): Camera {
    const free = freeSize(screen);
    const scale = MARGIN * Math.min(free.width / Math.max(1, rect.width), free.height / Math.max(1, rect.height));
    return { x: rect.x + rect.width / 2, y: rect.y + rect.height / 2, scale: Math.min(scale, MAX_SCALE) };
}

// Limits the scale to between a third of the fitted scale and MAX_SCALE (or the fitted scale, if larger), and keeps the centre on the
// map.
export function bounded(camera: Camera, stage: Rect, screen: Screen): Camera {
    const whole = fitted(stage, screen).scale;
    const clamp = (v: number, low: number, high: number): number => Math.min(high, Math.max(low, v));
    return {
        x: clamp(camera.x, stage.x, stage.x + stage.width),
        y: clamp(camera.y, stage.y, stage.y + stage.height),
        scale: clamp(camera.scale, whole / 3, Math.max(MAX_SCALE, whole)),
    };
}

// Scales by `factor`, with the point at (screenX, screenY) fixed.
export function zoomed(camera: Camera, factor: number, screenX: number, screenY: number, stage: Rect, screen: Screen): Camera {
    const at = middle(screen);
    const wanted = bounded({ ...camera, scale: camera.scale * factor }, stage, screen).scale;
    const worldX = camera.x + (screenX - at.x) / camera.scale;
    const worldY = camera.y + (screenY - at.y) / camera.scale;
    return bounded({ x: worldX - (screenX - at.x) / wanted, y: worldY - (screenY - at.y) / wanted, scale: wanted }, stage, screen);
}

export function panned(camera: Camera, dx: number, dy: number, stage: Rect, screen: Screen): Camera {
    return bounded({ ...camera, x: camera.x - dx / camera.scale, y: camera.y - dy / camera.scale }, stage, screen);
}
