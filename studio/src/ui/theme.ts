// Colour theme: the system's, until the user chooses one.
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

// Browser storage. Does nothing where it is unavailable (private windows, pages opened from disk).
export function remember(key: string, value: string): void {
    try {
        localStorage.setItem(key, value);
    } catch {
        // storage is optional
    }
}

export function remembered(key: string): string | null {
    try {
        return localStorage.getItem(key);
    } catch {
        return null;
    }
}
