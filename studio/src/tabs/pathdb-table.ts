// The searches that use a path database on a changed map, and their results for the same query.
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Path } from '../engine/protocol';
import { countText, timeText } from '../types';
import { cost } from '../ui/parts';

export interface Variant {
    method: string;
    description: string;
    colour: string;
}

export const BASE = 'astar';
export const VARIANTS: Variant[] = [
    { method: BASE, description: 'A* without the database: optimal', colour: '#ffffff' },
    { method: 'cpd', description: 'stops as soon as a path of the database is valid', colour: '#4fd8e8' },
    { method: 'cpd:1.1', description: 'weighted: at most 1.1 times the optimum', colour: '#ffd34d' },
    { method: 'cpd/nosp', description: 'the database as heuristic only', colour: '#b5e655' },
    { method: 'cpd/focal', description: 'focal search', colour: '#ff6fa8' },
    { method: 'cpd/branching', description: 'follows the database, and branches where it is blocked', colour: '#c58bff' },
];

export function variantTable(paths: Map<string, Path>, drawn: Set<string>, toggle: (variant: Variant) => void): TemplateResult {
    const best = paths.get(BASE);
    const maxExpansions = Math.max(1, ...[...paths.values()].map(({ expansions }) => expansions));
    return html`<ul class="methods" data-test="pathdb-table">
        ${VARIANTS.map((variant) => {
            const { method } = variant;
            return card(variant, paths.get(method), best, maxExpansions, drawn.has(method), () => toggle(variant));
        })}
    </ul>`;
}

function card(
    variant: Variant,
    path: Path | undefined,
    best: Path | undefined,
    maxExpansions: number,
    drawn: boolean,
    toggle: () => void,
): TemplateResult {
    const { method, description, colour } = variant;
    const id = `pathdb-draw-${method}`;
    const found = path?.status === 'found';
    // Square root, as in the tab Compare.
    const effort = found ? 100 * Math.sqrt(path.expansions / maxExpansions) : 0;
    return html`<li class="method" data-test="pathdb-row" data-method=${method}>
        <input type="checkbox" id=${id} title="Draw this path" .checked=${drawn} @change=${toggle} />
        <label for=${id} title=${description}><span class="swatch dot" style="background:${colour}"></span>${method}</label>
        <span class="time" data-test="pathdb-time">${found ? timeText(path.ms) : nothing}</span>
        ${answer(variant, path, best)}
        <span class="effort" style="width:${effort}%" aria-hidden="true"></span>
    </li>`;
}

function answer({ description }: Variant, path: Path | undefined, best: Path | undefined): TemplateResult {
    if (!path) return html`<p class="wide muted">${description}</p>`;
    if (path.status !== 'found') return html`<p class="wide" data-test="pathdb-status">${path.statusText}</p>`;
    const ratio = best && best.cost > 0n ? (Number(path.cost) / Number(best.cost)).toFixed(3) : '–';
    const bound = Number.isFinite(path.bound) && path.bound >= 1 ? `≤\u00a0${Number(path.bound.toFixed(3))}` : '–';
    return html`<dl class="numbers">
        ${number('cost', 'Path cost', cost(path.cost, 'pathdb-cost'), '')}
        ${number('ratio', 'Cost divided by the optimum', ratio, 'pathdb-ratio')}
        ${number('bound', 'Proven: cost divided by the optimum is at most this', bound, 'pathdb-bound')}
        ${number('expanded', 'Expansions', countText(path.expansions), 'pathdb-expansions')}
    </dl>`;
}

function number(name: string, title: string, value: TemplateResult | string, test: string): TemplateResult {
    return html`<div title=${title}>
        <dt>${name}</dt>
        <dd data-test=${test || nothing}>${value}</dd>
    </div>`;
}
