// Everything around the panels: tab rail, map buttons, status line, job progress, first-visit hint.
import { html, nothing, type TemplateResult } from 'lit-html';
import type { App, Tab } from '../app';
import type { JobState } from '../jobs';
import type { Status } from '../state';
import type { Cell } from '../types';
import { icon } from './icons';
import { iconButton } from './parts';
import { theme } from './theme';

const byTouch = window.matchMedia('(pointer: coarse)');

export interface ShellState {
    app: App;
    status: Status;
    quiet: string;
    job: JobState | null;
    pointer: Cell | null;
    hint: boolean;
    dropping: boolean;
    dismissHint(): void;
    switchTheme(): void;
    chooseTab(tab: Tab): void;
}

export function rail(state: ShellState): TemplateResult {
    const { app } = state;
    return html`<span class="brand" title="Terrane studio">${icon('brand')}<b>Terrane</b></span>
        <div class="tabs">
            ${app.tabs.map(
                (tab) =>
                    html`<button
                        type="button"
                        id="tab-${tab.id}"
                        data-test="tab-${tab.id}"
                        aria-current=${tab === app.tab ? 'page' : 'false'}
                        aria-controls="panel"
                        @click=${() => state.chooseTab(tab)}
                    >
                        ${icon(tab.id)}<span>${tab.title}</span>
                    </button>`,
            )}
        </div>
        ${themeButton(state)}`;
}

function themeButton(state: ShellState): TemplateResult {
    const names = { auto: 'system', light: 'light', dark: 'dark' };
    const icons = { auto: 'auto', light: 'sun', dark: 'moon' };
    const now = theme();
    return iconButton('theme', icons[now], `Colour theme: ${names[now]}. Click to change`, state.switchTheme);
}

export function panel(app: App, grip: TemplateResult): TemplateResult {
    return html`${grip}
        <div class="panel-body" data-test="panel-${app.tab.id}">
            <h1>${app.tab.title}</h1>
            ${app.tab.panel()}
        </div>`;
}

function mapButtons(app: App): TemplateResult {
    return html`<div class="map-buttons" role="toolbar" aria-label="Map">
        ${iconButton('undo', 'undo', 'Undo (Ctrl+Z)', () => app.edits.undo(), !app.edits.canUndo)}
        ${iconButton('redo', 'redo', 'Redo (Ctrl+Shift+Z)', () => app.edits.redo(), !app.edits.canRedo)}
        <i></i>
        ${iconButton('zoom-in', 'plus', 'Zoom in (+)', () => app.view.zoomMiddle(1.5))}
        ${iconButton('zoom-out', 'minus', 'Zoom out (-)', () => app.view.zoomMiddle(1 / 1.5))}
        ${iconButton('fit', 'fit', 'Show the whole map (0)', () => app.view.fit())}
    </div>`;
}

function readout(state: ShellState): TemplateResult | typeof nothing {
    const { world } = state.app;
    const at = state.pointer;
    if (!at || at.x < 0 || at.y < 0 || at.x >= world.width || at.y >= world.height) return nothing;
    const terrain = world.terrains[world.cells[at.y * world.width + at.x]];
    const name = terrain?.name.replace(/_/g, ' ') ?? '';
    return html`<span class="readout" data-test="readout"
        ><b style="background:rgb(${terrain?.color.join(',')})"></b>${name} · ${at.x}, ${at.y}</span
    >`;
}

function statusLine(state: ShellState): TemplateResult {
    const { text, kind } = state.status;
    return html`<div class="status-line">
        <span id="status" role="status" aria-live="polite" data-test="status" data-kind=${kind} class=${kind} ?hidden=${text === ''}
            >${text}</span
        >
        <span class="quiet" data-test="quiet" ?hidden=${state.quiet === ''}>${state.quiet}</span>
        ${readout(state)}
    </div>`;
}

function jobBar(job: JobState | null): TemplateResult | typeof nothing {
    if (!job) return nothing;
    const percent = Math.round(100 * job.done);
    return html`<div class="job" role="group" aria-label="Progress" data-test="job">
        <span class="job-title">${job.title}${job.text ? html` <small>${job.text}</small>` : nothing}</span>
        ${
            job.done < 0
                ? html`<div class="bar unknown" role="progressbar" aria-label=${job.title}></div>`
                : html`<div
                      class="bar"
                      role="progressbar"
                      aria-label=${job.title}
                      aria-valuenow=${percent}
                      aria-valuemin="0"
                      aria-valuemax="100"
                  >
                      <b style="width:${percent}%"></b>
                  </div>`
        }
        <button type="button" class="button small" data-test="job-cancel" @click=${job.cancel}>Cancel</button>
    </div>`;
}

export function welcome(state: ShellState): TemplateResult | typeof nothing {
    if (!state.hint) return nothing;
    return html`<div class="hint" role="dialog" aria-label="Welcome" data-test="hint">
        <p><b>Paint a swamp and watch the deer go around it.</b></p>
        <ul>
            <li>Drag the flags <b class="a">A</b> and <b class="b">B</b>. Every creature's route follows at once.</li>
            <li>Paint on the map. The engine repairs only the sectors that changed; they light up.</li>
            ${
                byTouch.matches
                    ? html`<li>Use two fingers to move the map and to zoom.</li>`
                    : html`<li>Scroll to zoom. Drag with the right button, or hold Space and drag, to move the map.</li>
                          <li>Drop a map file here: .map, .terrane, PNG or Tiled.</li>`
            }
        </ul>
        <button type="button" class="button primary" data-test="hint-close" @click=${state.dismissHint}>Start</button>
    </div>`;
}

export function chrome(state: ShellState): TemplateResult {
    return html`${mapButtons(state.app)} ${statusLine(state)} ${jobBar(state.job)}
        <div class="drop" ?hidden=${!state.dropping} data-test="drop"><span>Drop the map here</span></div>`;
}
