// The table of crossings. By Snell's law, cost times the sine of the angle is equal on both sides of a border.
import { html, type TemplateResult } from 'lit-html';
import type { Crossing } from '../engine/protocol';
import { section } from '../ui/parts';

export const degrees = (radians: number): string => `${((radians * 180) / Math.PI).toFixed(1)}°`;

const isCorner = (c: Crossing): boolean => c.normalX === 0 && c.normalY === 0;

function row(c: Crossing, i: number, pointAt: (i: number) => void): TemplateResult {
    const left = c.costFrom * Math.sin(c.angleFrom);
    const right = c.costTo * Math.sin(c.angleTo);
    const angles = isCorner(c)
        ? html`<td colspan="4">at a vertex</td>`
        : html`<td>${degrees(c.angleFrom)}</td>
              <td>${degrees(c.angleTo)}</td>
              <td data-test="snell-from" data-value=${left}>${left.toFixed(3)}</td>
              <td data-test="snell-to" data-value=${right}>${right.toFixed(3)}</td>`;
    return html`<tr
        data-test="snell-row"
        tabindex="0"
        @pointerenter=${() => pointAt(i)}
        @focus=${() => pointAt(i)}
        @pointerleave=${() => pointAt(-1)}
    >
        <td>${i + 1}</td>
        <td>${c.costFrom.toFixed(1)} → ${c.costTo.toFixed(1)}</td>
        ${angles}
    </tr>`;
}

export function snellTable(crossings: Crossing[], pointAt: (i: number) => void): TemplateResult {
    const table = html`<div class="matrix-frame">
        <table class="table" data-test="snell-table">
            <thead>
                <tr>
                    <th>#</th>
                    <th title="region cost before and after the border">cost</th>
                    <th title="angle between path and normal before the border">α</th>
                    <th title="angle between path and normal after the border">β</th>
                    <th title="cost before, times sin α">c·sin α</th>
                    <th title="cost after, times sin β">c·sin β</th>
                </tr>
            </thead>
            <tbody>
                ${crossings.map((c, i) => row(c, i, pointAt))}
            </tbody>
        </table>
    </div>`;
    const none = html`<p class="muted">The path crosses no border.</p>`;
    const law = html`<p class="muted">Cost times the sine of the angle is equal on both sides.</p>`;
    return section('Snell’s law', crossings.length > 0 ? html`${table} ${law}` : none);
}
