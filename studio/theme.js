// Sets the theme before the first paint, so that the page does not flash.
try {
    document.documentElement.dataset.theme = localStorage.getItem('terrane.theme') || 'auto';
} catch {
    document.documentElement.dataset.theme = 'auto';
}
