// Sets the theme before the first paint, so that a dark page does not flash white. The content security policy forbids
// inline scripts, so this is a separate file.
try {
  const chosen = localStorage.getItem('holdfast.theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
} catch {
  // Without `localStorage`, the page follows the theme of the system.
}
