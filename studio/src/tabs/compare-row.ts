// One row of the comparison: a method's results, or what it needs first.
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Path } from '../engine/protocol';
import { bytesText, countText, timeText } from '../types';
import { button, cost, iconButton } from '../ui/parts';

export interface Row {
    method: string;
    colour: string;
    summary: string;
    path: Path | null; // null: not computed yet
    problem: string; // why the engine rejected it
    prepares: boolean | null; // null: not known yet
    bytes: number; // prepared for the creature; 0: none
}

export interface RowContext {
    chosen: boolean;
    optimal: Path | null;
    maxExpansions: number; // the largest number of expansions of all rows
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

function number(name: string, title: string, value: TemplateResult | string, test: string): TemplateResult {
    return html`<div title=${title}>
        <dt>${name}</dt>
        <dd data-test=${test}>${value}</dd>
    </div>`;
}

function numbers(path: Path, optimal: Path | null): TemplateResult {
    return html`<dl class="numbers">
        ${number('cost', 'Path cost', cost(path.cost, 'method-cost'), 'method-cost-cell')}
        ${number('ratio', 'Cost divided by the optimum', ratio(path, optimal), 'method-ratio')}
        ${number('bound', 'Proven: cost divided by the optimum is at most this', bound(path.bound), 'method-bound')}
        ${number('expanded', 'Expansions', countText(path.expansions), 'method-expansions')}
        ${number('first', 'Expansions before the first move', countText(path.expansionsFirst), 'method-first')}
    </dl>`;
}

function answer(row: Row, context: RowContext): TemplateResult {
    if (row.problem) return html`<p class="wide bad" data-test="method-problem">${row.problem}</p>`;
    if (!row.path) return html`<p class="wide muted">…</p>`;
    if (row.path.status !== 'found') return html`<p class="wide" data-test="method-status">${row.path.statusText}</p>`;
    return numbers(row.path, context.optimal);
}

// An unprepared overlay is answered by another method, whose path is shown.
function preparation(row: Row, actions: RowActions): TemplateResult | typeof nothing {
    if (!row.prepares || row.problem) return nothing;
    if (row.bytes > 0) return html`<p class="wide muted" data-test="method-prepared">Prepared: ${bytesText(row.bytes)}</p>`;
    return html`<p class="wide">
        <span class="muted">Not prepared${row.path?.status === 'found' ? `: answered by ${row.path.method}` : ''}.</span>
        ${button('method-prepare', 'Prepare', () => actions.prepare(row), { kind: 'small' })}
    </p>`;
}

export function methodRow(row: Row, context: RowContext, actions: RowActions): TemplateResult {
    const id = `method-${row.method}`;
    const found = row.path?.status === 'found' && !row.problem;
    // Square root: a method with a hundredth of the expansions still shows a tenth of the bar.
    const effort = found ? Math.sqrt(row.path!.expansions / context.maxExpansions) : 0;
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
