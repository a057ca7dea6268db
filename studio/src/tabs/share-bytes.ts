// Compression and base64, also URL-safe for addresses; downloads and the clipboard.

async function through(bytes: Uint8Array, by: CompressionStream | DecompressionStream): Promise<Uint8Array<ArrayBuffer>> {
    const stream = new Blob([bytes as BlobPart]).stream().pipeThrough(by);
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

export const gzip = (bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> => through(bytes, new CompressionStream('gzip'));
export const gunzip = (bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> => through(bytes, new DecompressionStream('gzip'));

const CHUNK = 0x8000; // bytes per call: functions accept a limited number of arguments

export function toBase64(bytes: Uint8Array): string {
    let letters = '';
    for (let i = 0; i < bytes.length; i += CHUNK) letters += String.fromCharCode(...bytes.subarray(i, i + CHUNK));
    return btoa(letters);
}

export function fromBase64(text: string): Uint8Array {
    const letters = atob(text);
    return Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
}

export async function toAddress(text: string): Promise<string> {
    const packed = toBase64(await gzip(new TextEncoder().encode(text)));
    return packed.replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

export async function fromAddress(text: string): Promise<string> {
    const bytes = await gunzip(fromBase64(text.replace(/-/g, '+').replace(/_/g, '/')));
    return new TextDecoder().decode(bytes);
}

export function download(name: string, content: BlobPart, type = 'application/octet-stream'): void {
    const address = URL.createObjectURL(new Blob([content], { type }));
    const link = document.createElement('a');
    link.href = address;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 60000);
}

// Falls back to execCommand where the page cannot use the clipboard API (no secure context).
export async function copyText(text: string): Promise<boolean> {
    try {
        await navigator.clipboard.writeText(text);
        return true;
    } catch {
        const area = document.createElement('textarea');
        area.value = text;
        document.body.append(area);
        area.select();
        const done = document.execCommand('copy');
        area.remove();
        return done;
    }
}
