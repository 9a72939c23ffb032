// Before the first paint, so that a page in the dark does not flash. Not inline: the policy of the page forbids that.
try {
  const chosen = localStorage.getItem('holdfast.theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
} catch {
  // A browser that keeps nothing follows the system.
}
