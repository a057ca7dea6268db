// Before anything is drawn, so that the page does not blink.
try {
    document.documentElement.dataset.theme = localStorage.getItem('terrane.theme') || 'auto';
} catch {
    document.documentElement.dataset.theme = 'auto';
}
