// Pointer, wheel, pinch and keyboard input of the map. Events that the tab does not handle move the camera.
import type { MapPointer } from '../app';
import type { Point } from './view';

export interface InputTarget {
    toWorld(screenX: number, screenY: number): Point;
    pan(dx: number, dy: number): void;
    zoom(factor: number, screenX: number, screenY: number): void;
    zoomMiddle(factor: number): void;
    fit(): void;
    pointer(event: MapPointer): boolean;
}

const WHEEL = 0.0016; // logarithm of the zoom factor per wheel unit
const KEY_PAN = 60; // CSS pixels

interface Pinch {
    distance: number;
    x: number;
    y: number;
}

export function listen(element: HTMLElement, target: InputTarget): void {
    const fingers = new Map<number, Point>();
    let mode: 'idle' | 'tab' | 'pan' | 'pinch' = 'idle';
    let pinch: Pinch | null = null;

    function at(event: MouseEvent): Point {
        const box = element.getBoundingClientRect();
        return { x: event.clientX - box.left, y: event.clientY - box.top };
    }

    function tell(type: MapPointer['type'], event: PointerEvent): boolean {
        const screen = at(event);
        const world = target.toWorld(screen.x, screen.y);
        return target.pointer({
            type,
            x: world.x,
            y: world.y,
            cell: { x: Math.floor(world.x), y: Math.floor(world.y) },
            screenX: screen.x,
            screenY: screen.y,
            button: event.button,
            shift: event.shiftKey,
            ctrl: event.ctrlKey || event.metaKey,
            alt: event.altKey,
            touch: event.pointerType === 'touch',
        });
    }

    function measurePinch(): Pinch {
        const [a, b] = [...fingers.values()];
        return { distance: Math.hypot(a.x - b.x, a.y - b.y), x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
    }

    function down(event: PointerEvent): void {
        element.setPointerCapture(event.pointerId);
        fingers.set(event.pointerId, at(event));
        if (fingers.size === 2) {
            if (mode === 'tab') tell('cancel', event);
            mode = 'pinch';
            pinch = measurePinch();
        } else if (fingers.size === 1) {
            mode = event.button === 0 && !spaceHeld && tell('down', event) ? 'tab' : 'pan';
        }
        element.classList.toggle('panning', mode === 'pan');
    }

    function pinchMove(): void {
        const now = measurePinch();
        if (pinch) {
            target.pan(now.x - pinch.x, now.y - pinch.y);
            target.zoom(now.distance / Math.max(1, pinch.distance), now.x, now.y);
        }
        pinch = now;
    }

    function move(event: PointerEvent): void {
        const before = fingers.get(event.pointerId);
        if (!before) {
            if (mode === 'idle') tell('hover', event);
            return;
        }
        const now = at(event);
        fingers.set(event.pointerId, now);
        if (mode === 'pinch' && fingers.size === 2) pinchMove();
        if (mode === 'pan') target.pan(now.x - before.x, now.y - before.y);
        // A fast pen or mouse produces several points per frame; a stroke needs all of them.
        if (mode === 'tab') for (const one of coalesced(event)) tell('move', one);
    }

    function up(event: PointerEvent, type: 'up' | 'cancel'): void {
        if (!fingers.delete(event.pointerId)) return;
        if (mode === 'tab') tell(type, event);
        mode = fingers.size === 0 ? 'idle' : 'pan';
        pinch = null;
        element.classList.toggle('panning', mode === 'pan');
    }

    let spaceHeld = false;
    element.addEventListener('pointerdown', down);
    element.addEventListener('pointermove', move);
    element.addEventListener('pointerup', (event) => up(event, 'up'));
    element.addEventListener('pointercancel', (event) => up(event, 'cancel'));
    element.addEventListener('pointerleave', (event) => mode === 'idle' && tell('leave', event));
    element.addEventListener('contextmenu', (event) => event.preventDefault());
    element.addEventListener('wheel', (event) => wheel(event, at(event), target), { passive: false });
    element.addEventListener('keydown', (event) => {
        if (event.key === ' ') spaceHeld = true;
        if (event.key === ' ' || mapKey(event, target)) event.preventDefault();
    });
    element.addEventListener('keyup', (event) => event.key === ' ' && (spaceHeld = false));
    element.addEventListener('blur', () => (spaceHeld = false));
}

function coalesced(event: PointerEvent): PointerEvent[] {
    const all = event.getCoalescedEvents?.() ?? [];
    return all.length > 0 ? all : [event];
}

function wheel(event: WheelEvent, at: Point, target: InputTarget): void {
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 33 : 1;
    const pinching = event.ctrlKey ? 6 : 1; // a trackpad's pinch arrives as small wheel steps with Ctrl
    const delta = Math.max(-240, Math.min(240, event.deltaY * lines * pinching));
    target.zoom(Math.exp(-delta * WHEEL), at.x, at.y);
}

// Handles the keys that move the map. Returns true if it was one of them.
export function mapKey(event: KeyboardEvent, target: Pick<InputTarget, 'pan' | 'zoomMiddle' | 'fit'>): boolean {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const step = event.shiftKey ? 4 * KEY_PAN : KEY_PAN;
    const keys: Record<string, () => void> = {
        ArrowLeft: () => target.pan(step, 0),
        ArrowRight: () => target.pan(-step, 0),
        ArrowUp: () => target.pan(0, step),
        ArrowDown: () => target.pan(0, -step),
        '+': () => target.zoomMiddle(1.3),
        '=': () => target.zoomMiddle(1.3),
        '-': () => target.zoomMiddle(1 / 1.3),
        '0': () => target.fit(),
    };
    const action = keys[event.key];
    action?.();
    return action !== undefined;
}
