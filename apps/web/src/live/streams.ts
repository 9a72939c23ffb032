import { isPaused } from '../api/query-client.ts';
import { createStore } from '../lib/store.ts';
import type { Connection, LiveState } from './connection.ts';

/**
 * A browser allows six HTTP/1.1 connections per server, and an open stream uses one. So a tab keeps one stream open:
 * the page's stream if it has one, otherwise the shell's. The shell's stream resumes when the page's stream closes.
 */
const followed: Connection[] = [];

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

/** Opens a stream; returns a function that closes it. A page's stream takes precedence over the shell's. */
export function followStream(connection: Connection, owner: 'page' | 'shell'): () => void {
  const forget = connection.state.subscribe(report);
  if (owner === 'shell') followed.unshift(connection);
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
