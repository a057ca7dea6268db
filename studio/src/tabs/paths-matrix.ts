// The cost matrix: terrains by creatures. A number, or a cross for blocked.
import { html, type TemplateResult } from 'lit-html';
import type { App } from '../app';
import { BLOCKED, costLabel, parseCost } from '../creatures';
import { costOf, type Creature } from '../types';

export function makeMatrix(app: App): { panel(): TemplateResult; aside(): TemplateResult } {
    let all = false;

    function set(creature: Creature, terrain: string, hundredths: number): void {
        creature.costs[terrain] = hundredths;
        app.creaturesChanged();
    }

    function take(creature: Creature, terrain: string, input: HTMLInputElement): void {
        const text = input.value;
        const value = parseCost(text);
        if (value === null) {
            input.value = costLabel(costOf(creature, terrain));
            return app.say(`Invalid cost '${text}': enter a number from 0.01 to 650, or ${BLOCKED} for blocked`, 'warning');
        }
        input.value = costLabel(value);
        set(creature, terrain, value);
    }

    // Arrow up and down change a cost by 0.5; at 0 the terrain is blocked.
    function step(creature: Creature, terrain: string, event: KeyboardEvent): void {
        const by = event.key === 'ArrowUp' ? 50 : event.key === 'ArrowDown' ? -50 : 0;
        if (by === 0) return;
        event.preventDefault();
        const now = costOf(creature, terrain);
        set(creature, terrain, Math.min(65000, Math.max(0, now + by)));
    }

    function cell(creature: Creature, terrain: string): TemplateResult {
        const value = costOf(creature, terrain);
        return html`<td>
            <input
                type="text"
                inputmode="decimal"
                class=${value === 0 ? 'blocked' : ''}
                aria-label="${creature.name} on ${terrain}"
                data-test="cost-${creature.name}-${terrain}"
                .value=${costLabel(value)}
                @focus=${(event: Event) => (event.target as HTMLInputElement).select()}
                @change=${(event: Event) => take(creature, terrain, event.target as HTMLInputElement)}
                @keydown=${(event: KeyboardEvent) => step(creature, terrain, event)}
            />
        </td>`;
    }

    function rows(): number[] {
        const { terrains, used } = app.world;
        return all ? terrains.map((_, i) => i) : [...used].sort((a, b) => a - b);
    }

    return {
        aside: () =>
            html`<button type="button" class="link" data-test="matrix-all" @click=${() => ((all = !all), app.refresh())}>
                ${all ? 'used terrains only' : 'all terrains'}
            </button>`,
        panel: () =>
            html`<div class="matrix-frame">
                    <table class="matrix" data-test="matrix">
                        <thead>
                            <tr>
                                <th scope="col"><span class="visually-hidden">Terrain</span></th>
                                ${app.creatures.map(
                                    (one) =>
                                        html`<th scope="col" title=${one.name}>
                                            <span class="swatch dot" style="background:${one.colour}"></span> ${one.name}
                                        </th>`,
                                )}
                            </tr>
                        </thead>
                        <tbody>
                            ${rows().map((i) => {
                                const terrain = app.world.terrains[i];
                                return html`<tr>
                                    <th scope="row">
                                        <span class="swatch" style="background:rgb(${terrain.color.join(',')})"></span
                                        >${terrain.name.replace(/_/g, ' ')}
                                    </th>
                                    ${app.creatures.map((one) => cell(one, terrain.name))}
                                </tr>`;
                            })}
                        </tbody>
                    </table>
                </div>
                <small>A straight step costs the mean of its two cells. ${BLOCKED}: blocked. Arrow up and down change a cost.</small>`,
    };
}
