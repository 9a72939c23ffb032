import { createStore } from '../../lib/store.ts';

/**
 * The secret of the one-time link. It is taken out of the address at once, before anything else runs: from there it
 * would go into the history of the browser.
 */
export const setupSecret = createStore<string | undefined>(undefined);

function take(): void {
  const { pathname, search, hash } = window.location;
  if (pathname !== '/setup' || hash.length <= 1) return;
  setupSecret.set(decodeURIComponent(hash.slice(1)));
  window.history.replaceState(window.history.state, '', pathname + search);
}

take();
window.addEventListener('hashchange', take);
