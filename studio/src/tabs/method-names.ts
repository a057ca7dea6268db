import type { Method } from '../engine/protocol';

// Names that can be used: each method's example, with a size where `sizes` has one, without options and with each.
export function methodNames(methods: Method[], sizes: Record<string, string> = {}): string[] {
    return methods.flatMap(({ usage, example }) => {
        const name = example + (sizes[example] ?? '');
        return [name, ...(usage.match(/\+[a-z]+/g) ?? []).map((option) => name + option)];
    });
}
