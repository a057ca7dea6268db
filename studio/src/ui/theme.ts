// Dark or light: as the system has it, until the switch says otherwise.
export type Theme = 'auto' | 'light' | 'dark';

const KEY = 'terrane.theme';
const system = window.matchMedia('(prefers-color-scheme: dark)');

export function theme(): Theme {
    const set = document.documentElement.dataset['theme'];
    return set === 'light' || set === 'dark' ? set : 'auto';
}

export function isDark(): boolean {
    return theme() === 'auto' ? system.matches : theme() === 'dark';
}

export function nextTheme(): Theme {
    const order: Theme[] = ['auto', 'light', 'dark'];
    return order[(order.indexOf(theme()) + 1) % order.length];
}

export function setTheme(next: Theme): void {
    document.documentElement.dataset['theme'] = next;
    remember(KEY, next);
}

export function onThemeChange(listener: () => void): void {
    system.addEventListener('change', listener);
}

// What the browser keeps for this page; nothing where it keeps nothing (a private window, a page from a file).
export function remember(key: string, value: string): void {
    try {
        localStorage.setItem(key, value);
    } catch {
        // It is a convenience only.
    }
}

export function remembered(key: string): string | null {
    try {
        return localStorage.getItem(key);
    } catch {
        return null;
    }
}
