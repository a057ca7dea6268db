// Rectangles that light up and fade: the sectors that an edit rebuilt.
import type { Rect } from '../types';
import type { Overlay } from './overlay';

const LIFE = 800; // ms
const MAX_DRAWN = 3000; // drawn individually; with more, only their bounding box

interface Flash {
    rects: Rect[];
    born: number;
}

export interface Flashes {
    add(rects: Rect[]): void;
    draw(overlay: Overlay): boolean; // true: the animation continues
    clear(): void;
}

function boxAround(rects: Rect[]): Rect {
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const r of rects) {
        left = Math.min(left, r.x);
        top = Math.min(top, r.y);
        right = Math.max(right, r.x + r.width);
        bottom = Math.max(bottom, r.y + r.height);
    }
    return { x: left, y: top, width: right - left, height: bottom - top };
}

function drawOne(o: Overlay, flash: Flash, age: number): void {
    const fade = 1 - age / LIFE;
    o.g.beginPath();
    for (const r of flash.rects) o.g.rect(o.x(r.x) + 0.5, o.y(r.y) + 0.5, r.width * o.scale - 1, r.height * o.scale - 1);
    o.g.fillStyle = `rgba(255, 214, 102, ${0.45 * fade * fade})`;
    o.g.fill();
    o.g.strokeStyle = `rgba(255, 226, 140, ${0.9 * fade})`;
    o.g.lineWidth = 1;
    o.g.stroke();
}

export function makeFlashes(): Flashes {
    let flashes: Flash[] = [];
    return {
        add(rects) {
            if (rects.length === 0) return;
            flashes.push({ rects: rects.length > MAX_DRAWN ? [boxAround(rects)] : rects, born: performance.now() });
        },
        draw(overlay) {
            const now = performance.now();
            flashes = flashes.filter((flash) => now - flash.born < LIFE);
            for (const flash of flashes) drawOne(overlay, flash, now - flash.born);
            return flashes.length > 0;
        },
        clear: () => void (flashes = []),
    };
}
