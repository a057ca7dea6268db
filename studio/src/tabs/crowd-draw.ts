// Draws a crowd: agents between two cells, their goals, reservations and the direction map.
import type { CrowdState } from '../engine/protocol';
import type { Overlay } from '../view/overlay';
import type { Play } from './crowd-play';

const FIELDS = 6; // numbers per agent: x, y, goal x, goal y, type, waiting
const MAX_GOALS = 1500; // with more agents, lines to goals are unreadable

export function drawCrowd(o: Overlay, play: Play, colours: string[]): void {
    const { state, before } = play;
    if (!state || !before) return;
    if (play.layers.arrows && state.arrows) drawArrows(o, state.arrows);
    if (play.layers.reservations && state.reservations) drawReservations(o, state.reservations, state, colours);
    const places = between(state.agents, before, play.progress());
    if (play.layers.goals) drawGoals(o, state.agents, places, colours);
    drawAgents(o, state.agents, places, colours);
}

// Returns the agents' interpolated positions in cells; NaN: removed.
function between(agents: Int32Array, before: Int32Array, progress: number): Float64Array {
    const eased = progress * progress * (3 - 2 * progress);
    const places = new Float64Array((agents.length / FIELDS) * 2).fill(NaN);
    for (let i = 0, k = 0; i < agents.length; i += FIELDS, k += 2) {
        if (agents[i] < 0) continue;
        const near = before[i] >= 0 && Math.abs(before[i] - agents[i]) <= 1 && Math.abs(before[i + 1] - agents[i + 1]) <= 1;
        const [x, y] = near ? [before[i], before[i + 1]] : [agents[i], agents[i + 1]];
        places[k] = x + (agents[i] - x) * eased + 0.5;
        places[k + 1] = y + (agents[i + 1] - y) * eased + 0.5;
    }
    return places;
}

function isSeen(o: Overlay, x: number, y: number): boolean {
    return x >= -20 && y >= -20 && x <= o.width + 20 && y <= o.height + 20;
}

function drawAgents(o: Overlay, agents: Int32Array, places: Float64Array, colours: string[]): void {
    const { g } = o;
    const radius = Math.max(3.2, 0.4 * o.scale);
    colours.forEach((colour, type) => {
        const moving = new Path2D();
        const arrived = new Path2D();
        for (let i = 0, k = 0; i < agents.length; i += FIELDS, k += 2) {
            const [x, y] = [o.x(places[k]), o.y(places[k + 1])];
            if (agents[i + 4] !== type || Number.isNaN(x) || !isSeen(o, x, y)) continue;
            const path = agents[i] === agents[i + 2] && agents[i + 1] === agents[i + 3] ? arrived : moving;
            path.moveTo(x + radius, y);
            path.arc(x, y, radius, 0, 2 * Math.PI);
        }
        g.lineWidth = Math.max(1, radius / 4);
        g.fillStyle = colour;
        g.fill(moving);
        g.strokeStyle = 'rgba(15, 18, 24, 0.75)';
        g.stroke(moving);
        g.globalAlpha = 0.55;
        g.fill(arrived);
        g.globalAlpha = 1;
        g.strokeStyle = '#ffffff';
        g.stroke(arrived);
    });
}

function drawGoals(o: Overlay, agents: Int32Array, places: Float64Array, colours: string[]): void {
    if (agents.length / FIELDS > MAX_GOALS) return;
    const { g } = o;
    g.save();
    g.lineWidth = 1;
    g.globalAlpha = 0.5;
    for (let i = 0, k = 0; i < agents.length; i += FIELDS, k += 2) {
        if (agents[i] < 0) continue;
        const [x, y] = [o.x(agents[i + 2] + 0.5), o.y(agents[i + 3] + 0.5)];
        g.strokeStyle = g.fillStyle = colours[agents[i + 4]];
        g.beginPath();
        g.moveTo(o.x(places[k]), o.y(places[k + 1]));
        g.lineTo(x, y);
        g.stroke();
        g.fillRect(x - 2, y - 2, 4, 4);
    }
    g.restore();
}

// Earlier reservations are more opaque.
function drawReservations(o: Overlay, list: Int32Array, state: CrowdState, colours: string[]): void {
    const { g } = o;
    const side = Math.max(1, o.scale);
    g.save();
    for (let i = 0; i < list.length; i += 4) {
        const [x, y] = [o.x(list[i]), o.y(list[i + 1])];
        if (!isSeen(o, x, y)) continue;
        const ahead = list[i + 2] - state.tick;
        g.globalAlpha = Math.max(0.06, 0.5 - 0.03 * ahead);
        g.fillStyle = colours[state.agents[list[i + 3] * FIELDS + 4]] ?? '#ffffff';
        g.fillRect(x, y, side, side);
    }
    g.restore();
}

function drawArrows(o: Overlay, arrows: Float32Array): void {
    if (o.scale < 3) return;
    const { g } = o;
    const path = new Path2D();
    for (let i = 0; i < arrows.length; i += 4) {
        const [x, y] = [o.x(arrows[i] + 0.5), o.y(arrows[i + 1] + 0.5)];
        if (isSeen(o, x, y)) arrow(path, x, y, 0.42 * o.scale * arrows[i + 2], 0.42 * o.scale * arrows[i + 3]);
    }
    g.save();
    g.lineWidth = 1.2;
    g.strokeStyle = 'rgba(255, 255, 255, 0.75)';
    g.stroke(path);
    g.restore();
}

function arrow(path: Path2D, x: number, y: number, dx: number, dy: number): void {
    path.moveTo(x - dx, y - dy);
    path.lineTo(x + dx, y + dy);
    path.moveTo(x + dx - 0.5 * dx - 0.4 * dy, y + dy - 0.5 * dy + 0.4 * dx);
    path.lineTo(x + dx, y + dy);
    path.lineTo(x + dx - 0.5 * dx + 0.4 * dy, y + dy - 0.5 * dy - 0.4 * dx);
}
