// One method of the comparison: its numbers, and what it needs before it has any.
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Path } from '../engine/protocol';
import { bytesText, countText, timeText } from '../types';
import { button, cost, iconButton } from '../ui/parts';

export interface Row {
    method: string;
    colour: string;
    summary: string;
    path: Path | null; // null: not found out yet
    problem: string; // why it was refused
    prepares: boolean | null; // null: not asked yet
    bytes: number; // of what is prepared for the creature; 0: nothing is
}

export interface RowContext {
    chosen: boolean;
    optimal: Path | null;
    most: number; // expansions of any row
}

export interface RowActions {
    choose(row: Row): void;
    remove(row: Row): void;
    prepare(row: Row): void;
}

function ratio(path: Path, optimal: Path | null): string {
    if (!optimal || optimal.status !== 'found' || optimal.cost === 0n) return '–';
    return (Number(path.cost) / Number(optimal.cost)).toFixed(3);
}

function bound(value: number): string {
    return Number.isFinite(value) && value >= 1 ? `≤ ${Number(value.toFixed(3))}` : '–';
}

function number(name: string, value: TemplateResult | string, test: string): TemplateResult {
    return html`<div>
        <dt>${name}</dt>
        <dd data-test=${test}>${value}</dd>
    </div>`;
}

function numbers(path: Path, optimal: Path | null): TemplateResult {
    return html`<dl class="numbers">
        ${number('cost', cost(path.cost, 'method-cost'), 'method-cost-cell')} ${number('ratio', ratio(path, optimal), 'method-ratio')}
        ${number('proven', bound(path.bound), 'method-bound')} ${number('expanded', countText(path.expansions), 'method-expansions')}
        ${number('first', countText(path.expansionsFirst), 'method-first')}
    </dl>`;
}

function answer(row: Row, context: RowContext): TemplateResult {
    if (row.problem) return html`<p class="wide bad" data-test="method-problem">${row.problem}</p>`;
    if (!row.path) return html`<p class="wide muted">…</p>`;
    if (row.path.status !== 'found') return html`<p class="wide" data-test="method-status">${row.path.statusText}</p>`;
    return numbers(row.path, context.optimal);
}

// Without its preparation a method answers all the same, by the usual one: what is shown is that.
function preparation(row: Row, actions: RowActions): TemplateResult | typeof nothing {
    if (!row.prepares || row.problem) return nothing;
    if (row.bytes > 0) return html`<p class="wide muted" data-test="method-prepared">Prepared: ${bytesText(row.bytes)}</p>`;
    return html`<p class="wide">
        <span class="muted">Not prepared: found the usual way.</span>
        ${button('method-prepare', 'Prepare', () => actions.prepare(row), { kind: 'small' })}
    </p>`;
}

export function methodRow(row: Row, context: RowContext, actions: RowActions): TemplateResult {
    const id = `method-${row.method}`;
    const found = row.path?.status === 'found' && !row.problem;
    // By a root: a method that expands a hundredth of another's still shows a tenth of its bar.
    const effort = found ? Math.sqrt(row.path!.expansions / context.most) : 0;
    return html`<li class="method ${context.chosen ? 'chosen' : ''}" data-test="method" data-method=${row.method}>
        <input
            type="radio"
            name="method"
            id=${id}
            .checked=${context.chosen}
            style="accent-color:${row.colour}"
            @change=${() => actions.choose(row)}
        />
        <label for=${id} title=${row.summary}><span class="swatch dot" style="background:${row.colour}"></span>${row.method}</label>
        <span class="time" data-test="method-time">${found ? timeText(row.path!.ms) : nothing}</span>
        ${iconButton('method-remove', 'close', `Remove ${row.method}`, () => actions.remove(row))} ${answer(row, context)}
        ${preparation(row, actions)}
        <span class="effort" style="width:${100 * effort}%" aria-hidden="true"></span>
    </li>`;
}
