// A new map: generated from a seed, or from a file.
import { html, type TemplateResult } from 'lit-html';
import type { App } from '../app';
import type { Generator, GeneratorKind } from '../types';
import { openFiles } from '../ui/drop';
import { button, choices, iconButton, numberField, section, type Choice } from '../ui/parts';
import { icon } from '../ui/icons';
import { FILE_TYPES } from '../world/sources';

interface Detail {
    label: string;
    usual: number; // in place of 0
    min: number;
    max: number;
}

const KINDS: Choice<GeneratorKind>[] = [
    { value: 'island', label: 'Island', title: 'Biomes, rivers and roads' },
    { value: 'rooms', label: 'Rooms' },
    { value: 'maze', label: 'Maze' },
    { value: 'random', label: 'Random', title: 'Walls in random cells' },
    { value: 'voronoi', label: 'Voronoi', title: 'Fields of terrain around random points' },
];

const DETAILS: Partial<Record<GeneratorKind, Detail>> = {
    rooms: { label: 'Room side', usual: 16, min: 2, max: 256 },
    maze: { label: 'Corridor', usual: 1, min: 1, max: 32 },
    random: { label: 'Walls, %', usual: 25, min: 1, max: 90 },
    voronoi: { label: 'Fields', usual: 64, min: 1, max: 4096 },
};

export function makeStart(app: App): { panel(): TemplateResult } {
    const wanted: Generator = { kind: 'island', width: 512, height: 512, seed: 7, detail: 0, terrains: 0 };
    const set = (change: Partial<Generator>): void => {
        Object.assign(wanted, change);
        app.refresh();
    };
    const make = (): void => void app.open({ kind: 'generator', generator: { ...wanted } });

    function rollSeed(): void {
        set({ seed: Math.floor(Math.random() * 1e6) });
        make();
    }

    function sizeField(side: 'width' | 'height', label: string): TemplateResult {
        return numberField({
            id: `world-${side}`,
            label,
            value: wanted[side],
            min: 16,
            max: 8192,
            change: (value) => set({ [side]: value }),
        });
    }

    function seedField(): TemplateResult {
        return numberField({ id: 'world-seed', label: 'Seed', value: wanted.seed, min: 0, max: 2 ** 50, change: (seed) => set({ seed }) });
    }

    function detailField(): TemplateResult | string {
        const detail = DETAILS[wanted.kind];
        if (!detail) return '';
        const value = wanted.detail === 0 ? detail.usual : wanted.detail;
        return numberField({
            id: 'world-detail',
            label: detail.label,
            value,
            min: detail.min,
            max: detail.max,
            change: (d) => set({ detail: d }),
        });
    }

    return {
        panel: () =>
            section(
                'New map',
                html`${choices('kind', 'Kind of map', KINDS, wanted.kind, (kind) => set({ kind, detail: 0 }), 'even')}
                    <div class="row">${sizeField('width', 'Width')} ${sizeField('height', 'Height')} ${detailField()}</div>
                    <div class="row">
                        ${seedField()} ${iconButton('world-dice', 'dice', 'Another seed', rollSeed)}
                        ${button('world-make', 'Make', make, { kind: 'primary' })}
                    </div>`,
            ),
    };
}

export function fileSection(app: App): TemplateResult {
    const chosen = (event: Event): void => {
        const input = event.target as HTMLInputElement;
        const files = [...(input.files ?? [])];
        input.value = ''; // so that the same file can be chosen again
        void openFiles(app, files);
    };
    return section(
        'From a file',
        html`<label class="button file" tabindex="-1">
                ${icon('file')}<span>Open a file…</span>
                <input id="world-file" class="visually-hidden" type="file" multiple accept=${FILE_TYPES} @change=${chosen} />
            </label>
            <small>MovingAI .map, .terrane, PNG by its colours, Tiled (.tmj, .json, .tmx, with its tilesets). Or drop it anywhere.</small>`,
    );
}
