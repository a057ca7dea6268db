// Generates a C++ program that runs the same query with the same result.
import type { Path } from '../engine/protocol';
import { costOf, type Cell, type Creature, type Generator, type WorldState } from '../types';

export interface Question {
    world: WorldState;
    file: string; // the saved world, for worlds that a seed does not reproduce
    creature: Creature;
    flags: { from: Cell; to: Cell };
    method: string; // '': default
    prepares: boolean;
    path: Path | null;
}

const DETAIL: Record<string, string> = { island: 'polygon', rooms: 'room', maze: 'corridor', random: 'density', voronoi: 'sites' };

function generatorLines({ kind, width, height, seed, detail, terrains }: Generator): string[] {
    const name = kind.charAt(0).toUpperCase() + kind.slice(1);
    const fields = [`options.width = ${width}`, `options.height = ${height}`, `options.seed = ${seed}`];
    if (detail > 0 && DETAIL[kind]) fields.push(`options.${DETAIL[kind]} = ${detail}`);
    if (terrains > 0 && (kind === 'scatter' || kind === 'voronoi')) fields.push(`options.terrains = ${terrains}`);
    return [`    ${name}Options options;`, ...fields.map((field) => `    ${field};`), `    World world(generate_${kind}(options).value()`];
}

// Ends before the world's options.
function worldLines({ world, file }: Question): string[] {
    if (world.origin.kind === 'generated' && !world.edited) return generatorLines(world.origin.generator);
    return [`    World world(load_map("${escaped(file)}").value()`];
}

// The most frequent cost becomes otherwise().
export function profileLine(creature: Creature, world: WorldState, variable: string): string {
    const costs = world.terrains.map(({ name }) => ({ name, cost: costOf(creature, name) }));
    const count = new Map<number, number>();
    for (const { cost } of costs) count.set(cost, (count.get(cost) ?? 0) + 1);
    const frequent = [...count].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 100;
    const rules = costs.filter(({ cost }) => cost !== frequent).map(({ name, cost }) => rule(name, cost));
    const rest = frequent === 0 ? '.otherwise_blocked()' : `.otherwise(${frequent / 100})`;
    return wrapped(`    Profile ${variable} = Profile("${escaped(creature.name)}")`, [...rules, rest]);
}

function rule(name: string, cost: number): string {
    return cost === 0 ? `.blocked("${escaped(name)}")` : `.cost("${escaped(name)}", ${cost / 100})`;
}

// Wraps lines at 100 columns.
function wrapped(head: string, calls: string[]): string {
    const lines = [head];
    for (const call of calls) {
        if (lines[lines.length - 1].length + call.length > 100) lines.push(`        ${call}`);
        else lines[lines.length - 1] += call;
    }
    return `${lines.join('\n')};`;
}

const escaped = (text: string): string => text.replace(/[\\"]/g, '\\$&');

// Returns a valid C++ identifier.
function variableOf(name: string): string {
    const letters = name
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '_')
        .replace(/^_+|_+$/g, '');
    const taken = ['world', 'planner', 'path', 'options', 'find', 'prepare', 'main', 'int', 'new', 'class', 'auto', 'default'];
    return /^[a-z]/.test(letters) && !taken.includes(letters) ? letters : `creature_${letters}`.replace(/_$/, '');
}

export function codeOf(question: Question): string {
    const { creature, flags, method, prepares, path, world } = question;
    const variable = variableOf(creature.name);
    const cell = ({ x, y }: Cell): string => `{${x}, ${y}}`;
    const made = worldLines(question);
    made.push(`${made.pop()}${world.sector === 16 ? '' : `, WorldOptions{.sectors = {${world.sector}}}`});`);
    const lines = ['#include <terrane/terrane.h>', '', '#include <cstdio>', 'using namespace terrane;', '', 'int main() {', ...made];
    lines.push(profileLine(creature, world, variable), '    Planner planner(world);', '');
    if (method) lines.push('    FindOptions find;', `    find.method = find_method("${escaped(method)}").value();`);
    if (prepares) {
        lines.push('    PrepareOptions prepare;', '    prepare.method = find.method;');
        lines.push(`    world.prepare(${variable}.compile(world.grid().catalogue()).value(), prepare).value();`);
    }
    lines.push(`    Path path = planner.find(${cell(flags.from)}, ${cell(flags.to)}, ${variable}${method ? ', find' : ''});`);
    lines.push('    std::printf("%s: %zu cells, cost %.2f\\n", to_string(path.status), path.cells.size(), to_real(path.cost));');
    if (prepares && world.edited)
        lines.push('    // This program prepares from scratch. The studio repaired its data after edits, so its cost may differ slightly.');
    if (path) lines.push(`    // ${path.statusText}: ${path.cells.length / 2} cells, cost ${path.costText} (${path.cost} units)`);
    return `${[...lines, '}'].join('\n')}\n`;
}
