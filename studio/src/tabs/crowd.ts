// Crowd: agents of all visible creatures, without collisions. The terrain can be painted while they walk.
import { html, nothing, type TemplateResult } from 'lit-html';
import type { App, MapPointer, Tab } from '../app';
import type { CrowdState, Method } from '../engine/protocol';
import { bytesText, countText, timeText } from '../types';
import { button, choices, facts, numberField, section, select, slider, toggle } from '../ui/parts';
import type { Overlay } from '../view/overlay';
import { makeBrush } from './crowd-brush';
import { drawCrowd } from './crowd-draw';
import { makePlay, mean, percentile } from './crowd-play';
import { methodNames } from './method-names';

interface Settings {
    agents: number;
    method: string;
    spawn: 'random' | 'sides';
    lifelong: boolean;
    seed: number;
}

const MAX_AGENTS = 10000;
const MANY_CELLS = 2e7;
const SLOW = html`<p class="note" data-test="crowd-slow">
    On a map of this size the first tick may take long. Choose swarm to start at once.
</p>`;

export function makeCrowdTab(app: App): Tab {
    const play = makePlay(app);
    const brush = makeBrush(app, 'crowd');
    const settings: Settings = { agents: 200, method: 'swarm', spawn: 'random', lifelong: true, seed: 1 };
    let methods: Method[] = [];
    let colours: string[] = []; // of the spawned agent types
    let names: string[] = [];
    let busy = false;

    async function spawn(): Promise<void> {
        const creatures = app.creatures.flatMap((creature, i) => (creature.visible ? [i] : []));
        if (creatures.length === 0) return app.say('No creature is visible: show one in the Paths tab', 'warning');
        busy = true;
        app.refresh();
        await app.edits.settled();
        if (await play.spawn({ ...settings, creatures })) {
            colours = creatures.map((i) => app.creatures[i].colour);
            names = creatures.map((i) => app.creatures[i].name);
            app.say(`${countText(settings.agents)} agents: ${names.join(', ')}`, 'good');
        }
        busy = false;
        app.refresh();
    }

    async function spawnAndPlay(): Promise<void> {
        if (!play.state) await spawn();
        play.play();
    }

    function set(change: Partial<Settings>): void {
        Object.assign(settings, change);
        app.refresh();
    }

    // Estimates the cells that a method visits before the first move.
    const slow = (): boolean => settings.agents * app.world.cells.length > MANY_CELLS && !settings.method.startsWith('swarm');

    // --- Panel ---

    const setAgents = (agents: number): void => set({ agents });

    function spawnSection(): TemplateResult {
        const { agents } = settings;
        const style = { icon: 'crowd', kind: 'primary', disabled: busy };
        const options = methodNames(methods).map((name) => ({ value: name, label: name }));
        const method = methods.find(({ usage }) => usage.split(/[[:+]/)[0] === settings.method.split(/[:+]/)[0]);
        const body = html`<div class="row">
                ${numberField({ id: 'crowd-agents', label: 'Agents', value: agents, min: 1, max: MAX_AGENTS, change: setAgents })}
                ${numberField({ id: 'crowd-seed', label: 'Seed', value: settings.seed, min: 1, max: 1e9, change: (seed) => set({ seed }) })}
            </div>
            ${choices(
                'crowd-spawn',
                'Starts and goals',
                [
                    { value: 'random', label: 'Anywhere', title: 'Random starts and goals' },
                    { value: 'sides', label: 'Two sides', title: 'Half of the agents go left to right, the others right to left' },
                ],
                settings.spawn,
                (where) => set({ spawn: where as Settings['spawn'] }),
            )}
            ${select('crowd-method', 'Method', options, settings.method, (name) => set({ method: name }))}
            ${method ? html`<p class="muted">${method.usage}: ${method.summary}.</p>` : nothing} ${slow() ? SLOW : nothing}
            ${toggle('crowd-lifelong', 'Lifelong: agents that arrive get a new goal', settings.lifelong, (lifelong) => set({ lifelong }))}
            ${button('crowd-spawn', play.state ? 'Spawn again' : 'Spawn', () => void spawn(), style)}`;
        return section('Agents', body);
    }

    function playSection(): TemplateResult {
        const { state } = play;
        const speed = `${play.speed} ticks/s`;
        const body = html`<div class="row">
                ${
                    play.playing
                        ? button('crowd-pause', 'Pause', play.pause, { icon: 'pause', kind: 'primary' })
                        : button('crowd-play', 'Play', () => void spawnAndPlay(), { icon: 'play', kind: 'primary', disabled: busy })
                }
                ${button('crowd-step', 'Step', () => void play.step(), { icon: 'step', disabled: !state })}
                ${button('crowd-end', 'End', () => void play.end(), { disabled: !state })}
            </div>
            ${slider({ id: 'crowd-speed', label: 'Speed', value: play.speed, min: 1, max: 30, text: speed, change: setSpeed })}`;
        return section('Play', body);
    }

    function setSpeed(speed: number): void {
        play.speed = speed;
        app.refresh();
    }

    const time = (ms: number): string => (play.times.length > 0 ? timeText(ms) : '–');

    function counts(state: CrowdState): TemplateResult {
        return facts([
            { name: 'Tick', value: countText(state.tick), test: 'crowd-tick' },
            { name: 'At goal', value: `${countText(state.atGoal)} of ${countText(state.count)}`, test: 'crowd-at-goal' },
            { name: 'Arrivals', value: countText(state.arrivals), test: 'crowd-arrivals' },
            { name: 'Collisions', value: countText(state.collisions), test: 'crowd-collisions' },
            { name: 'Rejected ticks', value: countText(state.faults), test: 'crowd-faults' },
            { name: 'Mean tick time', value: time(mean(play.times)), test: 'crowd-mean' },
            { name: 'p99 tick time', value: time(percentile(play.times, 0.99)), test: 'crowd-p99' },
            { name: 'Searches', value: countText(state.plans), test: 'crowd-plans' },
            { name: 'Memory', value: bytesText(state.bytes), test: 'crowd-bytes' },
        ]);
    }

    function countSection(): TemplateResult {
        const { state } = play;
        const dot = (colour: string): TemplateResult =>
            html`<span class="swatch dot" style="display:inline-block;background:${colour}"></span>`;
        const legend = html`<p class="row">${names.map((name, i) => html`<span>${dot(colours[i])} ${name}</span>`)}</p>`;
        return section('Counts', state ? html`${legend}${counts(state)}` : html`<p class="muted">No agents yet: press Play.</p>`);
    }

    function layer(name: 'goals' | 'reservations' | 'arrows', label: string): TemplateResult {
        return toggle(`crowd-${name}`, label, play.layers[name], (on) => {
            play.layers[name] = on;
            void play.refreshLayers();
            app.view.redraw();
            app.refresh();
        });
    }

    function layerSection(): TemplateResult {
        return section(
            'Layers',
            html`${layer('goals', 'Goals')} ${layer('reservations', 'Reservations (ca, whca, cpra)')}
            ${layer('arrows', 'Direction map (+flow)')}`,
        );
    }

    // --- The map ---

    function draw(overlay: Overlay): void {
        drawCrowd(overlay, play, colours);
        brush.draw(overlay);
    }

    function key(event: KeyboardEvent): boolean {
        if (event.target instanceof HTMLButtonElement) return false; // Space presses the button
        if (event.key === ' ') void (play.playing ? play.pause() : spawnAndPlay());
        else if (event.key === '.') void play.step();
        else return false;
        return true;
    }

    return {
        id: 'crowd',
        title: 'Crowd',
        panel: () =>
            html`${playSection()} ${countSection()} ${spawnSection()} ${layerSection()}
            ${brush.panel('Edit terrain', 'Paint while agents walk: agents that are cut off replan.')}`,
        shown() {
            if (methods.length > 0) return;
            void app.engine.methods().then(({ crowd }) => {
                methods = crowd;
                app.refresh();
            });
        },
        hidden: () => play.pause(),
        draw,
        pointer: (event: MapPointer) => brush.pointer(event),
        key,
        cursor: () => (brush.terrain() >= 0 ? 'crosshair' : 'grab'),
        worldChanged(change) {
            if (change.kind === 'opened') play.reset();
        },
        // The key in saved states is lifeLong.
        save() {
            const { lifelong, ...rest } = settings;
            return { ...rest, lifeLong: lifelong };
        },
        load: (saved) => Object.assign(settings, checkedSettings(saved)),
    };
}

function checkedSettings(saved: unknown): Partial<Settings> {
    const s = (saved ?? {}) as Partial<Settings> & { lifeLong?: unknown };
    const whole = (value: unknown, max: number): value is number =>
        Number.isInteger(value) && (value as number) >= 1 && (value as number) <= max;
    return {
        ...(whole(s.agents, MAX_AGENTS) ? { agents: s.agents } : {}),
        ...(typeof s.method === 'string' && s.method.length < 40 ? { method: s.method } : {}),
        ...(s.spawn === 'random' || s.spawn === 'sides' ? { spawn: s.spawn } : {}),
        ...(typeof s.lifeLong === 'boolean' ? { lifelong: s.lifeLong } : {}),
        ...(whole(s.seed, 1e9) ? { seed: s.seed } : {}),
    };
}
