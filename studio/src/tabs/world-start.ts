// Creates maps: generated from a seed, or opened from a file.
import { html, type TemplateResult } from 'lit-html';
import type { App } from '../app';
import type { Generator, GeneratorKind } from '../types';
import { openFiles } from '../ui/drop';
import { button, choices, iconButton, numberField, section, type Choice } from '../ui/parts';
import { icon } from '../ui/icons';
import { FILE_TYPES } from '../world/sources';

interface Detail {
    label: string;
    defaultValue: number; // for 0
    min: number;
    max: number;
}

const KINDS: Choice<GeneratorKind>[] = [
    { value: 'island', label: 'Island', title: 'Biomes, rivers and roads' },
    { value: 'rooms', label: 'Rooms' },
    { value: 'maze', label: 'Maze' },
    { value: 'random', label: 'Random', title: 'Random obstacles' },
    { value: 'voronoi', label: 'Voronoi', title: 'Terrain in Voronoi cells around random sites' },
];

const DETAILS: Partial<Record<GeneratorKind, Detail>> = {
    rooms: { label: 'Room side', defaultValue: 16, min: 2, max: 256 },
    maze: { label: 'Corridor', defaultValue: 1, min: 1, max: 32 },
    random: { label: 'Obstacles, %', defaultValue: 25, min: 1, max: 90 },
    voronoi: { label: 'Sites', defaultValue: 64, min: 1, max: 4096 },
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
        const value = wanted.detail === 0 ? detail.defaultValue : wanted.detail;
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
                html`${choices('kind', 'Map type', KINDS, wanted.kind, (kind) => set({ kind, detail: 0 }), 'even')}
                    <div class="row">${sizeField('width', 'Width')} ${sizeField('height', 'Height')} ${detailField()}</div>
                    <div class="row">
                        ${seedField()} ${iconButton('world-dice', 'dice', 'Random seed', rollSeed)}
                        ${button('world-make', 'Generate', make, { kind: 'primary' })}
                    </div>`,
            ),
    };
}

export function fileSection(app: App): TemplateResult {
    const chosen = (event: Event): void => {
        const input = event.target as HTMLInputElement;
        const files = [...(input.files ?? [])];
        input.value = ''; // allows choosing the same file again
        void openFiles(app, files);
    };
    return section(
        'Open a map',
        html`<label class="button file" tabindex="-1">
                ${icon('file')}<span>Open a file…</span>
                <input id="world-file" class="visually-hidden" type="file" multiple accept=${FILE_TYPES} @change=${chosen} />
            </label>
            <small>MovingAI .map, .terrane, PNG by colour, Tiled (.tmj, .json, .tmx with its tilesets). Or drop files on the page.</small>`,
    );
}
