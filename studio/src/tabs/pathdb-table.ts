// The ways of using a path database on a map that has changed since, and what each made of the same query.
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Path } from '../engine/protocol';
import { countText, timeText } from '../types';
import { cost } from '../ui/parts';

export interface Variant {
    method: string;
    what: string;
    colour: string;
}

export const BASE = 'astar';
export const VARIANTS: Variant[] = [
    { method: BASE, what: 'without the database: the optimum', colour: '#ffffff' },
    { method: 'cpd', what: 'ends once a path of the database is still open', colour: '#4fd8e8' },
    { method: 'cpd:1.1', what: 'weighted, at most 1.1 times the optimum', colour: '#ffd34d' },
    { method: 'cpd/nosp', what: 'the database as heuristic alone', colour: '#b5e655' },
    { method: 'cpd/focal', what: 'focal search', colour: '#ff6fa8' },
    { method: 'cpd/branching', what: 'walks the database, branches where it is blocked', colour: '#c58bff' },
];

export function variantTable(paths: Map<string, Path>, drawn: Set<string>, toggle: (variant: Variant) => void): TemplateResult {
    const best = paths.get(BASE);
    const most = Math.max(1, ...[...paths.values()].map(({ expansions }) => expansions));
    return html`<ul class="methods" data-test="pathdb-table">
        ${VARIANTS.map((variant) => card(variant, paths.get(variant.method), best, most, drawn.has(variant.method), () => toggle(variant)))}
    </ul>`;
}

function card(
    variant: Variant,
    path: Path | undefined,
    best: Path | undefined,
    most: number,
    drawn: boolean,
    toggle: () => void,
): TemplateResult {
    const { method, what, colour } = variant;
    const id = `pathdb-draw-${method}`;
    const found = path?.status === 'found';
    // By a root, as on the tab Compare.
    const effort = found ? 100 * Math.sqrt(path.expansions / most) : 0;
    return html`<li class="method" data-test="pathdb-row" data-method=${method}>
        <input type="checkbox" id=${id} title="Draw it" .checked=${drawn} @change=${toggle} />
        <label for=${id} title=${what}><span class="swatch dot" style="background:${colour}"></span>${method}</label>
        <span class="time" data-test="pathdb-time">${found ? timeText(path.ms) : nothing}</span>
        ${answer(variant, path, best)}
        <span class="effort" style="width:${effort}%" aria-hidden="true"></span>
    </li>`;
}

function answer({ what }: Variant, path: Path | undefined, best: Path | undefined): TemplateResult {
    if (!path) return html`<p class="wide muted">${what}</p>`;
    if (path.status !== 'found') return html`<p class="wide" data-test="pathdb-status">${path.statusText}</p>`;
    const ratio = best && best.cost > 0n ? (Number(path.cost) / Number(best.cost)).toFixed(3) : '–';
    return html`<dl class="numbers">
        ${number('cost', cost(path.cost, 'pathdb-cost'), '')} ${number('ratio', ratio, 'pathdb-ratio')}
        ${number('proven', Number.isFinite(path.bound) && path.bound >= 1 ? `≤\u00a0${Number(path.bound.toFixed(3))}` : '–', 'pathdb-bound')}
        ${number('expanded', countText(path.expansions), 'pathdb-expansions')}
    </dl>`;
}

function number(name: string, value: TemplateResult | string, test: string): TemplateResult {
    return html`<div>
        <dt>${name}</dt>
        <dd data-test=${test || nothing}>${value}</dd>
    </div>`;
}
