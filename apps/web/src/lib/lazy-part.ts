import { delay } from '@holdfast/base/time';
import { type ComponentType, lazy } from 'react';

const RETRY_MS = 2_000;

/**
 * Loads a part of the dashboard. While the server is unreachable, it waits instead of failing: after a failed import,
 * the router would reload the page, which the browser would replace with its own error page.
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  for (;;) {
    try {
      return await load();
    } catch {
      // The server responds. If loading still fails, the server has another version, which a page reload fetches.
      if (await isReachable()) return load();
      await delay(RETRY_MS);
    }
  }
}

async function isReachable(): Promise<boolean> {
  try {
    return (await fetch('/healthz', { cache: 'no-store' })).ok;
  } catch {
    return false;
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
