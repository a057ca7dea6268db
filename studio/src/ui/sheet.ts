// On narrow screens the panel is a bottom sheet: drag or press its grip to switch between three heights.
import { html, type TemplateResult } from 'lit-html';

export interface Sheet {
    grip(): TemplateResult;
    covered(): { top: number; bottom: number }; // CSS pixels of the map under the buttons; under status line, sheet and tabs
    raise(): void; // from the lowest height to the middle one
}

const narrow = window.matchMedia('(max-width: 760px)');
const STOPS = [0, 0.42, 0.82]; // fractions of the window's height, without the grip
const GRIP = 26; // CSS pixels
const STATUS = 32; // the status line, between the map and the sheet
const BUTTONS = 62;

export function makeSheet(panel: HTMLElement, rail: HTMLElement, changed: () => void): Sheet {
    let stop = 1;
    let dragFrom: { y: number; height: number } | null = null;

    function setHeight(pixels: number, moving: boolean): void {
        panel.classList.toggle('moving', moving);
        document.documentElement.style.setProperty('--sheet', `${Math.round(pixels)}px`); // the status line sits on top of it
    }

    function settle(): void {
        setHeight(STOPS[stop] * window.innerHeight + GRIP, false);
        changed();
    }

    function nearestStop(height: number): number {
        const wanted = (height - GRIP) / window.innerHeight;
        return STOPS.reduce((best, value, i) => (Math.abs(value - wanted) < Math.abs(STOPS[best] - wanted) ? i : best), 0);
    }

    function down(event: PointerEvent): void {
        (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
        dragFrom = { y: event.clientY, height: panel.getBoundingClientRect().height };
    }

    function move(event: PointerEvent): void {
        if (dragFrom) setHeight(Math.max(GRIP, dragFrom.height + dragFrom.y - event.clientY), true);
    }

    function up(event: PointerEvent): void {
        if (!dragFrom) return;
        const moved = Math.abs(event.clientY - dragFrom.y);
        stop = moved < 6 ? (stop + 1) % STOPS.length : nearestStop(panel.getBoundingClientRect().height);
        dragFrom = null;
        settle();
    }

    function key(event: KeyboardEvent): void {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        stop = (stop + 1) % STOPS.length;
        settle();
    }

    narrow.addEventListener('change', settle);
    window.addEventListener('resize', settle);
    setHeight(STOPS[stop] * window.innerHeight + GRIP, false);
    return {
        grip: () =>
            html`<button
                type="button"
                class="grip"
                data-test="grip"
                aria-label="Change the height of the panel"
                @pointerdown=${down}
                @pointermove=${move}
                @pointerup=${up}
                @pointercancel=${up}
                @keydown=${key}
            ></button>`,
        covered() {
            if (!narrow.matches) return { top: 0, bottom: 0 };
            const bottom = rail.getBoundingClientRect().height + STOPS[Math.min(stop, 1)] * window.innerHeight + GRIP + STATUS;
            return { top: BUTTONS, bottom };
        },
        raise() {
            if (stop === 0) stop = 1;
            settle();
        },
    };
}
