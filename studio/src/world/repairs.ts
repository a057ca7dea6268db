// What the status line says of repairs: batches that follow each other closely, as those of one stroke do, are counted together.
import type { EditAnswer } from '../engine/protocol';
import { countText, timeText } from '../types';

const PAUSE = 500; // ms without a batch, after which the count begins anew

export interface Repairs {
    add(answer: EditAnswer): string;
}

const counted = (count: number, name: string): string => (count === 1 ? `1 ${name}` : `${countText(count)} ${name}s`);

export function makeRepairs(): Repairs {
    let [cells, sectors, ms, last] = [0, 0, 0, -Infinity];
    return {
        add(answer) {
            const now = performance.now();
            if (now - last > PAUSE) [cells, sectors, ms] = [0, 0, 0];
            last = now;
            cells += answer.cells;
            sectors += answer.sectors;
            ms += answer.ms;
            return `${counted(cells, 'cell')} changed · ${counted(sectors, 'sector')} repaired in ${timeText(ms)}`;
        },
    };
}
