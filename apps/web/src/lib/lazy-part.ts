import { delay } from '@holdfast/base/time';
import { type ComponentType, lazy } from 'react';

import { isReachable } from './is-reachable.ts';

const RETRY_MS = 2_000;

/**
 * Loads a part of the dashboard. Waits while the server is unreachable: without the wait, the import would fail, the
 * router would reload the page, and the browser would show its own error page.
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  for (;;) {
    try {
      return await load();
    } catch {
      // The server responds. If loading still fails, the server has another version, and reloading the page fetches
      // that version.
      if (await isReachable()) return load();
      await delay(RETRY_MS);
    }
  }
}

/** A component that is loaded when it is first rendered. */
export function lazyPart<Props>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => ({ default: await loadPart(load) }));
}

/** Loads parts one by one while the browser is idle, so that they work when the server is unreachable. */
export function preloadWhenIdle(loaders: readonly (() => Promise<unknown>)[]): () => void {
  const stop = new AbortController();
  const preload = async (): Promise<void> => {
    for (const load of loaders) {
      await whenIdle();
      if (stop.signal.aborted) return;
      await loadPart(load);
    }
  };
  // A part that fails to load now is loaded again when it is opened.
  void preload().catch(() => undefined);
  return () => stop.abort();
}

function whenIdle(): Promise<unknown> {
  // Safari has no `requestIdleCallback`.
  return new Promise((done) => (window.requestIdleCallback ?? setTimeout)(done));
}
