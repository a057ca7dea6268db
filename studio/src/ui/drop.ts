// Opens files that are dropped anywhere on the page.
import type { App } from '../app';
import { sourceOf } from '../world/sources';

export function listenForFiles(app: App, show: (dropping: boolean) => void): void {
    let depth = 0; // of nested elements that the drag has entered
    const hasFile = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;
    const enter = (event: DragEvent, by: number): void => {
        if (!hasFile(event)) return;
        event.preventDefault();
        depth = Math.max(0, depth + by);
        show(depth > 0);
    };
    window.addEventListener('dragenter', (event) => enter(event, 1));
    window.addEventListener('dragleave', (event) => enter(event, -1));
    window.addEventListener('dragover', (event) => hasFile(event) && event.preventDefault());
    window.addEventListener('drop', (event) => {
        if (!hasFile(event)) return;
        event.preventDefault();
        depth = 0;
        show(false);
        void openFiles(app, [...(event.dataTransfer?.files ?? [])]);
    });
}

// Opens a saved state through the tab that owns it, and anything else as a map with its tilesets.
export async function openFiles(app: App, files: File[]): Promise<boolean> {
    if (files.length === 0) return false;
    for (const tab of app.tabs) if (await tab.openFile?.(files[0])) return true;
    return app.open(await sourceOf(files));
}
