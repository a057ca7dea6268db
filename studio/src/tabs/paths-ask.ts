// Explains a creature's path: its cost by terrain, the extra cost of entering an area, and why there is no path.
import { html, nothing, type TemplateResult } from 'lit-html';
import type { App, MapPointer } from '../app';
import type { Obstacle, Path, Query, Share } from '../engine/protocol';
import { COST_PER_UNIT, countText, type Cell, type Creature, type Rect } from '../types';
import { button, cost } from '../ui/parts';
import type { Overlay } from '../view/overlay';
import { rectOf } from '../world/shapes';

export interface Ask {
    panel(): TemplateResult;
    draw(overlay: Overlay): void;
    pointer(event: MapPointer): boolean;
    key(event: KeyboardEvent): boolean;
    cursor(): string;
    update(): void; // the path changed
    stop(): void;
    worldOpened(): void;
}

const AREA = '#ffffff';
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export function makeAsk(app: App, chosen: () => Creature | null): Ask {
    let shares: { share: Share[]; of: number } | null = null;
    let obstacle: Obstacle | null = null;
    let area: Rect | null = null;
    let through: Path | null = null;
    let drawing = false; // the next drag on the map selects an area
    let corner: Cell | null = null;
    let asking = 0; // id of the newest request

    function query(): Query | null {
        const creature = chosen();
        if (!creature || app.world.width === 0) return null;
        return {
            creature: app.creatures.indexOf(creature),
            from: { ...app.flags.from },
            to: { ...app.flags.to },
            method: app.routes.method,
        };
    }

    // Requests explanations of the newest path only; while a flag is dragged, waits until it rests.
    async function update(): Promise<void> {
        const mine = ++asking;
        const creature = chosen();
        const path = creature && app.routes.of(creature);
        const asked = query();
        if (!asked || !path || app.tab.id !== 'paths') return;
        if (app.routes.dragging) await new Promise((resolve) => setTimeout(resolve, 120));
        if (mine !== asking) return;
        try {
            if (path.status === 'found') await askShares(asked, creature.id, mine);
            else await askObstacle(asked, mine);
            if (area && mine === asking) await askThrough(asked, area, mine);
        } catch (error) {
            app.say((error as Error).message, 'error');
        }
    }

    async function askShares(asked: Query, creature: number, mine: number): Promise<void> {
        const answer = await app.engine.shares(asked);
        if (mine !== asking) return;
        shares = { share: answer.shares, of: creature };
        obstacle = null;
        app.view.redraw();
        app.refresh();
    }

    async function askObstacle(asked: Query, mine: number): Promise<void> {
        const answer = await app.engine.obstacle(asked);
        if (mine !== asking) return;
        shares = null;
        obstacle = answer;
        app.view.redraw();
        app.refresh();
    }

    async function askThrough(asked: Query, where: Rect, mine: number): Promise<void> {
        const answer = await app.engine.through(asked, where);
        if (mine !== asking) return;
        through = answer;
        app.view.redraw();
        app.refresh();
    }

    function clearArea(): void {
        area = through = corner = null;
        drawing = false;
        app.view.redraw();
        app.refresh();
    }

    function terrainName(number: number): string {
        return app.world.terrains[number]?.name.replace(/_/g, ' ') ?? 'nothing';
    }

    // Names an obstacle. Islands call walls 'black'.
    function barrier(number: number): string {
        const name = terrainName(number);
        return name === 'black' || name === 'wall' ? 'a wall' : name;
    }

    function bars(list: Share[]): TemplateResult {
        const most = Math.max(1, ...list.map((one) => Number(one.cost)));
        return html`<div class="bars" data-test="shares">
            ${list.map((one) => {
                const color = app.world.terrains[one.terrain]?.color.join(',') ?? '128,128,128';
                return html`<div data-test="share" data-terrain=${app.world.terrains[one.terrain]?.name ?? ''}>
                    <span>${terrainName(one.terrain)}</span>
                    <span class="track"><b style="width:${(100 * Number(one.cost)) / most}%;background:rgb(${color})"></b></span>
                    <span class="number">${cost(one.cost, 'share-cost')} <small>${countText(one.cells)} cells</small></span>
                </div>`;
            })}
        </div>`;
    }

    function whyNone(answer: Obstacle): TemplateResult {
        if (answer.blocked === 0) return html`<p class="note bad" data-test="why-none">${answer.statusText}</p>`;
        const { x, y } = answer.first;
        const name = chosen()?.name ?? '';
        const look = (): void => app.view.showRect({ x: x - 10, y: y - 10, width: 21, height: 21 });
        return html`<p class="note bad" data-test="why-none" data-blocked=${answer.blocked}>
            No path for ${name}: ${barrier(answer.firstTerrain)} at ${x}, ${y} blocks it. Unblock
            ${answer.blocked === 1 ? 'one cell' : `at least ${countText(answer.blocked)} cells`} to connect A and B;
            ${countText(answer.reached)} cells are reachable from A.
            <button type="button" class="link" @click=${look}>Show</button>
        </p>`;
    }

    function throughAnswer(own: Path | null): TemplateResult | typeof nothing {
        if (!area) return nothing;
        if (!through) return html`<p class="note">…</p>`;
        if (through.status !== 'found') return html`<p class="note" data-test="through">No path can enter that area.</p>`;
        const more = own?.status === 'found' ? Number(through.cost - own.cost) : NaN;
        const percent = own && own.cost > 0n ? (100 * more) / Number(own.cost) : NaN;
        return html`<p class="note" data-test="through">
            The cheapest path through the area costs
            ${cost(through.cost, 'through-cost')}${
                more > 0
                    ? html`: <b>${(more / COST_PER_UNIT).toFixed(2)}</b> (${percent.toFixed(1)}%) more than its own path.`
                    : Number.isNaN(more)
                      ? '.'
                      : html`: no more than its own path.`
            }
        </p>`;
    }

    function panel(): TemplateResult {
        const creature = chosen();
        if (!creature) return html`<small>No creature is visible: show one above.</small>`;
        const path = app.routes.of(creature);
        const known = shares?.of === creature.id && path?.status === 'found';
        return html`<small
                >Cost of <b style="color:inherit">${creature.name}</b> by terrain. Click another creature's numbers to explain its
                path.</small
            >
            ${known ? bars(shares!.share) : nothing} ${obstacle && path?.status !== 'found' ? whyNone(obstacle) : nothing}
            <div class="row">${drawButton()} ${area ? button('through-clear', 'Clear', clearArea) : nothing}</div>
            ${throughAnswer(path)}`;
    }

    function drawButton(): TemplateResult {
        const label = drawing ? 'Drag a rectangle on the map' : 'Why not through here?';
        return button('through-draw', label, startDrawing, { icon: 'rect', kind: drawing ? 'primary' : '' });
    }

    function startDrawing(): void {
        drawing = !drawing;
        app.refresh();
    }

    function pointer(event: MapPointer): boolean {
        if (event.type === 'down' && drawing) {
            corner = event.cell;
            through = null;
        }
        if (!corner) return false;
        area = rectOf(corner, event.cell);
        app.view.redraw();
        if (event.type === 'cancel') clearArea();
        if (event.type === 'up') {
            corner = null;
            drawing = false;
            app.refresh();
            void update();
        }
        return true;
    }

    // Draws a path through obstacles, and marks its blocked cells.
    function drawObstacle(overlay: Overlay, answer: Obstacle): void {
        const creature = chosen();
        if (!creature || answer.path.cells.length < 2) return;
        overlay.route(answer.path.cells, { colour: '#ff6b5e', dashed: true });
        const { cells } = answer.path;
        for (let i = 0; i < cells.length; i += 2) {
            const terrain = app.world.terrains[app.world.cells[cells[i + 1] * app.world.width + cells[i]]];
            const blocked = (creature.costs[terrain?.name ?? ''] ?? creature.otherwise) === 0;
            if (blocked) overlay.rect({ x: cells[i], y: cells[i + 1], width: 1, height: 1 }, '#ff6b5e', 'rgba(255, 90, 75, 0.55)');
        }
        overlay.label(capital(`${barrier(answer.firstTerrain)} is in the way`), answer.first.x + 0.5, answer.first.y);
    }

    function draw(overlay: Overlay): void {
        const creature = chosen();
        const path = creature && app.routes.of(creature);
        if (obstacle && path && path.status !== 'found') drawObstacle(overlay, obstacle);
        if (area) overlay.rect(area, AREA, 'rgba(255, 255, 255, 0.16)');
        if (creature && through?.status === 'found') overlay.route(through.cells, { colour: creature.colour, dashed: true });
    }

    app.routes.onFound(() => void update());
    return {
        panel,
        draw,
        pointer,
        key(event) {
            if (event.key !== 'Escape' || !(drawing || area)) return false;
            clearArea();
            return true;
        },
        cursor: () => (drawing ? 'crosshair' : 'grab'),
        update: () => void update(),
        stop: clearArea,
        worldOpened() {
            shares = obstacle = null;
            clearArea();
        },
    };
}
