// The building blocks of the panels.
import { html, nothing, type TemplateResult } from 'lit-html';
import { costText } from '../types';
import { icon } from './icons';

export type Content = TemplateResult | TemplateResult[] | string | typeof nothing;

export function section(title: string, body: Content, aside: Content = nothing): TemplateResult {
    return html`<section class="section">
        <header>
            <h2>${title}</h2>
            ${aside}
        </header>
        ${body}
    </section>`;
}

export interface Choice<T> {
    value: T;
    label: string;
    icon?: string;
    title?: string;
    disabled?: boolean;
}

// A group of buttons, one of which is pressed.
export function choices<T>(
    name: string,
    label: string,
    list: Choice<T>[],
    chosen: T,
    choose: (value: T) => void,
    look = '',
): TemplateResult {
    return html`<div class="choices ${look}" role="group" aria-label=${label}>
        ${list.map(
            (one) =>
                html`<button
                    type="button"
                    aria-pressed=${one.value === chosen ? 'true' : 'false'}
                    title=${one.title ?? one.label}
                    ?disabled=${one.disabled ?? false}
                    data-test="${name}-${String(one.value)}"
                    @click=${() => choose(one.value)}
                >
                    ${one.icon ? icon(one.icon) : nothing}<span>${one.label}</span>
                </button>`,
        )}
    </div>`;
}

export interface NumberField {
    id: string;
    label: string;
    value: number;
    min: number;
    max: number;
    step?: number;
    change: (value: number) => void;
}

// A labelled integer. Values out of range are clamped, invalid ones are reset.
export function numberField(field: NumberField): TemplateResult {
    const take = (event: Event): void => {
        const input = event.target as HTMLInputElement;
        const value = Math.min(field.max, Math.max(field.min, Math.round(Number(input.value))));
        if (input.value.trim() === '' || Number.isNaN(value)) input.value = String(field.value);
        else field.change(value);
    };
    return html`<label class="field" for=${field.id}>
        <span>${field.label}</span>
        <input
            id=${field.id}
            type="number"
            min=${field.min}
            max=${field.max}
            step=${field.step ?? 1}
            .value=${String(field.value)}
            @change=${take}
        />
    </label>`;
}

export interface SliderField extends NumberField {
    text?: string; // shown instead of the number
}

export function slider(field: SliderField): TemplateResult {
    return html`<label class="field slider" for=${field.id}>
        <span>${field.label}<output>${field.text ?? field.value}</output></span>
        <input
            id=${field.id}
            type="range"
            min=${field.min}
            max=${field.max}
            step=${field.step ?? 1}
            .value=${String(field.value)}
            aria-valuetext=${field.text ?? String(field.value)}
            @input=${(event: Event) => field.change(Number((event.target as HTMLInputElement).value))}
        />
    </label>`;
}

export function toggle(id: string, label: Content, on: boolean, change: (on: boolean) => void, aside: Content = nothing): TemplateResult {
    return html`<label class="toggle" for=${id}>
        <input id=${id} type="checkbox" .checked=${on} @change=${(event: Event) => change((event.target as HTMLInputElement).checked)} />
        <span>${label}</span>${aside}
    </label>`;
}

export interface Option {
    value: string;
    label: string;
}

export function select(id: string, label: string, options: Option[], chosen: string, choose: (value: string) => void): TemplateResult {
    return html`<label class="field" for=${id}>
        <span>${label}</span>
        <select id=${id} @change=${(event: Event) => choose((event.target as HTMLSelectElement).value)}>
            ${options.map((one) => html`<option value=${one.value} ?selected=${one.value === chosen}>${one.label}</option>`)}
        </select>
    </label>`;
}

export function button(
    test: string,
    label: Content,
    press: () => void,
    style: { icon?: string; kind?: string; disabled?: boolean; title?: string } = {},
): TemplateResult {
    return html`<button
        type="button"
        class="button ${style.kind ?? ''}"
        data-test=${test}
        title=${style.title ?? nothing}
        ?disabled=${style.disabled ?? false}
        @click=${press}
    >
        ${style.icon ? icon(style.icon) : nothing}<span>${label}</span>
    </button>`;
}

export function iconButton(test: string, name: string, label: string, press: () => void, disabled = false): TemplateResult {
    return html`<button
        type="button"
        class="icon-button"
        data-test=${test}
        title=${label}
        aria-label=${label}
        ?disabled=${disabled}
        @click=${press}
    >
        ${icon(name)}
    </button>`;
}

// A path's cost, rounded for people. data-units and the tooltip have the exact value.
export function cost(units: bigint | number, test = 'cost'): TemplateResult {
    return html`<span class="number" data-test=${test} data-units=${units.toString()} title="${units.toString()} units"
        >${costText(units)}</span
    >`;
}

export interface Fact {
    name: string;
    value: Content;
    test?: string;
}

export function facts(list: Fact[]): TemplateResult {
    return html`<dl class="facts">
        ${list.map(
            (fact) =>
                html`<div>
                    <dt>${fact.name}</dt>
                    <dd data-test=${fact.test ?? nothing}>${fact.value}</dd>
                </div>`,
        )}
    </dl>`;
}
