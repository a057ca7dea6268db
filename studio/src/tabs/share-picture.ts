// Draws the map with the routes of all visible creatures as a picture.
import type { Path } from '../engine/protocol';
import type { Creature, WorldState } from '../types';

const LONGEST = 2048; // pixels of the longer side; small maps are enlarged up to it
const HALO = 'rgba(15, 18, 24, 0.6)';

export interface Route {
    creature: Creature;
    path: Path;
}

function terrainCanvas({ width, height, cells, terrains }: WorldState): HTMLCanvasElement {
    const canvas = document.createElement('canvas');
    canvas.width = width;
    canvas.height = height;
    const image = new ImageData(width, height);
    const colours = new Uint32Array(256);
    terrains.forEach(({ color: [r, g, b] }, i) => (colours[i] = 0xff000000 | (b << 16) | (g << 8) | r));
    const pixels = new Uint32Array(image.data.buffer);
    for (let i = 0; i < cells.length; ++i) pixels[i] = colours[cells[i]];
    canvas.getContext('2d')!.putImageData(image, 0, 0);
    return canvas;
}

function drawRoute(g: CanvasRenderingContext2D, { creature, path }: Route, scale: number, shift: number): void {
    const line = new Path2D();
    for (let i = 0; i < path.cells.length; i += 2)
        line.lineTo((path.cells[i] + 0.5) * scale + shift, (path.cells[i + 1] + 0.5) * scale + shift);
    const width = Math.max(2, g.canvas.width / 340);
    g.lineJoin = g.lineCap = 'round';
    for (const [colour, extra] of [
        [HALO, width * 0.8],
        [creature.colour, 0],
    ] as const) {
        g.strokeStyle = colour;
        g.lineWidth = width + extra;
        g.stroke(line);
    }
}

function drawEnd(g: CanvasRenderingContext2D, { x, y }: { x: number; y: number }, scale: number, colour: string): void {
    g.beginPath();
    g.arc((x + 0.5) * scale, (y + 0.5) * scale, Math.max(4, g.canvas.width / 150), 0, 2 * Math.PI);
    g.fillStyle = colour;
    g.fill();
    g.lineWidth = Math.max(1.5, g.canvas.width / 700);
    g.strokeStyle = '#ffffff';
    g.stroke();
}

export async function pictureOf(
    world: WorldState,
    routes: Route[],
    flags: { from: { x: number; y: number }; to: { x: number; y: number } },
): Promise<Blob> {
    const scale = Math.max(1, Math.min(16, Math.floor(LONGEST / Math.max(world.width, world.height))));
    const canvas = document.createElement('canvas');
    canvas.width = world.width * scale;
    canvas.height = world.height * scale;
    const g = canvas.getContext('2d');
    if (!g) throw new Error('This browser cannot allocate a picture of this size: export a smaller map');
    g.imageSmoothingEnabled = false;
    g.drawImage(terrainCanvas(world), 0, 0, canvas.width, canvas.height);
    routes.forEach((route, i) => drawRoute(g, route, scale, (i - (routes.length - 1) / 2) * 1.5));
    drawEnd(g, flags.from, scale, '#2f9e6e');
    drawEnd(g, flags.to, scale, '#d9483b');
    const failure = 'This browser cannot encode a picture of this size: export a smaller map';
    return new Promise((resolve, reject) =>
        canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error(failure))), 'image/png'),
    );
}
