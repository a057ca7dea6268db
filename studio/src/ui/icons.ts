// Line icons for buttons, 20 pixels, in the text colour.
import { svg, html, type SVGTemplateResult, type TemplateResult } from 'lit-html';

const SHAPES: Record<string, SVGTemplateResult> = {
    brand: svg`<path d="M3 18 9 7l4 7 2.5-4L21 18Z" />`,
    world: svg`<path d="M3 17c3-5 5 1 8-4s5-8 10-6" /><path d="M3 21c4-3 7 0 10-2.5S18 14 21 14" /><circle cx="7" cy="6" r="2.5" />`,
    paths: svg`<circle cx="5" cy="18" r="2" /><circle cx="19" cy="6" r="2" /><path d="M7 18h6a3.5 3.5 0 0 0 0-7h-2a3 3 0 0 1 0-5h6" />`,
    compare: svg`<path d="M5 20V11M12 20V4M19 20v-6" />`,
    abstraction: svg`<rect x="3.5" y="3.5" width="17" height="17" rx="1.5" /><path d="M3.5 12h17M12 3.5v17M12 7.5h8.5" />`,
    open: svg`<path d="M4 4 12 9l-1 7-7 4M12 9l8-5M11 16l9 4" />`,
    crowd: svg`<circle cx="8" cy="8" r="3" /><path d="M2.5 19c.5-4 2.5-6 5.5-6s5 2 5.5 6" /><circle cx="17" cy="9" r="2.3" /><path d="M16 13.2c3 0 5 1.8 5.5 4.8" />`,
    pathdb: svg`<ellipse cx="12" cy="6" rx="7.5" ry="2.8" /><path d="M4.5 6v12c0 1.5 3.4 2.8 7.5 2.8s7.5-1.3 7.5-2.8V6M4.5 12c0 1.5 3.4 2.8 7.5 2.8s7.5-1.3 7.5-2.8" />`,
    share: svg`<path d="M12 15V3.5M8 7l4-3.5L16 7" /><path d="M5 12v7a1.5 1.5 0 0 0 1.5 1.5h11A1.5 1.5 0 0 0 19 19v-7" />`,
    undo: svg`<path d="M9 14 4.5 9.5 9 5" /><path d="M4.5 9.5H14a5 5 0 0 1 0 10h-3" />`,
    redo: svg`<path d="m15 14 4.5-4.5L15 5" /><path d="M19.5 9.5H10a5 5 0 0 0 0 10h3" />`,
    plus: svg`<path d="M12 5v14M5 12h14" />`,
    minus: svg`<path d="M5 12h14" />`,
    fit: svg`<path d="M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5" />`,
    sun: svg`<circle cx="12" cy="12" r="4" /><path d="M12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4" />`,
    moon: svg`<path d="M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5Z" />`,
    auto: svg`<circle cx="12" cy="12" r="8.5" /><path d="M12 3.5v17a8.5 8.5 0 0 0 0-17Z" fill="currentColor" />`,
    close: svg`<path d="m6 6 12 12M18 6 6 18" />`,
    eye: svg`<path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Z" /><circle cx="12" cy="12" r="2.8" />`,
    hidden: svg`<path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Z" opacity="0.5" /><path d="m4 20 16-16" />`,
    brush: svg`<path d="M20 4 10.5 13.5" /><path d="M10.5 13.5a3.5 3.5 0 0 0-4.5 3c0 1.5-1 2.5-2.5 3 4 1.5 8.5.5 9-3.5a2.8 2.8 0 0 0-2-2.5Z" />`,
    line: svg`<path d="M5 19 19 5" /><circle cx="5" cy="19" r="1.5" /><circle cx="19" cy="5" r="1.5" />`,
    rect: svg`<rect x="4" y="6" width="16" height="12" rx="1" />`,
    wall: svg`<path d="M3.5 6h17v12h-17ZM3.5 12h17M9 6v6M15 6v6M12 12v6M6 12v6M18 12v6" />`,
    road: svg`<path d="M8 3.5 4.5 20.5M16 3.5l3.5 17M12 4v3M12 10.5v3M12 17v3" />`,
    bridge: svg`<path d="M2.5 15h19M2.5 10c4 0 5-3 9.5-3s5.5 3 9.5 3M6 15V9.5M12 15V7M18 15V9.5M6 15v3M18 15v3" />`,
    fire: svg`<path d="M12 3c1 4 5.5 5.5 5.5 10.5a5.5 5.5 0 0 1-11 0c0-2.5 1.5-3.5 2-6 1.5.5 2 2 2 3 1-1.5 2-3.5 1.5-7.5Z" />`,
    hand: svg`<path d="M8 12V6a1.5 1.5 0 0 1 3 0v5M11 11V4.5a1.5 1.5 0 0 1 3 0V11M14 11V6a1.5 1.5 0 0 1 3 0v8c0 4-2 6.5-5.5 6.5S7 18.5 6 16l-1.7-3.5a1.4 1.4 0 0 1 2.5-1.3L8 13" />`,
    file: svg`<path d="M6 3.5h8l4.5 4.5v12.5H6ZM14 3.5V8h4.5" />`,
    dice: svg`<rect x="4" y="4" width="16" height="16" rx="3" /><path d="M8.5 8.5h.01M15.5 8.5h.01M12 12h.01M8.5 15.5h.01M15.5 15.5h.01" stroke-width="2.6" />`,
    play: svg`<path d="M7 4.5v15l12-7.5Z" />`,
    pause: svg`<path d="M8 5v14M16 5v14" />`,
    step: svg`<path d="M6 5v14l9-7ZM18 5v14" />`,
    trash: svg`<path d="M4.5 7h15M9 7V4.5h6V7M6.5 7l1 13h9l1-13" />`,
    dots: svg`<path d="M6 12h.01M12 12h.01M18 12h.01" stroke-width="3" />`,
};

export function icon(name: string): TemplateResult {
    return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${SHAPES[name] ?? SHAPES['dots']}</svg>`;
}
