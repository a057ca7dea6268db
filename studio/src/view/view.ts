// The map on the screen. Draws a frame only on request.
import type { MapPointer } from '../app';
import { union, type Rect, type WorldState } from '../types';
import { bounded, fitted, middle, panned, zoomed, type Camera, type Insets, type Screen } from './camera';
import { makeFlashes } from './flashes';
import { listen } from './input';
import { makeOverlay, type Overlay } from './overlay';
import { makePace } from './pace';
import { makeTerrainLayer, type TerrainLayer } from './terrain_layer';

export interface Point {
    x: number;
    y: number;
}

export interface View {
    // Redraws the overlay in the next frame; any number of calls cost one frame. `redrawTerrain` also redraws the terrain.
    redraw(): void;
    redrawTerrain(): void;
    // Fits the whole stage into the free part of the screen.
    fit(): void;
    // Shows this rectangle with a margin.
    showRect(rect: Rect): void;
    pan(dx: number, dy: number): void; // CSS pixels
    zoomMiddle(factor: number): void;
    toScreen(x: number, y: number): Point; // cells to CSS pixels of the map
    toWorld(screenX: number, screenY: number): Point;
    // Null shows the world's terrain; a size shows an empty stage for tabs that draw something else. Each has its own camera.
    setStage(stage: { width: number; height: number } | null): void;
    // Sets what covers the edges of the map (the sheet on a phone). The centre of the free part stays the centre.
    setInsets(insets: Insets): void;

    // `setWorld` shows another world without layers. `changed` redraws cells whose terrain changed.
    setWorld(world: WorldState): void;
    changed(rect: Rect): void;

    // Layers over the terrain, one value per cell, row by row; null or 0: off.
    setHeat(heat: Uint32Array | null): void;
    setRegions(labels: Uint32Array | null): void;
    setSectorGrid(sector: number): void;
    // Lights up rectangles, which then fade.
    flash(rects: Rect[]): void;
    readonly onTerrain: boolean; // false: an empty stage is shown
    readonly frames: number; // drawn so far
}

export interface ViewOptions {
    element: HTMLElement; // gets two canvases
    draw(overlay: Overlay): void;
    pointer(event: MapPointer): boolean;
    dark(): boolean;
    failed(message: string): void; // no WebGL2
}

const MAX_RECTS = 64; // uploaded individually; with more, their bounding box
const MAX_RATIO = 2; // device pixels per CSS pixel; more is slow and hardly visible

function makeCanvas(element: HTMLElement, name: string): HTMLCanvasElement {
    const canvas = document.createElement('canvas');
    canvas.className = name;
    canvas.setAttribute('aria-hidden', 'true');
    element.append(canvas);
    return canvas;
}

export function makeView(options: ViewOptions): View {
    const { element } = options;
    const terrainCanvas = makeCanvas(element, 'terrain');
    const overlayCanvas = makeCanvas(element, 'overlay');
    const gl = terrainCanvas.getContext('webgl2', { alpha: true, antialias: false, powerPreference: 'high-performance' });
    const g = overlayCanvas.getContext('2d')!;
    if (!gl) options.failed('This browser has no WebGL2 to draw the map. Turn on hardware acceleration, or use another browser.');
    let layer: TerrainLayer | null = gl ? makeTerrainLayer(gl) : null;

    let world: WorldState | null = null;
    let stage: Rect = { x: 0, y: 0, width: 1, height: 1 };
    let plain = false;
    let camera: Camera = { x: 0.5, y: 0.5, scale: 1 };
    let untouched = true; // fitted; fit again when the window changes
    const parked: Record<string, { camera: Camera; untouched: boolean; width: number; height: number }> = {};
    const screen: Screen = { width: 1, height: 1, insets: { top: 0, right: 0, bottom: 0, left: 0 } };
    let ratio = 1;
    let sector = 0;
    let heat: Uint32Array | null = null;
    let regions: Uint32Array | null = null;
    const flashes = makeFlashes();
    const pace = makePace();
    let dirty: Rect[] = [];
    let asked = false;
    let terrainAsked = true; // the terrain too, not only the overlay
    let frames = 0;

    function redraw(): void {
        if (asked) return;
        asked = true;
        requestAnimationFrame(frame);
    }

    function redrawTerrain(): void {
        terrainAsked = true;
        redraw();
    }

    function uploadChanges(): void {
        if (dirty.length > MAX_RECTS) dirty = [dirty.reduce(union)];
        if (world && layer) for (const rect of dirty) layer.update(rect, world.cells);
        dirty = [];
    }

    function drawTerrain(): void {
        if (!gl || !layer || !terrainAsked) return;
        terrainAsked = false;
        uploadChanges();
        gl.viewport(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight);
        gl.clearColor(0, 0, 0, 0);
        gl.clear(gl.COLOR_BUFFER_BIT);
        if (plain || !world) return;
        const coarse = pace.coarse(performance.now(), redrawTerrain);
        const centre = toWorld(screen.width / 2, screen.height / 2);
        layer.draw({ centreX: centre.x, centreY: centre.y, scale: camera.scale * ratio, sector, dim: options.dark() ? 0.9 : 1, coarse });
    }

    function frame(): void {
        asked = false;
        ++frames;
        drawTerrain();
        const corner = toScreen(0, 0);
        g.setTransform(ratio, 0, 0, ratio, 0, 0);
        g.clearRect(0, 0, screen.width, screen.height);
        const { width, height } = screen;
        const overlay = makeOverlay(g, { width, height, scale: camera.scale, left: corner.x, top: corner.y, dark: options.dark(), stage });
        if (!plain && flashes.draw(overlay)) redraw();
        options.draw(overlay);
    }

    function toWorld(screenX: number, screenY: number): Point {
        const at = middle(screen);
        return { x: camera.x + (screenX - at.x) / camera.scale, y: camera.y + (screenY - at.y) / camera.scale };
    }

    function toScreen(x: number, y: number): Point {
        const at = middle(screen);
        return { x: at.x + (x - camera.x) * camera.scale, y: at.y + (y - camera.y) * camera.scale };
    }

    function look(next: Camera, byHand = true): void {
        camera = next;
        if (byHand) untouched = false;
        redrawTerrain();
    }

    function fit(): void {
        look(fitted(stage, screen), false);
        untouched = true;
    }

    function keepInside(): void {
        if (untouched) fit();
        else look(bounded(camera, stage, screen), false);
    }

    function resize(): void {
        const box = element.getBoundingClientRect();
        if (box.width < 1 || box.height < 1) return;
        ratio = Math.min(MAX_RATIO, window.devicePixelRatio || 1);
        screen.width = box.width;
        screen.height = box.height;
        for (const canvas of [terrainCanvas, overlayCanvas]) {
            canvas.width = Math.round(box.width * ratio);
            canvas.height = Math.round(box.height * ratio);
        }
        keepInside();
        if (frames > 0) frame(); // at once: a resized canvas is empty until it is drawn
    }

    function changeStage(next: Rect, isPlain: boolean): void {
        const key = (p: boolean): string => (p ? 'plain' : 'world');
        parked[key(plain)] = { camera, untouched, width: stage.width, height: stage.height };
        const before = parked[key(isPlain)];
        plain = isPlain;
        stage = next;
        if (before && !before.untouched && before.width === next.width && before.height === next.height) {
            untouched = false;
            look(bounded(before.camera, stage, screen), false);
        } else {
            fit();
        }
    }

    const worldRect = (): Rect => ({ x: 0, y: 0, width: Math.max(1, world?.width ?? 1), height: Math.max(1, world?.height ?? 1) });

    function sendWorld(): void {
        if (!layer || !world) return;
        layer.setWorld(world.width, world.height, world.cells, world.terrains);
        layer.setHeat(heat);
        layer.setRegions(regions);
        redrawTerrain();
    }

    terrainCanvas.addEventListener('webglcontextlost', (event) => {
        event.preventDefault();
        layer = null;
    });
    terrainCanvas.addEventListener('webglcontextrestored', () => {
        layer = gl && makeTerrainLayer(gl);
        sendWorld();
    });
    new ResizeObserver(resize).observe(element);

    const pan = (dx: number, dy: number): void => look(panned(camera, dx, dy, stage, screen));
    const zoom = (factor: number, x: number, y: number): void => look(zoomed(camera, factor, x, y, stage, screen));
    const zoomMiddle = (factor: number): void => zoom(factor, middle(screen).x, middle(screen).y);
    listen(element, { toWorld, pan, zoom, zoomMiddle, fit, pointer: options.pointer });
    resize();

    return {
        redraw,
        redrawTerrain,
        fit,
        pan,
        zoomMiddle,
        toScreen,
        toWorld,
        showRect(rect) {
            const room = Math.max(8, 0.2 * Math.max(rect.width, rect.height));
            const wide = { x: rect.x - room, y: rect.y - room, width: rect.width + 2 * room, height: rect.height + 2 * room };
            look(bounded(fitted(wide, screen), stage, screen));
        },
        setStage(size) {
            if (size) changeStage({ x: 0, y: 0, ...size }, true);
            else if (plain) changeStage(worldRect(), false);
        },
        setInsets(insets) {
            screen.insets = insets;
            keepInside();
        },
        setWorld(next) {
            const other = !world || world.width !== next.width || world.height !== next.height;
            world = next;
            heat = regions = null;
            dirty = [];
            flashes.clear();
            sendWorld();
            if (plain) delete parked['world'];
            else if (other || untouched) {
                stage = worldRect();
                fit();
            }
        },
        changed(rect) {
            dirty.push(rect);
            redrawTerrain();
        },
        setHeat(next) {
            if (heat === next) return;
            heat = next;
            layer?.setHeat(heat);
            redrawTerrain();
        },
        setRegions(next) {
            if (regions === next) return;
            regions = next;
            layer?.setRegions(regions);
            redrawTerrain();
        },
        setSectorGrid(size) {
            if (sector === size) return;
            sector = size;
            redrawTerrain();
        },
        flash(rects) {
            flashes.add(rects);
            redraw();
        },
        get onTerrain() {
            return !plain;
        },
        get frames() {
            return frames;
        },
    };
}
