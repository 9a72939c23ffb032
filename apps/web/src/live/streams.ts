import { isPaused } from '../api/query-client.ts';
import { createStore } from '../lib/store.ts';
import type { Connection, LiveState } from './connection.ts';

/**
 * A browser allows six connections to a server, and each stream holds one for as long as it is open. So a tab keeps one
 * stream: that of the page if it has one, else that of the shell, which goes on afterwards where it was.
 */
const followed: Connection[] = [];

/** Of the one stream that is open. */
export const liveState = createStore<LiveState>('off');

function current(): Connection | undefined {
  return followed.at(-1);
}

function report(): void {
  liveState.set(current()?.state.get() ?? 'off');
}

function begin(connection: Connection): void {
  if (isPaused.get()) connection.pause();
  else connection.resume();
}

/** Until what it gives is called. The shell's stream stands behind that of a page, whichever of them came first. */
export function followStream(connection: Connection, place: 'page' | 'shell'): () => void {
  const forget = connection.state.subscribe(report);
  if (place === 'shell') followed.unshift(connection);
  else {
    current()?.pause();
    followed.push(connection);
  }
  if (current() === connection) begin(connection);
  report();
  return () => {
    const wasCurrent = current() === connection;
    followed.splice(followed.indexOf(connection), 1);
    forget();
    connection.stop();
    const next = current();
    if (wasCurrent && next !== undefined) begin(next);
    report();
  };
}

export function toggleLive(): void {
  const connection = current();
  if (connection === undefined) return;
  isPaused.set(!isPaused.get());
  begin(connection);
}
