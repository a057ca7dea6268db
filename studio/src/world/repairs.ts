// The status text of repairs. Batches in quick succession, such as those of one stroke, are added up.
import type { EditAnswer } from '../engine/protocol';
import { countText, timeText } from '../types';

const PAUSE = 500; // ms without a batch after which the counts restart

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
