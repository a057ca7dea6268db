// How fine the terrain is drawn: as fine as it gets, except while it moves on a machine that is too slow for that.
const SLOW = 45; // ms between frames
const REST = 200; // ms without a frame until the fine picture is drawn

export interface Pace {
    // At each frame of terrain: true where it should be a coarse one. `again` is called when the map has come to rest.
    coarse(now: number, again: () => void): boolean;
}

export function makePace(): Pace {
    let last = -Infinity;
    let mean = 16; // ms between frames of a movement
    let timer = 0;
    let resting = false;

    return {
        coarse(now, again) {
            const gap = now - last;
            last = now;
            if (resting) {
                resting = false;
                return false;
            }
            if (gap < 1500) mean += (Math.min(gap, 300) - mean) / 4;
            if (mean < SLOW) return false;
            window.clearTimeout(timer);
            timer = window.setTimeout(() => {
                resting = true;
                again();
            }, REST);
            return true;
        },
    };
}
