// Chooses the drawing quality: full, except while the map moves on a machine that is too slow for it.
const SLOW = 45; // ms between frames
const REST = 200; // ms without a frame until a full-quality frame is drawn

export interface Pace {
    // Call it for each terrain frame. Returns true if the frame should be coarse; `again` is called when the map rests.
    coarse(now: number, again: () => void): boolean;
}

export function makePace(): Pace {
    let last = -Infinity;
    let mean = 16; // ms between frames while the map moves
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
