/**
 * Follows a numbered log: yields everything after `since`, in order, then each new entry, without gaps or duplicates.
 *
 * A signal from the source is only a hint; `read` decides what is delivered. The hint is cleared *before* reading, so a
 * signal that arrives during a read or delivery causes another read.
 */

export interface Numbered {
  readonly revision: number;
}

export interface FollowSource<Entry extends Numbered> {
  /** Entries after `since`, oldest first; empty when there are none yet. */
  read(since: number): readonly Entry[] | Promise<readonly Entry[]>;
  /** Calls `wake` when there may be more; returns an unsubscribe function. */
  subscribe(wake: () => void): () => void;
}

export async function* follow<Entry extends Numbered>(
  source: FollowSource<Entry>,
  since: number,
  signal?: AbortSignal,
): AsyncGenerator<Entry, void, undefined> {
  let last = since;
  let maybeMore = true;
  let wake = doNothing;
  const unsubscribe = source.subscribe(() => {
    maybeMore = true;
    wake();
  });
  const abort = (): void => wake();
  const isAborted = (): boolean => signal?.aborted === true;
  signal?.addEventListener('abort', abort);
  try {
    while (!isAborted()) {
      if (!maybeMore) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      maybeMore = false;
      for (const entry of await source.read(last)) {
        if (isAborted()) return;
        last = entry.revision;
        maybeMore = true;
        yield entry;
      }
    }
  } finally {
    signal?.removeEventListener('abort', abort);
    unsubscribe();
  }
}

function doNothing(): void {}
