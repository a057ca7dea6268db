import type { Method } from '../engine/protocol';

// Returns valid names: each method's example, with a size where `sizes` has one, plain and with each option.
export function methodNames(methods: Method[], sizes: Record<string, string> = {}): string[] {
    return methods.flatMap(({ usage, example }) => {
        const name = example + (sizes[example] ?? '');
        return [name, ...(usage.match(/\+[a-z_]+/g) ?? []).map((option) => name + option)];
    });
}

// Method options and names that were renamed; states saved by older pages contain the old ones.
const RENAMED: [RegExp, string][] = [
    [/^mm(?=:|$)/, 'minimal_memory'],
    [/\+refract\b/, '+any_angle'],
    [/\+corridor\b/, '+smooth'],
    [/\+certificates\b/, '+lower_bounds'],
    [/\+embedding\b/, '+fastmap'],
];

// Returns the current name of a method in a saved state.
export function renamedMethod(name: string): string {
    return RENAMED.reduce((text, [old, current]) => text.replace(old, current), name);
}
