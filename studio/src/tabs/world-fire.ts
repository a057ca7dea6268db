// The fire tool, and the timer that spreads the fire.
import { html, nothing, type TemplateResult } from 'lit-html';
import type { App } from '../app';
import { countText, type Cell } from '../types';
import { button, iconButton, numberField } from '../ui/parts';
import { makeFire } from '../world/fire';

const TICK = 70; // ms

export interface FireTool {
    panel(): TemplateResult;
    light(cell: Cell): void;
    stop(): void; // pauses; burning cells stay
    worldOpened(): void;
}

export function makeFireTool(app: App): FireTool {
    let seed = 1;
    let timer = 0;
    const fire = makeFire(
        () => app.world,
        app.edits,
        () => seed,
    );

    function tick(): void {
        fire.tick();
        if (fire.burning === 0) pause();
        app.refresh();
    }

    // Waits until the engine has applied the previous tick, so that the fire never runs ahead of it.
    function run(): void {
        if (timer !== 0 || fire.burning === 0) return;
        timer = window.setTimeout(() => {
            void app.edits.settled().then(() => {
                if (timer === 0) return;
                timer = 0;
                tick();
                run();
            });
        }, TICK);
    }

    function pause(): void {
        window.clearTimeout(timer);
        timer = 0;
        app.refresh();
    }

    function putOut(): void {
        pause();
        fire.stop();
    }

    function controls(): TemplateResult {
        if (fire.burning === 0) return html`<small>Click trees, grass or plains to set them on fire.</small>`;
        return html`<div class="row level">
            ${
                timer === 0
                    ? button('fire-play', 'Resume', () => (run(), app.refresh()), { icon: 'play' })
                    : button('fire-pause', 'Pause', pause, { icon: 'pause' })
            }
            ${iconButton('fire-step', 'step', 'Step one tick', tick, timer !== 0)} ${button('fire-out', 'Extinguish', putOut)}
            <span class="muted" data-test="fire-burning">${countText(fire.burning)} cells burning</span>
        </div>`;
    }

    const setSeed = (value: number): void => void (seed = value);

    return {
        panel: () =>
            html`${controls()}
            ${
                fire.burning === 0
                    ? html`<div class="row">
                          ${numberField({ id: 'fire-seed', label: 'Fire seed', value: seed, min: 0, max: 1e9, change: setSeed })}
                      </div>`
                    : nothing
            }`,
        light(cell) {
            fire.light(cell.x, cell.y);
            run();
            app.refresh();
        },
        stop: pause,
        worldOpened() {
            pause();
            fire.reset();
        },
    };
}
