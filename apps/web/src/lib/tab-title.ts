/** The title and icon of the browser tab. Both show how many items wait in the inbox. */

let shownTitle = 'Holdfast';
let shownCount = 0;

export function setTabTitle(title: string): void {
  shownTitle = `${title} · Holdfast`;
  show();
}

export function setTabCount(count: number): void {
  if (count === shownCount) return;
  shownCount = count;
  show();
  document.querySelector('link[rel=icon]')?.setAttribute('href', count === 0 ? '/favicon.svg' : '/favicon-waiting.svg');
}

function show(): void {
  document.title = shownCount === 0 ? shownTitle : `(${shownCount}) ${shownTitle}`;
}
