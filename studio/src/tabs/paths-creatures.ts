// The list of creatures: name, colour, visibility, and the results of their routes.
import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { App } from '../app';
import { freeColour, freeName, MAX_CREATURES, newCreature, presetCreature, PRESETS } from '../creatures';
import type { Path } from '../engine/protocol';
import { countText, timeText, type Creature } from '../types';
import { cost, iconButton } from '../ui/parts';

export interface CreatureList {
    panel(): TemplateResult;
    chosen(): Creature | null; // the creature to explain: the selected one, or the first visible one
}

export function makeCreatureList(app: App): CreatureList {
    function chosen(): Creature | null {
        return app.creatures.find((one) => one.id === app.routes.chosen) ?? app.creatures.find((one) => one.visible) ?? null;
    }

    function add(preset: string): void {
        if (preset === '' || app.creatures.length >= MAX_CREATURES) return;
        const made = preset === 'new' ? newCreature('creature', '') : presetCreature(preset);
        if (preset === 'new' || app.creatures.some((one) => one.colour === made.colour)) made.colour = freeColour(app.creatures);
        made.name = freeName(app.creatures, made.name);
        app.creatures.push(made);
        app.creaturesChanged();
    }

    function remove(creature: Creature): void {
        app.creatures = app.creatures.filter((one) => one !== creature);
        if (app.routes.chosen === creature.id) app.routes.chosen = null;
        app.creaturesChanged();
    }

    function rename(creature: Creature, input: HTMLInputElement): void {
        const name = input.value.trim().slice(0, 40);
        const taken = app.creatures.some((one) => one !== creature && one.name === name);
        if (name === '' || taken) input.value = creature.name;
        else creature.name = name;
        app.creaturesChanged();
    }

    function choose(creature: Creature): void {
        app.routes.chosen = app.routes.chosen === creature.id ? null : creature.id;
        app.creaturesChanged();
    }

    function show(creature: Creature): void {
        creature.visible = !creature.visible;
        app.creaturesChanged();
    }

    // Shows the method and the proven bound, rounded up so that it stays valid.
    function how(creature: Creature, path: Path): TemplateResult {
        const proven = path.bound <= 1 ? 'optimal' : `at most ${(Math.ceil(100 * path.bound) / 100).toFixed(2)} × optimum`;
        const done = app.preparing.of(creature);
        const preparing = html`<span data-test="route-preparing" title=${proven}>preparing ${Math.round(100 * (done ?? 0))} %</span>`;
        return html`<span class="how">
            <span data-test="route-method">${path.method}</span>
            ${done !== null ? preparing : path.status === 'found' ? html`<span>${proven}</span>` : nothing}
        </span>`;
    }

    function numbers(creature: Creature, path: Path | null): TemplateResult {
        if (!path) return html`<span>…</span>`;
        if (path.status !== 'found') return html`<span data-test="route-status">${path.statusText}</span>${how(creature, path)}`;
        return html`<b>${cost(path.cost, 'route-cost')}</b>
            <span><span data-test="route-cells">${countText(path.cells.length / 2)}</span> cells</span>
            <span><span data-test="route-expansions">${countText(path.expansions)}</span> expansions</span>
            <span data-test="route-time">${timeText(path.ms)}</span>
            ${how(creature, path)}`;
    }

    function showButton(creature: Creature): TemplateResult {
        const label = `${creature.visible ? 'Hide' : 'Show'} ${creature.name}`;
        return iconButton('creature-show', creature.visible ? 'eye' : 'hidden', label, () => show(creature));
    }

    function row(creature: Creature): TemplateResult {
        const mark = app.routes.chosen === creature.id;
        return html`<li class="creature ${mark ? 'chosen' : ''}" data-test="creature" data-creature=${creature.name}>
            <input
                type="color"
                aria-label="Colour of ${creature.name}"
                .value=${creature.colour}
                @input=${(event: Event) => {
                    creature.colour = (event.target as HTMLInputElement).value;
                    app.view.redraw();
                    app.refresh();
                }}
            />
            <input
                class="name"
                type="text"
                aria-label="Name"
                maxlength="40"
                .value=${creature.name}
                @change=${(event: Event) => rename(creature, event.target as HTMLInputElement)}
            />
            <span class="actions">
                ${showButton(creature)}
                ${iconButton('creature-remove', 'trash', `Remove ${creature.name}`, () => remove(creature), app.creatures.length <= 1)}
            </span>
            ${
                creature.visible
                    ? html`<button
                          type="button"
                          class="numbers"
                          data-test="creature-choose"
                          aria-pressed=${mark ? 'true' : 'false'}
                          title="Explain this path"
                          @click=${() => choose(creature)}
                      >
                          ${numbers(creature, app.routes.of(creature))}
                      </button>`
                    : nothing
            }
        </li>`;
    }

    function adder(): TemplateResult {
        const options = [...PRESETS, 'new'].map(
            (name) => html`<option value=${name}>${name === 'new' ? 'new: cost 1 everywhere' : name}</option>`,
        );
        return html`<select
            id="creature-add"
            aria-label="Add a creature"
            ?disabled=${app.creatures.length >= MAX_CREATURES}
            @change=${(event: Event) => {
                const box = event.target as HTMLSelectElement;
                add(box.value);
                box.value = '';
            }}
        >
            <option value="" selected>Add a creature…</option>
            ${options}
        </select>`;
    }

    return {
        chosen,
        panel: () =>
            html`<ul class="creatures" role="list">
                    ${repeat(app.creatures, (one) => one.id, row)}
                </ul>
                ${adder()}`,
    };
}
