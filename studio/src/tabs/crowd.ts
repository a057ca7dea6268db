// Crowd: agents of all visible creatures at once, none in another's way; the ground can be painted while they walk.
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
    lifeLong: boolean;
    seed: number;
}

const MOST_AGENTS = 10000;
const MANY_CELLS = 2e7;
const SLOW = html`<p class="note" data-test="crowd-slow">On a map of this size the first tick may take long; swarm begins at once.</p>`;

export function makeCrowdTab(app: App): Tab {
    const play = makePlay(app);
    const brush = makeBrush(app, 'crowd');
    const settings: Settings = { agents: 200, method: 'swarm', spawn: 'random', lifeLong: true, seed: 1 };
    let methods: Method[] = [];
    let colours: string[] = []; // of the kinds that were spawned
    let names: string[] = [];
    let busy = false;

    async function spawn(): Promise<void> {
        const creatures = app.creatures.flatMap((creature, i) => (creature.visible ? [i] : []));
        if (creatures.length === 0) return app.say('No creature is visible: show one on the tab Paths', 'warning');
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

    // Cells that a method may have to look at before anyone moves.
    const slow = (): boolean => settings.agents * app.world.cells.length > MANY_CELLS && !settings.method.startsWith('swarm');

    // --- Panel ---

    const setAgents = (agents: number): void => set({ agents });

    function spawnSection(): TemplateResult {
        const { agents } = settings;
        const style = { icon: 'crowd', kind: 'primary', disabled: busy };
        const options = methodNames(methods).map((name) => ({ value: name, label: name }));
        const method = methods.find(({ usage }) => usage.split(/[[:+]/)[0] === settings.method.split(/[:+]/)[0]);
        const body = html`<div class="row">
                ${numberField({ id: 'crowd-agents', label: 'Agents', value: agents, min: 1, max: MOST_AGENTS, change: setAgents })}
                ${numberField({ id: 'crowd-seed', label: 'Seed', value: settings.seed, min: 1, max: 1e9, change: (seed) => set({ seed }) })}
            </div>
            ${choices(
                'crowd-spawn',
                'Where they begin',
                [
                    { value: 'random', label: 'Anywhere', title: 'Starts and goals at random' },
                    { value: 'sides', label: 'Two sides', title: 'From the left to the right, and the other way' },
                ],
                settings.spawn,
                (where) => set({ spawn: where as Settings['spawn'] }),
            )}
            ${select('crowd-method', 'Method', options, settings.method, (name) => set({ method: name }))}
            ${method ? html`<p class="muted">${method.usage}: ${method.summary}.</p>` : nothing} ${slow() ? SLOW : nothing}
            ${toggle('crowd-lifelong', 'Who arrives gets another goal', settings.lifeLong, (lifeLong) => set({ lifeLong }))}
            ${button('crowd-spawn', play.state ? 'Spawn again' : 'Spawn', () => void spawn(), style)}`;
        return section('Who', body);
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
            { name: 'At their goal', value: `${countText(state.atGoal)} of ${countText(state.count)}`, test: 'crowd-at-goal' },
            { name: 'Arrivals', value: countText(state.arrivals), test: 'crowd-arrivals' },
            { name: 'Collisions', value: countText(state.collisions), test: 'crowd-collisions' },
            { name: 'Moves refused', value: countText(state.faults), test: 'crowd-faults' },
            { name: 'Time per tick', value: time(mean(play.times)), test: 'crowd-mean' },
            { name: '99 in 100 below', value: time(percentile(play.times, 0.99)), test: 'crowd-p99' },
            { name: 'Searches', value: countText(state.plans), test: 'crowd-plans' },
            { name: 'Memory', value: bytesText(state.bytes), test: 'crowd-bytes' },
        ]);
    }

    function countSection(): TemplateResult {
        const { state } = play;
        const dot = (colour: string): TemplateResult =>
            html`<span class="swatch dot" style="display:inline-block;background:${colour}"></span>`;
        const legend = html`<p class="row">${names.map((name, i) => html`<span>${dot(colours[i])} ${name}</span>`)}</p>`;
        return section('Counts', state ? html`${legend}${counts(state)}` : html`<p class="muted">Nobody is here yet.</p>`);
    }

    function layer(name: 'goals' | 'reservations' | 'arrows', label: string): TemplateResult {
        return toggle(`crowd-${name}`, label, play.layers[name], (on) => {
            play.layers[name] = on;
            void play.look();
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
        if (event.target instanceof HTMLButtonElement) return false; // which a space presses
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
            ${brush.panel('Change the ground', 'While they walk: who is cut off looks for another way.')}`,
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
            if (change.kind === 'opened') play.forget();
        },
        save: () => ({ ...settings }),
        load: (saved) => Object.assign(settings, checkedSettings(saved)),
    };
}

function checkedSettings(saved: unknown): Partial<Settings> {
    const s = (saved ?? {}) as Partial<Settings>;
    const whole = (value: unknown, most: number): value is number =>
        Number.isInteger(value) && (value as number) >= 1 && (value as number) <= most;
    return {
        ...(whole(s.agents, MOST_AGENTS) ? { agents: s.agents } : {}),
        ...(typeof s.method === 'string' && s.method.length < 40 ? { method: s.method } : {}),
        ...(s.spawn === 'random' || s.spawn === 'sides' ? { spawn: s.spawn } : {}),
        ...(typeof s.lifeLong === 'boolean' ? { lifeLong: s.lifeLong } : {}),
        ...(whole(s.seed, 1e9) ? { seed: s.seed } : {}),
    };
}
